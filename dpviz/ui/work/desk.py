"""The work of a page with several designs: jobs beside each other, each kept as long as it is wanted.

Jobs belong to groups; asking a group for other jobs cancels those of it that nobody wants any more, so
a new ε stops the laws under way but not the curves, which do not depend on it.
Invariant: jobs that may wait run two at a time, by their group's `place` in the line and then as asked for,
and rest while urgent ones run, so that a moved control answers soon.
"""

import bisect
import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dpviz.base.progress import Progress
from dpviz.ui.work.job import Job, Step

__all__ = ["Desk"]

_KEPT = 48  # finished jobs
_REST = 0.02  # seconds between looks at whether it is one's turn
_AT_ONCE = 2  # steps that may wait
Steps = Callable[[], Mapping[str, Step]]


class Desk:
    """The jobs of one session's comparison."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[tuple[str, str], Job] = OrderedDict()
        self._wanted: dict[str, list[Job]] = {}
        self._urgent: dict[str, list[Job]] = {}
        self._line: list[tuple[int, int]] = []  # of the steps that may wait, each (place, number); the first two run
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    def ask(self, group: str, wanted: Mapping[str, Steps], *, place: int | None = None) -> list[Job]:
        """The jobs with these keys, in order, started if need be; unfinished others of the group are cancelled.

        `place` in the line makes the group one that may wait; without it the group is urgent.
        """
        for at, job in list(self._jobs.items()):
            if at[0] == group and at[1] not in wanted and not job.finished:
                job.cancel()
                del self._jobs[at]
        jobs = [self._get((group, key), steps, place) for key, steps in wanted.items()]
        self._wanted[group] = jobs
        if place is None:
            self._urgent[group] = jobs
        while len(self._jobs) > _KEPT:
            self._jobs.popitem(last=False)
        return jobs

    def _get(self, at: tuple[str, str], steps: Steps, place: int | None) -> Job:
        if at not in self._jobs:
            made = steps()
            if place is not None:
                made = {name: self._resting(step, place) for name, step in made.items()}
            self._jobs[at] = Job(made)
        self._jobs.move_to_end(at)
        return self._jobs[at]

    def _resting(self, step: Step, place: int) -> Step:
        def rested(progress: Progress, done: Mapping[str, Any]) -> Any:
            ticket = (place, next(self._numbers))

            def report(fraction: float) -> None:
                progress(fraction)
                while self._must_wait(ticket):
                    time.sleep(_REST)
                    progress(fraction)

            with self._lock:
                bisect.insort(self._line, ticket)
            try:
                report(0.0)
                return step(report, done)
            finally:
                with self._lock:
                    self._line.remove(ticket)

        return rested

    def _must_wait(self, ticket: tuple[int, int]) -> bool:
        urgent = any(not job.finished for jobs in list(self._urgent.values()) for job in jobs)
        return urgent or ticket not in self._line[:_AT_ONCE]

    def jobs(self, groups: Iterable[str] | None = None) -> list[Job]:
        """The jobs wanted now, of some groups or of all."""
        named = self._wanted if groups is None else groups
        return [job for group in named for job in self._wanted.get(group, [])]

    def forget(self, groups: Iterable[str] | None = None) -> None:
        """Drop the jobs that were stopped, so that they are started again when asked for."""
        stopped = [job for job in self.jobs(groups) if job.cancelled]
        self._jobs = OrderedDict((at, job) for at, job in self._jobs.items() if job not in stopped)
