"""The law of a mechanism as pages use it: every figure computed beside the page, then handed over.

Results are kept per session, under the mechanism's key and the scores' digest, so one person's data
never reach another's page.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import streamlit as st

from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.grid import Grid
from dpviz.topk.inspection import grid_loss
from dpviz.topk.mechanism import TopKMechanism
from dpviz.ui.work.job import Job, Jobs, Step

__all__ = ["COLUMNS", "ROWS", "Answer", "Awaited", "Reading", "compute", "law_steps", "work_on"]

ROWS, COLUMNS = 80, 120
_PATIENCE = 0.25  # seconds a page waits before it shows what is there
_FIRST_PATIENCE = 4.0  # when there is nothing yet to look at
_JOBS = "dpviz.jobs"


@dataclass(frozen=True)
class Reading:
    """A figure with its interval: the error bound where exact, 95 % where estimated."""

    value: float
    low: float
    high: float


class Awaited(Protocol):
    """Anything whose figures come from a job."""

    @property
    def key(self) -> str:
        """What the job is kept under."""

    @property
    def job(self) -> Job:
        """The work."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known so far of a mechanism on scores; places that are not filled yet read None."""

    mechanism: TopKMechanism
    scores: Scores
    key: str
    job: Job

    def _get(self, name: str) -> Any:
        return self.job.results.get(name)

    @property
    def distribution(self) -> TopKDistribution | None:
        """The distribution itself, once everything a page reads from it has been computed."""
        return self._get("distribution") if self.job.finished and self.job.problem is None else None

    @property
    def method(self) -> str | None:
        """How the figures came about: "exact" or "estimated"."""
        dist: TopKDistribution | None = self._get("distribution")
        return None if dist is None else dist.method

    @property
    def draws(self) -> int:
        """The draws that an estimate rests on."""
        dist: TopKDistribution | None = self._get("distribution")
        return 0 if dist is None else dist.draws

    @property
    def error(self) -> float:
        """The bound on the error of an exact figure."""
        dist: TopKDistribution | None = self._get("distribution")
        return 0.0 if dist is None else dist.error

    def event(self, name: str) -> Reading | None:
        """The probability of the named event."""
        reading: Reading | None = self._get(name)
        return reading

    @property
    def inclusion(self) -> Floats | None:
        """P(item is selected), in item order."""
        return self._get("inclusion")  # type: ignore[no-any-return]

    @property
    def inclusion_bounds(self) -> tuple[Floats, Floats] | None:
        """(low, high) for `inclusion`."""
        return self._get("inclusion bounds")  # type: ignore[no-any-return]

    @property
    def share(self) -> float | None:
        """The expected share of the true top k."""
        return self._get("share")  # type: ignore[no-any-return]

    @property
    def worst_rank(self) -> float | None:
        """The expected worst rank."""
        return self._get("worst rank")  # type: ignore[no-any-return]

    @property
    def grid(self) -> Grid | None:
        """The law binned for a heatmap."""
        return self._get("grid")  # type: ignore[no-any-return]

    @property
    def loss(self) -> Floats | None:
        """The loss at each cell of the grid, where the mechanism has one."""
        return self._get("loss")  # type: ignore[no-any-return]

    def bounds(self, event: str) -> tuple[int, int]:
        """(a, b) of an event of the form within(a,b)."""
        return event_bounds(event, self.scores.ranked, self.mechanism.k)


def compute(mechanism: TopKMechanism, scores: Scores) -> Answer:
    """What `mechanism` does to `scores`: at once where that is quick, else as it comes."""
    key = f"{mechanism.key} {scores.digest}"
    return Answer(mechanism, scores, key, work_on(key, lambda: law_steps(mechanism, scores)))


def work_on(key: str, steps: Callable[[], Mapping[str, Step]], *, beside: str = "laws") -> Job:
    """The session's job with this key, started if need be, after a moment's wait.

    Others of its kind that run are stopped; jobs of another kind (`beside`) go on.
    """
    first = _JOBS not in st.session_state
    kinds: dict[str, Jobs] = st.session_state.setdefault(_JOBS, {})
    jobs = kinds.setdefault(beside, Jobs())
    job = jobs.get(key, steps)
    job.wait(_FIRST_PATIENCE if first else _PATIENCE)
    return job


def restart(answer: Awaited) -> None:
    """Compute again what was stopped."""
    for jobs in st.session_state[_JOBS].values():
        jobs.drop(answer.key)


def law_steps(mechanism: TopKMechanism, scores: Scores) -> Mapping[str, Step]:
    """What `Answer` reads, in the order in which it is computed."""

    def distribution(progress: Progress, done: Mapping[str, Any]) -> TopKDistribution:
        return mechanism.distribution(scores, progress=progress)

    def event(name: str) -> Step:
        def read(progress: Progress, done: Mapping[str, Any]) -> Reading:
            dist: TopKDistribution = done["distribution"]
            return Reading(getattr(dist, name), *dist.interval(name))

        return read

    def loss(progress: Progress, done: Mapping[str, Any]) -> Floats | None:
        return grid_loss(mechanism, scores, done["grid"])

    return {
        "distribution": distribution,
        **{name: event(name) for name in EVENTS},
        "inclusion": lambda progress, done: done["distribution"].inclusion,
        "inclusion bounds": lambda progress, done: done["distribution"].bounds(done["inclusion"]),
        "share": lambda progress, done: done["distribution"].share,
        "grid": lambda progress, done: done["distribution"].grid(ROWS, COLUMNS),
        "loss": loss,
        "worst rank": lambda progress, done: done["distribution"].expected_worst_rank,
    }
