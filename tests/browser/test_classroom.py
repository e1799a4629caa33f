"""A class in real browsers: a teacher runs the first lesson, students join on phones, predict, draw, and come back.

CLASS_STUDENTS says how many students there are.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz.teaching.classes import Classes, Seat
from dpviz.teaching.lesson import LESSONS
from dpviz.teaching.lessons import permute_and_flip as taught
from tests.browser.conftest import serve
from tests.browser.steps import open_page, ready
from tests.browser.test_access import violations

STUDENTS = int(os.environ.get("CLASS_STUDENTS", "6"))
LESSON = LESSONS["permute_and_flip"]
TITLES = [step.title for step in LESSON.steps]
QUESTION = LESSON.steps[1].question
EXPERIMENT = LESSON.steps[2].experiment
NewPage = Callable[[str], Page]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the classes of this module's server."""
    return tmp_path_factory.mktemp("classes") / "classes.sqlite"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory, store: Path) -> Iterator[str]:
    """The address of a server with a store of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CLASSES", str(store))
        with serve(tmp_path_factory.mktemp("school")) as address:
            yield address


def begun(page: Page) -> str:
    """This teacher begins a class on the projector; its code."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, f"/learn?lesson={LESSON.key}")
    page.get_by_role("button", name="Start a class").click()
    page.wait_for_url("**/classroom**")
    code = page.locator(".dp-code")
    expect(code).to_be_visible()
    ready(page)
    return code.inner_text()


def joined(page: Page, code: str, *, typed: bool = False) -> Page:
    """A student joins on a phone, by the link or by typing."""
    page.set_viewport_size({"width": 390, "height": 844})
    if typed:
        open_page(page, "/join")
        page.get_by_label("Code of the class").fill(f"{code[:3]} {code[3:]}".lower())
        page.get_by_role("button", name="Join", exact=True).click()
    else:
        open_page(page, f"/join?code={code}")
    expect(page.get_by_text(f"Class {code}")).to_be_visible()
    return page


def on(teacher: Page) -> None:
    """Everyone to the next step; at first from the screen with the code to the lesson."""
    way = teacher.get_by_role("button", name="Begin the lesson")
    way = way.or_(teacher.get_by_role("button", name="Everyone to the next step"))
    before = way.inner_text()
    ready(teacher)  # a press on a page that is being drawn is that on the page before
    way.click()
    if before.startswith("Begin"):
        at([teacher], 0)


def at(pages: list[Page], step: int) -> None:
    """All of them are at this step."""
    for page in pages:
        expect(page.locator("h1")).to_have_text(TITLES[step])


def option(student: Page, choice: int) -> None:
    """This student predicts."""
    assert QUESTION is not None
    student.get_by_text(QUESTION.choices[choice], exact=True).click()
    expect(student.get_by_text("Your prediction is in")).to_be_visible()


def test_a_teacher_runs_the_first_lesson_with_students(new_page: NewPage, school: str, store: Path) -> None:
    assert EXPERIMENT is not None
    teacher = new_page(school)
    code = begun(teacher)
    students = [joined(new_page(school), code, typed=n % 2 == 0) for n in range(STUDENTS)]
    expect(teacher.locator(".dp-in b")).to_have_text(f"{STUDENTS}")
    assert store.exists()

    on(teacher)
    at([teacher, *students], 0)
    on(teacher)
    at([teacher, *students], 1)
    for n, student in enumerate(students):
        option(student, n % 3)
    expect(teacher.locator(".dp-count")).to_have_text(f"{STUDENTS} of {STUDENTS} predictions are in")
    expect(teacher.locator(".dp-answers")).to_have_count(0)
    expect(students[0].locator(".dp-answers")).to_have_count(0)
    teacher.get_by_role("button", name="Show the answer").click()
    given = [f"{len(range(choice, STUDENTS, 3))} of {STUDENTS}" for choice in range(3)]
    for page in [teacher, *students]:
        expect(page.locator(".dp-answers td")).to_have_text(given)

    on(teacher)
    at([teacher, *students], 2)
    for student in students:
        student.get_by_role("button", name="Draw 10", exact=True).click()
        expect(student.locator(".dp-you span").first).to_contain_text("of 10")
    look = Classes(store, age=0.0)
    state = look.look(code)
    look.close()
    assert state is not None
    assert state.counts is not None
    assert (state.students, state.drawing, state.counts.sum()) == (STUDENTS, STUDENTS, 10 * STUDENTS)
    for student in students:
        shown = [f"{n:,} of {10 * STUDENTS:,}" for n in state.counts]
        expect(student.locator(".dp-class span")).to_have_text(shown)
    picture = teacher.locator(".st-key-learn_picture .js-plotly-plot").last  # a changed one is made anew
    for n in state.counts:
        expect(picture).to_contain_text(f"{n:,} of {10 * STUDENTS:,}")
    own = [student.locator(".dp-you b").all_inner_texts() for student in students]
    assert np.array([[int(n) for n in each] for each in own]).sum(axis=0).tolist() == state.counts.tolist()
    assert len({tuple(each) for each in own}) > 1

    teacher.get_by_role("slider").focus()
    teacher.keyboard.press("ArrowRight")
    for student in students:
        expect(student.locator(".dp-sub b")).to_have_text(f"{taught.EPSILONS[3]:g}")
    on(teacher)
    at([teacher, *students], 3)
    teacher.get_by_role("button", name="Everyone back").click()
    at([teacher, *students], 2)

    teacher.get_by_role("button", name="End the class").click()
    teacher.get_by_role("button", name="End it now").click()
    expect(teacher.get_by_text("No class is under way")).to_be_visible()
    for student in students:
        expect(student.get_by_text("The class has ended")).to_be_visible()
        student.wait_for_function("!document.cookie.includes('dpviz_student')")
    teacher.wait_for_function("!document.cookie.includes('dpviz_teacher')")
    kept = b"".join(file.read_bytes() for file in store.parent.iterdir() if not file.name.endswith("-shm"))
    assert code.encode() not in kept


def test_who_is_cut_off_comes_back_to_seat_prediction_and_draws(new_page: NewPage, school: str, store: Path) -> None:
    assert QUESTION is not None
    teacher = new_page(school)
    code = begun(teacher)
    student = joined(new_page(school), code)
    on(teacher)
    on(teacher)
    at([student], 1)
    option(student, 2)
    student.wait_for_function("document.cookie.includes('dpviz_student=')")
    teacher.wait_for_function("document.cookie.includes('dpviz_teacher=')")
    student.reload()  # a new session: only the browser's token is left
    at([student], 1)
    expect(student.get_by_role("radio", name=QUESTION.choices[2])).to_be_checked()
    on(teacher)
    at([student], 2)
    student.get_by_role("button", name="Draw 100").click()
    expect(student.locator(".dp-you span").first).to_contain_text("of 100")
    before = student.locator(".dp-you").all_inner_texts()
    open_page(student, "/join")
    expect(student.locator(".dp-you").first).to_be_visible()
    assert student.locator(".dp-you").all_inner_texts() == before
    seat = seat_of(student, store)
    assert EXPERIMENT is not None
    drawn = EXPERIMENT.counts(EXPERIMENT.start, seat.seed, 100)
    assert [f"{n} of 100" in text for n, text in zip(drawn, before, strict=True)] == [True] * len(before)
    teacher.reload()
    at([teacher], 2)
    expect(teacher.locator(".dp-in b")).to_have_text("1")


def seat_of(student: Page, store: Path) -> Seat:
    """The seat that this browser's token stands for."""
    token = next(each["value"] for each in student.context.cookies() if each["name"] == "dpviz_student")
    look = Classes(store)
    seat = look.back(token)
    look.close()
    assert seat is not None
    return seat


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_either_view(new_page: NewPage, school: str, theme: str) -> None:
    teacher, student = new_page(school), new_page(school)
    for page in (teacher, student):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    code = begun(teacher)
    joined(student, code)

    def right() -> None:
        for page, width in ((teacher, 1400), (student, 390)):
            ready(page)
            assert [one[:2] for one in violations(page, width) if not one[2]] == []

    expect(teacher.locator(".dp-in b")).to_have_text("1")
    right()
    on(teacher)
    on(teacher)
    at([teacher, student], 1)
    option(student, 0)
    right()
    teacher.get_by_role("button", name="Show the answer").click()
    expect(student.locator(".dp-answers")).to_be_visible()
    right()
    on(teacher)
    at([teacher, student], 2)
    student.get_by_role("button", name="Draw 10", exact=True).click()
    expect(student.locator(".dp-class").first).to_be_visible()
    teacher.locator(".js-plotly-plot .main-svg").first.wait_for(state="attached")
    right()


def test_nothing_runs_off_a_phone_and_the_way_on_stays_in_sight(new_page: NewPage, school: str) -> None:
    teacher, student = new_page(school), new_page(school)
    joined(student, begun(teacher))
    picture = teacher.get_by_role("img", name="QR code of")
    expect(picture).to_be_in_viewport(ratio=1)
    assert picture.evaluate("(img) => img.complete && img.naturalWidth > 0")
    for step in range(4):
        on(teacher)
        at([teacher, student], step)
        for width in (390, 320):
            student.set_viewport_size({"width": width, "height": 844})
            sizes = student.get_by_test_id("stMain").evaluate("main => [main.scrollWidth, main.clientWidth]")
            assert sizes[0] <= sizes[1]
        expect(student.get_by_test_id("stTopNavLink")).to_have_count(0)
        expect(student.get_by_test_id("stSidebar")).not_to_be_visible()
        expect(teacher.get_by_role("button", name="Everyone to the next step")).to_be_in_viewport(ratio=1)
        expect(teacher.locator(".dp-code-small b")).to_be_in_viewport()
