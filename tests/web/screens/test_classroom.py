"""A class on its teacher's page, run without a browser; students are there as their phones see it."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.charts.text_format import percent
from dpviz.teaching.classes import LIMITS, ClassRefusal, Seat
from dpviz.teaching.classes.course import TWICE
from dpviz.teaching.lesson import LESSONS
from dpviz.web.classroom import access
from dpviz.web.classroom.phone import view

OpenPage = Callable[..., AppTest]
KEY = "permute_and_flip"
LESSON = LESSONS[KEY]
PREDICT = next(n for n, step in enumerate(LESSON.steps) if step.kind == "predict")
RUN = next(n for n, step in enumerate(LESSON.steps) if step.experiment is not None)
QUESTION = LESSON.steps[PREDICT].question
EXPERIMENT = LESSON.steps[RUN].experiment


@pytest.fixture(autouse=True)
def own_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None
) -> Iterator[None]:
    """Classes of this test only."""
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    yield
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    access.class_store().close()


def html(app: AppTest) -> str:
    return "\n".join(part.proto.body for part in app.get("html") if "<style" not in part.proto.body)


def told(app: AppTest) -> str:
    return "\n".join([html(app), *(part.value for part in app.markdown)])


def warned(app: AppTest) -> str:
    """The warning, without the signs that keep it from being read as markup."""
    return app.warning[0].value.replace("\\", "")


def begun(open_page: OpenPage) -> tuple[AppTest, str]:
    """A teacher who has begun a class, and its code."""
    teacher = open_page("learn", lesson=KEY)
    teacher.button(key="class_start").click().run()
    teacher.switch_page(
        "pages/classroom.py"
    ).run()  # where the button leads, which a test does not remember
    assert not teacher.exception
    found = re.search(r'class="dp-code">([A-Z]{6})<', html(teacher))
    assert found is not None
    return teacher, found[1]


@dataclass(frozen=True)
class Student:
    """Somebody in the class, as the addresses of the student's page act for a phone."""

    seat: Seat

    @property
    def page(self) -> str:
        """What the phone shows, now."""
        access.class_store()._known.clear()
        return str(view.student_view_html(access.class_store(), self.seat))

    def answers(self, choice: int, *, again: bool = False) -> None:
        """Choose at the stop where the class is."""
        state = access.class_store().read_state(self.seat.code)
        assert state is not None
        access.class_store().submit_answer(self.seat, state.place, choice, again)
        assert "Your answer is in." in self.page

    def draws(self, size: int) -> None:
        """Draw until there are so many."""
        state = access.class_store().read_state(self.seat.code)
        assert state is not None
        access.class_store().ensure_draw_count(self.seat, state.place, state.setting, size)


def joined(code: str) -> Student:
    seat = access.class_store().join(code)
    assert seat is not None
    student = Student(seat)
    assert f"Class {''.join(code.split()).upper()}" in student.page
    return student


def at_step(teacher: AppTest, step: int) -> None:
    """The teacher goes on to this step."""
    if "Begin the lesson" in [button.label for button in teacher.button]:
        teacher.button(key="learn_next").click().run()
    while f"step {step + 1} of {len(LESSON.steps)}" not in html(teacher):
        teacher.button(key="learn_next").click().run()
    assert not teacher.exception
    access.class_store()._known.clear()  # instead of waiting


def people(app: AppTest) -> int:
    found = re.search(r'class="dp-in" role="status"><b>(\d+)</b>', html(app))
    assert found is not None
    return int(found[1])


def all_read(teacher: AppTest) -> str:
    """What the room reads at a step, part after part."""
    text = told(teacher)
    while any(button.label.startswith("Read on") for button in teacher.button):
        text += told(teacher.button(key="class_read_on").click().run())
    return text


@pytest.mark.usefixtures("plain_sliders")
def test_a_class_goes_through_the_lesson_together(open_page: OpenPage) -> None:
    assert QUESTION is not None
    assert EXPERIMENT is not None
    teacher, code = begun(open_page)
    assert people(teacher) == 0
    students = [joined(code if n else f"{code[:3]} {code[3:].lower()}") for n in range(3)]
    access.class_store()._known.clear()
    assert people(teacher.run()) == 3
    at_step(teacher, 0)
    read = all_read(teacher)
    assert [one for one in LESSON.steps[0].text().split("\n\n") if one not in read] == []

    at_step(teacher, PREDICT)
    for student, choice in zip(students, (0, 1, 1), strict=True):
        student.answers(choice)
    access.class_store()._known.clear()
    teacher.run()
    assert "<b>3</b> of 3 predictions are in" in html(teacher)
    assert "dp-answers" not in html(teacher)
    assert QUESTION.because() not in told(teacher)
    assert "dp-answers" not in students[0].page
    teacher.button(key="class_show").click().run()
    assert re.findall(r"<b>(\d)</b> of 3</span>", html(teacher)) == ["1", "2", "0"]
    page = students[0].page
    assert (
        f"You said: {QUESTION.choices[0]}. It is: {QUESTION.choices[1]}. {QUESTION.mistakes()[0]}"
        in page
    )
    assert QUESTION.because() in page
    assert QUESTION.because() in told(teacher)
    assert f"{QUESTION.choices[0]} <small>your prediction</small>" in page
    assert f"✓ {QUESTION.choices[1]} <small>right</small>" in page
    assert page.count("your prediction") == page.count('class="dp-right"') == 1
    assert "<input" not in page

    at_step(teacher, RUN)
    assert "exactly" not in students[0].page  # before one has drawn
    for student, expected in zip(students, (60, 60, 90), strict=True):
        assert "Draw 10" not in student.page  # first where one expects it
        access.class_store().submit_guess(student.seat, RUN, expected)
        assert f"Your mark: {expected} of 100." in student.page
        student.draws(10)
        student.draws(110)
    access.class_store()._known.clear()
    teacher.run()
    state = access.class_store().read_state(code)
    assert state is not None
    assert state.counts is not None
    seats = [access.class_store().find_seat(student.seat.token) for student in students]
    assert len({seat.seed for seat in seats if seat}) == 3
    drawn = [EXPERIMENT.draw_all_counts(EXPERIMENT.start, seat.seed, 110) for seat in seats if seat]
    assert state.counts.tolist() == np.sum(drawn, axis=0).tolist()
    assert "330 releases, drawn by 3 of 3 people." in html(teacher)
    for n in state.counts[0]:
        assert f"<b>{n}</b> of 330" in spec(teacher)
    shown = students[0].page
    assert '<td class="dp-you"><i><u style="width:' in shown
    assert f"<b>{drawn[0][0][0]}</b> of 110" in shown
    assert f"<b>{state.counts[1][0]}</b> of 330" in shown

    teacher.select_slider[0].set_value(float(len(EXPERIMENT.settings()))).run()
    access.class_store()._known.clear()
    assert f"<b>{EXPERIMENT.settings()[-1]:g}</b>" in students[0].page
    students[0].draws(1)
    assert (
        "exactly" not in students[0].page
    )  # what is to be found out is shown when the teacher says so
    assert "exactly" not in spec(teacher)
    teacher.button(key="class_law").click().run()
    shown = re.findall(
        r'<th scope="row">([^<]*)</th><td class="dp-exact">.*?exactly ([^<]*)<', students[0].page
    )
    chances = [
        escape(percent(float(chance))) for chance in EXPERIMENT.law(EXPERIMENT.settings()[-1])
    ]
    assert shown[: len(chances)] == list(zip(EXPERIMENT.outcomes, chances, strict=True))
    assert len(shown) == 2 * len(chances)  # and those of what it is compared with
    assert "You marked 60 of 100. Exactly it is" in students[0].page
    assert "Half of the class marked from 60 to 75, the middle is 60; exactly" in html(teacher)
    with pytest.raises(ClassRefusal, match="shown already"):
        access.class_store().submit_guess(students[0].seat, RUN, 75)
    for chance in EXPERIMENT.law(EXPERIMENT.settings()[-1]):
        assert f"exactly {percent(float(chance))}" in spec(teacher)
    assert [name for name, _ in EXPERIMENT.beside if name in spec(teacher)] == [
        "exponential mechanism"
    ]

    teacher.button(key="class_end_now").click().run()
    access.class_store()._known.clear()
    shown = html(teacher.run())
    assert "What the class believed" in shown
    assert re.findall(r"<b>(\d)</b> of 3</span>", shown) == ["1", "2", "0"]
    assert "your prediction" not in shown
    assert not [button for button in teacher.button if button.key == "learn_next"]
    for student, choice in zip(students, (0, 1, 1), strict=True):
        shown = student.page
        assert "The class has ended" in shown
        assert (
            f"{QUESTION.choices[choice]} "
            in re.sub("<small>right</small> ", "", shown).split("your prediction")[0]
        )
    teacher.button(key="class_delete").click().run()
    assert access.class_store().read_state(code) is None
    assert "Its results are gone" in html(teacher)
    assert "No class is under way" in html(teacher.run())
    for student in students:
        assert "The class is over" in student.page


def test_a_session_has_one_code_and_its_questions_are_answered_twice(open_page: OpenPage) -> None:
    teacher = open_page("classroom", session="45")
    assert "5 lessons under one code" in html(teacher)
    teacher.button(key="class_start").click().run()
    code = re.search(r'class="dp-code">([A-Z]{6})<', html(teacher))
    assert code is not None
    students = [joined(code[1]) for _ in range(2)]
    teacher.button(key="learn_next").click().run()
    (goto,) = teacher.selectbox
    at = next(
        n for n, says in enumerate(goto.options) if says.endswith(TWICE) and LESSON.title in says
    )
    goto.select_index(at).run()
    assert TWICE in html(teacher)
    asked = LESSON.steps[-1].question
    assert asked is not None

    def teachers() -> str:
        access.class_store()._known.clear()
        return html(teacher.run())

    access.class_store()._known.clear()
    for student, choice in zip(students, (0, 2), strict=True):
        assert asked.text in student.page
        student.answers(choice)
    shown = teachers()
    assert "<b>2</b> of 2 predictions are in" in shown
    assert "dp-answers" not in shown
    teacher.button(key="class_bars").click().run()
    assert "dp-answers" in html(teacher)
    assert "right" not in html(teacher).split("dp-answers")[1]
    teacher.button(key="class_bars").click().run()
    assert "dp-answers" not in html(teacher)
    teacher.button(key="class_discuss").click().run()
    assert "Talk to your neighbours" in told(teacher)
    assert "class_discuss" not in [button.key for button in teacher.button]
    assert f"Your first answer: {asked.choices[0]}." in students[0].page
    assert "checked" not in students[0].page
    students[0].answers(2, again=True)
    teachers()
    teacher.button(key="class_show").click().run()
    for shown in (teachers(), students[0].page):
        cells = re.findall(r'class="dp-(before|after)">.*?<b>(\d)</b> of (\d)', shown)
        assert cells == [
            (when, str(n), of)
            for first, after in ((1, 0), (0, 0), (1, 1))
            for when, n, of in (("before", first, "2"), ("after", after, "1"))
        ]
    assert "You said: They are the same. So it is." in students[0].page


def test_the_door_can_be_locked(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    student = joined(code)
    teacher.button(key="learn_next").click().run()
    teacher.toggle[0].set_value(True).run()
    access.class_store()._known.clear()
    with pytest.raises(ClassRefusal, match="The door of this class is locked"):
        access.class_store().join(code)
    assert f"Class {code}" in student.page
    assert teacher.run().toggle[0].value
    teacher.toggle[0].set_value(False).run()
    access.class_store()._known.clear()
    joined(code)


def spec(teacher: AppTest) -> str:
    """The picture on the projector."""
    (chart,) = teacher.get("plotly_chart")
    return json.dumps(json.loads(chart.proto.spec), ensure_ascii=False)


def test_until_the_answer_is_shown_nobody_is_told_what_became_of_a_prediction(
    open_page: OpenPage,
) -> None:
    assert QUESTION is not None
    teacher, code = begun(open_page)
    student = joined(code)
    assert "Show the answer" not in [button.label for button in teacher.button]
    at_step(teacher, PREDICT)
    student.answers(0)
    at_step(teacher, RUN)
    assert "You said" not in student.page
    assert "dp-answers" not in html(teacher)
    assert "Show the answer" in [button.label for button in teacher.button]
    teacher.button(key="class_show").click().run()
    assert "Show the answer" not in [button.label for button in teacher.button]
    at_step(teacher, RUN)
    teacher.button(key="learn_back").click().run()
    assert f"You said: {QUESTION.choices[0]}." in student.page
    at_step(teacher, RUN)
    teacher.button(key="learn_back").click().run()
    assert LESSON.steps[PREDICT].title in html(teacher)
    assert "dp-answers" in html(teacher)
    at_step(teacher, len(LESSON.steps) - 1)
    teacher.button(key="learn_next").click().run()
    assert TWICE in html(teacher)
    assert teacher.button(key="learn_next").disabled


def test_a_class_whose_time_is_over_is_told_to_all(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, code = begun(open_page)
    student = joined(code)
    at_step(teacher, PREDICT)
    monkeypatch.setattr(access.class_store(), "_limits", replace(LIMITS, seconds=0.0))
    access.class_store()._known.clear()
    teacher.button(key="learn_next").click().run()
    assert "The class has ended" in html(teacher)
    assert "The class has ended" in student.page
    with pytest.raises(ClassRefusal, match="This class has ended"):
        access.class_store().join(code)


def test_a_class_that_was_ended_elsewhere_is_told_to_who_goes_on(open_page: OpenPage) -> None:
    teacher, _ = begun(open_page)
    at_step(teacher, PREDICT)
    access.class_store().end_class(teacher.session_state["dpviz.class.dpviz_teacher"])
    teacher.button(key="learn_next").click().run()
    assert not teacher.exception
    assert "The class has ended" in html(teacher)


def test_the_lobby_shows_code_and_address_and_who_is_in(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    assert f'alt="QR code of http://localhost:8501/join?code={code}"' in html(teacher)
    assert "leads to this machine alone" in teacher.warning[0].value
    joined(code)
    access.class_store()._known.clear()
    assert people(teacher.run()) == 1
    assert teacher.button(key="learn_next").help.startswith("Who comes later can still join.")
    at_step(teacher, 1)
    joined(code)
    again = open_page("classroom")
    again.session_state["dpviz.class.dpviz_teacher"] = teacher.session_state[
        "dpviz.class.dpviz_teacher"
    ]
    assert "step 2 of" in html(again.run())  # who comes back to a class that has begun goes on


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
    assert "cannot be used now" in warned(teacher)


def test_a_teacher_has_one_class_and_comes_back_to_it(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    teacher.switch_page("pages/learn.py")
    teacher.query_params["lesson"] = KEY
    teacher.run()
    assert f"Back to class {code}" in [button.label for button in teacher.button]
    assert "Start a class" not in [button.label for button in teacher.button]
    teacher.button(key="class_back").click().run()
    assert f'class="dp-code">{code}<' in html(teacher)
    teacher.switch_page("pages/classroom.py").run()
    teacher.button(key="learn_next").click().run()
    assert "dp-code-small" in html(teacher)
    teacher.button(key="class_end_now").click().run()
    teacher.switch_page("pages/learn.py")
    teacher.query_params["lesson"] = KEY
    teacher.run()
    assert "Start a class" in [button.label for button in teacher.button]
    teacher.button(key="class_start").click().run()
    teacher.switch_page("pages/classroom.py").run()
    assert 'class="dp-code">' in html(
        teacher
    )  # a new class begins with its code, though one had begun before


def test_a_class_begins_from_the_plan_of_its_lesson_and_leads_back_to_it(
    open_page: OpenPage,
) -> None:
    teacher = open_page("classroom", lesson=KEY)
    assert LESSON.title in html(teacher)
    assert "dp-code" not in html(teacher)  # to look at a link begins nothing
    assert plans(teacher) == [f"learn?instructor={KEY}"]
    teacher.button(key="class_start").click().run()
    assert not teacher.exception
    assert re.search(r'class="dp-code">([A-Z]{6})<', html(teacher))
    assert plans(teacher) == [f"learn?instructor={KEY}"]
    assert "No class is under way" in html(open_page("classroom", lesson="alchemy"))


def plans(app: AppTest) -> list[str]:
    """Where the page's ways to a plan lead."""
    return [
        link.proto.url
        for link in app.get("link_button")
        if link.proto.label == "Plan of this lesson"
    ]


def test_a_second_device_becomes_a_console_once_it_is_let_in(open_page: OpenPage) -> None:
    assert QUESTION is not None
    teacher, code = begun(open_page)
    at_step(teacher, PREDICT)
    device = open_page("classroom", console=code)
    device.button(key="class_ask").click().run()
    found = re.search(r'class="dp-code">(\d{4})<', html(device))
    assert found is not None
    teacher.run()
    assert "class_next" not in [button.key for button in device.button]
    teacher.button(key=f"class_allow_{found[1]}").click().run()
    device.run()
    assert QUESTION.because() in told(device)  # what the projector does not show
    assert QUESTION.because() not in told(teacher)
    device.button(key="class_timer_2").click().run()
    device.button(key="learn_next").click().run()
    access.class_store()._known.clear()
    assert LESSON.steps[RUN].title in html(teacher.run())
    assert not device.exception


def test_a_timer_goes_on_projector_and_phone(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    student = joined(code)
    at_step(teacher, PREDICT)
    assert "dp-timer" not in student.page
    teacher.button(key="class_timer_2").click().run()
    for page in (html(teacher), student.page):
        assert re.search(r'class="dp-timer" style="--of:120s;--gone:-\d+\.\ds"', page)
        assert "2 minutes" in page
    teacher.button(key="class_timer_0").click().run()
    assert "dp-timer" not in student.page


def test_who_is_late_is_told_what_to_leave_out_and_goes_past_it(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = open_page("classroom", session="45")
    teacher.button(key="class_start").click().run()
    teacher.switch_page("pages/classroom.py").run()
    code = re.search(r'class="dp-code">([A-Z]{6})<', html(teacher))
    assert code is not None
    teacher.button(key="learn_next").click().run()
    assert "class_skip" not in [button.key for button in teacher.button]
    begun_at = access.class_store()._clock()
    for minutes, to_the_end in ((15, False), (44, True)):
        monkeypatch.setattr(
            access.class_store(), "current_time", lambda late=60 * minutes: begun_at + late
        )
        access.class_store()._known.clear()
        teacher.run()
        left_out = re.search(r"To be done in time, leave out: \*(.*)\*", told(teacher))
        assert left_out is not None
        teacher.button(key="class_skip").click().run()
        now = access.class_store().read_state(code[1])
        assert now is not None
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
    access.class_store()._known.clear()
    teacher.run()
    assert "class_leaves" not in [
        button.key for button in teacher.button
    ]  # while nobody sees how all voted
    teacher.button(key="class_bars").click().run()
    teacher.toggle(key="class_data").set_value(True).run()
    found = set()
    for _ in range(12):
        found |= set(
            re.findall(r"who left had chosen \*\*([^*]+)\*\*", told(teacher).replace("\\", ""))
        )
        teacher.button(key="class_leaves").click().run()
    assert found == set(QUESTION.choices[:2])


def test_where_classes_need_a_key_who_has_it_begins_one(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPVIZ_TEACH_KEY", "open sesame")
    teacher = open_page("learn", lesson=KEY)
    teacher.button(key="class_start").click().run()
    assert warned(teacher) == "Classes are begun here with a key, and this is not it."
    teacher.text_input(key="class_key").set_value("open sesame")
    teacher.button(key="class_start").click().run()
    assert not teacher.exception
    teacher.switch_page("pages/classroom.py").run()
    assert 'class="dp-code"' in html(teacher)


def test_seats_of_who_does_not_belong_there_are_given_up(open_page: OpenPage) -> None:
    teacher, code = begun(open_page)
    first, last = joined(code), joined(code)
    at_step(teacher, 0)
    teacher.button(key="class_free_newest").click().run()
    assert not teacher.exception
    assert access.class_store().find_seat(last.seat.token) is None
    assert access.class_store().find_seat(first.seat.token) == first.seat


@pytest.mark.parametrize("way", ["classroom", "learn"])
def test_a_store_that_does_not_answer_is_told_on_the_page(
    way: str, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher, _ = begun(open_page)
    with sqlite3.connect(access.default_path()) as broken:
        broken.execute("DROP TABLE own")
        broken.execute("ALTER TABLE class RENAME TO lost")
    access.class_store()._known.clear()
    held = f"dpviz.class.{access.TEACHER}"
    app = open_page(
        way,
        state={held: teacher.session_state[held]},
        **({"lesson": KEY} if way == "learn" else {}),
    )
    assert warned(app).startswith(
        "The classes of this server are out of reach now: their file cannot be used."
    )
    broken.close()
