"""A class on its teacher's page, run without a browser; students are there as their phones see it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base.text_format import percent
from dpviz.export.lessons.prose import markdown_with_powers
from dpviz.teaching.classes import LIMITS, ClassRefusal, ClassState, Seat
from dpviz.teaching.classes.course import TWICE
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import SESSIONS
from dpviz.web.classroom import access
from dpviz.web.classroom.phone import view

OpenPage = Callable[..., AppTest]
KEY = "permute_and_flip"
LESSON = LESSONS[KEY]
PREDICT = next(n for n, step in enumerate(LESSON.steps) if step.kind == "predict")
RUN = next(n for n, step in enumerate(LESSON.steps) if step.experiment is not None)
QUESTION = LESSON.steps[PREDICT].question
EXPERIMENT = LESSON.steps[RUN].experiment
HELD = f"dpviz.class.{access.TEACHER}"


@pytest.fixture(autouse=True)
def own_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None
) -> Iterator[None]:
    """Classes of this test only."""
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    yield
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    access.class_manager().close()


def html(app: AppTest) -> str:
    return "\n".join(part.proto.body for part in app.get("html") if "<style" not in part.proto.body)


def told(app: AppTest) -> str:
    return "\n".join([html(app), *(part.value for part in app.markdown)]).replace("\\", "")


def warned(app: AppTest) -> str:
    """The warning, without the signs that keep it from being read as markup."""
    return app.warning[0].value.replace("\\", "")


def keys(app: AppTest) -> set[str]:
    return {str(button.key) for button in app.button}


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def looks() -> None:
    """What is known of classes is looked for anew, instead of waiting."""
    access.class_manager()._known.clear()


def state_of(code: str) -> ClassState:
    looks()
    state = access.class_manager().read_state(code)
    assert state is not None
    return state


def code_of(app: AppTest) -> str:
    found = re.search(r'class="dp-code">([A-Z]{6})<', html(app))
    assert found is not None
    return found[1]


def begun(open_page: OpenPage) -> tuple[AppTest, str]:
    """A teacher who has begun a class, and its code."""
    teacher = press(open_page("learn", lesson=KEY), "class_start")
    teacher.switch_page("pages/classroom.py").run()  # where the button leads
    return teacher, code_of(teacher)


@dataclass(frozen=True)
class Student:
    """Somebody in the class, as the addresses of the student's page act for a phone."""

    seat: Seat

    @property
    def page(self) -> str:
        """What the phone shows, now."""
        looks()
        return str(view.student_view_html(access.class_manager(), self.seat))

    def answers(self, choice: int, *, again: bool = False) -> None:
        """Choose at the stop where the class is."""
        place = state_of(self.seat.code).place
        access.class_manager().submit_answer(self.seat, place, choice, again)
        assert "Your answer is saved." in self.page

    def draws(self, size: int) -> None:
        """Draw until there are so many."""
        state = state_of(self.seat.code)
        access.class_manager().draw_student_release_counts(
            self.seat, state.place, state.setting, size
        )


def joined(code: str) -> Student:
    seat = access.class_manager().join(code)
    assert seat is not None
    student = Student(seat)
    assert f"Class {code}" in student.page
    return student


def at_step(teacher: AppTest, step: int) -> None:
    """The teacher goes on to this step."""
    if "Begin the lesson" in [button.label for button in teacher.button]:
        teacher.button(key="learn_next").click().run()
    while f"step {step + 1} of {len(LESSON.steps)}" not in html(teacher):
        teacher.button(key="learn_next").click().run()
    assert not teacher.exception
    looks()  # instead of waiting


def people(app: AppTest) -> int:
    looks()
    found = re.search(r'class="dp-in" role="status"><b>(\d+)</b>', html(app.run()))
    assert found is not None
    return int(found[1])


def spec(teacher: AppTest) -> str:
    """The picture on the projector."""
    (chart,) = teacher.get("plotly_chart")
    return json.dumps(json.loads(chart.proto.spec), ensure_ascii=False)


def test_a_class_predicts_and_is_told_when_the_answer_is_shown(open_page: OpenPage) -> None:
    assert QUESTION is not None
    teacher, code = begun(open_page)
    assert people(teacher) == 0
    students = [joined(code) for _ in range(3)]
    assert people(teacher) == 3
    at_step(teacher, 0)
    read = told(teacher)
    while any(button.label.startswith("Read on") for button in teacher.button):
        read += told(press(teacher, "class_read_on"))
    text = markdown_with_powers(LESSON.steps[0].text).replace("\\", "")
    assert [one for one in text.split("\n\n") if one not in read] == []
    at_step(teacher, PREDICT)
    for student, choice in zip(students, (0, 1, 1), strict=True):
        student.answers(choice)
    looks()
    assert "<b>3</b> of 3 predictions are in" in html(teacher.run())
    for page in (told(teacher), students[0].page):
        assert "dp-answers" not in page
        assert QUESTION.because not in page
    at_step(teacher, RUN)
    assert "You chose" not in students[0].page
    press(teacher, "class_show")
    assert "class_show" not in keys(teacher)
    press(teacher, "learn_back")
    assert LESSON.steps[PREDICT].title in html(teacher)
    assert re.findall(r"<b>(\d)</b> of 3</span>", html(teacher)) == ["1", "2", "0"]
    assert QUESTION.because in told(teacher)
    page = students[0].page
    right = QUESTION.choices[1]
    so = f"You chose A ({QUESTION.choices[0]}). {QUESTION.mistakes[0]}"
    assert f"{so} The right answer is B ({right})." in page
    assert QUESTION.because in page
    assert f"{QUESTION.choices[0]} <small>your prediction</small>" in page
    assert f"✓ <b>B</b> {right} <small>right</small>" in page
    assert page.count("your prediction") == page.count('class="dp-right"') == 1
    assert "<input" not in page

    shown = html(press(teacher, "class_end_now"))
    assert "Results of the class" in shown
    assert re.findall(r"<b>(\d)</b> of 3</span>", shown) == ["1", "2", "0"]
    assert "your prediction" not in shown
    assert "learn_next" not in keys(teacher)
    for student in students:
        assert "The class has ended" in student.page
    press(teacher, "class_delete")
    assert access.class_manager().read_state(code) is None
    assert "The results are deleted" in html(teacher)
    assert "No class is running" in html(teacher.run())
    assert "The class is over" in students[0].page


def test_the_teachers_page_runs_again_when_somebody_answers(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[object, Callable[[], object]]] = []
    monkeypatch.setattr(access, "rerun_page_when_changed", lambda *given: looked.append(given))
    teacher, code = begun(open_page)
    student = joined(code)
    at_step(teacher, PREDICT)
    drawn, look = looked[-1]
    assert look() == drawn
    student.answers(0)
    assert look() != drawn


@pytest.mark.usefixtures("plain_sliders")
def test_a_class_draws_and_sees_the_law_when_the_teacher_says_so(open_page: OpenPage) -> None:
    assert EXPERIMENT is not None
    teacher, code = begun(open_page)
    students = [joined(code) for _ in range(3)]
    at_step(teacher, RUN)
    guess = EXPERIMENT.guess
    assert guess is not None
    assert f"**{guess.asks}** Everyone sets a mark first, then draws." in told(teacher)
    for student, expected in zip(students, (60, 60, 90), strict=True):
        assert "Draw 10" not in student.page  # first where one expects it
        access.class_manager().submit_guess(student.seat, RUN, expected)
        assert f"Your mark: {expected} of 100." in student.page
        student.draws(110)
    counts = state_of(code).counts
    assert len({student.seat.seed for student in students}) == 3
    drawn = [
        EXPERIMENT.draw_outcome_counts_per_law(EXPERIMENT.start, one.seat.seed, 110)
        for one in students
    ]
    assert counts.tolist() == np.sum(drawn, axis=0).tolist()
    assert "330 releases, drawn by 3 of 3 people." in html(teacher.run())
    for n in counts[0]:
        assert f"<b>{n}</b> of 330" in spec(teacher)
    page = students[0].page
    assert f"<b>{drawn[0][0][0]}</b> of 110" in page
    assert f"<b>{counts[1][0]}</b> of 330" in page

    teacher.select_slider[0].set_value(float(len(EXPERIMENT.settings()))).run()
    last = EXPERIMENT.settings()[-1]
    assert f"<b>{last:g}</b>" in students[0].page
    students[0].draws(1)
    for page in (students[0].page, spec(teacher)):  # what is to be found out
        assert "exactly" not in page
    press(teacher, "class_law")
    assert "sets a mark first" not in told(teacher)
    shown = re.findall(
        r'<th scope="row">([^<]*)</th><td class="dp-exact">.*?exactly ([^<]*)<', students[0].page
    )
    chances = [percent(float(chance)) for chance in EXPERIMENT.law(last)]
    told_to = [(name, escape(p)) for name, p in zip(EXPERIMENT.outcomes, chances, strict=True)]
    assert shown[: len(chances)] == told_to
    assert len(shown) == 2 * len(chances)  # and those of what it is compared with
    assert "You marked 60 of 100. The exact chance is" in students[0].page
    assert "Half of the class marked from 60 to 75, and the middle mark is" in html(teacher)
    with pytest.raises(ClassRefusal, match="shown already"):
        access.class_manager().submit_guess(students[0].seat, RUN, 75)
    assert all(f"exactly {chance}" in spec(teacher) for chance in chances)


def test_a_session_has_one_code_and_its_questions_are_answered_twice(open_page: OpenPage) -> None:
    teacher = open_page("classroom", session="90")
    assert "5 lessons under one code" in html(teacher)
    press(teacher, "class_start")
    students = [joined(code_of(teacher)) for _ in range(2)]
    press(teacher, "learn_next")
    (goto,) = teacher.selectbox
    at = next(
        n for n, says in enumerate(goto.options) if says.endswith(TWICE) and LESSON.title in says
    )
    goto.select_index(at).run()
    assert TWICE in html(teacher)
    asked = LESSON.steps[-1].question
    assert asked is not None

    def teachers() -> str:
        looks()
        return html(teacher.run())

    looks()
    for student, choice in zip(students, (0, 2), strict=True):
        assert asked.text in student.page
        student.answers(choice)
    assert "<b>2</b> of 2 predictions are in" in teachers()
    assert "right" not in html(press(teacher, "class_bars")).split("dp-answers")[1]
    assert "The vote is closed." in students[0].page
    assert "<input" not in students[0].page
    assert "dp-answers" not in html(press(teacher, "class_discuss"))  # while all vote again
    assert "dp-answers" not in students[0].page
    assert "Talk to your neighbours" in told(teacher)
    assert "class_discuss" not in keys(teacher)
    assert f"Your first answer: A ({asked.choices[0]})." in students[0].page
    assert "checked" not in students[0].page
    students[0].answers(2, again=True)
    teachers()
    press(teacher, "class_show")
    for shown in (teachers(), students[0].page):
        cells = re.findall(r'class="dp-(before|after)">.*?<b>(\d)</b> of (\d)', shown)
        assert cells == [
            (when, str(n), of)
            for first, after in ((1, 0), (0, 0), (1, 1))
            for when, n, of in (("before", first, "2"), ("after", after, "1"))
        ]
        assert re.findall(r"<em>(.*?)</em>", shown) == ["−50 points", "no change", "+50 points"]
        assert re.findall(r'class="dp-(?:before|after)"><i><u style="width:(\d+)', shown) == [
            "50", "0", "0", "0", "50", "100",
        ]  # fmt: skip
    assert "You chose C (They are the same). That is right." in students[0].page


def test_the_door_can_be_locked_and_seats_are_given_up(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    first, last = joined(code), joined(code)
    at_step(teacher, 0)
    press(teacher, "class_free_newest")
    assert access.class_manager().find_seat(last.seat.token) is None
    assert access.class_manager().find_seat(first.seat.token) == first.seat
    teacher.toggle[0].set_value(True).run()
    looks()
    with pytest.raises(ClassRefusal, match="The door of this class is locked"):
        access.class_manager().join(code)
    assert f"Class {code}" in first.page
    teacher.toggle[0].set_value(False).run()
    looks()
    joined(code)


def test_a_class_that_is_over_is_told_to_all(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, code = begun(open_page)
    student = joined(code)
    at_step(teacher, PREDICT)
    later = access.class_manager().clock() + LIMITS.seconds
    with monkeypatch.context() as hours_later:
        hours_later.setattr(access.class_manager(), "clock", lambda: later)
        looks()
        assert "The class has ended" in html(press(teacher, "learn_next"))
        assert "The class has ended" in student.page
    other, _ = begun(open_page)
    at_step(other, PREDICT)
    access.class_manager().end_class(other.session_state[HELD])  # elsewhere
    assert "The class has ended" in html(press(other, "learn_next"))


def test_the_lobby_shows_code_and_address_and_who_comes_back_goes_on(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    assert f'alt="QR code of http://localhost:8501/join?code={code}"' in html(teacher)
    assert "works only on this machine" in teacher.warning[0].value
    assert teacher.button(key="learn_next").help.startswith("Latecomers can still join.")
    at_step(teacher, 1)
    again = open_page("classroom", state={HELD: teacher.session_state[HELD]})
    assert "step 2 of" in html(again)
    at_step(teacher, len(LESSON.steps) - 1)
    assert TWICE in html(press(teacher, "learn_next"))
    assert teacher.button(key="learn_next").disabled


def test_where_no_store_may_be_there_is_no_class_and_it_is_told(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "everyones"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("DPVIZ_CLASSES", str(folder / "classes.sqlite"))
    teacher = open_page("learn", lesson=KEY)
    teacher.button(key="class_start").click().run()
    assert not teacher.exception
    assert "do not work on this server now" in warned(teacher)


def test_a_teacher_has_one_class_and_comes_back_to_it(open_page: OpenPage) -> None:
    def to_learn() -> None:
        teacher.switch_page("pages/learn.py")
        teacher.query_params["lesson"] = KEY
        teacher.run()

    teacher, code = begun(open_page)
    to_learn()
    assert f"Back to class {code}" in [button.label for button in teacher.button]
    assert "class_start" not in keys(teacher)
    assert code_of(press(teacher, "class_back")) == code
    teacher.switch_page("pages/classroom.py").run()
    assert "dp-code-small" in html(press(teacher, "learn_next"))
    press(teacher, "class_end_now")
    to_learn()
    press(teacher, "class_start")
    teacher.switch_page("pages/classroom.py").run()
    assert code_of(teacher) != code  # which it begins with, though one had begun before


def test_a_class_begins_from_the_plan_and_leads_back_to_it(open_page: OpenPage) -> None:
    def plans() -> list[str]:
        links = (link.proto for link in teacher.get("link_button"))
        return [link.url for link in links if link.label == "Plan of this lesson"]

    teacher = open_page("classroom", lesson=KEY)
    assert LESSON.title in html(teacher)
    assert "dp-code" not in html(teacher)  # to look at a link begins nothing
    assert plans() == [f"learn?instructor={KEY}"]
    assert code_of(press(teacher, "class_start"))
    assert plans() == [f"learn?instructor={KEY}"]
    assert "No class is running" in html(open_page("classroom", lesson="alchemy"))


def test_a_second_device_becomes_a_console_once_it_is_let_in(open_page: OpenPage) -> None:
    assert QUESTION is not None
    teacher, code = begun(open_page)
    student = joined(code)
    at_step(teacher, PREDICT)
    device = press(open_page("classroom", console=code), "class_ask")
    found = re.search(r'class="dp-code">(\d{4})<', html(device))
    assert found is not None
    assert "class_next" not in keys(device)
    assert "A second device waits to be let in" in html(teacher.run())  # though nothing is open
    press(teacher, f"class_refuse_{found[1]}")
    assert "This device was not let in" in html(device.run())
    press(device, "class_ask")
    found = re.search(r'class="dp-code">(\d{4})<', html(device))
    assert found is not None
    press(teacher.run(), f"class_allow_{found[1]}")
    assert QUESTION.because in told(device.run())  # what the projector does not show
    assert QUESTION.because not in told(teacher)
    press(device, "class_timer_2")
    looks()
    for page in (html(teacher.run()), student.page):
        assert re.search(r'class="dp-timer" style="--of:120s;--gone:-\d+\.\ds"', page)
        assert "2 minutes" in page
    press(device, "class_timer_0")
    assert "dp-timer" not in student.page
    press(device, "learn_next")
    looks()
    assert LESSON.steps[RUN].title in html(teacher.run())


def test_who_is_late_is_told_what_to_leave_out_and_goes_past_it(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = press(open_page("classroom", session="90"), "class_start")
    code = code_of(teacher)
    press(teacher, "learn_next")
    assert "class_skip" not in keys(teacher)
    begun_at = access.class_manager().clock()
    for minutes, to_the_end in ((40, False), (89, True)):
        monkeypatch.setattr(
            access.class_manager(), "clock", lambda late=60 * minutes: begun_at + late
        )
        looks()
        teacher.run()
        left_out = re.search(r"To finish in time, leave out: \*(.*)\*", told(teacher))
        assert left_out is not None
        press(teacher, "class_skip")
        now = state_of(code)
        assert (now.place == len(now.course_stops) - 1) is to_the_end
        assert to_the_end or (
            now.current_stop.step == 0
            and now.current_stop.lesson_content.title not in left_out[1].split(", ")
        )


def test_the_votes_of_a_class_are_data_of_which_one_leaves(open_page: OpenPage) -> None:
    assert QUESTION is not None
    teacher, code = begun(open_page)
    students = [joined(code) for _ in range(3)]
    at_step(teacher, PREDICT)
    for student, choice in zip(students, (0, 1, 1), strict=True):
        student.answers(choice)
    looks()
    assert "class_leaves" not in keys(teacher.run())  # while nobody sees how all voted
    press(teacher, "class_bars")
    teacher.toggle(key="class_data").set_value(True).run()
    found = set()
    for _ in range(12):
        found |= set(re.findall(r"who left had chosen \*\*[AB].\*\* ([^.]+)\.", told(teacher)))
        press(teacher, "class_leaves")
    assert found == set(QUESTION.choices[:2])


def test_a_poll_of_ones_own_is_asked_published_and_gone(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    students = [joined(code) for _ in range(5)]
    at_step(teacher, 1)
    assert teacher.text_input(key="class_poll_text").value == SESSIONS["45"].poll.text
    teacher.text_area(key="class_poll_choices").set_value("Dogs").run()
    press(teacher, "class_poll_ask")
    assert "answers of a poll must be" in warned(teacher)
    assert state_of(code).polled is None
    teacher.text_input(key="class_poll_text").set_value("Which *animal*?")
    teacher.text_area(key="class_poll_choices").set_value("Dogs\n\nCats\nBirds\n").run()
    press(teacher, "class_poll_ask")
    polled = state_of(code).polled
    assert polled is not None
    assert polled.poll.choices == ("Dogs", "Cats", "Birds")
    for student, choice in zip(students, (0, 0, 0, 1, 1), strict=True):
        access.class_manager().submit_answer(student.seat, polled.place, choice)
    looks()
    assert "class_publish" not in keys(teacher.run())  # while nobody sees how all voted
    press(teacher, "class_poll_show")
    teacher.select_slider(key="class_left").set_value(0.2).run()
    winners = set()
    for _ in range(12):
        winners |= set(re.findall(r"Published privately:\*\* \*\*\w.\*\* (\w+)", told(teacher)))
        press(teacher, "class_publish")
    assert len(winners) > 1
    assert "Dogs" in winners
    press(teacher, "learn_next")
    assert state_of(code).polled is None
    assert "class_poll_show" not in keys(teacher)


def test_where_classes_need_a_key_who_has_it_begins_one(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPVIZ_TEACH_KEY", "open sesame")
    teacher = press(open_page("learn", lesson=KEY), "class_start")
    assert warned(teacher) == "A class needs a key here, and this key is wrong."
    teacher.text_input(key="class_key").set_value("open sesame")
    press(teacher, "class_start")
    teacher.switch_page("pages/classroom.py").run()
    assert code_of(teacher)
