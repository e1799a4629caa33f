"""A few runs at a time, as they came; who takes long holds up nobody."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.web.jobs.fair_shares import TurnLimiter

LONG = 30.0
NEVER = 1e6  # seconds


class Run(threading.Thread):
    """A page's run: has its turn until it is told to end."""

    def __init__(self, turns: TurnLimiter) -> None:
        super().__init__(daemon=True)
        self.turns = turns
        self.begun, self.end = threading.Event(), threading.Event()
        self.start()

    def run(self) -> None:
        with self.turns.take_turn():
            self.begun.set()
            self.end.wait(LONG)


def over(run: Run) -> None:
    run.end.set()
    run.join(LONG)
    assert not run.is_alive()


def waiting(turns: TurnLimiter, number: int) -> None:
    """Wait until so many threads stand in the line."""
    while len(turns._given._waiters) < number:  # type: ignore[attr-defined]
        threading.Event().wait(0.001)


def test_so_many_at_once_and_the_others_as_they_came() -> None:
    turns = TurnLimiter(2, NEVER)
    both = [Run(turns) for _ in range(2)]
    assert all(run.begun.wait(LONG) for run in both)
    line = []
    for number in range(3):
        line.append(Run(turns))
        waiting(turns, number + 1)
    assert not any(run.begun.is_set() for run in line)
    for done, following, after in ((both[0], line[0], line[1:]), (line[0], line[1], line[2:])):
        over(done)
        assert following.begun.wait(LONG)
        assert not any(run.begun.is_set() for run in after)
    for run in (both[1], line[1], line[2]):
        over(run)


def test_one_that_grows_long_lets_the_next_in_without_ending() -> None:
    turns = TurnLimiter(1, 0.05)
    slow, following = Run(turns), Run(turns)
    assert slow.begun.wait(LONG)
    assert following.begun.wait(LONG)
    over(following)
    over(slow)


def test_a_run_that_fails_gives_its_turn_back() -> None:
    turns = TurnLimiter(1, NEVER)
    with pytest.raises(ZeroDivisionError), turns.take_turn():
        raise ZeroDivisionError
    following = Run(turns)
    assert following.begun.wait(LONG)
    over(following)


def test_within_a_turn_there_is_nothing_to_wait_for() -> None:
    turns = TurnLimiter(1, NEVER)
    with turns.take_turn():
        with turns.take_turn():
            pass
        other = Run(turns)
        waiting(turns, 1)
        assert not other.begun.is_set()  # the inner end gave nothing back
    assert other.begun.wait(LONG)
    over(other)


def test_a_part_of_a_page_takes_a_turn_of_its_own() -> None:
    def page() -> None:
        import threading

        import streamlit as st

        from dpviz.web.jobs import fair_shares as turns
        from dpviz.web.widgets import live_parts

        def there() -> None:
            st.text(str(threading.get_ident() in turns._TURNS._since))

        there()
        live_parts.show_in_fragment("looks", there, 60.0)

    assert [text.value for text in AppTest.from_function(page).run().text] == ["False", "True"]
