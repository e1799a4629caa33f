"""The base of rules that choose one run among private candidates, what a rule does, and the menu.

Symbols: Q = a uniform candidate, run once; ε1, δ1 = what one run (with its score) costs; ⊥ = nothing.
Invariants: only the chosen run is published, not the number of runs; ties are broken by an
independent uniform number drawn with each run, so a level's mass is shared in proportion;
`candidate` and `bottom` add up to 1.
Sources: Liu & Talwar 2018; Papernot & Steinke 2022.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.described import Described
from dpviz.base.errors import ParameterError
from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check_generator, check_inside, check_integer, check_number
from dpviz.base.progress import Progress, silent
from dpviz.base.registry import Registry
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.run_counts import RunsLaw

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CANDIDATES", "CandidateRule", "Releases", "ScoreLaw", "SelectionLaw", "check_candidate"]


@dataclass(frozen=True, eq=False)
class ScoreLaw:
    """The score of what comes out: levels with their mass, and P(something with score ≥ z comes out).

    `scores` and `mass` hold only the levels that carry mass; continuous candidates show in `tail`.
    """

    scores: Floats
    mass: Floats
    tail: Callable[[Floats], Floats]

    def bins(self, edges: Floats) -> Floats:
        """P(score in [edge i, edge i+1)) for ascending edges, the last bin closed above by nothing."""
        return -np.diff(self.tail(np.asarray(edges, float)))


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectionLaw:
    """What a rule does to a pool: P(the chosen run is of candidate k), ⊥, score, number of runs."""

    pool: CandidatePool
    candidate: Floats
    bottom: float
    score_law: ScoreLaw
    runs: RunsLaw
    error: float
    method: str = "exact"

    def _repr_html_(self) -> str:
        """The candidates that come out most often, and how often nothing does."""
        best = np.argsort(-self.candidate, kind="stable")[:5].tolist()
        rows = [(f"P({self.pool.label(k)})", f"{self.candidate[k]:.4f}") for k in best]
        rows.append(("P(nothing)", f"{self.bottom:.4f}"))
        badge = f"{self.method}, error at most {self.error:.1g}"
        return notebook_table(f"One run of {self.pool.size:,} candidates", rows, badge)

    def table(self) -> "pd.DataFrame":
        """A row a candidate: label and probability; ⊥ last."""
        import pandas as pd

        labels = [self.pool.label(k) for k in range(self.pool.size)]
        return pd.DataFrame({"candidate": [*labels, "⊥"], "probability": [*self.candidate, self.bottom]})


@dataclass(frozen=True, eq=False)
class Releases:
    """Independent simulated releases: candidate (−1 for ⊥), score (−inf for ⊥), runs made; shape (size,)."""

    candidate: Ints
    score: Floats
    runs: Ints


@dataclass(frozen=True, kw_only=True)
class CandidateRule(Described, ABC):
    """A rule that runs private candidates and publishes one run."""

    @classmethod
    def _menu(cls) -> "Registry[type[CandidateRule]]":
        return CANDIDATES

    def distribution(self, pool: CandidatePool, *, progress: Progress = silent) -> SelectionLaw:
        """Which run comes out, exactly (`error` bounds what the integral over continuous scores leaves)."""
        _check_pool(pool)
        return self._law(pool, progress)

    def sample(self, pool: CandidatePool, size: int = 1, *, rng: Generator | int) -> Releases:
        """`size` releases, each made run by run as the rule says."""
        _check_pool(pool)
        size = check_integer("size", size, low=0)
        rng = check_generator(rng)
        return self._sample(pool, size, rng)

    @abstractmethod
    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> tuple[float, float]:
        """(ε, δ) of one release when every run, score included, is (ε1, δ1)-DP.

        Raises `ParameterError` where the theorem asks for something else.
        """

    @abstractmethod
    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        """The exact law."""

    @abstractmethod
    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        """Releases, run by run."""


CANDIDATES: Registry[type[CandidateRule]] = Registry("rule")


def check_candidate(epsilon: object, delta: object) -> tuple[float, float]:
    """(ε1, δ1) as floats: ε1 above 0, δ1 at least 0 and below 1."""
    epsilon = check_number("candidate_epsilon", epsilon, low=0.0, above=True)
    delta = check_number("candidate_delta", delta, low=0.0)
    return epsilon, check_inside("candidate_delta", delta) if delta else 0.0


def _check_pool(pool: object) -> None:
    if not isinstance(pool, CandidatePool):
        raise ParameterError("pool", pool, "a dpviz CandidatePool")
