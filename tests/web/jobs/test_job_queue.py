"""Work on several designs: what is wanted goes on, what is not is cancelled, and urgent work goes
first.
"""

import threading
from collections.abc import Mapping

from dpviz.base.progress import Progress
from dpviz.web.jobs.fair_shares import SHARES
from dpviz.web.jobs.job import Done, Job, JobQueue, RecentCache, WorkStep
from tests.until import until


def gated(gate: threading.Event, started: threading.Event | None = None) -> Mapping[str, WorkStep]:
    """One step that reports until the gate opens."""

    def step(progress: Progress, done: Done) -> str:
        if started is not None:
            started.set()
        while not gate.wait(0.005):
            progress(0.5)
        return "done"

    return {"step": step}


def test_what_is_asked_for_again_goes_on_and_the_rest_of_its_group_is_cancelled() -> None:
    desk, gate = JobQueue(), threading.Event()
    kept, dropped = desk.request_jobs(
        "laws", [("a", lambda: gated(gate)), ("b", lambda: gated(gate))]
    )
    (other,) = desk.request_jobs("curves", [("c", lambda: gated(gate))], queue_place=0)
    (again, new) = desk.request_jobs(
        "laws", [("a", lambda: gated(gate)), ("d", lambda: gated(gate))]
    )
    assert again is kept
    assert new is not dropped
    assert dropped.wait(5)
    assert dropped.cancelled
    gate.set()
    for job in (again, new, other):
        assert job.wait(5)
        assert job.results == {"step": "done"}


def test_patient_work_rests_while_urgent_work_runs() -> None:
    desk, urgent, patient, started = (
        JobQueue(),
        threading.Event(),
        threading.Event(),
        threading.Event(),
    )
    (first,) = desk.request_jobs("laws", [("a", lambda: gated(urgent))])
    patient.set()
    (second,) = desk.request_jobs("curves", [("b", lambda: gated(patient, started))], queue_place=0)
    assert not started.wait(0.2)
    urgent.set()
    assert first.wait(5)
    assert second.wait(5)
    assert second.results == {"step": "done"}


def test_patient_work_runs_two_at_a_time_and_a_waiting_job_can_be_cancelled() -> None:
    desk, gate = JobQueue(), threading.Event()
    started = [threading.Event() for _ in range(3)]
    jobs = desk.request_jobs(
        "curves", [(str(i), lambda i=i: gated(gate, started[i])) for i in range(3)], queue_place=0
    )
    until(lambda: sum(event.is_set() for event in started) >= 2)
    assert not all(event.wait(0.1) for event in started)
    (waiting,) = (job for job, event in zip(jobs, started, strict=True) if not event.is_set())
    waiting.cancel()
    assert waiting.wait(5)
    assert waiting.cancelled
    gate.set()
    assert all(job.wait(5) for job in jobs)


def waiting(number: int) -> None:
    """Wait until so many jobs of this session wait for their turn."""
    until(lambda: len(SHARES._waiting.get("", [])) == number)


def test_what_matters_more_goes_before_what_was_asked_for_earlier() -> None:
    desk, order, gates = JobQueue(), [], [threading.Event() for _ in range(2)]

    def noted(name: str) -> Mapping[str, WorkStep]:
        return {"step": lambda progress, done: order.append(name)}

    busy = desk.request_jobs(
        "busy", [(str(i), lambda i=i: gated(gates[i])) for i in range(2)], queue_place=0
    )
    until(lambda: len(SHARES._computing) == 2)
    late = desk.request_jobs("late", [("late", lambda: noted("late"))], queue_place=2)
    waiting(1)
    soon = desk.request_jobs("soon", [("soon", lambda: noted("soon"))], queue_place=1)
    waiting(2)
    gates[0].set()
    assert soon[0].wait(5)
    gates[1].set()
    assert all(job.wait(5) for job in (*busy, *late))
    assert order == ["soon", "late"]


def test_what_was_cancelled_because_nobody_wanted_it_starts_anew_when_it_is_wanted_again() -> None:
    desk, gate = JobQueue(), threading.Event()
    (first,) = desk.request_jobs("laws", [("a", lambda: gated(gate))])
    desk.request_jobs("laws", [])
    assert first.wait(5)
    gate.set()
    (again,) = desk.request_jobs("laws", [("a", lambda: gated(gate))])
    assert again.wait(5)
    assert again.results == {"step": "done"}


def test_only_the_jobs_that_are_named_are_forgotten() -> None:
    desk, gate = JobQueue(), threading.Event()
    (law,) = desk.request_jobs("laws", [("a", lambda: gated(gate))])
    (curve,) = desk.request_jobs("curves", [("a", lambda: gated(gate))])
    for job in (law, curve):
        job.cancel()
        assert job.wait(5)
    desk.drop_stopped_jobs([curve])
    assert desk.request_jobs("laws", [("a", lambda: gated(gate))]) == [law]
    gate.set()
    (again,) = desk.request_jobs("curves", [("a", lambda: gated(gate))])
    assert again is not curve
    assert again.wait(5)


def test_equal_designs_share_a_job() -> None:
    desk = JobQueue()
    first, other, same = desk.request_jobs(
        "laws", [(key, lambda: {"a": lambda progress, done: 1}) for key in "aba"]
    )
    assert first is same
    assert first is not other
    assert desk.jobs("laws", "none") == [first, other]


def test_a_group_keeps_what_it_was_asked_for_the_last_few_times() -> None:
    desk = JobQueue(times=2)

    def asked(name: str) -> list[Job]:
        return desk.request_jobs(
            "laws",
            [(name + end, lambda: {"a": lambda progress, done: 0}) for end in "ab"],
            patience_seconds=30.0,
        )

    first = asked("0")
    asked("1")
    assert asked("0") == first
    asked("2")
    assert asked("0") == first
    asked("3")
    asked("4")
    assert not set(asked("0")) & set(first)


def test_a_thing_is_made_once_and_the_last_few_are_kept() -> None:
    kept: RecentCache[str] = RecentCache(2)
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    for key in ("a", "b", "a", "c", "a", "b"):
        assert kept.get_or_make(key, lambda key=key: make(key)) == key.upper()
    assert made == ["a", "b", "c", "b"]
    assert list(kept) == ["a", "b"]
