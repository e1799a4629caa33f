"""A whole session of 45 minutes on one code, as fast as it goes, while all that can happen to a
class happens.

Lines are cut, pages are loaded anew, somebody comes late, somebody twice, and the server ends and
begins again, asked to and not. In the end every answer is in the file, and none besides.
CLASS_STUDENTS says how many there are; twelve where it is not set.
"""

import csv
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.teaching.classes import ClassManager, ClassState
from dpviz.teaching.classes.course import CourseStop, build_course
from dpviz.teaching.session_plans import SESSIONS
from tests.browser.class_steps import answer, asks, begun_session, joined, on, predicted, seat_of
from tests.browser.conftest import is_healthy
from tests.browser.steps import ready
from tests.browser.windows import SLOWEST
from tests.until import until

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = int(os.environ.get("CLASS_STUDENTS", "12"))
STOPS = build_course(SESSIONS["45"].lessons)
ASKED = [place for place, stop in enumerate(STOPS) if stop.question is not None]
DRAWN = [place for place, stop in enumerate(STOPS) if stop.experiment is not None]
DRAWS = 10


@dataclass
class School:
    """A server that ends and begins again at the same address, with the same store."""

    home: Path
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def store(self) -> Path:
        return self.home / "classes.sqlite"

    def opens(self) -> None:
        """Begin, and wait until it answers."""
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(ROOT / "app.py"),
            "--server.headless",
            "true",
        ]
        command += ["--server.fileWatcherType", "none", "--server.port", str(self.port)]
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")
        }
        kept |= {"HOME": str(self.home), "DPVIZ_CLASSES": str(self.store)}
        with (self.home / "server.log").open("a") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=kept, stdout=log, stderr=log)
        until(
            lambda: is_healthy(self.address),
            of=self.process,
            told=(self.home / "server.log").read_text,
        )

    def closes(self, *, at_once: bool = False) -> None:
        """End: as it is asked to, or `at_once`, as where the power fails."""
        if self.process is not None:
            if at_once:
                self.process.kill()
            else:
                self.process.terminate()
            self.process.wait()
            self.process = None


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        school = School(tmp_path, free.getsockname()[1])
    school.opens()
    yield school
    school.closes()


@dataclass
class Windows:
    """A browser each; what their pages threw. That nothing loads is said on the console, and meant
    here.
    """

    chromium: Browser
    address: str
    thrown: list[str] = field(default_factory=list)

    def new(self) -> Page:
        context = self.chromium.new_context(
            base_url=self.address, accept_downloads=True, reduced_motion="reduce"
        )
        context.set_default_timeout(SLOWEST * 1000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.thrown.append(f"{error}"))
        return page


@pytest.fixture
def windows(chromium: Browser, school: School) -> Iterator[Windows]:
    windows, before = Windows(chromium, school.address), list(chromium.contexts)
    expect.set_options(timeout=SLOWEST * 1000)
    yield windows
    for context in chromium.contexts:
        if context not in before:
            context.close()
    assert windows.thrown == []


def chosen(place: int, number: int, again: bool) -> int:
    """What this student answers there, so that few answer alike and many change their mind."""
    question = STOPS[place].question
    assert question is not None
    return (place + number * (2 if again else 1)) % len(question.choices)


def seen(school: School, code: str) -> ClassState:
    look = ClassManager(school.store, age=0.0)
    state = look.read_state(code)
    look.close()
    assert state is not None
    return state


def at(pages: list[Page], stop: CourseStop) -> None:
    for page in pages:
        expect(page.locator("h1")).to_have_text(stop.title)
        expect(
            page.get_by_text(f"step {stop.step + 1} of {len(stop.lesson_content.steps)}")
        ).to_be_attached()


def kept(student: Page) -> None:
    """The phone says that what was chosen waits."""
    expect(student.get_by_text("is kept, and goes out by itself")).to_be_visible()


def draws(student: Page, *, marks: bool) -> None:
    if marks:
        student.get_by_role("button", name="Set my mark").click()
    student.get_by_role("button", name=f"Draw {DRAWS}", exact=True).click()


def answers_through(place: int, again: bool, students: list[Page], school: School) -> None:
    """Everyone answers, whatever happens meanwhile: at each question something else does."""
    happens = (ASKED.index(place) + (1 if again else 0)) % 5
    first = students[0]
    for student in (
        students
    ):  # a press that the server has not heard when it is killed is lost, and seen to be
        expect(student.locator(asks(again))).to_be_visible()
    if happens == 0:
        first.context.set_offline(True)
    if happens == 3:
        school.closes(at_once=again)
    for number, student in enumerate(students):
        answer(student, chosen(place, number, again), again=again)
    if happens == 0:
        kept(first)
        first.context.set_offline(False)
    if happens == 3:
        for student in students:
            kept(student)
        school.opens()
    for student in students:
        predicted(student)
    if happens == 1:
        for student in students[:2]:
            student.reload()
    if happens == 2:  # the link once more, in the same browser: the same seat
        twice = joined_again(first, seat_of(first, school.store).code)
        expect(twice.locator(f"#choice{chosen(place, 0, again)}")).to_be_checked()
        twice.close()
    for number, student in enumerate(students):
        expect(student.locator(f"#choice{chosen(place, number, again)}")).to_be_checked()


def joined_again(student: Page, code: str) -> Page:
    page = student.context.new_page()
    page.goto(f"/join?code={code}")
    return page


@pytest.mark.long
@pytest.mark.timeout(1800)  # twelve people on two cores
def test_a_session_of_45_minutes_on_one_code_loses_nothing(
    windows: Windows, school: School, tmp_path: Path
) -> None:
    teacher = windows.new()
    code = begun_session(teacher, "45")
    students = [joined(windows.new(), code) for _ in range(PEOPLE - 1)]
    here = {}  # how many were there at each question
    for place, stop in enumerate(STOPS):
        if place == ASKED[3]:
            students.append(joined_late(windows.new(), code, stop_before=STOPS[place - 1]))
        on(teacher)
        at([teacher, *students], stop)
        if place in ASKED:
            here[place] = len(students)
            answers_through(place, False, students, school)
            expect(teacher.locator(".dp-count b")).to_have_text(f"{len(students)}")
            if stop.twice:
                ready(teacher)
                teacher.get_by_role("button", name="Talk, then answer again").click()
                answers_through(place, True, students, school)
                expect(teacher.locator(".dp-count b")).to_have_text(f"{len(students)}")
            ready(teacher)
            teacher.get_by_role("button", name="Show the answer").click()
            for page in (teacher, *students):
                expect(page.locator(".dp-answers .dp-right").first).to_be_visible()
        if place in DRAWN:
            assert stop.experiment is not None
            marks = stop.experiment.guess is not None
            students[-1].context.set_offline(True)
            for student in students[:-1]:
                draws(student, marks=marks)
            students[-1].context.set_offline(False)
            draws(students[-1], marks=marks)
            for student in students:
                expect(student.locator(".dp-you").first).to_contain_text(f"of {DRAWS}")
            state = seen(school, code)
            assert state.counts is not None
            assert (state.drawing, state.counts[0].sum()) == (len(students), DRAWS * len(students))
            assert len(state.marks) == (len(students) if marks else 0)
    assert seen(school, code).students == PEOPLE

    ready(teacher)
    teacher.get_by_role("button", name="End the class").click()
    teacher.get_by_role("button", name="End it now").click()
    expect(teacher.get_by_role("heading", name="What the class believed")).to_be_visible()
    for student in students:
        expect(student.get_by_role("heading", name="The class has ended")).to_be_visible()
    ready(teacher)
    with teacher.expect_download() as coming:
        teacher.get_by_role("button", name="Answers as a table").click()
    file = tmp_path / "class.csv"
    coming.value.save_as(file)
    with file.open(newline="") as lines:
        rows = [
            (row["lesson"], row["answer"], row["first"], row["after"])
            for row in csv.DictReader(lines)
        ]
    assert rows == [
        (
            STOPS[place].lesson_content.title,
            choice,
            f"{gave(place, n, here[place], again=False)}",
            f"{gave(place, n, here[place], again=True)}" if STOPS[place].twice else "",
        )
        for place in ASKED
        for n, choice in enumerate(STOPS[place].question.choices)  # type: ignore[union-attr]
    ]


def gave(place: int, choice: int, people: int, *, again: bool) -> int:
    """How many gave this answer."""
    return sum(chosen(place, number, again) == choice for number in range(people))


def joined_late(page: Page, code: str, *, stop_before: CourseStop) -> Page:
    """Somebody comes when the class is under way, and is where all are."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/join?code={code}")
    at([page], stop_before)
    return page
