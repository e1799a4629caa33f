"""Noise that is stated instead of ε, and the privacy that follows from it.

Symbols: b or σ = the noise's scale; c = the most items in which one person counts; τ = the public
threshold; p = the chance that the name of one person passes it. With j of her c names new, some of
them come out with chance q_j = 1 − (1 − p)^j, and her other c − j counts rise by 1.
Invariants: δ(ε) is the largest over j of q_j + (1 − q_j)·δ_(c−j)(ε − log(1 − q_j)) and, the other
way, δ_(c−j)(ε + log(1 − q_j)). It is reached where the noisy counts come out, and an upper bound
for names alone. Where the names are known beforehand, τ is post-processing and only j = 0 counts.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpviz.base import GAUSSIAN, NOISES, Floats, Ints, Noise
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.noise_shifts import ROUNDING, gaussian_delta, laplace_delta

_EACH = 200  # up to so many new names are computed one by one
_HALVINGS = 60
_CLOSE = 1e-12


@dataclass(frozen=True)
class StatedNoise:
    """Noise of a stated scale on counts, above a threshold or, at None, for names that are known."""

    noise: Literal["laplace", "gaussian"]
    scale: float
    contributions: int
    threshold: float | None = None

    @property
    def family(self) -> Noise:
        return GAUSSIAN if self.noise == "gaussian" else NOISES[self.noise]

    @property
    def rho(self) -> float:
        """ρ beside `new_name_delta`: c/(2σ²), or c releases of 1/b each."""
        return self.contributions / (2 * self.scale**2)

    @property
    def _log_kept_out(self) -> float:
        """log(1 − p)."""
        if self.threshold is None:
            return 0.0
        return float(self.family.log_cdf(np.array((self.threshold - 1) / self.scale)))

    @property
    def new_name_delta(self) -> float:
        """The chance that a name which only one person has comes out: no δ below it holds."""
        return max(0.0, -math.expm1(self.contributions * self._log_kept_out))

    def delta(self, epsilon: float) -> float:
        """The smallest δ that is proved at ε."""
        found = worst_new_name_delta(
            np.array([self._log_kept_out]), epsilon, self.contributions, self._moved_delta
        )
        return min(1.0, float(found[0]) * (1 + ROUNDING))

    def epsilon(self, delta: float) -> float:
        """The smallest ε at δ, from above; infinite where new names alone take more than δ."""
        if self.new_name_delta > delta:
            return math.inf
        if self.delta(0.0) <= delta:
            return 0.0
        high = 1.0
        while self.delta(high) > delta:
            high *= 2
            if high > 1e9:
                return math.inf
        low = 0.0 if high == 1.0 else high / 2
        return bisect(
            lambda at: self.delta(at) <= delta, low, high, rounds=_HALVINGS, tolerance=_CLOSE * high
        )[1]

    def _moved_delta(self, epsilon: Floats, moved: Ints) -> Floats:
        if self.noise == "gaussian":
            return gaussian_delta(epsilon, np.sqrt(moved) / self.scale)
        return laplace_delta(epsilon, moved, 1 / self.scale)


def worst_new_name_delta(
    log_stay_out_probability: Floats,
    epsilon: float,
    contributions: int,
    moved_delta: Callable[[Floats, Ints], Floats],
) -> Floats:
    """The largest δ of any number of new names, one for each log(1 − p)."""
    new, upto = new_name_count_blocks(contributions)
    log_stay = log_stay_out_probability[:, None] * upto  # log(1 − q_j)
    # moved_delta(ε, m) is δ(ε) where m counts of known names rise by 1
    forth, back = moved_delta(
        np.stack([epsilon - log_stay, epsilon + log_stay]), contributions - new
    )
    there = -np.expm1(log_stay) + np.exp(log_stay) * forth
    return np.asarray(np.maximum(there, back).max(1))


def new_name_count_blocks(contributions: int) -> tuple[Ints, Ints]:
    """Numbers of new names, in blocks where there are many: the least and the most of each."""
    new = (
        np.arange(contributions + 1)
        if contributions <= _EACH
        else np.linspace(0, contributions, _EACH).astype(int)
    )
    return new, np.append(new[1:] - 1, contributions)


def no_noise_counterexample(threshold: float | None) -> str:
    """Two data sets that show that no ε holds without noise, in half a sentence."""
    if threshold is None:
        return "counts come out as they are"
    least = max(0, math.ceil(threshold) - 1)
    return f"a count of {least:,} never comes out and one of {least + 1:,} always does"
