"""log P that a given set of items holds the largest noisy values, however small.

Symbols: A(z) = Σ_out log F(z − q), rising; B(z) = Σ_in log S(z − q), falling; z = the largest value
left out. P = ∫ e^B d e^A, so max e^(A+B) ≤ P, and at most e^A(a) of it lies below a, e^B(b)·Σ_out
S(b) above b.
Invariants: the range left out is below e^(−_BEYOND) of P by these bounds, for every family.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Noise
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.level_condensation import condense_levels
from dpviz.numerics.equal_levels import group_equal_levels, near_kinks
from dpviz.numerics.interval_search import argmax_concave, find_first_true
from dpviz.numerics.quadrature import log_integral, widening_edges

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
    # all the chosen may also pass the floor and none of the others does
    below = float(race.log_both(race.floor)[0]) if race.floor > -math.inf else -math.inf
    if best == -math.inf:
        return below
    above = best if best < -_FARTHEST else race.integral(low, high, peak)
    return above if below == -math.inf else float(np.logaddexp(above, below))


@dataclass(frozen=True)
class _RaceSide:
    """Items on one side, as distinct levels with the number that share each."""

    level: Floats
    count: Floats

    def __getitem__(self, some: Bools | slice) -> "_RaceSide":
        return _RaceSide(self.level[some], self.count[some])

    def condense_smooth_levels(self, noise: Noise, low: float, high: float) -> "_RaceSide":
        """Few items in place of many whose chances are smooth for every z from low to high."""
        near = near_kinks(noise, self.level, low - _KINK, high + _KINK)
        if np.count_nonzero(~near) <= _MANY:
            return self
        _, level, count = condense_levels(
            self.level[~near], self.count[~near], np.zeros(1, np.int64), low - _FAR
        )
        return _RaceSide(np.append(self.level[near], level), np.append(self.count[near], count))


class _SetRace:
    def __init__(self, noise: Noise, chosen: Floats, others: Floats, floor: float) -> None:
        self.noise, self.floor = noise, floor
        sides = (_RaceSide(*group_equal_levels(levels)[1:]) for levels in (chosen, others))
        self.chosen, self.others = (
            side if noise.kinks else side.condense_smooth_levels(noise, -math.inf, math.inf)
            for side in sides
        )
        self._unfelt = _UNFELT + math.log(noise.tail * len(others))  # S ≤ tail·e^(−u), and f ≤ S

    @np.errstate(over="ignore")  # past 1e308 the log is −inf
    def log_all_in(self, z: Floats) -> Floats:
        """B(z)."""
        return np.asarray(self.noise.log_sf(z[:, None] - self.chosen.level) @ self.chosen.count)

    def _felt(self, z: Floats) -> _RaceSide:
        """The items left out that may show more than the least z, or than the best of them."""
        side = self.others
        least = min(float(z.min()), float(side.level[0])) - self._unfelt
        return side[: int(np.searchsorted(-side.level, -least, side="right"))]

    @np.errstate(over="ignore")
    def log_all_out(self, z: Floats) -> Floats:
        """A(z), −inf below the support."""
        others = self._felt(z)
        value = self.noise.log_cdf(z[:, None] - others.level)
        inside = np.isfinite(value)
        return np.where(inside.all(1), np.where(inside, value, 0.0) @ others.count, -np.inf)

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
        peak = argmax_concave(self.log_both, bottom, top, close=_ROUGHLY)
        best = float(self.log_both(peak)[0])
        # a family's F may fall slowly
        while bottom > least and self.log_all_out(np.array([bottom]))[0] > best - _BEYOND:
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

    def log_both(self, z: float | Floats) -> Floats:
        """A(z) + B(z)."""
        z = np.atleast_1d(z)
        return self.log_all_out(z) + self.log_all_in(z)

    def _log_any_left(self, z: Floats) -> Floats:
        """log of Σ_out S(z), at most 0."""
        others = self._felt(z)
        return np.minimum(
            _log_sums(self.noise.log_sf(z[:, None] - others.level), others.count), 0.0
        )

    def integral(self, low: float, high: float, peak: float) -> float:
        """log ∫ e^B d e^A over [low, high], in panels that end at kinks."""
        certain = -self.noise.log_sf(high - self.chosen.level) * self.chosen.count
        chosen = self.chosen[certain > _NEGLIGIBLE].condense_smooth_levels(self.noise, low, high)
        others = self._felt(np.array([low])).condense_smooth_levels(self.noise, low, high)
        levels = np.concatenate([chosen.level, others.level])
        edges = widening_edges(low, peak, high, (levels + kink for kink in self.noise.kinks), -7)
        size = max(1, _CELLS // len(levels))

        def log_density(z: Floats) -> Floats:
            parts = (z[start : start + size] for start in range(0, max(len(z), 1), size))
            return np.concatenate([self._log_density(part, chosen, others) for part in parts])

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


@np.errstate(divide="ignore")
def _log_sums(values: Floats, count: Floats) -> Floats:
    """log Σ_j count_j·e^(values_ij) of each row."""
    peak = np.maximum(values.max(1), -1.7e308)
    return np.asarray(peak + np.log(np.exp(values - peak[:, None]) @ count))
