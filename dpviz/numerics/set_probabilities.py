"""log P that a set of items holds the largest noisy values, however small; of one set or of a few.

Symbols: A(z) = Σ_out log F(z − q), rising; B(z) = Σ_in log S(z − q), falling; z = the largest value
left out. P = ∫ e^B d e^A, so max e^(A+B) ≤ P, and at most e^A(a) of it lies below a, e^B(b)·Σ_out
S(b) above b. For a few sets a table of nodes × levels is the only cost.
Invariants: the range left out is below e^(−_BEYOND) of P by these bounds, for every family. Where
that fails for sets together, or e^(A + B) nears the smallest double, each is computed alone.
"""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpviz.base import Bools, Floats, Ints, Noise
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.level_condensation import (
    condense_levels,
    group_equal_levels,
    has_kink_between,
)
from dpviz.numerics.interval_search import argmax_concave, find_first_true
from dpviz.numerics.quadrature import log_integral, log_integrals, widening_panel_edges

_BEYOND = 38.0
_CELLS = 400_000
_NEGLIGIBLE = 1e-15
_KINK = 2.0  # from a kink on, in units of the noise, chances are smooth enough to be condensed
_FAR = 8.0  # below the range, where cells may be wide
_ROUGHLY = 0.02  # as closely as the range is found, which is only ever too wide
_UNFELT = 45.0  # −log of what those passed over may add up to
_MANY = 64  # levels that are worth it
_FARTHEST = 1e12  # below e^-1e12 the peak alone tells log P to a part in a billion
_FEW = 250  # sets that are looked at together at most
_ONE = 4_000  # sets times items that take about as long together as one set alone
_WIDEST = 100.0  # levels that lie further apart share few nodes
_STEP = 0.5  # between nodes where the levels lie
_BESIDE = 2.0 ** np.arange(-1, 11)  # and how far beyond them further nodes lie
_LEAST = -600.0  # of A + B, so that doubles hold every factor that matters
_NOTHING = -1e300  # log 0, which a count of 0 may be multiplied by


class SetProbabilities:
    """log P of sets of items, kept; all sets of a size are computed together once that pays."""

    def __init__(self, noise: Noise, levels: Floats) -> None:
        self._noise, self._levels = noise, levels
        self._start = group_equal_levels(levels)[0]
        self._known: dict[bytes, float] = {}  # by how many of each level a set holds
        # sets of each size that were not known when they were asked for
        self._alone: Counter[int] = Counter()

    def log_probability(self, ranks: Ints) -> float:
        """log P(these show more than all others), of at least one and not all."""
        chosen = np.zeros(len(self._levels), bool)
        chosen[ranks] = True
        (known,) = self._keys(chosen[None])
        if known not in self._known:
            self._look_at_all(int(np.count_nonzero(chosen)))
        if known not in self._known:
            self._known[known] = log_set_probability(
                self._noise, self._levels[chosen], self._levels[~chosen]
            )
        return self._known[known]

    def _look_at_all(self, size: int) -> None:
        """Compute all sets of this size, if they are few and single sets have cost as much."""
        d = len(self._levels)
        few = d <= _FEW and (number := math.comb(d, size)) <= _FEW
        self._alone[size] += 1
        if not few or self._alone[size] != 1 + number * d // _ONE:
            return
        chosen = np.zeros((number, d), bool)
        np.put_along_axis(chosen, np.array(list(combinations(range(d), size))), values=True, axis=1)
        found = log_set_probabilities(self._noise, self._levels, chosen).tolist()
        for known, log in zip(self._keys(chosen), found, strict=True):
            if not math.isnan(log):
                self._known.setdefault(known, log)

    def _keys(self, chosen: Bools) -> list[bytes]:
        return [
            row.tobytes() for row in np.add.reduceat(chosen.astype(np.int64), self._start, axis=1)
        ]


@single_blas_thread()
def log_set_probabilities(noise: Noise, levels: Floats, in_set: Bools) -> Floats:
    """log P(all items of the set show more than all others) of each set; NaN where unknown."""
    start, level, count = group_equal_levels(levels)
    inside, back = np.unique(
        np.add.reduceat(in_set.astype(float), start, axis=1), axis=0, return_inverse=True
    )
    found = np.full(len(inside), np.nan)
    if level[0] - level[-1] <= _WIDEST:
        shared, edges = _SharedRaces(noise, level, inside, count - inside).shared_range()
        if shared.any():
            race = _SharedRaces(noise, level, inside[shared], (count - inside)[shared])
            found[shared] = log_integrals(race.log_density, edges)
    return np.asarray(found[back.ravel()])


class _SharedRaces:
    """Number of items of each level that each set holds, and leaves out, shape (sets, levels)."""

    def __init__(self, noise: Noise, level: Floats, inside: Floats, outside: Floats) -> None:
        self.noise, self.level, self.inside, self.outside = noise, level, inside, outside

    @np.errstate(divide="ignore")
    def shared_range(self) -> tuple[Bools, Floats]:
        """Sets with all of P that matters among the nodes, and the range of those nodes."""
        top, bottom = float(self.level[0]), float(self.level[-1])
        between = np.linspace(bottom, top, math.ceil((top - bottom) / _STEP) + 1)
        breaks = [self.level + at for at in (*self.noise.kinks, self.noise.start) if at > -math.inf]
        z = np.unique(np.concatenate([between, bottom - _BESIDE, top + _BESIDE, *breaks]))
        u = z[:, None] - self.level
        log_cdf, log_sf = self.noise.log_cdf(u), self.noise.log_sf(u)
        all_out, all_in = _sums(self.outside, log_cdf), _sums(self.inside, log_sf)
        any_left = np.minimum(np.log(self.outside @ np.exp(log_sf).T), 0.0)
        best = (all_out + all_in).max(1)
        least = best[:, None] - _BEYOND
        below, above = all_out <= least, all_in + any_left <= least
        shared = below[:, 0] & above[:, -1] & (best > _LEAST)
        first = int(below[shared].sum(1).min(initial=len(z))) - 1
        last = len(z) - int(above[shared].sum(1).min(initial=len(z)))
        return shared, z[first : last + 1]

    @np.errstate(divide="ignore")
    def log_density(self, z: Floats) -> Floats:
        """log of each set's density at the nodes, shape (sets, nodes)."""
        u = z[:, None] - self.level
        log_cdf = self.noise.log_cdf(u)
        possible = np.isfinite(log_cdf)
        log_cdf = np.where(possible, log_cdf, _NOTHING)
        ratio = np.exp(
            np.minimum(np.where(possible, self.noise.log_pdf(u) - log_cdf, -np.inf), -_LEAST)
        )
        slope = np.log(self.outside @ ratio.T)
        return _sums(self.outside, log_cdf) + _sums(self.inside, self.noise.log_sf(u)) + slope


def _sums(count: Floats, logs: Floats) -> Floats:
    """Σ over the levels, shape (sets, nodes)."""
    return np.asarray(count @ np.maximum(logs, _NOTHING).T)


@single_blas_thread()
def log_set_probability(
    noise: Noise, set_levels: Floats, other_levels: Floats, floor: float = -math.inf
) -> float:
    """log P(every one of `set_levels` shows more than all of `other_levels`, and more than a
    floor).
    """
    first = other_levels[0]  # z lies around it, and far from 0 its steps would be wide
    race = _SetRace(noise, set_levels - first, other_levels - first, floor - first)
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
        near = has_kink_between(noise, self.level, low - _KINK, high + _KINK)
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

    @np.errstate(over="ignore")
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
        peak = argmax_concave(self.log_both, bottom, top, tolerance=_ROUGHLY)
        best = float(self.log_both(peak)[0])
        # a family's F may fall slowly
        while bottom > least and self.log_all_out(np.array([bottom]))[0] > best - _BEYOND:
            bottom, reach = max(bottom - reach, least), 2 * reach
        left = find_first_true(
            lambda z: self.log_all_out(z) > best - _BEYOND,
            bottom,
            top,
            from_below=True,
            tolerance=_ROUGHLY,
        )
        right = find_first_true(
            lambda z: self.log_all_in(z) + self._log_any_left(z) <= best - _BEYOND,
            bottom,
            top,
            tolerance=_ROUGHLY,
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
        edges = widening_panel_edges(
            low, peak, high, (levels + kink for kink in self.noise.kinks), -7
        )
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


SetChances = SetProbabilities  # the former name, in stored pickles
