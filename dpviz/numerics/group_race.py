"""P(group C holds the largest noisy value) = ∫ Π_{C'≠C} F(z−q_C')^m' d F(z−q_C)^m, of many groups.

Symbols: group C has m = ``|C|`` members at level q_C, each with its own noise; z = the winning
value; W = Σ m e^q; c = noise.tail. Everything is in logs, as m reaches e^(several thousand).
With max-stable (gumbel) noise P(C) = m e^q / W. Otherwise Φ(z) = Σ m log F(z−q) is the log of the
law of the winning value, and P(C) = ∫ e^Φ · m f(z−q)/F(z−q) dz. Groups so far below z that their
noise has the tail c·e^(−u) to working precision are folded into one term c·W_far·e^(−z).
Invariants: each panel is halved until its integral agrees with the known change of e^Φ over it. The
error is a bound on what was cut off and rounded, plus the quadrature's miss.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Noise, Progress, ignore_progress, tally
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.interval_search import argmax_concave, bisect, find_first_true
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.numerics.quadrature import (
    integrate_by_halving,
    log_integral,
    unit_panel_edges,
    widening_panel_edges,
)

_TAIL = 1e-13  # mass of the winning value left out at either end
_FAR = 36.0  # units above a group's level at which its noise is its tail to working precision
_HUGE = 32.0  # log m from which the same holds wherever the winner can be
_KINK_MEMBERS = 60.0  # a kink of m members sits where e^Φ ≤ 2^(−m)
_CELLS = 400_000  # of nodes × groups at once
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_HALVINGS = 14
_BISECTIONS = 1100  # from 1e308 down
_PANEL_ERROR = 1e-14
# Relative, so of any sum of the probabilities at most this times: the levels, as Φ adds up a term
# of each and the mean of |Φ| is 1 under its own law; the panels and their points, which are added
# up; and the size of z − q, where rounding moves a level by a part of it, which changes no sum by
# more.
_ROUNDING = 2.0**-52
_BEYOND = 42.0
_ROOM = 60.0
_FARTHEST = 1e12  # below e^-1e12 the peak alone tells log P to a part in a billion


@dataclass(frozen=True)
class GroupWinProbabilities:
    """P(each group wins), and bounds on the effect of groups left out."""

    probability: Floats
    error: float
    level: float  # the winning value is below this with probability at most `below`
    below: float
    log_tail: float

    def omitted_win_bound(self, log_dropped: float) -> float:
        """Bound on P(a group left out wins); their Σ m e^q is e^log_dropped."""
        if log_dropped == -math.inf:
            return 0.0
        # P(winner < level) + c·e^(−level)·Σ m e^q; for max-stable noise just their share of all
        # weights, as `level` is log W there and nothing is below it
        return self.below + math.exp(min(0.0, self.log_tail - self.level + log_dropped))


def group_win_probabilities(
    noise: Noise, group_levels: Floats, log_size: Floats, progress: Progress = ignore_progress
) -> GroupWinProbabilities:
    shift = float(np.max(group_levels + log_size))
    group_levels = group_levels - shift  # only differences matter, and they may be huge
    log_weight = group_levels + log_size
    total = log_sum_exp(log_weight)
    if noise.max_stable:
        return GroupWinProbabilities(np.exp(log_weight - total), 1e-12, shift + total, 0.0, 0.0)
    near = CompetingGroups(noise, group_levels, log_size)
    low, high = near.winning_value_range()
    near = near.with_far_groups_folded(low)
    felt = near.level[near.count < _KINK_MEMBERS]
    (rate, spread), error, panels = integrate_by_halving(
        near.panel_integrals,
        unit_panel_edges(low, high, np.add.outer(noise.kinks, felt).ravel()),
        batch=max(1, _CELLS // (len(_POINTS) * max(len(near.level), 1))),
        tolerance=_PANEL_ERROR,
        halvings=_HALVINGS,
        narrowest=1e-9,
        progress=progress,
    )
    probability = np.exp(near.log_tail + log_weight - total) * spread
    probability[near.members] = rate[near.group] * np.exp(log_size[near.members])
    rounding = _ROUNDING * (len(near.level) + panels + len(_POINTS) + abs(low) + abs(high) + _FAR)
    return GroupWinProbabilities(
        probability, error + 2 * _TAIL + rounding, shift + low, _TAIL, near.log_tail
    )


class CompetingGroups:
    """Groups with their own integral, those at one level together, and the rest as one tail."""

    def __init__(
        self, noise: Noise, level: Floats, log_size: Floats, far_below: float = -math.inf
    ) -> None:
        self.noise, self._level, self._log_size = noise, level, log_size
        self.log_tail = math.log(noise.tail)
        self.members = (log_size <= _HUGE) & (level > far_below)
        self.log_far = self.log_tail + log_sum_exp((level + log_size)[~self.members])
        self.level, self.group = np.unique(level[self.members], return_inverse=True)
        self.count = tally(self.group, np.exp(log_size[self.members]), len(self.level))
        self.log_total = self.log_tail + log_sum_exp(level + log_size)

    def with_far_groups_folded(self, lowest_value: float) -> "CompetingGroups":
        """Fold every group whose tail holds from `lowest_value` on."""
        return CompetingGroups(self.noise, self._level, self._log_size, lowest_value - _FAR)

    def log_maximum_cdf(self, z: Floats) -> Floats:
        """Φ(z) = Σ m log F(z−q)."""
        far = np.exp(np.minimum(self.log_far - z, 700.0))
        return np.asarray(self.noise.log_cdf(z[:, None] - self.level) @ self.count - far)

    def winning_value_range(self) -> tuple[float, float]:
        """Range of the winning value, up to _TAIL at either end."""
        low, high = self.log_total - 800.0, self.log_total + 40.0
        if len(self.level):
            low = min(low, float(self.level[-1]) - 800.0)
            if self.noise.start > -math.inf:
                low = max(low, float(self.level[-1]) + self.noise.start)
        log_tail = math.log(_TAIL)
        low, _ = bisect(
            lambda z: self.log_maximum_cdf(np.array([z]))[0] > log_tail,
            low,
            high,
            rounds=_BISECTIONS,
            tolerance=1e-3,
        )
        return low, self.log_total - log_tail

    def panel_integrals(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
        """∫ e^Φ f/F at each level, ∫ e^Φ e^(W−z) for a far group, and the miss, of each panel."""
        half, shape = 0.5 * (b - a), (len(a), len(_POINTS))
        z = (0.5 * (a + b)[:, None] + half[:, None] * _POINTS).ravel()
        u = z[:, None] - self.level
        log_cdf, far = self.noise.log_cdf(u), np.exp(np.minimum(self.log_far - z, 700.0))
        mass = np.exp(log_cdf @ self.count - far) * (half[:, None] * _WEIGHTS).ravel()
        with np.errstate(invalid="ignore"):
            ratio = np.exp(self.noise.log_pdf(u) - log_cdf)
        rates = (mass[:, None] * ratio).reshape(*shape, len(self.level)).sum(1)
        spread = mass * np.exp(np.minimum(self.log_total - self.log_tail - z, 700.0))
        # the sum over all groups has to be the change of e^Φ over the panel
        total = rates @ self.count + (mass * far).reshape(shape).sum(1)
        change = np.exp(self.log_maximum_cdf(b)) - np.exp(self.log_maximum_cdf(a))
        return rates, spread.reshape(shape).sum(1), np.abs(total - change)


@single_blas_thread()
def log_win_and_lowest_value(
    noise: Noise, group_levels: Floats, log_size: Floats, group: int
) -> tuple[float, float]:
    """(log P that one given group wins, however unlikely; the low end of its winning values)."""
    shift = float(np.max(group_levels + log_size))
    group_levels = group_levels - shift
    if noise.max_stable:
        return float(
            group_levels[group] + log_size[group] - log_sum_exp(group_levels + log_size)
        ), math.inf
    groups = CompetingGroups(noise, group_levels, log_size)
    q, log_m = float(group_levels[group]), float(log_size[group])

    def density(z: Floats) -> Floats:
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
    # e^I is log-concave, as all densities are: beyond the points at which it has fallen by
    # e^(−_BEYOND) from its peak lies less than that share of it
    low = find_first_true(lambda z: density(z) > best - _BEYOND, bottom, peak, from_below=True)
    high = find_first_true(lambda z: density(z) <= best - _BEYOND, peak, top)
    groups = groups.with_far_groups_folded(low)
    levels = np.append(groups.level, q)
    edges = widening_panel_edges(low, peak, high, (levels + kink for kink in noise.kinks), -5)
    return log_integral(density, edges), shift + low


def _density(groups: CompetingGroups, level: float, log_size: float, z: Floats) -> Floats:
    """I(z) of a group of size exp(`log_size`) at `level`, which is among the `groups`."""
    u = z - level
    log_cdf = groups.noise.log_cdf(u)
    inside = np.isfinite(log_cdf)
    log_ratio = groups.noise.log_pdf(u) - np.where(inside, log_cdf, 0.0)
    return np.where(inside, groups.log_maximum_cdf(z) + log_size + log_ratio, -np.inf)
