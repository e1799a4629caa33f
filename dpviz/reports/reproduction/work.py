"""The work of a reproduction: independent jobs, on processes or here.

A job is a small frozen description with `run()`; its key says what it is, so that work asked for twice is
done once. Invariants: what a job gives depends on its key alone, not on where or when it runs; random
numbers come from a seed in the job; a result is handed to `keep` before it is told as done.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from dpviz.base.progress import Progress

__all__ = ["Job", "Results", "done", "left_to_do", "seconds_of"]


class Job(Protocol):
    """Something to compute."""

    @property
    def key(self) -> Hashable:
        """What tells this job from any other."""

    @property
    def weight(self) -> float:
        """About the seconds that it takes: the heaviest go first."""

    def run(self) -> Any:
        """Compute it."""


Results = Mapping[Hashable, Any]


def left_to_do(jobs: Iterable[Job], known: Mapping[str, Any]) -> tuple[list[Job], dict[Hashable, Any]]:
    """(the jobs that are not known, the heaviest first; the results that are), each key once.

    `known` has results by the text of their key.
    """
    once = {job.key: job for job in jobs}
    found = {key: known[repr(key)] for key in once if repr(key) in known}
    return sorted((job for key, job in once.items() if key not in found), key=lambda job: -job.weight), found


def seconds_of(todo: Iterable[Job], workers: int) -> float:
    """About how long the jobs take on so many processes."""
    weights = [job.weight for job in todo]
    return max([sum(weights) / workers, *weights])


def _unkept(key: Hashable, result: Any) -> None:
    """For work that is not to be gone on with."""


def done(
    todo: Iterable[Job],
    executor: Executor | None,
    progress: Progress,
    keep: Callable[[Hashable, Any], None] = _unkept,
) -> dict[Hashable, Any]:
    """The results by key; `progress` may raise `Cancelled`.

    Work that has not begun then is for the owner of the executor to drop.
    """
    todo = left_to_do(todo, {})[0]
    whole = sum(job.weight for job in todo) or 1.0
    ready = 0.0
    results: dict[Hashable, Any] = {}
    progress(0.0)
    if executor is None:
        for job in todo:
            results[job.key] = _run(job)
            keep(job.key, results[job.key])
            ready += job.weight
            progress(min(1.0, ready / whole))
        return results
    running: dict[Future[Any], Job] = {executor.submit(_run, job): job for job in todo}
    while running:
        over, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
        for future in over:
            job = running.pop(future)
            results[job.key] = future.result()
            keep(job.key, results[job.key])
            ready += job.weight
        progress(min(1.0, ready / whole))
    return results


def _run(job: Job) -> Any:
    """A job with one thread for linear algebra: more only get in each other's way."""
    with threadpool_limits(limits=1):
        return job.run()
