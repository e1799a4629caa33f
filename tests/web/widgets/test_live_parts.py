"""What is shown in one picture is drawn once where it comes soon, and as it comes where that takes
long.

And a part is drawn again when what it shows has changed, or what the browser got is not what was
drawn.
"""

import threading
import time
from collections.abc import Iterator

import pytest
import streamlit as st

from dpviz.base.progress import Progress
from dpviz.web.jobs.job import Done, Job
from dpviz.web.session import state
from dpviz.web.widgets import live_parts
from dpviz.web.widgets.live_parts import PagePart, Watcher, show_live_part, showable_job_count

LONG = 30.0


class Held:
    """A job that is there, and one that is not before it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.jobs = [Job({"quick": lambda progress, done: 1}), Job({"slow": self._slow})]
        assert self.jobs[0].wait(LONG)

    def _slow(self, progress: Progress, done: Done) -> int:
        self.go.wait(LONG)
        progress(0.5)
        return 2


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.go.set()


def test_one_picture_waits_for_all_that_comes_soon(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_parts, "_SOON", 0.0)
    assert showable_job_count(held.jobs) == 1
    monkeypatch.setattr(live_parts, "_SOON", LONG)
    assert showable_job_count(held.jobs) == 0
    held.go.set()
    assert held.jobs[1].wait(LONG)
    assert showable_job_count(held.jobs) == 2


def test_what_came_before_the_work_was_stopped_is_shown(held: Held) -> None:
    held.jobs[1].cancel()
    assert showable_job_count(held.jobs) == 1


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
def drawn_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are drawn though no page is."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "fragment", lambda key: lambda draw: draw)


@pytest.mark.usefixtures("drawn_here")
def test_a_part_is_not_stale_for_what_it_reads_while_it_is_drawn() -> None:
    """A line within it would stay, as there seems to be more to come."""
    read, stale = [0], []

    def draw() -> int:
        read[0] += 1
        stale.append(state.PARTS.value["own"].is_stale)
        return read[0]

    show_live_part("own", draw, lambda: read[0], alone=True)
    assert stale == [False]
    assert not state.PARTS.value["own"].is_stale


def test_a_drawing_that_the_browser_has_not_got_in_time_is_lost(clock: Clock) -> None:
    look = Watcher(lambda: 0, mark="first")
    look.record_state()
    assert not look.is_drawing_lost("first")
    look.mark = "second"
    assert not look.is_drawing_lost("first")  # it may still be on its way
    clock.now += live_parts._LOST + 0.1
    assert look.is_drawing_lost("first")
    assert look.is_drawing_lost("")
    assert not look.is_drawing_lost("second")


@pytest.mark.parametrize("opened", [False, True])
def test_what_is_lost_is_drawn_again_and_no_dialog_closed(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, *, opened: bool
) -> None:
    """Running the page again would close a dialog: where one is open its parts are drawn again."""
    parts: dict[str, PagePart] = {
        "figures": PagePart(bool),
        "line": Watcher(bool, mark="last", at=clock.now),
    }
    again: list[object] = []
    monkeypatch.setattr(st, "session_state", {"dpviz.parts": parts, "dpviz.dialog": opened})
    monkeypatch.setattr(live_parts, "browser_marks", lambda key: {"line": "the one before"})
    monkeypatch.setattr(live_parts, "_nothing_else", lambda looks: True)
    monkeypatch.setattr(st, "rerun", lambda scope="app": again.append(scope))
    live_parts._tick("line")
    assert again == []  # it may be on its way
    clock.now += 3.1
    live_parts._tick("line")
    assert again[0] == (["figures", "line"] if opened else "app")
