"""What a page shows, and the figures that it says of it, each with where it comes from."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dpviz.base import Scores
from dpviz.charts import percent
from dpviz.studies import Scenario
from dpviz.studies.candidate_runs import CandidateRuns


class FigureSource(Protocol):
    """What a figure was read from: how it came about, and how far it can be wrong."""

    @property
    def method(self) -> str:
        """ "exact" or "estimated"."""

    @property
    def error(self) -> float:
        """A bound on the error of any figure."""


@dataclass(frozen=True)
class ExactSource:
    """A source that computes, with a bound on the error of what is read from it."""

    error: float
    method: str = "exact"


@dataclass(frozen=True)
class SimulatedSource:
    """A source that draws: how many releases, and the 95 % interval in words."""

    draws: int
    interval: str
    error: float = math.inf
    method: str = "estimated"


@dataclass(frozen=True)
class Headline:
    """A figure by its name, in words, with what it means; without a value its place waits.

    `source` is the law that it was read from, where there is one, `remark` what else is to be said
    of how the figure came about; `of` stands smaller beside the value: what it is out of.
    """

    name: str
    value: str | None
    meaning: str
    source: FigureSource | None = None
    remark: str = ""
    of: str = ""


L = TypeVar("L", bound=FigureSource)


def probability_headline(
    name: str, law: L | None, chance: Callable[[L], float], meaning: str
) -> Headline:
    """A chance that is read off a law, or its place while there is none."""
    return Headline(name, None if law is None else percent(chance(law)), meaning, law)


@dataclass(frozen=True, eq=False)
class PageSubject:
    """What a page shows: a scenario with the scores it is about, or with the table of runs that it
    chooses among.
    """

    scenario: Scenario
    scores: Scores | None = None
    table: CandidateRuns | None = None

    @property
    def loaded_scores(self) -> Scores:
        """The scores."""
        return self.scenario.load() if self.scores is None else self.scores
