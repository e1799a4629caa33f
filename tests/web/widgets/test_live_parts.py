"""What is shown in one picture is drawn once where it comes soon, and as it comes where that takes
long.

And a part is drawn again when what it shows has changed.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.base.progress import Progress
from dpviz.studies import Study, step
from dpviz.web.jobs.job import Done, Job
from dpviz.web.session import state
from dpviz.web.widgets import live_part, live_parts
from dpviz.web.widgets.live_parts import showable_job_count

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


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are drawn though no page is."""
    monkeypatch.setattr(st, "session_state", {})


@pytest.mark.usefixtures("page")
def test_a_part_is_stale_once_what_it_follows_changes() -> None:
    there = [0]
    with live_part(read_state=lambda: there[0]):
        pass
    assert not any(part.is_stale for part in state.PARTS.value)
    there[0] = 1
    assert any(part.is_stale for part in state.PARTS.value)


@pytest.mark.usefixtures("page")
def test_a_part_is_stale_for_what_came_while_it_was_drawn() -> None:
    there = [0]
    with live_part(read_state=lambda: there[0]):
        there[0] += 1
    assert any(part.is_stale for part in state.PARTS.value)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Counting(Study):
    @step
    def first(self, progress: Progress) -> int:
        return 1

    @step
    def second(self, progress: Progress) -> int:
        return 2


@pytest.mark.usefixtures("page")
def test_a_part_ends_at_a_step_that_is_missing_and_is_stale_once_it_comes() -> None:
    study, shown = _Counting(beside=True), list[object]()
    with live_part("The count", show_wait=shown.append):
        shown.append(study.first)
    assert shown == ["The count"]
    (part,) = state.PARTS.value
    assert not part.is_stale
    study.results["second"] = 2  # which it does not read
    assert not part.is_stale
    study.results["first"] = 1
    assert part.is_stale


@pytest.mark.usefixtures("page")
def test_a_part_is_not_stale_for_a_step_that_came_before_it_read_it() -> None:
    """A line would stay, as there seems to be more to come."""
    study = _Counting(beside=True)
    with live_part():
        study.results["first"] = 1
        assert study.first == 1
    assert not state.PARTS.value[0].is_stale


def _page_whose_work_never_ends() -> None:
    """A part changes in the very run that a press on Stop begins."""
    import threading

    import streamlit as st

    from dpviz.web.jobs import session_job_queue
    from dpviz.web.session import state
    from dpviz.web.widgets import live_part
    from dpviz.web.widgets.live_parts import show_job_progress

    state.begin_page_run()
    never = threading.Event()
    work = {
        "wait": lambda progress, done: [progress(0.1) for _ in iter(lambda: never.wait(0.01), 1)]
    }
    session_job_queue().request_jobs("laws", [("one", lambda: work)])
    came = st.session_state.setdefault("came", [])
    with show_job_progress("laws"):
        with live_part(read_state=lambda: len(came)):
            st.markdown("A figure")
        if st.session_state.get("page_stop"):
            came.append("another")


def test_a_press_on_stop_counts_though_more_has_just_come() -> None:
    page = AppTest.from_function(_page_whose_work_never_ends, default_timeout=LONG).run()
    page = page.button(key="page_stop").click().run()
    assert [button.label for button in page.button] == ["Compute the rest"]
    page = page.button(key="page_again").click().run()
    assert [button.label for button in page.button] == ["Stop"]
    page.button(key="page_stop").click().run()
