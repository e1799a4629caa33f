"""Subject of a page, and its headline figures with their sources."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dpviz.base import Scores
from dpviz.charts import percent
from dpviz.studies import Scenario
from dpviz.studies.candidate_runs import CandidateRuns


class FigureSource(Protocol):
    """Source of a figure: its method and error bound."""

    @property
    def method(self) -> str:
        """ "exact" or "estimated"."""

    @property
    def error(self) -> float:
        """A bound on the error of any figure."""


@dataclass(frozen=True)
class ExactSource:
    error: float
    method: str = "exact"


@dataclass(frozen=True)
class SimulatedSource:
    """A source that draws releases, with the 95 % interval in words."""

    draws: int
    interval: str
    error: float = math.inf
    method: str = "estimated"


@dataclass(frozen=True)
class Headline:
    """A figure with its name, meaning and source; without a value it is still computed.

    `remark`: how the figure came about. `of`: what it is out of, in small type.
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
    """A chance that is read off a law, if the law is there."""
    return Headline(name, None if law is None else percent(chance(law)), meaning, law)


@dataclass(frozen=True, eq=False)
class PageSubject:
    """A scenario with its scores, or with the table of runs that it chooses among."""

    scenario: Scenario
    scores: Scores | None = None
    table: CandidateRuns | None = None

    @property
    def data_key(self) -> str:
        """Key of the table or the scores; "" without either."""
        if self.table is not None:
            return self.table.key
        return "" if self.scores is None else self.scores.digest

    @property
    def loaded_scores(self) -> Scores:
        return self.scenario.load() if self.scores is None else self.scores
