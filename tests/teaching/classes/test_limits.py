"""Guessing a code: whoever tries waits ever longer, alone, from one address, or with many."""

from collections.abc import Callable

import pytest

from dpviz.teaching.classes.limits import KINDS, LIMITS, ClassRefusal, Patience, Tries
from dpviz.teaching.classes.state import LENGTH, LETTERS


class Clock:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def tried(tries: Tries, clock: Clock, seconds: float, name: Callable[[int], dict[str, str]]) -> int:
    """How many wrong codes somebody can try in so many seconds who never rests."""
    end, count = clock.now + seconds, 0
    while clock.now < end:
        try:
            tries.take(**name(count), process="")
            count += 1
        except ClassRefusal:
            clock.now += 0.5
    return count


def test_one_session_soon_waits_for_minutes() -> None:
    clock = Clock()
    count = tried(Tries(clock=clock), clock, LIMITS.seconds, lambda n: {"session": "mine"})
    assert 10 < count < 60


def test_new_sessions_from_one_address_wait_too() -> None:
    clock = Clock()
    count = tried(Tries(clock=clock), clock, LIMITS.seconds, lambda n: {"session": f"{n}", "address": "here"})
    assert count < 500


def test_many_addresses_find_no_class_in_its_time() -> None:
    clock = Clock()
    count = tried(Tries(clock=clock), clock, LIMITS.seconds, lambda n: {"session": f"{n}", "address": f"{n}"})
    assert count > 2000
    assert count / len(LETTERS) ** LENGTH < 1e-4


def test_the_wait_grows_is_said_and_holds_for_right_codes_as_well() -> None:
    clock = Clock()
    tries = Tries({"session": Patience(free=2, longest=10.0)}, clock)
    waits = []
    for _ in range(8):
        try:
            tries.take(session="a")
        except ClassRefusal as refused:
            waits.append(str(refused))
            clock.now += 2.0 ** len(waits)
            tries.take(session="a")
    assert waits[0] == "Too many wrong codes were tried. Wait 1 s, then try again."
    assert waits[1:4] == [f"Too many wrong codes were tried. Wait {s} s, then try again." for s in (2, 4, 8)]
    with pytest.raises(ClassRefusal):
        tries.take(session="a")
    tries.take(session="b")


def test_right_codes_cost_nothing_and_wrong_ones_are_forgotten() -> None:
    clock = Clock()
    tries = Tries(clock=clock)
    names = {"session": "a", "address": "here", "process": ""}
    for _ in range(1000):
        tries.take(**names)
        tries.right(**names)
    for _ in range(5):
        tries.take(**names)
    tries.take(**names)
    with pytest.raises(ClassRefusal):
        tries.take(**names)
    clock.now += 3600.0
    for _ in range(5):
        tries.take(**names)


def test_a_class_behind_one_address_may_mistype() -> None:
    tries = Tries(clock=Clock())
    for student in range(50):
        names = {"session": f"{student}", "address": "the school's", "process": ""}
        tries.take(**names)  # a wrong one
        tries.take(**names)
        tries.right(**names)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.teaching.classes.limits._MOST", 3)
    tries = Tries({"session": KINDS["session"]}, Clock())
    for n in range(10):
        tries.take(session=f"{n}")
    assert {name for known in tries._wrong.values() for name in known} == {"7", "8", "9"}
