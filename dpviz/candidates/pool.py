"""Candidates that are themselves private: each run of one gives a new score.

Symbols: K candidates, and Q: a candidate drawn uniformly, then one run of it.
Invariants: scores are finite, equal ones one level; `tail` is P(score ≥ z), `sf` P(score > z).
Source: Liu & Talwar 2018, Sec 3 (Q as the uniform mixture).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    ParameterError,
    ReadOnlyArrays,
    TabularResult,
    ValueEquality,
    cached_property,
    check_kind,
    check_labels,
    check_several,
    pd,
    refuse_set_or_mask,
    tally,
)
from dpviz.base.former_names import former_names
from dpviz.candidates.score_laws import ContinuousScoreLaw, DiscreteScoreLaw, parse_score_law


@former_names(
    check_atoms="check_discrete",
    continuous="has_continuous_scores",
    level="score_levels",
    level_above="level_sf",
    mixture_above="mixture_sf",
    outputs="combined_outputs",
    runs="sample_runs",
    shares="mixture_atoms",
    smooth="continuous_laws",
)
@dataclass(frozen=True, eq=False, repr=False)
class CandidatePool(ReadOnlyArrays, ValueEquality, TabularResult):
    """K ≥ 1 candidates, each with the law of one run's score.

    Parameters
    ----------
    candidates
        For each candidate an array of run scores (each equally likely), a frozen scipy
        distribution, or a pair (scores, probabilities); in any unit.
    labels
        K texts; None for "candidate 1", "candidate 2", …

    Raises
    ------
    ParameterError
        For an empty pool or candidate, scores that are not finite, probabilities that do not add up
        to 1, and labels of another length.

    Examples
    --------
    >>> pool = CandidatePool([[0.7, 0.8, 0.8], [0.6, 0.9]], labels=["a", "b"])
    >>> pool.tail(0.8).round(3).tolist(), pool.score_levels.tolist()
    ([0.667, 0.5], [0.6, 0.7, 0.8, 0.9])
    """

    contributions: ClassVar[None] = (
        None  # one person may count in the runs of any number of candidates
    )
    names_known: ClassVar[bool] = True  # what is run is listed beforehand

    candidates: Any
    labels: Any = None

    def __post_init__(self) -> None:
        refuse_set_or_mask("candidates", self.candidates)
        allowed = "a list with the run scores of each candidate"
        given = check_several("candidates", self.candidates, allowed)
        laws = tuple(parse_score_law(f"candidates[{k}]", law) for k, law in enumerate(given))
        if not laws:
            raise ParameterError("the number of candidates", 0, "at least 1")
        object.__setattr__(self, "candidates", laws)
        if self.labels is not None:
            object.__setattr__(self, "labels", check_labels(self.labels, len(laws), "a candidate"))

    def __repr__(self) -> str:
        kind = "continuous" if self.has_continuous_scores else f"{len(self.score_levels):,} scores"
        return f"CandidatePool({self.size} candidates, {kind})"

    @classmethod
    def from_table(
        cls, table: Frame, candidate: str = "candidate", score: str = "score"
    ) -> "CandidatePool":
        """A pool from a table with a row a run; candidates keep the order of the table.

        Parameters
        ----------
        table
            The runs.
        candidate, score
            The columns with the candidate's name and the run's score.

        Returns
        -------
        CandidatePool
            The pool.

        Raises
        ------
        ParameterError
            For anything but a DataFrame, a missing column, and a row without a name or a score.

        Examples
        --------
        >>> import pandas as pd
        >>> runs = pd.DataFrame({"candidate": ["b", "a", "b"], "score": [1, 2, 3]})
        >>> CandidatePool.from_table(runs).labels
        ('b', 'a')
        """
        check_kind("table", table, pd.DataFrame, "a pandas DataFrame")
        for column in (candidate, score):
            if column not in table.columns:
                raise ParameterError(
                    "the columns of the table", list(table.columns), f"such that one is {column!r}"
                )
        if (nameless := table[candidate].isna()).any():
            row = int(np.argmax(nameless))
            raise ParameterError(f"the candidate in row {row}", None, "a name")
        groups = list(table.groupby(candidate, sort=False, observed=True)[score])
        return cls(
            [runs.to_numpy() for _, runs in groups], labels=[str(name) for name, _ in groups]
        )

    def frame(self) -> Frame:
        """A row for each candidate: candidate, low, median, high (5th, 50th, 95th percentile)."""
        shares = {"low": 0.05, "median": 0.5, "high": 0.95}
        quantiles = {
            name: [law.quantile(share) for law in self.candidates] for name, share in shares.items()
        }
        return pd.DataFrame({"candidate": list(self.names), **quantiles})

    @property
    def size(self) -> int:
        """K, the number of candidates."""
        return len(self.candidates)

    d = size  # as every mechanism's data have it

    @property
    def names(self) -> tuple[str, ...]:
        """The label of every candidate."""
        return tuple(self.label(k) for k in range(self.size))

    @cached_property
    def continuous_laws(self) -> dict[int, ContinuousScoreLaw]:
        """The candidates whose scores are continuous, by their index."""
        return {
            k: law for k, law in enumerate(self.candidates) if isinstance(law, ContinuousScoreLaw)
        }

    @property
    def has_continuous_scores(self) -> bool:
        """True where any candidate has a continuous score law."""
        return bool(self.continuous_laws)

    @cached_property
    def order(self) -> Ints:
        """The candidates by their mean scores, the best first."""
        return np.argsort(-self.mean_scores, kind="stable")

    @cached_property
    def mean_scores(self) -> Floats:
        """The mean score of a run of each candidate, shape (K,), where no law is continuous."""
        self.check_discrete()
        return np.array([float(law.scores @ law.mass) for law in self.candidates])

    def check_discrete(self, where: str = "here") -> None:
        """Raise `ParameterError` where scores are continuous."""
        if self.has_continuous_scores:
            raise ParameterError(
                "pool", "continuous", f"made of run scores or probabilities {where}"
            )

    def combined_outputs(self, other: "CandidatePool") -> tuple[Ints, Floats]:
        """Every (candidate, score) that either pool has; for pools of runs or probabilities."""
        pairs = [
            (k, score)
            for k, laws in enumerate(zip(self.candidates, other.candidates, strict=True))
            for score in np.union1d(laws[0].scores, laws[1].scores).tolist()
        ]
        candidate, level = zip(*pairs, strict=True)
        return np.array(candidate, np.int64), np.array(level, float)

    def label(self, k: int) -> str:
        """The label of the candidate with index `k`, such as "candidate 1" where none are given."""
        return str(self.labels[k]) if self.labels is not None else f"candidate {k + 1}"

    def tail(self, z: float) -> Floats:
        """P(score ≥ z) of a run of each candidate, shape (K,)."""
        return np.array([float(law.tail(np.array(z, float))) for law in self.candidates])

    def mixture_tail(self, z: Floats) -> Floats:
        """P(score ≥ z) of a run of Q, shape of `z`."""
        return self._mean([law.tail(np.asarray(z, float)) for law in self.candidates])

    def mixture_sf(self, z: Floats) -> Floats:
        """P(score > z) of a run of Q, shape of `z`."""
        return self._mean([law.sf(np.asarray(z, float)) for law in self.candidates])

    def _mean(self, parts: Sequence[Floats]) -> Floats:
        return np.asarray(np.minimum(sum(parts) / self.size, 1.0), float)

    @cached_property
    def score_levels(self) -> Floats:
        """The distinct scores that carry mass, ascending, shape (L,)."""
        atoms = [law.scores for law in self.candidates if isinstance(law, DiscreteScoreLaw)]
        return np.unique(np.concatenate(atoms)) if atoms else np.empty(0)

    @cached_property
    def mixture_atoms(self) -> tuple[Ints, Ints, Floats]:
        """(candidate, level index, mass under Q) of every atom, as three flat arrays."""
        atoms = [
            (np.full(len(law.scores), k), np.searchsorted(self.score_levels, law.scores), law.mass)
            for k, law in enumerate(self.candidates)
            if isinstance(law, DiscreteScoreLaw)
        ]
        if not atoms:
            return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        owner, level, mass = (np.concatenate(parts) for parts in zip(*atoms, strict=True))
        return owner, level, mass / self.size

    @cached_property
    def level_mass(self) -> Floats:
        """The mass of every level under Q, shape (L,)."""
        return np.asarray(tally(*self.mixture_atoms[1:], len(self.score_levels)), float)

    @cached_property
    def level_sf(self) -> Floats:
        """P(score > level) under Q, shape (L,), summed from the top."""
        atoms = np.append(np.cumsum(self.level_mass[::-1])[::-1], 0.0)[1:]
        smooth = [law.sf(self.score_levels) for law in self.continuous_laws.values()]
        return np.asarray(atoms + sum(smooth) / self.size, float)

    def sample_runs(self, rng: Generator, size: int) -> tuple[Ints, Floats]:
        """Independent runs of Q, a uniform candidate run once.

        Parameters
        ----------
        rng
            The source of all randomness.
        size
            The number of runs.

        Returns
        -------
        tuple[Ints, Floats]
            The candidate of each run and its score, shape (size,).
        """
        owner, score = rng.integers(0, self.size, size), np.empty(size)
        order = np.argsort(owner, kind="stable")
        ends = np.searchsorted(owner[order], np.arange(self.size + 1))
        for k, law in enumerate(self.candidates):
            mine = order[ends[k] : ends[k + 1]]
            if len(mine):
                score[mine] = law.sample(rng, len(mine))
        return owner, score


def single_run_epsilon(pool: CandidatePool, neighbour: CandidatePool) -> float:
    """ε1: the largest loss of one run of any candidate; infinite where scores are continuous."""
    if pool.has_continuous_scores or neighbour.has_continuous_scores:
        return math.inf
    pairs = list(zip(pool.candidates, neighbour.candidates, strict=True))
    if not all(np.array_equal(law.scores, other.scores) for law, other in pairs):
        return math.inf
    return max(float(np.abs(np.log(law.mass / other.mass)).max()) for law, other in pairs)
