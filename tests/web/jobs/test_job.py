"""Work beside the page: it comes step by step, stops when told, and tells what went wrong."""

import threading
from collections.abc import Mapping
from types import SimpleNamespace

import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress
from dpviz.web.jobs import job as module
from dpviz.web.jobs.job import Done, Job, WorkStep

LONG = 30.0


def test_results_come_in_order_and_see_those_before() -> None:
    job = Job({"one": lambda progress, done: 1, "two": lambda progress, done: done["one"] + 1})
    assert job.wait(LONG)
    assert dict(job.results) == {"one": 1, "two": 2}
    assert job.problem is None
    assert not job.cancelled


def test_a_job_is_seen_under_way_and_cancelled_at_its_next_report() -> None:
    reached, go = threading.Event(), threading.Event()

    def slow(progress: Progress, done: Done) -> str:
        reached.set()
        go.wait(LONG)
        progress(0.5)
        return "never"

    job = Job(
        {
            "quick": lambda progress, done: "there",
            "slow": slow,
            "after": lambda progress, done: "never",
        }
    )
    assert reached.wait(LONG)
    assert dict(job.results) == {"quick": "there"}
    assert not job.finished
    job.cancel()
    go.set()
    assert job.wait(LONG)
    assert job.cancelled
    assert dict(job.results) == {"quick": "there"}


def test_progress_runs_over_all_steps_of_a_job() -> None:
    told: list[float] = []
    job: list[Job] = []
    made = threading.Event()

    def step(progress: Progress, done: Done) -> None:
        assert made.wait(LONG)
        for fraction in (0.0, 0.5, 1.0):
            progress(fraction)
            told.append(job[0].fraction)

    job.append(Job({"one": step, "two": step}))
    made.set()
    assert job[0].wait(LONG)
    assert told == [0.0, 0.25, 0.5, 0.5, 0.75, 1.0]


class Clock:
    """A clock for jobs that is put forward by hand, and a step that reports each time it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self.now))
        self._go, self._reported = threading.Semaphore(0), threading.Semaphore(0)

    def step(self, reports: int) -> Mapping[str, WorkStep]:
        def step(progress: Progress, done: Done) -> str:
            for _ in range(reports):
                assert self._go.acquire(timeout=LONG)
                try:
                    progress(0.5)
                finally:
                    self._reported.release()
            return "done"

        return {"step": step}

    def later(self, seconds: float) -> None:
        """So much later the step reports."""
        self.now += seconds
        self._go.release()
        assert self._reported.acquire(timeout=LONG)


def test_a_job_that_nobody_looks_at_any_more_ends_at_its_next_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    job = Job(clock.step(reports=2))
    clock.later(0.9 * module._UNWATCHED)
    clock.later(0.2 * module._UNWATCHED)
    assert job.wait(LONG)
    assert job.cancelled
    assert not job.results


def test_a_job_that_is_looked_at_goes_on_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch)
    job = Job(clock.step(reports=4))
    for look in (job.count_results_keeping_alive, lambda: job.wait(0.0)) * 2:
        look()
        clock.later(0.9 * module._UNWATCHED)
    assert job.wait(LONG)
    assert job.results == {"step": "done"}


def test_what_goes_wrong_becomes_one_sentence() -> None:
    def refuse(progress: Progress, done: Done) -> None:
        raise ParameterError("k", 9, "at most 3")

    def fail(progress: Progress, done: Done) -> None:
        raise ZeroDivisionError("secret")

    refused, failed = Job({"a": refuse}), Job({"a": fail})
    assert refused.wait(LONG)
    assert failed.wait(LONG)
    assert refused.problem == "k must be at most 3, not 9."
    assert failed.problem is not None
    assert "secret" not in failed.problem


def test_a_job_rests_while_nobody_is_connected_and_goes_on_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connected, reached = threading.Event(), threading.Event()
    connected.set()
    monkeypatch.setattr(
        module,
        "is_session_connected",
        lambda session: session == "mine" and connected.is_set(),
    )
    monkeypatch.setattr(module, "_AWAY", 0.0)  # it looks at every report
    steps = 0

    def step(progress: Progress, done: Done) -> str:
        nonlocal steps
        progress(0.1)
        connected.clear()
        reached.set()
        while connected.is_set() is False or steps < 3:
            progress(0.5)
            steps += 1
        return "there"

    job = Job({"one": step}, session="mine")
    assert reached.wait(LONG)
    assert not job.wait(0.1)
    assert steps == 0
    connected.set()
    assert job.wait(LONG)
    assert job.results["one"] == "there"
