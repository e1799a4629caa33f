"""The base of rules that choose one run among private candidates, their laws, and the menu.

Symbols: Q = a uniform candidate, run once; ε1, δ1 = the cost of a scored run; ⊥ = nothing.
Invariants: only the chosen run is published, not the number of runs; ties are broken by a uniform
number drawn with each run. Sources: Liu & Talwar 2018; Papernot & Steinke 2022.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    EpsilonDelta,
    Floats,
    Frame,
    Ints,
    Mechanism,
    OutcomeComparison,
    ParameterError,
    Plottable,
    PrivacyCeiling,
    Progress,
    ReadOnlyArrays,
    Registry,
    RevealingOutput,
    SingleNameLaw,
    ValueEquality,
    check_generator,
    check_integer,
    check_kind,
    check_number,
    check_open_interval,
    ignore_progress,
    notebook_table,
    pd,
    store_fields,
)
from dpviz.base.notebook import method_and_error_text
from dpviz.candidates.pool import CandidatePool, single_run_epsilon
from dpviz.candidates.run_counts import RunCountLaw

_QUANTILES = np.concatenate([10.0 ** np.arange(-12, -2), np.linspace(0.01, 0.5, 50)])


@dataclass(frozen=True, eq=False)
class ScoreLaw(ReadOnlyArrays, ValueEquality):
    """The levels that carry mass, and `tail`: P(a score ≥ z comes out), of densities too."""

    scores: Floats
    mass: Floats
    tail: Callable[[Floats], Floats] = field(compare=False)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SelectionLaw(SingleNameLaw, Plottable):
    """The law of the run that a rule chooses from a pool of K candidates.

    Parameters
    ----------
    pool
        The candidates.
    candidate
        The chance of each, shape (K,).
    bottom
        The chance of nothing.
    score_law
        The law of the score that comes out.
    runs
        The law of the number of runs.
    error
        Bound on the error of any figure.
    """

    pool: CandidatePool
    candidate: Floats
    bottom: float
    score_law: ScoreLaw
    runs: RunCountLaw
    error: float

    def __post_init__(self) -> None:
        store_fields(self, candidate=np.minimum(self.candidate, 1.0))  # sums may be rounded up

    @property
    def names(self) -> Sequence[str]:
        return self.pool.names

    @property
    def chances(self) -> Floats:
        return self.candidate

    @property
    def incomplete_list_probability(self) -> float:
        return self.bottom

    def compare_outcomes(
        self, other: "SelectionLaw", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """Compare runs with their scores, or ranges of scores where these are continuous.

        Parameters
        ----------
        other
            The law of the same mechanism on a neighbour's data.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        OutcomeComparison
            The same outcomes with their chances in both worlds.
        """
        progress(1.0)
        if self.pool.has_continuous_scores or other.pool.has_continuous_scores:
            return self._ranges(other)
        candidate, level = self.pool.combined_outputs(other.pool)
        p, q = (np.append(law._runs_chances(candidate, level), law.bottom) for law in (self, other))

        def output(at: int) -> RevealingOutput:
            if at == len(candidate):
                return RevealingOutput("nothing")
            return RevealingOutput(
                f"{self.pool.label(int(candidate[at]))} with score {level[at]:g}",
                (int(candidate[at]),),
            )

        # a run's chance is a product and right to a relative error; that of nothing may be what is
        # left to 1
        nothing = self.bottom > 0 or other.bottom > 0
        error, other_error = (
            np.append(1e-12 * side[:-1], law.error * nothing)
            for law, side in ((self, p), (other, q))
        )
        return OutcomeComparison(p, q, error, other_error, output, "the run, with its score")

    def _runs_chances(self, candidate: Ints, level: Floats) -> Floats:
        """P(a run of this candidate with this score comes out): its share of the score's chance."""
        pool = self.pool
        score_chance = dict(
            zip(self.score_law.scores.tolist(), self.score_law.mass.tolist(), strict=True)
        )
        level_mass = dict(zip(pool.score_levels.tolist(), pool.level_mass.tolist(), strict=True))
        masses = [
            dict(zip(run.scores.tolist(), run.mass.tolist(), strict=True))
            for run in pool.candidates
        ]
        return np.array(
            [
                score_chance.get(score, 0.0)
                * masses[k].get(score, 0.0)
                / pool.size
                / level_mass.get(score, 1.0)
                for k, score in zip(candidate.tolist(), level.tolist(), strict=True)
            ]
        )

    def _ranges(self, other: "SelectionLaw") -> OutcomeComparison:
        parts = [self.pool.score_levels, other.pool.score_levels]
        for pool in (self.pool, other.pool):
            parts += [law.quantiles(_QUANTILES) for law in pool.continuous_laws.values()]
        edges = np.unique(np.concatenate(parts))
        masses = []
        for world in (self, other):
            above = np.concatenate([[1.0 - world.bottom], world.score_law.tail(edges), [0.0]])
            masses.append(np.append(np.maximum(-np.diff(above), 0.0), world.bottom))

        def output(at: int) -> RevealingOutput:
            if at == len(edges) + 1:
                return RevealingOutput("nothing")
            low = f"of at least {edges[at - 1]:g}" if at else "of any size"
            high = f" and below {edges[at]:g}" if at < len(edges) else ""
            return RevealingOutput(f"a score {low}{high}")

        p, q = masses
        return OutcomeComparison(p, q, 2 * self.error, 2 * other.error, output, "a range of scores")

    def _repr_html_(self) -> str:
        best = np.argsort(-self.candidate, kind="stable")[:5].tolist()
        rows = [(f"P({self.pool.label(k)})", f"{self.candidate[k]:.4f}") for k in best]
        rows.append(("P(nothing)", f"{self.bottom:.4f}"))
        title = f"One run of {self.pool.size:,} candidates"
        return notebook_table(title, rows, method_and_error_text(self.method, self.error))

    def table(self) -> Frame:
        """A row a candidate: label and probability; ⊥ last."""
        return pd.DataFrame(
            {"candidate": [*self.names, "⊥"], "probability": [*self.candidate, self.bottom]}
        )


@dataclass(frozen=True, eq=False)
class Releases(ReadOnlyArrays, ValueEquality):
    """Simulated releases: candidate (−1 for ⊥), score (−inf for ⊥), runs made; shape (size,)."""

    candidate: Ints
    score: Floats
    runs: Ints


CANDIDATES: "Registry[type[CandidateRule]]" = Registry(
    "rule", first_names=("known_threshold", "random_stopping")
)


@dataclass(frozen=True, kw_only=True)
class CandidateRule(Mechanism):
    """A rule that runs private candidates and publishes one run."""

    _menu: ClassVar = CANDIDATES
    runs_on: ClassVar[type] = CandidatePool

    def distribution(
        self, pool: CandidatePool, *, progress: Progress = ignore_progress
    ) -> SelectionLaw:
        """The exact law of the run that comes out.

        Parameters
        ----------
        pool
            The candidates.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        SelectionLaw
            The chance of each candidate and of nothing, to within its `error`.
        """
        check_kind("pool", pool, CandidatePool, "a dpviz CandidatePool")
        return self._law(pool, progress)

    def sample(self, pool: CandidatePool, size: int = 1, *, rng: Generator | int) -> Releases:
        """Independent releases, each made run by run.

        Parameters
        ----------
        pool
            The candidates.
        size
            The number of releases.
        rng
            The generator, or its seed.

        Returns
        -------
        Releases
            The candidate and the score of each release, and its number of runs.
        """
        check_kind("pool", pool, CandidatePool, "a dpviz CandidatePool")
        return self._sample(pool, check_integer("size", size, low=0), check_generator(rng))

    def privacy_ceiling(self, pool: CandidatePool, neighbour: CandidatePool) -> PrivacyCeiling:
        """The total at the largest loss of a single run.

        Parameters
        ----------
        pool, neighbour
            The two worlds, one person apart.

        Returns
        -------
        PrivacyCeiling
            (ε, δ), infinite where nothing bounds that loss or no theorem covers it.
        """
        with suppress(ParameterError):  # no theorem covers these parameters: nothing is promised
            if (epsilon := single_run_epsilon(pool, neighbour)) < math.inf:
                # a total at ε1 = 0 is that at next to nothing
                return PrivacyCeiling(*self.total_epsilon(max(epsilon, 1e-12)))
        return PrivacyCeiling(math.inf)

    @abstractmethod
    def total_epsilon(self, candidate_epsilon: float, candidate_delta: float = 0.0) -> EpsilonDelta:
        """(ε, δ) of one release when every run, score included, is (ε1, δ1)-DP."""

    @abstractmethod
    def _law(self, pool: CandidatePool, progress: Progress) -> SelectionLaw:
        """The exact law."""

    @abstractmethod
    def _sample(self, pool: CandidatePool, size: int, rng: Generator) -> Releases:
        """Releases, run by run."""


def check_run_privacy(epsilon: object, delta: object) -> tuple[float, float]:
    epsilon = check_number("candidate_epsilon", epsilon, low=0.0, above=True)
    delta = check_number("candidate_delta", delta, low=0.0)
    return epsilon, check_open_interval("candidate_delta", delta) if delta else 0.0
