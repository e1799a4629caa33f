"""log P that one given set of items holds the largest noisy values, right far below the smallest double.

Symbols: A(z) = Σ_out log F(z − q), rising; B(z) = Σ_in log S(z − q), falling; z = the largest value left out.
P = ∫ e^B d e^A, so max e^(A+B) ≤ P, and at most e^A(a) of it lies below a, e^B(b)·Σ_out S(b) above b.
Invariants: the range left out is below e^(−_BEYOND) of P by these bounds, whatever the family.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.arrays import Bools, Floats
from dpviz.kernels.quadrature import log_integral
from dpviz.kernels.threshold_window import grouped
from dpviz.noise import Noise

__all__ = ["log_set_probability"]

_BEYOND = 38.0
_CELLS = 400_000
_NEGLIGIBLE = 1e-15
_BISECTIONS = 200


def log_set_probability(noise: Noise, chosen: Floats, others: Floats) -> float:
    """log P(every one of `chosen` shows more than all of `others`); both hold levels in descending order.

    >>> from dpviz.noise import NOISES
    >>> value = log_set_probability(NOISES["gumbel"], np.array([0.0]), np.array([900.0, 800.0]))
    >>> round(value, 9)
    -900.0
    """
    race = _Race(noise, chosen, others)
    low, high = race.range()
    return race.integral(low, high)


@dataclass(frozen=True)
class _Side:
    """Items on one side, as distinct levels with how many share each."""

    level: Floats
    count: Floats

    @classmethod
    def of(cls, levels: Floats) -> "_Side":
        _, level, count = grouped(levels)
        return cls(level, count)

    def where(self, keep: Bools) -> "_Side":
        return _Side(self.level[keep], self.count[keep])


class _Race:
    def __init__(self, noise: Noise, chosen: Floats, others: Floats) -> None:
        self.noise, self.chosen, self.others = noise, _Side.of(chosen), _Side.of(others)

    def log_all_in(self, z: float) -> float:
        """B(z)."""
        return float(self.noise.log_sf(z - self.chosen.level) @ self.chosen.count)

    def log_all_out(self, z: float) -> float:
        """A(z), −inf below the support."""
        value = self.noise.log_cdf(z - self.others.level)
        return float(value @ self.others.count) if np.isfinite(value).all() else -math.inf

    def range(self) -> tuple[float, float]:
        """(low, high) outside of which a negligible part of P lies."""
        reach = 800.0 + math.log(len(self.others.level) + float(self.others.count.sum()))
        low = float(self.others.level[0]) + max(self.noise.start, -reach)
        top = max(float(self.others.level[0]), float(self.chosen.level[0])) + reach
        bottom = min(low, float(self.chosen.level[-1]) - reach) if math.isinf(self.noise.start) else low
        crossing = _first(lambda z: self.log_all_out(z) >= self.log_all_in(z), bottom, top)
        best = self._best(bottom, top, crossing)
        enough = best - _BEYOND
        left = _first(lambda z: self.log_all_out(z) > enough, bottom, crossing, below=True)
        right = _first(lambda z: self.log_all_in(z) + self._log_any_left(z) <= enough, crossing, top)
        return left, right

    def _best(self, bottom: float, top: float, crossing: float) -> float:
        """A lower bound of log P: A + B where it is largest (its slope is bisected), or at the crossing."""

        def falls(z: float) -> bool:
            with np.errstate(over="ignore"):
                down = np.exp(self.noise.log_pdf(z - self.chosen.level) - self.noise.log_sf(z - self.chosen.level))
                cdf = self.noise.log_cdf(z - self.others.level)
                up = np.exp(self.noise.log_pdf(z - self.others.level) - np.where(np.isfinite(cdf), cdf, -1e6))
            return bool(down @ self.chosen.count >= up @ self.others.count)

        peak = _first(falls, bottom, top)
        return max(self.log_all_out(z) + self.log_all_in(z) for z in (peak, crossing))

    def _log_any_left(self, z: float) -> float:
        value = self.noise.log_sf(z - self.others.level) + np.log(self.others.count)
        peak = float(value.max())
        return min(0.0, peak + math.log(float(np.exp(value - peak).sum())))

    def integral(self, low: float, high: float) -> float:
        """log ∫ e^B d e^A over [low, high], in panels that end at the kinks."""
        safe_in = -self.noise.log_sf(high - self.chosen.level) * self.chosen.count
        chosen = self.chosen.where(safe_in > _NEGLIGIBLE)
        others = self.others
        levels = np.concatenate([chosen.level, others.level])
        kinks = [levels + kink for kink in self.noise.kinks]
        regular = np.linspace(low, high, max(9, math.ceil(high - low) + 1))
        edges = np.unique(np.concatenate([regular, *kinks]))
        edges = edges[(edges >= low) & (edges <= high)]

        def log_density(z: Floats) -> Floats:
            out = np.empty(len(z))
            size = max(1, _CELLS // len(levels))
            for start in range(0, len(z), size):
                out[start : start + size] = self._log_density(z[start : start + size], chosen, others)
            return out

        return log_integral(log_density, edges)

    def _log_density(self, z: Floats, chosen: _Side, others: _Side) -> Floats:
        log_cdf = self.noise.log_cdf(z[:, None] - others.level)
        inside = np.isfinite(log_cdf)
        log_cdf[~inside] = -1e300
        log_ratio = np.where(inside, self.noise.log_pdf(z[:, None] - others.level) - log_cdf, -np.inf)
        peak = np.maximum(log_ratio.max(1), -1e300)
        slope = peak + np.log(np.exp(log_ratio - peak[:, None]) @ others.count)
        value = log_cdf @ others.count + self.noise.log_sf(z[:, None] - chosen.level) @ chosen.count + slope
        return np.where(inside.all(1), value, -np.inf)


def _first(holds: Callable[[float], bool], low: float, high: float, *, below: bool = False) -> float:
    """Where `holds` turns true between low and high, from above (or from below, for a lower end)."""
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if not low < middle < high or high - low < 1e-12 * max(1.0, abs(middle)):
            break
        if holds(middle):
            high = middle
        else:
            low = middle
    return low if below else high
