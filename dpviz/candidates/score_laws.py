"""The score law of one candidate: atoms (runs that were made, or typed probabilities) or a density.

Invariants: atoms are ascending and distinct with masses that add up to 1; discrete scipy
distributions become atoms, cut where less than 1e-16 is left.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    ParameterError,
    ReadOnlyArrays,
    ValueEquality,
    cached_property,
    check_number,
    check_several,
    refuse_set_or_mask,
    tally,
)

_CUT = 1e-16
_MOST_ATOMS = 1_000_000


@dataclass(frozen=True, eq=False)
class DiscreteScoreLaw(ReadOnlyArrays, ValueEquality):
    """Scores (ascending) and their masses, shape (atoms,)."""

    scores: Floats
    mass: Floats

    def tail(self, z: Floats) -> Floats:
        return np.asarray(self._sums[np.searchsorted(self.scores, z, side="left")], float)

    def sf(self, z: Floats) -> Floats:
        return np.asarray(self._sums[np.searchsorted(self.scores, z, side="right")], float)

    def quantile(self, p: float) -> float:
        """The smallest score with P(score ≤ it) ≥ p."""
        at = int(np.searchsorted(np.cumsum(self.mass), p - _CUT))
        return float(self.scores[min(at, len(self.scores) - 1)])

    @cached_property
    def _sums(self) -> Floats:
        """P(score ≥ atom i), and 0 after the last."""
        sums = np.append(np.cumsum(self.mass[::-1])[::-1], 0.0)
        sums[0] = 1.0
        return np.asarray(sums, float)

    def sample(self, rng: Generator, size: int) -> Floats:
        return np.asarray(rng.choice(self.scores, size, p=self.mass), float)


@dataclass(frozen=True, eq=False)
class ContinuousScoreLaw:
    """A frozen continuous scipy distribution."""

    frozen: Any

    def tail(self, z: Floats) -> Floats:
        return np.asarray(self.frozen.sf(z), float)

    sf = tail

    def density(self, z: Floats) -> Floats:
        return np.asarray(self.frozen.pdf(z), float)

    def quantiles(self, p: Floats) -> Floats:
        """Scores with P(score ≤ ·) = p and with P(score ≥ ·) = p, finite ones only."""
        both = np.concatenate([self.frozen.ppf(p), self.frozen.isf(p), self.frozen.support()])
        return np.asarray(both[np.isfinite(both)], float)

    def quantile(self, p: float) -> float:
        return float(self.frozen.ppf(p))

    def sample(self, rng: Generator, size: int) -> Floats:
        return np.asarray(self.frozen.rvs(size=size, random_state=rng), float)


def parse_score_law(name: str, value: Any) -> DiscreteScoreLaw | ContinuousScoreLaw:
    """The law that `value` describes; `name` stands in the error."""
    if isinstance(value, DiscreteScoreLaw | ContinuousScoreLaw):
        return value
    if callable(getattr(value, "pmf", None)):
        return _discrete(name, value)
    if callable(getattr(value, "pdf", None)) and callable(getattr(value, "sf", None)):
        has_quantiles = callable(getattr(value, "ppf", None))
        middle = float(value.sf(value.ppf(0.5))) if has_quantiles else math.nan
        if not abs(middle - 0.5) < 1e-6:
            raise ParameterError(name, value, "a frozen scipy distribution with usable parameters")
        return ContinuousScoreLaw(value)
    if isinstance(value, tuple) and len(value) == 2 and all(np.ndim(part) == 1 for part in value):
        return _weighted(name, *value)
    level, runs = np.unique(_numbers(name, value), return_counts=True)
    return DiscreteScoreLaw(level, runs / runs.sum())


def _discrete(name: str, given: Any) -> DiscreteScoreLaw:
    inner = getattr(given, "dist", given)
    if hasattr(inner, "xk"):
        return _weighted(name, np.asarray(inner.xk, float), np.asarray(inner.pk, float))
    low, high = given.ppf(_CUT), given.isf(_CUT)
    if not (np.isfinite(low) and np.isfinite(high) and high - low < _MOST_ATOMS):
        raise ParameterError(
            name, given, f"a discrete distribution over at most {_MOST_ATOMS:,} scores"
        )
    scores = np.arange(low, high + 1)
    mass = np.asarray(given.pmf(scores), float)
    return DiscreteScoreLaw(scores[mass > 0], mass[mass > 0] / mass.sum())


def _weighted(name: str, scores: Any, probabilities: Any) -> DiscreteScoreLaw:
    numbers = _numbers(name, scores)
    mass = np.array(
        [check_number(f"a probability of {name}", p, low=0.0, high=1.0) for p in probabilities]
    )
    if len(mass) != len(numbers):
        raise ParameterError(
            f"the number of probabilities of {name}", len(mass), f"{len(numbers)}, one a score"
        )
    if abs(mass.sum() - 1) > 1e-9:
        raise ParameterError(f"the sum of the probabilities of {name}", float(mass.sum()), "1")
    level, where = np.unique(numbers, return_inverse=True)
    summed = tally(where, mass)
    return DiscreteScoreLaw(level[summed > 0], summed[summed > 0] / summed.sum())


def _numbers(name: str, given: Any) -> Floats:
    refuse_set_or_mask(name, given)
    if isinstance(given, np.ndarray) and given.dtype.kind in "iuf" and given.ndim == 1:
        scores = given.astype(float)
        bad = np.flatnonzero(~np.isfinite(scores))
        if len(bad):
            raise ParameterError(f"{name}[{bad[0]}]", float(scores[bad[0]]), "a finite number")
    else:
        allowed = "a list of run scores or a frozen scipy distribution"
        several = check_several(name, given, allowed)
        scores = np.array([check_number(f"{name}[{i}]", score) for i, score in enumerate(several)])
    if not len(scores):
        raise ParameterError(f"the number of runs of {name}", 0, "at least 1")
    return scores


Atoms = DiscreteScoreLaw  # the former name, in stored pickles
Continuous = ContinuousScoreLaw  # the former name, in stored pickles
