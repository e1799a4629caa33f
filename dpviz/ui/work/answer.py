"""The law of a mechanism as pages use it: every figure computed beside the page, then handed over.

Results are kept per session, under the mechanism's key and the scores' digest, so one person's data
never reach another's page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.mechanism import TopKMechanism
from dpviz.ui.work.desk import FIRST_PATIENCE, LAWS_PATIENCE, Wanted, desk
from dpviz.ui.work.job import Done, Job, Step

__all__ = ["Answer", "Chance", "answers", "compute", "work_on"]

T = TypeVar("T")
_ROWS, _COLUMNS = 80, 120  # of the heatmap


@dataclass(frozen=True)
class Chance:
    """A probability with its interval: the estimated error bound where exact, 95 % where estimated."""

    value: float
    low: float
    high: float


def _chance(dist: TopKDistribution, probability: float) -> Chance:
    low, high = dist.bounds(np.array(probability))
    return Chance(float(probability), float(low), float(high))


class Figure(Generic[T]):
    """A figure of a distribution, a step of the job behind an `Answer`; None until it is there."""

    def __init__(self, of: Callable[[TopKDistribution], T]) -> None:
        self.of = of

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, answer: "Answer", owner: type) -> T | None:
        return answer.job.results.get(self._name)


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known so far of a mechanism on scores; figures are computed in the order in which they stand."""

    mechanism: TopKMechanism
    scores: Scores
    key: str
    job: Job

    inclusion = Figure(lambda dist: dist.inclusion)
    inclusion_bounds = Figure(lambda dist: dist.bounds(dist.inclusion))
    share = Figure(lambda dist: dist.share)
    expected_hits = Figure(lambda dist: dist.expected_hits)
    hits = Figure(lambda dist: dist.hits)
    all_right = Figure(lambda dist: _chance(dist, dist.hits[-1]))
    grid = Figure(lambda dist: dist.grid(_ROWS, _COLUMNS))
    worst_rank = Figure(lambda dist: dist.expected_worst_rank)

    @property
    def distribution(self) -> TopKDistribution | None:
        """The distribution itself, once everything a page reads from it has been computed."""
        return self._law if self.job.finished and self.job.problem is None else None

    @property
    def _law(self) -> TopKDistribution | None:
        return self.job.result("distribution", TopKDistribution)

    @property
    def method(self) -> str | None:
        """How the figures came about: "exact" or "estimated"."""
        return None if self._law is None else self._law.method

    @property
    def draws(self) -> int:
        """How many draws an estimate rests on."""
        return 0 if self._law is None else self._law.draws

    @property
    def error(self) -> float:
        """The estimated bound on the error of an exact figure."""
        return 0.0 if self._law is None else self._law.error

    def event(self, name: str) -> Chance | None:
        """The probability of the named event."""
        return self.job.result(name, Chance)

    def bounds(self, event: str) -> tuple[int, int]:
        """(a, b) of an event of the form within(a,b)."""
        return event_bounds(event, self.scores.comparable[0], self.mechanism.k)


def compute(mechanism: TopKMechanism, scores: Scores) -> Answer:
    """What `mechanism` does to `scores`: at once where that is quick, else as it comes."""
    return answers([mechanism], scores)[0]


def answers(mechanisms: Sequence[TopKMechanism], scores: Scores) -> list[Answer]:
    """What each of several mechanisms does to `scores`."""
    keys = [f"{mechanism.key} {scores.digest}" for mechanism in mechanisms]
    wanted = [(key, lambda m=m: _steps(m, scores)) for key, m in zip(keys, mechanisms, strict=True)]
    return [
        Answer(mechanism, scores, key, job)
        for mechanism, key, job in zip(mechanisms, keys, work_on(*wanted), strict=True)
    ]


def work_on(*wanted: Wanted) -> list[Job]:
    """What a page shows first, after a moment's wait; what another page or another value asked for is stopped."""
    return desk().ask("laws", wanted, patience=LAWS_PATIENCE if desk().jobs("laws") else FIRST_PATIENCE)


def _steps(mechanism: TopKMechanism, scores: Scores) -> Mapping[str, Step]:
    def distribution(progress: Progress, done: Done) -> TopKDistribution:
        return mechanism.distribution(scores, progress=progress)

    def event(name: str) -> Step:
        return _reading(lambda dist: Chance(getattr(dist, name), *dist.interval(name)))

    figures = {name: _reading(figure.of) for name, figure in vars(Answer).items() if isinstance(figure, Figure)}
    return {"distribution": distribution, **{name: event(name) for name in EVENTS}, **figures}


def _reading(of: Callable[[TopKDistribution], Any]) -> Step:
    return lambda progress, done: of(done["distribution"])
