"""The work of a reproduction: independent jobs, on processes or here.

A job is a small frozen description with `run()`; its key is made of its fields, so that work asked for twice is
done once. Invariants: what a job gives depends on its key alone, not on where or when it runs; random
numbers come from a seed in the job; a result is handed to `keep` before it is told as done.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from dataclasses import dataclass, fields
from typing import Any

from threadpoolctl import threadpool_limits

from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.studies.design import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class Job(ABC):
    """Something to compute, described by its fields."""

    @property
    def key(self) -> Hashable:
        """What tells this job from any other: its kind and its fields, scores by their digest."""
        return (type(self).__name__, *(_identity(getattr(self, field.name)) for field in fields(self)))

    @property
    @abstractmethod
    def weight(self) -> float:
        """About the seconds that it takes: the heaviest go first."""

    @abstractmethod
    def run(self) -> Any:
        """Compute it."""


def _identity(value: Any) -> Hashable:
    if isinstance(value, Scores):
        return value.digest, value.monotonic
    if isinstance(value, Design):
        return value.mechanism, _identity(value.parameters)
    if isinstance(value, Mapping):
        return tuple(sorted((name, _identity(one)) for name, one in value.items()))
    return value if isinstance(value, Hashable) else repr(value)


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
    for ended in _here(todo) if executor is None else _together(todo, executor):
        for job, result in ended:
            results[job.key] = result
            keep(job.key, result)
            ready += job.weight
        progress(min(1.0, ready / whole))
    return results


def _here(todo: Iterable[Job]) -> Iterator[list[tuple[Job, Any]]]:
    """One job after the other."""
    for job in todo:
        yield [(job, _run(job))]


def _together(todo: Iterable[Job], executor: Executor) -> Iterator[list[tuple[Job, Any]]]:
    """Those that have ended, every half second or sooner."""
    running = {executor.submit(_run, job): job for job in todo}
    while running:
        over, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
        yield [(running.pop(future), future.result()) for future in over]


def _run(job: Job) -> Any:
    """A job with one thread for linear algebra: more only get in each other's way."""
    with threadpool_limits(limits=1):
        return job.run()
