"""log P that a given group holds the largest noisy value, however small.

Symbols as in `group_race`; with z the winning value log P(C) = log ∫ e^I dz, I(z) = Φ(z) + log m +
log f/F(z − q_C).
Invariants: the densities of all families are log-concave, so e^I is too, and what lies beyond the
points at which it has fallen by e^(−_BEYOND) from its peak is below e^(−_BEYOND) of the whole.
"""

import math

import numpy as np

from dpviz.base import Floats, Noise
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.group_race import CompetingGroups
from dpviz.numerics.interval_search import argmax_concave, find_first_true
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.numerics.quadrature import log_integral, widening_edges

_BEYOND = 42.0
_ROOM = 60.0
_FARTHEST = 1e12  # below e^-1e12 the peak alone tells log P to a part in a billion
_CELLS = 400_000


@single_blas_thread()
def log_win_probability(
    noise: Noise, level: Floats, log_size: Floats, own: int
) -> tuple[float, float]:
    """(log P that one given group wins, however unlikely; the low end of its winning values)."""
    shift = float(np.max(level + log_size))
    level = level - shift
    if noise.max_stable:
        return float(level[own] + log_size[own] - log_sum_exp(level + log_size)), math.inf
    density = _Density(
        noise, CompetingGroups(noise, level, log_size), float(level[own]), float(log_size[own])
    )
    bottom, top = density.peak_range()
    peak = argmax_concave(density, bottom, top)
    best = float(density(np.array([peak]))[0])
    if best < -_FARTHEST:
        return best, shift + peak
    low = find_first_true(lambda z: density(z) > best - _BEYOND, bottom, peak, below=True)
    high = find_first_true(lambda z: density(z) <= best - _BEYOND, peak, top)
    density = _Density(noise, density.groups.fold_low_groups(low), density.level, density.log_size)
    levels = np.append(density.groups.level, density.level)
    edges = widening_edges(low, peak, high, (levels + kink for kink in noise.kinks), -5)
    return log_integral(density, edges), shift + low


class _Density:
    """I(z) of a group of size e^`log_size` at `level`, which is among the `groups`."""

    def __init__(
        self, noise: Noise, groups: CompetingGroups, level: float, log_size: float
    ) -> None:
        self.noise, self.groups, self.level, self.log_size = noise, groups, level, log_size

    def __call__(self, z: Floats) -> Floats:
        size = max(1, _CELLS // (len(self.groups.level) + 1))
        return np.concatenate([self._at(z[i : i + size]) for i in range(0, len(z), size)])

    def _at(self, z: Floats) -> Floats:
        u = z - self.level
        log_cdf = self.noise.log_cdf(u)
        inside = np.isfinite(log_cdf)
        log_ratio = self.noise.log_pdf(u) - np.where(inside, log_cdf, 0.0)
        return np.where(inside, self.groups.log_maximum_cdf(z) + self.log_size + log_ratio, -np.inf)

    def peak_range(self) -> tuple[float, float]:
        """A range that holds the peak: below all levels I rises, above all of them it falls."""
        levels = np.append(self.groups.level, self.level)
        bottom = float(levels.max()) + self.noise.start
        if bottom == -math.inf:
            bottom = float(levels.min()) - _ROOM
        return bottom, max(
            self.groups.log_total, self.level + self.log_size, float(levels.max())
        ) + _ROOM
