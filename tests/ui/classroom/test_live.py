"""What follows the class: when a part is drawn again, and whose browser it is."""

import time
from collections.abc import Mapping

import pytest
import streamlit as st

from dpviz.teaching.classes import Seat
from dpviz.ui.classroom import access, live


class Clock:
    """A time that passes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What a session holds."""
    held: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


def test_a_part_is_stale_at_once_or_after_a_rest(clock: Clock) -> None:
    there, slow = [0], [0]
    part = live._Part(lambda: there[0], lambda: slow[0])
    part.look()
    assert not part.stale
    slow[0] = 1
    assert not part.stale
    clock.now += live._REST + 0.1
    assert part.stale
    part.look()
    assert not part.stale
    there[0] = 1
    assert part.stale


def test_what_comes_while_a_part_is_drawn_is_new(clock: Clock, session: dict[str, object]) -> None:
    there = [0]

    def draw() -> None:
        there[0] += 1

    live.begin()
    live.part("own", draw, lambda: there[0])
    assert live._parts()["own"].stale


def test_a_drawing_that_the_browser_has_not_got_in_time_is_lost(clock: Clock) -> None:
    part = live._Part(lambda: 0)
    part.look()
    before = part.mark
    assert not part.lost(before)
    part.look()
    assert part.mark != before
    assert not part.lost(before)  # it may still be on its way
    clock.now += live._LOST + 0.1
    assert part.lost(before)
    assert part.lost(None)
    assert not part.lost(part.mark)


def browser(monkeypatch: pytest.MonkeyPatch, cookies: Mapping[str, str]) -> None:
    context = type("Context", (), {"cookies": cookies, "headers": {}, "ip_address": "192.0.2.7"})
    monkeypatch.setattr(st, "context", context)


def test_a_cookie_brings_a_token_until_it_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, session: dict[str, object]
) -> None:
    browser(monkeypatch, {access.STUDENT: "abc"})
    assert access.token(access.STUDENT) == "abc"
    assert access.token(access.TEACHER) is None
    access.keep(access.STUDENT, "xyz")
    assert access.token(access.STUDENT) == "xyz"
    access.forget(access.STUDENT)
    assert not access.token(access.STUDENT)  # though the browser still has it


def test_a_right_code_is_no_try_to_count(monkeypatch: pytest.MonkeyPatch, session: dict[str, object]) -> None:
    browser(monkeypatch, {})
    access._tries.clear()  # type: ignore[attr-defined]
    for _ in range(50):
        with access.attempt() as found:
            found.append(Seat("ABCDEF", 0, 1, "token"))
