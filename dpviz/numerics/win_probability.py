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
    groups = CompetingGroups(noise, level, log_size)
    q, log_m = float(level[own]), float(log_size[own])

    def density(z: Floats) -> Floats:
        """I(z), chunk by chunk."""
        size = max(1, _CELLS // (len(groups.level) + 1))
        return np.concatenate(
            [_density(groups, q, log_m, z[i : i + size]) for i in range(0, len(z), size)]
        )

    # below all levels I rises, above all of them it falls
    levels = np.append(groups.level, q)
    best_level = float(levels.max())
    bottom = best_level + noise.start if noise.start > -math.inf else float(levels.min()) - _ROOM
    top = max(groups.log_total, q + log_m, best_level) + _ROOM
    peak = argmax_concave(density, bottom, top)
    best = float(density(np.array([peak]))[0])
    if best < -_FARTHEST:
        return best, shift + peak
    low = find_first_true(lambda z: density(z) > best - _BEYOND, bottom, peak, below=True)
    high = find_first_true(lambda z: density(z) <= best - _BEYOND, peak, top)
    groups = groups.fold_low_groups(low)
    levels = np.append(groups.level, q)
    edges = widening_edges(low, peak, high, (levels + kink for kink in noise.kinks), -5)
    return log_integral(density, edges), shift + low


def _density(groups: CompetingGroups, level: float, log_size: float, z: Floats) -> Floats:
    """I(z) of a group of size exp(`log_size`) at `level`, which is among the `groups`."""
    u = z - level
    log_cdf = groups.noise.log_cdf(u)
    inside = np.isfinite(log_cdf)
    log_ratio = groups.noise.log_pdf(u) - np.where(inside, log_cdf, 0.0)
    return np.where(inside, groups.log_maximum_cdf(z) + log_size + log_ratio, -np.inf)
