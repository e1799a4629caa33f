"""A console on a second device, a timer, and what is unveiled to all."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from dpviz.base.errors import ParameterError
from dpviz.teaching.classes import ClassManager, ClassRefusal
from dpviz.teaching.classes.course import build_course
from dpviz.teaching.classes.teacher_access import MOST
from tests.teaching.classes.looks import KEY, seen


@pytest.fixture
def classes(tmp_path: Path) -> Iterator[ClassManager]:
    moments, path = count(10**12), tmp_path / "classes.sqlite"
    with closing(ClassManager(path, clock=lambda: next(moments) / 1000, age=0.0)) as made:
        yield made


def test_a_device_teaches_once_its_number_was_let_in_and_not_before(classes: ClassManager) -> None:
    code, teacher = classes.begin_class(KEY)
    console, number = classes.register_waiting_device(f" {code[:3]}-{code[3:].lower()} ")
    assert classes.pending_device_numbers(teacher) == (number,)
    assert classes.find_taught_class_marking_presence(console) is None
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
    assert (
        classes.find_taught_class_marking_presence(console),
        classes.pending_device_numbers(teacher),
    ) == (
        code,
        (),
    )
    classes.move_to_stop(console, 1)
    assert seen(classes, code).place == 1


def test_a_number_of_another_class_lets_nobody_in(classes: ClassManager) -> None:
    code, _ = classes.begin_class(KEY)
    _, other = classes.begin_class(KEY)
    console, number = classes.register_waiting_device(code)
    classes.allow_device(other, number)
    assert classes.find_taught_class_marking_presence(console) is None


def test_devices_that_ask_again_take_no_more_than_the_room_there_is(classes: ClassManager) -> None:
    code, teacher = classes.begin_class(KEY)
    numbers = [classes.register_waiting_device(code)[1] for _ in range(MOST + 2)]
    assert set(classes.pending_device_numbers(teacher)) == set(numbers[2:])
    with pytest.raises(ClassRefusal, match="no class with this code"):
        classes.register_waiting_device("nonsense")


def test_a_timer_is_seen_until_it_is_taken_away_or_the_class_goes_on(classes: ClassManager) -> None:
    code, teacher = classes.begin_class(KEY)
    for seconds in (120, 60):
        classes.start_timer(teacher, seconds)
        timer = seen(classes, code).timer
        assert timer is not None
        assert (timer.seconds, timer.ends) == (seconds, pytest.approx(1e9 + seconds, abs=0.1))
    classes.start_timer(teacher, 0)
    assert seen(classes, code).timer is None
    classes.start_timer(teacher, 60)
    classes.move_to_stop(teacher, 1)
    assert seen(classes, code).timer is None
    for wrong in (-1, 10**9):
        with pytest.raises(ParameterError):
            classes.start_timer(teacher, wrong)


def test_exact_chances_are_unveiled_where_they_are_drawn_and_nowhere_else(
    classes: ClassManager,
) -> None:
    code, teacher = classes.begin_class("opening_story")
    stops = build_course(("opening_story",))
    first, second = (n for n, stop in enumerate(stops) if stop.experiment is not None)

    def shown(place: int) -> bool:
        classes.move_to_stop(teacher, place)
        return seen(classes, code).law_shown

    assert not shown(first)
    classes.show_exact_chances(teacher, first, True)
    assert (shown(first), shown(second)) == (True, False)
    classes.show_exact_chances(teacher, first, False)
    assert not shown(first)
    for nowhere in (-1, len(stops)):
        with pytest.raises(ParameterError, match="place"):
            classes.show_exact_chances(teacher, nowhere, True)
