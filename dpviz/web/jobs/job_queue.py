"""The job queue and caches of one session, and steps computed in a worker process.

Jobs belong to groups, so a new ε stops the laws under way but not the curves.
Invariant: jobs are kept per session, under a key of everything they depend on, so one person's data
never reach another's page.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ParamSpec, TypeVar

from dpviz.base.limited_process import can_limit, preload_in_workers
from dpviz.base.step_process import StepwiseWork
from dpviz.studies import Study
from dpviz.studies.study import Once
from dpviz.web.jobs.job import Job, ProcessSteps, WorkStep
from dpviz.web.session import SessionValue

preload_in_workers("dpviz.studies.mechanism_studies")


def work_steps(
    work: StepwiseWork, names: Iterable[str], *, in_own_process: bool = True
) -> dict[str, WorkStep]:
    """Named steps of some work, `in_own_process` in a process of their own where the system allows
    it.
    """
    if in_own_process and can_limit():
        return ProcessSteps(work, names)
    return {name: partial(work.compute_step, name) for name in names}


def missing_steps(study: Study, keep: Once) -> Mapping[str, WorkStep]:
    """Steps that a study does not have yet, in a process where the study is large."""
    steps = study.missing_computations(keep)
    return ProcessSteps(study, steps) if study.is_large_study and can_limit() else steps


S = TypeVar("S", bound=Study)
T = TypeVar("T")
P = ParamSpec("P")
PATIENCE = 0.25  # seconds that a part waits for results before it shows what is there

Wanted = tuple[str, Callable[[], Mapping[str, WorkStep]]]
"""A wanted job: its key, and a function that makes its steps where it must be started."""


class RecentCache(OrderedDict[str, T]):
    """The `size_limit` values that were asked for last, by key; threads may share it."""

    def __init__(self, size_limit: int) -> None:
        super().__init__()
        self.most = size_limit
        self._lock = threading.Lock()

    def get_or_make(self, key: str, make: Callable[P, T], *of: P.args, **named: P.kwargs) -> T:
        with self._lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make(*of, **named)  # which may take long
        with self._lock:
            self[key] = made
            while len(self) > self.most:
                self.popitem(last=False)
        return made


class JobQueue:
    """The jobs of one session; a group keeps those of its last few requests."""

    def __init__(self, times: int = 6) -> None:
        self._times = times
        self._jobs: dict[str, RecentCache[Job]] = {}
        self._wanted: dict[str, list[Job]] = {}
        self._line = object()  # of this session's jobs

    def request_jobs(
        self,
        group: str,
        requests: Iterable[Wanted],
        *,
        place: int | None = None,
        patience: float = 0.0,
    ) -> list[Job]:
        """These jobs in order, started if need be; unfinished others of the group are cancelled."""
        steps = dict(requests := list(requests))
        jobs = self._jobs.setdefault(group, RecentCache(0))
        jobs.most = self._times * len(steps)
        for key, job in list(jobs.items()):
            if key not in steps and not job.finished:
                job.cancel()
                del jobs[key]
        asked = {
            key: jobs.get_or_make(key, self._start, made, place) for key, made in steps.items()
        }
        self._wanted[group] = list(asked.values())
        end = time.monotonic() + patience
        for job in asked.values():
            job.wait(max(0.0, end - time.monotonic()))
        return [asked[key] for key, _ in requests]

    def _start(self, make: Callable[[], Mapping[str, WorkStep]], place: int | None) -> Job:
        return Job(make(), line=self._line, place=place)

    def jobs(self, *groups: str) -> list[Job]:
        """Jobs of these groups that are wanted now."""
        return [job for group in groups for job in self._wanted.get(group, [])]

    def finished_study(self, study: S) -> S | None:
        """Study with all of its results, if a wanted job has finished it."""
        for jobs in list(self._jobs.values()):
            job = jobs.get(study.key)
            if job is not None and job.finished and job.problem is None and not job.cancelled:
                return study.replace(results={**study.results, **job.results})
        return None

    def drop_group(self, group: str) -> None:
        for job in self._jobs.pop(group, {}).values():
            job.cancel()
        self._wanted.pop(group, None)

    def drop_stopped_jobs(self, jobs: Iterable[Job]) -> None:
        """Forget the jobs that were stopped or failed, so that they can be started again."""
        stopped = [job for job in jobs if job.cancelled or job.failed]
        for group in self._jobs.values():
            for key in [key for key, job in group.items() if job in stopped]:
                del group[key]


_DESK: SessionValue[JobQueue] = SessionValue("desk", JobQueue)


def session_job_queue() -> JobQueue:
    return _DESK.value


def session_cache(name: str, size_limit: int) -> RecentCache[Any]:
    """This session's cache under a name."""
    return SessionValue(f"kept.{name}", lambda: RecentCache[Any](size_limit)).value
