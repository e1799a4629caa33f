"""Threshold counts: noisy counts above a public threshold, the k largest of them.

Symbols: f_i = counts over Δ; c = the most items that one person counts in. With laplace noise b =
c/ε is its scale (2c/ε if one person replaces another) and τ = 1 + b·ln(c/(2δ)), at least 1. With
gaussian noise σ and τ are chosen together.
Invariants: (ε, δ)-DP for names, order and noisy counts. A new name has a count of at most 1, and
passes with a chance p of at most δ/c. In the other direction −ln(1 − p) must be at most its share
of ε, or the mechanism is refused.
Source: Korolova, Kenthapadi, Mishne & Ntoulas 2009; Wilkins, Kifer, Zhang & Karrer 2022 (gaussian
noise).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
import scipy

from dpviz.base import (
    GAUSSIAN,
    NOISES,
    Floats,
    Noise,
    ParameterError,
    Scores,
    parameter,
)
from dpviz.numerics.cutoff.floor import Floor
from dpviz.numerics.gaussian_shift import ROUNDING, gaussian_delta, largest_gaussian_shift
from dpviz.topk.mechanism import TOP_K
from dpviz.topk.noisy_counts import NoisyCountsMechanism, require_contributions
from dpviz.topk.occurring_items import (
    FlooredScores,
    OccurringItemsMechanism,
    levels_relative_to_best,
    occurring_item_count,
)

_LOOKS = 3  # each between the neighbours of the best
_SIGMAS = 24
_WIDEST = 30.0  # times the smallest σ
_HALVINGS = 60
_LOG_LEAST = -700.0
_EACH = 200  # up to so many new names are computed one by one
_NOISES: dict[str, object] = {"laplace": "Laplace", "gaussian": "Gaussian"}


@TOP_K.register(
    "threshold_counts",
    label="Threshold",
    says=(
        "Needs no list of all possible items. Publishes items with noisy counts above a threshold,"
        " with these counts. Use it if people count in few items."
    ),
    field_names={
        "partition selection": {},
        "stability histogram": {"noise": "laplace"},
        "stability-based histogram": {"noise": "laplace"},
        "private set union": {},
        "tau-thresholding": {},
    },
)
@dataclass(frozen=True, kw_only=True)
class ThresholdCounts(NoisyCountsMechanism, OccurringItemsMechanism):
    """The k largest noisy counts above a threshold that a single person's name rarely passes.

    Lists may be shorter than k. The threshold is public: it follows from ε, δ and `contributions`.

    Known as partition selection, private set union or tau-thresholding. With laplace noise it is
    the stability histogram (stability-based histogram).

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    k
        Largest number of items that come out, from 1.
    delta
        δ above 0 and below 1, the cost of one release beside ε.
    noise
        "laplace", or "gaussian", which is better if people count in many items.

    Raises
    ------
    ParameterError
        If `contributions` of the scores is not known, or δ is too large for ε.

    Examples
    --------
    >>> words = Scores([9, 7, 3], labels=["a", "b", "c"], monotonic=True, contributions=1)
    >>> m = ThresholdCounts(epsilon=1.0, k=2, delta=0.01)
    >>> m.distribution(words).length.round(4).tolist(), round(m.threshold(words), 3)
    ([0.0005, 0.0642, 0.9353], 4.912)
    """

    needs_contributions: ClassVar[bool] = True

    noise: Literal["laplace", "gaussian"] = parameter("laplace", choices=_NOISES, label="Noise")

    @property
    def gaussian_shift(self) -> float | None:
        """With gaussian noise the largest shift that (ε, δ) allows if no new name comes out."""
        return (
            largest_gaussian_shift(self.epsilon, self.delta) if self.noise == "gaussian" else None
        )

    def laplace_score_shifts(
        self, contributions: int | None, monotonic: bool
    ) -> tuple[int, float] | None:
        if contributions is None or self.noise != "laplace":
            return None
        moved = contributions if monotonic else 2 * contributions
        return moved, self.epsilon / moved

    def scale(self, scores: Scores) -> float:
        """The scale of the noise, b or σ, in the unit of the scores."""
        return self._calibrated(scores)[0] * scores.sensitivity

    def threshold(self, scores: Scores) -> float:
        """τ in the unit of the scores, from ε, δ and c alone."""
        return self._calibrated(scores)[1] * scores.sensitivity

    @property
    def _noise(self) -> Noise:
        return GAUSSIAN if self.noise == "gaussian" else NOISES[self.noise]

    def _score_noise(self, scores: Scores) -> tuple[Noise, float, float]:
        return self._noise, self.scale(scores), self.threshold(scores)

    def check_scores(self, scores: Scores) -> None:
        """Raise `ParameterError` for counts below 0, an unknown c, or a δ too large for ε."""
        super().check_scores(scores)
        self._calibrated(scores)

    def _calibrated(self, scores: Scores) -> tuple[float, float]:
        """(b or σ, τ), over Δ."""
        c = require_contributions(scores)
        if self.noise == "gaussian":
            return gaussian_threshold(self.epsilon, self.delta, c, replaced=not scores.monotonic)
        share = self.epsilon / (c if scores.monotonic else 2 * c)
        tau = 1.0
        if 2 * self.delta < c:  # rounded up, so that no name passes too often
            tau = math.nextafter(
                1.0 + (math.log(c / (2 * self.delta)) + ROUNDING) / share, math.inf
            )
        passing = 0.5 * math.exp(-(tau - 1.0) * share)
        if -math.log1p(-passing) > share:
            raise ParameterError(
                "delta",
                self.delta,
                f"at most {-c * math.expm1(-share):.3g} at ε = {self.epsilon:g} and {c:,} items a"
                " person",
            )
        return 1 / share, tau

    def _floored(self, scores: Scores) -> FlooredScores:
        sigma, tau = self._calibrated(scores)
        scale = scores.effective_sensitivity / (sigma * scores.sensitivity)
        levels, level = levels_relative_to_best(
            scores, occurring_item_count(scores), self.k, scale, tau * scores.sensitivity
        )
        return FlooredScores(np.asarray(levels), self._noise, Floor(level, noisy=False))


@lru_cache(maxsize=512)
def gaussian_threshold(
    epsilon: float, delta: float, contributions: int, *, replaced: bool
) -> tuple[float, float]:
    """(σ, τ) with the lowest τ, at least 1, from ε, δ and c alone."""
    moved = np.sqrt(2 * contributions if replaced else contributions)
    smallest = moved / largest_gaussian_shift(epsilon, delta)
    sigmas = smallest * np.geomspace(1.0 + 1e-9, _WIDEST, _SIGMAS)
    for _ in range(_LOOKS):
        # by bisection the largest p up to ½ that keeps δ; almost 0 if none does
        low, high = np.full(len(sigmas), _LOG_LEAST), np.full(len(sigmas), np.log(0.5))
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            reached = threshold_delta(
                sigmas, np.exp(middle), epsilon, contributions, replaced=replaced
            )
            kept = reached <= delta * (1 - ROUNDING)
            low, high = np.where(kept, middle, low), np.where(kept, high, middle)
        thresholds = 1.0 - sigmas * scipy.special.ndtri(np.exp(low))
        best = int(np.argmin(thresholds))
        found = float(sigmas[best]), float(thresholds[best])
        sigmas = np.linspace(sigmas[max(best - 1, 0)], sigmas[min(best + 1, _SIGMAS - 1)], _SIGMAS)
    return found


def threshold_delta(
    sigma: Floats, passing: Floats, epsilon: float, contributions: int, *, replaced: bool
) -> Floats:
    """The largest δ of any number of new names, elementwise in σ and p.

    Symbols: p = the chance that a new name passes; q_j = 1 − (1 − p)^j, that some of j new ones
    does; s = the shift of the other counts over σ. With j of the c names new: δ_j = q_j + (1 −
    q_j)·δ(ε − log(1 − q_j); s) and, the other way, δ(ε + log(1 − q_j); s), at s = √(c − j)/σ. If
    one person replaces another, a names vanish and b are new: √(2c − a − b) for the distance and ε
    + log((1 − q_b)/(1 − q_a)), bounded by b = c in the logarithm and b = 0 in the distance.
    """
    new = (
        np.arange(contributions + 1)
        if contributions <= _EACH
        else np.linspace(0, contributions, _EACH).astype(int)
    )
    upto = np.append(new[1:] - 1, contributions)  # whole blocks from above where c is large
    log_out = np.log1p(-passing)[:, None]
    log_stay, some = log_out * upto, -np.expm1(log_out * upto)  # log(1 − q_j), q_j
    if replaced:
        shift = np.sqrt(2 * contributions - new) / sigma[:, None]
        worst = gaussian_delta(epsilon + log_out * contributions - log_stay, shift)
        return np.asarray((some + (1 - some) * worst).max(1))
    shift = np.sqrt(contributions - new) / sigma[:, None]
    there = some + (1 - some) * gaussian_delta(epsilon - log_stay, shift)
    return np.asarray(np.maximum(there, gaussian_delta(epsilon + log_stay, shift)).max(1))
