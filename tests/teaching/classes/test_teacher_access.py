"""A console on a second device teaches only once it is let in; a timer and what is unveiled are
seen by all.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from dpviz.base.errors import ParameterError
from dpviz.teaching.classes import ClassManager, ClassRefusal, Timer
from dpviz.teaching.classes.course import build_course
from dpviz.teaching.classes.teacher_access import MOST

KEY = "permute_and_flip"
RUN = next(n for n, stop in enumerate(build_course((KEY,))) if stop.experiment is not None)


@pytest.fixture
def classes(tmp_path: Path) -> Iterator[ClassManager]:
    seconds = count()
    made = ClassManager(
        tmp_path / "classes.sqlite", clock=lambda: 1e9 + next(seconds) / 1000, age=0.0
    )
    yield made
    made.close()


def test_a_device_teaches_once_its_number_was_let_in_and_not_before(classes: ClassManager) -> None:
    code, teacher = classes.begin_class(KEY)
    console, number = classes.ask_to_teach(f" {code[:3]}-{code[3:].lower()} ")
    assert classes.pending_device_numbers(teacher) == (number,)
    assert classes.find_class_code(console) is None
    for refused in (
        lambda: classes.move_to_stop(console, 1),
        lambda: classes.end_class(console),
        lambda: classes.allow_device(console, number),
        lambda: classes.start_timer(console, 60),
    ):
        with pytest.raises(ClassRefusal):
            refused()
    assert classes.pending_device_numbers(console) == ()
    classes.delete_class(console)
    classes.allow_device(teacher, number)
    assert (classes.find_class_code(console), classes.pending_device_numbers(teacher)) == (code, ())
    classes.move_to_stop(console, 1)
    state = classes.read_state(code)
    assert state is not None
    assert state.place == 1


def test_a_number_of_another_class_lets_nobody_in(classes: ClassManager) -> None:
    code, _ = classes.begin_class(KEY)
    _, other = classes.begin_class(KEY)
    console, number = classes.ask_to_teach(code)
    classes.allow_device(other, number)
    assert classes.find_class_code(console) is None


def test_who_asks_again_and_again_takes_no_more_than_the_room_there_is(
    classes: ClassManager,
) -> None:
    code, teacher = classes.begin_class(KEY)
    tokens = [classes.ask_to_teach(code) for _ in range(MOST + 2)]
    waiting = classes.pending_device_numbers(teacher)
    assert set(waiting) == {number for _, number in tokens[2:]}
    with pytest.raises(ClassRefusal, match="no class with this code"):
        classes.ask_to_teach("nonsense")


def test_a_timer_is_seen_until_it_is_taken_away_or_the_class_goes_on(classes: ClassManager) -> None:
    code, teacher = classes.begin_class(KEY)

    def seen() -> Timer | None:
        state = classes.read_state(code)
        assert state is not None
        return state.timer

    classes.start_timer(teacher, 120)
    timer = seen()
    assert timer is not None
    assert (timer.seconds, timer.ends) == (120, pytest.approx(1e9 + 120, abs=0.1))
    classes.start_timer(teacher, 60)
    timer = seen()
    assert timer is not None
    assert timer.seconds == 60
    classes.start_timer(teacher, 0)
    assert seen() is None
    classes.start_timer(teacher, 60)
    classes.move_to_stop(teacher, 1)
    assert seen() is None
    for wrong in (-1, 10**9):
        with pytest.raises(ParameterError):
            classes.start_timer(teacher, wrong)


def test_exact_chances_are_unveiled_where_they_are_drawn_and_nowhere_else(
    classes: ClassManager,
) -> None:
    code, teacher = classes.begin_class("opening_story")
    runs = [
        n for n, stop in enumerate(build_course(("opening_story",))) if stop.experiment is not None
    ]
    assert len(runs) == 2

    def shown(place: int) -> bool:
        classes.move_to_stop(teacher, place)
        state = classes.read_state(code)
        assert state is not None
        return state.law_shown

    assert not shown(runs[0])
    classes.show_exact_chances(teacher, runs[0], True)
    assert shown(runs[0])
    assert not shown(runs[1])
    classes.show_exact_chances(teacher, runs[0], False)
    assert not shown(runs[0])
    for nowhere in (-1, len(build_course(("opening_story",)))):
        with pytest.raises(ParameterError, match="place"):
            classes.show_exact_chances(teacher, nowhere, True)
