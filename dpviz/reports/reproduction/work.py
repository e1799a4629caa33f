"""The work of a reproduction: independent jobs, on processes or here.

A job is a small frozen description with `run()`; its key says what it is, so that work asked for twice is
done once. Invariants: what a job gives depends on its key alone, not on where or when it runs; random
numbers come from a seed in the job.
"""

from collections.abc import Hashable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from dpviz.base.progress import Progress

__all__ = ["Job", "Results", "done"]


class Job(Protocol):
    """Something to compute."""

    @property
    def key(self) -> Hashable:
        """What tells this job from any other."""

    @property
    def weight(self) -> float:
        """A rough measure of its time: the heaviest go first."""

    def run(self) -> Any:
        """Compute it."""


Results = Mapping[Hashable, Any]


def done(jobs: Iterable[Job], executor: Executor | None, progress: Progress) -> dict[Hashable, Any]:
    """The results by key; `progress` may raise `Cancelled`.

    Work that has not begun then is for the owner of the executor to drop.
    """
    todo = sorted({job.key: job for job in jobs}.values(), key=lambda job: -job.weight)
    whole = sum(job.weight for job in todo) or 1.0
    ready = 0.0
    results: dict[Hashable, Any] = {}
    progress(0.0)
    if executor is None:
        for job in todo:
            results[job.key] = _run(job)
            ready += job.weight
            progress(min(1.0, ready / whole))
        return results
    running: dict[Future[Any], Job] = {executor.submit(_run, job): job for job in todo}
    while running:
        over, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in over:
            job = running.pop(future)
            results[job.key] = future.result()
            ready += job.weight
        progress(min(1.0, ready / whole))
    return results


def _run(job: Job) -> Any:
    """A job with one thread for linear algebra: more only get in each other's way."""
    with threadpool_limits(limits=1):
        return job.run()
