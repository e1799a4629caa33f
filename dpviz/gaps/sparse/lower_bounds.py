"""One-sided bounds on a query's true value from its gap, and how often they hold.

Symbols: m = (f − T)/Δ; W = (query noise) − (threshold noise); the gap is Δ·(m + W); t with P(W ≤ t) = 1 − α.
The bound f ≥ T + gap − Δ·t holds exactly when W ≤ t.
Invariants: before the answer is seen P(answered and the bound fails) ≤ α. Given that the query was
answered the bound can fail far more often: answers are given when W is large.
Source: Ding, Wang, Zhang & Kifer 2019, Lemma 7 (which speaks of the noise before the selection).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base.arrays import Floats
from dpviz.gaps.sparse.laplace_difference import difference_quantile, difference_sf

Masked = np.ma.MaskedArray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True)
class ConfidenceBound:
    """The t of Lemma 7: the true value is at least T + gap − Δ·t with the confidence given.

    Parameters
    ----------
    confidence
        1 − α, above 0 and below 1.
    epsilon0
        The threshold's noise is Lap(1/ε0), in units of Δ.
    epsilon1
        The query's noise is Lap(1/ε1), in units of Δ.
    offset
        What the noisy margin has to reach for an answer, in units of Δ.

    Examples
    --------
    >>> bound = ConfidenceBound(0.95, 0.5, 0.25)
    >>> round(bound.t, 4), round(float(bound.after(-5.0)), 2)
    (10.2839, 0.72)
    """

    confidence: float
    epsilon0: float
    epsilon1: float
    offset: float = 0.0

    @cached_property
    def t(self) -> float:
        """P(W ≥ −t) = P(W ≤ t) = confidence."""
        return difference_quantile(self.confidence, self.epsilon0, self.epsilon1)

    def __float__(self) -> float:
        return self.t

    @property
    def before(self) -> float:
        """P(the bound would hold), for the noise before it is known whether there is an answer."""
        return self.confidence

    def after(self, margin: ArrayLike) -> Floats:
        """P(the bound holds | answered) of a query asked alone, by its margin m, in the shape of `margin`.

        (P(W ≥ offset − m) − P(W > t)) / P(W ≥ offset − m), or 0 where every answer lies above the bound.
        """
        needed = self.offset - np.asarray(margin, float)
        answered = difference_sf(needed, self.epsilon0, self.epsilon1)
        missed = difference_sf(np.maximum(needed, self.t), self.epsilon0, self.epsilon1)
        return np.where(needed >= self.t, 0.0, 1.0 - missed / np.maximum(answered, 1e-300))


@dataclass(frozen=True, eq=False)
class Coverage:
    """How often the bounds hold in whole runs, for each branch and each of n queries.

    Parameters
    ----------
    confidence
        1 − α.
    t
        That of each branch, in units of Δ.
    answered
        P(the query is answered by the branch), shape (branches, n).
    missed
        P(it is, and its bound fails), at most α, shape (branches, n).
    error
        A bound on the error of both.
    """

    confidence: float
    t: tuple[float, ...]
    answered: Floats
    missed: Floats
    error: float

    @property
    def before(self) -> Floats:
        """P(no answer with a bound that fails): at least the confidence, always."""
        return 1.0 - self.missed

    @property
    def overall(self) -> float | None:
        """E[answers whose bound holds] / E[answers]; None where there are hardly any answers."""
        answers = float(self.answered.sum())
        return None if answers <= 1000 * self.error else 1.0 - float(self.missed.sum()) / answers

    @cached_property
    def after(self) -> Masked:
        """P(the bound holds | answered), masked where an answer is too rare to tell (below 1000·error)."""
        rare = self.answered <= 1000 * self.error
        safe = np.where(rare, 1.0, self.answered)
        return Masked(np.clip(1.0 - self.missed / safe, 0.0, 1.0), mask=rare)
