"""log P that a given set of items holds the largest noisy values, however small.

Symbols: A(z) = Σ_out log F(z − q), rising; B(z) = Σ_in log S(z − q), falling; z = the largest value
left out. P = ∫ e^B d e^A, so max e^(A+B) ≤ P, and at most e^A(a) of it lies below a, e^B(b)·Σ_out
S(b) above b.
Invariants: the range left out is below e^(−_BEYOND) of P by these bounds, whatever the family.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Noise
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.level_condensation import condense_levels
from dpviz.numerics.equal_levels import group_equal_levels
from dpviz.numerics.interval_search import argmax_concave, find_first_true
from dpviz.numerics.quadrature import log_integral

_BEYOND = 38.0
_CELLS = 400_000
_NEGLIGIBLE = 1e-15
_KINK = 2.0  # from a kink on, in units of the noise, chances are smooth enough to be condensed
_FAR = 8.0  # below the range, where cells may be wide
_ROUGHLY = 0.02  # as closely as the range is found, which is only ever too wide
_UNFELT = 45.0  # −log of what those passed over may add up to
_MANY = 64  # levels that are worth it
_FARTHEST = 1e12  # below e^-1e12 the peak alone tells log P to a part in a billion


@single_blas_thread()
def log_set_probability(
    noise: Noise, chosen: Floats, others: Floats, floor: float = -math.inf
) -> float:
    """log P(every one of `chosen` shows more than all of `others`, and more than a floor)."""
    first = others[0]  # z lies around it, and far from 0 its steps would be wide
    race = _SetRace(noise, chosen - first, others - first, floor - first)
    low, high, peak, best = race.integration_range()
    below = race.log_below_floor()
    if best == -math.inf:
        return below
    above = best if best < -_FARTHEST else race.integral(low, high, peak)
    return above if below == -math.inf else float(np.logaddexp(above, below))


@dataclass(frozen=True)
class _RaceSide:
    """Items on one side, as distinct levels with the number that share each."""

    level: Floats
    count: Floats

    @classmethod
    def from_levels(cls, levels: Floats) -> "_RaceSide":
        _, level, count = group_equal_levels(levels)
        return cls(level, count)

    def select_levels(self, keep: Bools) -> "_RaceSide":
        return _RaceSide(self.level[keep], self.count[keep])

    def first_levels(self, number: int) -> "_RaceSide":
        return _RaceSide(self.level[:number], self.count[:number])

    def condense_smooth_levels(self, noise: Noise, low: float, high: float) -> "_RaceSide":
        """Replace the many items whose chances are smooth in their levels for every z from low to
        high.
        """
        near = np.zeros(len(self.level), bool)
        for kink in noise.kinks:
            near |= (self.level + kink >= low - _KINK) & (self.level + kink <= high + _KINK)
        if np.count_nonzero(~near) <= _MANY:
            return self
        _, level, count = condense_levels(
            self.level[~near], self.count[~near], np.zeros(1, np.int64), low - _FAR
        )
        return _RaceSide(np.append(self.level[near], level), np.append(self.count[near], count))


class _SetRace:
    def __init__(self, noise: Noise, chosen: Floats, others: Floats, floor: float) -> None:
        self.noise, self.chosen, self.others = (
            noise,
            _RaceSide.from_levels(chosen),
            _RaceSide.from_levels(others),
        )
        if not noise.kinks:
            self.chosen, self.others = (
                side.condense_smooth_levels(noise, -math.inf, math.inf)
                for side in (self.chosen, self.others)
            )
        self.floor = floor
        self._unfelt = _UNFELT + math.log(noise.tail * len(others))  # S ≤ tail·e^(−u), and f ≤ S

    def log_below_floor(self) -> float:
        """log P(all the chosen pass the floor and none of the others does)."""
        return self._both(self.floor) if self.floor > -math.inf else -math.inf

    def log_all_in(self, z: Floats) -> Floats:
        """B(z)."""
        with np.errstate(over="ignore"):  # past 1e308 the log is −inf
            value: Floats = self.noise.log_sf(z[:, None] - self.chosen.level) @ self.chosen.count
        return value

    def _felt(self, z: Floats) -> _RaceSide:
        """The items left out that may show more than the least z, or than the best of them."""
        side = self.others
        least = min(float(z.min()), float(side.level[0])) - self._unfelt
        return side.first_levels(int(np.searchsorted(-side.level, -least, side="right")))

    def log_all_out(self, z: Floats) -> Floats:
        """A(z), −inf below the support."""
        others = self._felt(z)
        value = self.noise.log_cdf(z[:, None] - others.level)
        inside = np.isfinite(value)
        with np.errstate(over="ignore"):
            total: Floats = np.where(inside, value, 0.0) @ others.count
        return np.where(inside.all(1), total, -np.inf)

    def integration_range(self) -> tuple[float, float, float, float]:
        """(low, high, peak, best): P outside low..high is negligible; best = A + B at the peak."""
        reach = 800.0 + math.log(float(self.others.count.sum()))
        first = float(self.others.level[0])
        top = max(first, float(self.chosen.level[0])) + reach
        start = self.noise.start
        least = max(self.floor, first + start if start > -math.inf else start)
        bottom = max(min(first, float(self.chosen.level[-1])) - reach, least)
        if bottom >= top:
            return bottom, bottom, bottom, -math.inf
        peak = argmax_concave(
            lambda z: self.log_all_out(z) + self.log_all_in(z), bottom, top, close=_ROUGHLY
        )
        best = self._both(peak)
        while (
            bottom > least and self.log_all_out(np.array([bottom]))[0] > best - _BEYOND
        ):  # a family's F falls slowly
            bottom, reach = max(bottom - reach, least), 2 * reach
        left = find_first_true(
            lambda z: self.log_all_out(z) > best - _BEYOND, bottom, top, below=True, close=_ROUGHLY
        )
        right = find_first_true(
            lambda z: self.log_all_in(z) + self._log_any_left(z) <= best - _BEYOND,
            bottom,
            top,
            close=_ROUGHLY,
        )
        return left, right, peak, best

    def _both(self, z: float) -> float:
        point = np.array([z])
        return float(self.log_all_out(point)[0] + self.log_all_in(point)[0])

    def _log_any_left(self, z: Floats) -> Floats:
        """log of Σ_out S(z), at most 0."""
        others = self._felt(z)
        return np.minimum(
            _log_sums(self.noise.log_sf(z[:, None] - others.level), others.count), 0.0
        )

    def integral(self, low: float, high: float, peak: float) -> float:
        """log ∫ e^B d e^A over [low, high], in panels that end at kinks and widen from peak and
        ends.
        """
        certain = -self.noise.log_sf(high - self.chosen.level) * self.chosen.count
        chosen = self.chosen.select_levels(certain > _NEGLIGIBLE).condense_smooth_levels(
            self.noise, low, high
        )
        others = self._felt(np.array([low])).condense_smooth_levels(self.noise, low, high)
        levels = np.concatenate([chosen.level, others.level])
        offsets = 2.0 ** np.arange(-7, max(3, math.ceil(math.log2(max(high - low, 1.0)))))
        centres = np.array([low, peak, high])[:, None]
        around = (centres + np.concatenate([-offsets, [0.0], offsets])).ravel()
        edges = np.unique(np.concatenate([around, *(levels + kink for kink in self.noise.kinks)]))
        edges = edges[(edges >= low) & (edges <= high)]

        def log_density(z: Floats) -> Floats:
            out = np.empty(len(z))
            size = max(1, _CELLS // len(levels))
            for start in range(0, len(z), size):
                out[start : start + size] = self._log_density(
                    z[start : start + size], chosen, others
                )
            return out

        return log_integral(log_density, edges)

    def _log_density(self, z: Floats, chosen: _RaceSide, others: _RaceSide) -> Floats:
        log_cdf = self.noise.log_cdf(z[:, None] - others.level)
        inside = np.isfinite(log_cdf)
        log_cdf[~inside] = -1e300
        log_ratio = np.where(
            inside, self.noise.log_pdf(z[:, None] - others.level) - log_cdf, -np.inf
        )
        slope = _log_sums(log_ratio, others.count)
        value = (
            log_cdf @ others.count
            + self.noise.log_sf(z[:, None] - chosen.level) @ chosen.count
            + slope
        )
        return np.where(inside.all(1), value, -np.inf)


def _log_sums(values: Floats, count: Floats) -> Floats:
    """log Σ_j count_j·e^(values_ij) of each row."""
    peak = np.maximum(values.max(1), -1.7e308)
    with np.errstate(divide="ignore"):
        return np.asarray(peak + np.log(np.exp(values - peak[:, None]) @ count))
