"""One-sided bounds on a query's true value from its gap, and the chance that they hold.

Symbols: m = (f − T)/Δ; the gap is Δ·(m + W); W = ξ − η, with ξ ~ Lap(1/a) the noise of the query
and η ~ Lap(1/b) that of the threshold; t with P(W ≤ t) = 1 − α. The bound f ≥ T + gap − Δ·t holds
exactly when W ≤ t.
Invariants: before the answer is seen P(answered and the bound fails) ≤ α. Given an answer the bound
can fail far more often, as W is then large. Source: Ding, Wang, Zhang & Kifer 2019, Lemma 7.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpviz.base import Floats, cached_property

Masked = np.ma.MaskedArray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True)
class ConfidenceBound:
    """The t of Lemma 7: the true value is at least T + gap − Δ·t with the confidence given."""

    confidence: float
    epsilon0: float
    epsilon1: float
    offset: float = 0.0

    @cached_property
    def t(self) -> float:
        return laplace_difference_quantile(self.confidence, self.epsilon0, self.epsilon1)

    def __float__(self) -> float:
        return self.t

    @property
    def coverage_before_answer(self) -> float:
        """P(the bound would hold), before it is known whether there is an answer."""
        return self.confidence

    def coverage_after_answer(self, margin: ArrayLike) -> Floats:
        """P(the bound holds | answered) of a query asked alone, by its margin m."""
        needed = self.offset - np.asarray(margin, float)
        answered = laplace_difference_sf(needed, self.epsilon0, self.epsilon1)
        missed = laplace_difference_sf(np.maximum(needed, self.t), self.epsilon0, self.epsilon1)
        return np.where(needed >= self.t, 0.0, 1.0 - missed / np.maximum(answered, 1e-300))


@dataclass(frozen=True, eq=False)
class Coverage:
    """Chances that the bounds hold in whole runs, for each branch and each of n queries."""

    confidence: float
    t: tuple[float, ...]
    answered: Floats
    missed: Floats
    error: float

    @property
    def coverage_before_answer(self) -> Floats:
        """P(no answer with a bound that fails): at least the confidence, always."""
        return 1.0 - self.missed

    @property
    def overall_coverage(self) -> float | None:
        """E[answers whose bound holds] / E[answers]; None where there are hardly any answers."""
        answers = float(self.answered.sum())
        return None if answers <= 1000 * self.error else 1.0 - float(self.missed.sum()) / answers

    @cached_property
    def coverage_after_answer(self) -> Masked:
        """P(the bound holds | answered), masked where an answer is too rare to tell."""
        rare = self.answered <= 1000 * self.error
        held = 1.0 - self.missed / np.where(rare, 1.0, self.answered)
        return Masked(np.clip(held, 0.0, 1.0), mask=rare)


def laplace_difference_sf(w: ArrayLike, first_rate: float, second_rate: float) -> Floats:
    """P(W ≥ w) = ½e^(−sw)·(1 + s²(1 − e^(−(r−s)w))/(r² − s²)), w ≥ 0, of rates s ≤ r."""
    w, slow, fast = np.asarray(w, float), min(first_rate, second_rate), max(first_rate, second_rate)
    size = np.abs(w)
    x = np.minimum((fast - slow) * size, 700.0)
    share = np.where(x > 0, -np.expm1(-x) / np.where(x > 0, x, 1.0), 1.0)  # (1 − e^(−x))/x
    tail = 0.5 * np.exp(-slow * size) * (1 + slow * slow * size * share / (fast + slow))
    return np.asarray(np.where(w >= 0, tail, 1 - tail))


@lru_cache(maxsize=256)
def laplace_difference_quantile(probability: float, first_rate: float, second_rate: float) -> float:
    alpha, slow = min(probability, 1 - probability), min(first_rate, second_rate)
    if alpha >= 0.5:
        return 0.0
    high = (2 - 2 * math.log(alpha)) / slow
    found = scipy.optimize.brentq(
        lambda t: float(laplace_difference_sf(t, first_rate, second_rate)) - alpha,
        0.0,
        high,
        xtol=1e-13 / slow,
        rtol=1e-15,
    )
    return math.copysign(found, probability - 0.5)
