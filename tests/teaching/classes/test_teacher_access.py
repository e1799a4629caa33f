"""A console on a second device teaches only once it is let in; a timer and what is unveiled are
seen by all.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from dpviz.base.errors import ParameterError
from dpviz.teaching.classes import Classes, ClassRefusal, Timer
from dpviz.teaching.classes.course import course
from dpviz.teaching.classes.teacher_access import MOST

KEY = "permute_and_flip"
RUN = next(n for n, stop in enumerate(course((KEY,))) if stop.experiment is not None)


@pytest.fixture
def classes(tmp_path: Path) -> Iterator[Classes]:
    seconds = count()
    made = Classes(tmp_path / "classes.sqlite", clock=lambda: 1e9 + next(seconds) / 1000, age=0.0)
    yield made
    made.close()


def test_a_device_teaches_once_its_number_was_let_in_and_not_before(classes: Classes) -> None:
    code, teacher = classes.begin(KEY)
    console, number = classes.ask_to_teach(f" {code[:3]}-{code[3:].lower()} ")
    assert classes.asking(teacher) == (number,)
    assert classes.taught(console) is None
    for refused in (
        lambda: classes.move(console, 1),
        lambda: classes.end(console),
        lambda: classes.allow(console, number),
        lambda: classes.time(console, 60),
    ):
        with pytest.raises(ClassRefusal):
            refused()
    assert classes.asking(console) == ()
    classes.delete(console)
    classes.allow(teacher, number)
    assert (classes.taught(console), classes.asking(teacher)) == (code, ())
    classes.move(console, 1)
    state = classes.look(code)
    assert state is not None
    assert state.place == 1


def test_a_number_of_another_class_lets_nobody_in(classes: Classes) -> None:
    code, _ = classes.begin(KEY)
    _, other = classes.begin(KEY)
    console, number = classes.ask_to_teach(code)
    classes.allow(other, number)
    assert classes.taught(console) is None


def test_who_asks_again_and_again_takes_no_more_than_the_room_there_is(classes: Classes) -> None:
    code, teacher = classes.begin(KEY)
    tokens = [classes.ask_to_teach(code) for _ in range(MOST + 2)]
    waiting = classes.asking(teacher)
    assert set(waiting) == {number for _, number in tokens[2:]}
    with pytest.raises(ClassRefusal, match="no class with this code"):
        classes.ask_to_teach("nonsense")


def test_a_timer_is_seen_until_it_is_taken_away_or_the_class_goes_on(classes: Classes) -> None:
    code, teacher = classes.begin(KEY)

    def seen() -> Timer | None:
        state = classes.look(code)
        assert state is not None
        return state.timer

    classes.time(teacher, 120)
    timer = seen()
    assert timer is not None
    assert (timer.seconds, timer.ends) == (120, pytest.approx(1e9 + 120, abs=0.1))
    classes.time(teacher, 60)
    timer = seen()
    assert timer is not None
    assert timer.seconds == 60
    classes.time(teacher, 0)
    assert seen() is None
    classes.time(teacher, 60)
    classes.move(teacher, 1)
    assert seen() is None
    for wrong in (-1, 10**9):
        with pytest.raises(ParameterError):
            classes.time(teacher, wrong)


def test_exact_chances_are_unveiled_where_they_are_drawn_and_nowhere_else(classes: Classes) -> None:
    code, teacher = classes.begin("opening_story")
    runs = [n for n, stop in enumerate(course(("opening_story",))) if stop.experiment is not None]
    assert len(runs) == 2

    def shown(place: int) -> bool:
        classes.move(teacher, place)
        state = classes.look(code)
        assert state is not None
        return state.law_shown

    assert not shown(runs[0])
    classes.unveil(teacher, runs[0], True)
    assert shown(runs[0])
    assert not shown(runs[1])
    classes.unveil(teacher, runs[0], False)
    assert not shown(runs[0])
    for nowhere in (-1, len(course(("opening_story",)))):
        with pytest.raises(ParameterError, match="place"):
            classes.unveil(teacher, nowhere, True)
