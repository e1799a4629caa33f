"""An exact sampler of canonical with gumbel noise on whole counts: no floating point decides.

The classes stand in one order, each as long as its weight, and a uniform number U picks one. Random
bits give U as an interval; whole numbers enclose the ends of the classes. Unless the interval lies
inside one class, more bits are read and the enclosures get finer (the next level).
Invariants: bits are read once; classes of earlier levels come first, so the meaning of U never
changes. The law is that of `Canonical` with ε, γ and Δ as written in decimals.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import numpy as np

from dpviz.base import NOISES, Ints, ParameterError, Scores, cached_property, check_top_k
from dpviz.numerics.enclosures import (
    Enclosure,
    enclose_exponential,
    factorials,
    log2_exponential_bounds,
)
from dpviz.numerics.random_bits import Bits, uniform_subset
from dpviz.topk.canonical import Canonical
from dpviz.topk.mechanism import TopKMechanism

# bits at level 0 of what is left out, of U and of weights; doubled by each level
_DEPTH, _READ, _PRECISION = 40, 64, 128


_SPLIT = 16  # a block is as many ranks wide, or a power of it
_MOST_BLOCKS = 2**22  # to begin with
_COUNTED = 40  # no more than 2^40 blocks are dropped in a round
_FAR = 2**60  # a log below −this is taken for it
_COARSE = 64  # bits, enough for logs


@dataclass(frozen=True, eq=False)
class ExactClasses:
    """The classes of the k-subsets of ranked whole counts, with weights bounded by whole numbers.

    A class C(h,t) weighs binom(t−h−2, k−1−h)·a_h·b_t, with a_h = exp(−(1−γ)·g·(f_[h+1] − f_[k])),
    b_t = exp(γ·g·(f_[t] − f_[k])) and g = the gain of one count. Over ranks t0..t1 of one h the
    weight is at most binom(t1−h−2, k−1−h)·a_h·b_t0.
    """

    counts: tuple[int, ...]
    k: int
    gain: Fraction
    gamma: Fraction

    def _missed(self, h: int) -> Fraction:
        """log a_h."""
        return (self.gamma - 1) * self.gain * (self.counts[h] - self.counts[self.k - 1])

    def _worst(self, t: int) -> Fraction:
        """log b_t."""
        return self.gamma * self.gain * (self.counts[t - 1] - self.counts[self.k - 1])

    @cached_property
    def _logs(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Integer bounds (below, above) of the logs to base two of n!, of a_h by h, and of b_t by
        t.
        """
        sizes = [
            (f.log2_lower_bound, f.log2_upper_bound) for f in factorials(len(self.counts), _COARSE)
        ]
        missed = map(log2_exponential_bounds, map(self._missed, range(self.k)))
        worst = map(self._worst, range(self.k, len(self.counts) + 1))
        low, high = _columns(map(log2_exponential_bounds, worst))
        unused = np.zeros(self.k, np.int64)  # no set has its worst rank above k
        return (
            _columns(sizes),
            _columns(missed),
            (np.append(unused, low), np.append(unused, high)),
        )

    def keep_heavy_classes(self, depth: int) -> tuple[Ints, Ints, Enclosure]:
        """(h, t, weight of the rest): classes without some of at most 2^−depth of the total."""
        d, k = len(self.counts), self.k
        width = 1
        while k * (d - k) // width > _MOST_BLOCKS:
            width *= _SPLIT
        h, t = (
            each.ravel()
            for each in np.meshgrid(np.arange(k), np.arange(k + 1, d + 1, width), indexing="ij")
        )
        unit = -depth - 2 * _COUNTED
        # rest in units of 2^unit; 2^best is no more than the whole weight
        rest, best, rounds = 0, 0, 0
        while True:
            last = np.minimum(t + width - 1, d)
            most = self._log_weights(h, last, t, 1) + (width - 1).bit_length()
            best = max(best, int(self._log_weights(h, t, t, 0).max()))
            rounds += 1
            keep, dropped = _all_but_the_lightest(most, best - depth - rounds, unit)
            rest += dropped
            h, t = h[keep], t[keep]
            if width == 1 or not len(h):
                return np.append(h, k - 1), np.append(t, k), Enclosure(0, rest, unit)
            width //= _SPLIT
            t = (t[:, None] + np.arange(0, width * _SPLIT, width)).ravel()
            h = np.repeat(h, _SPLIT)[t <= d]
            t = t[t <= d]

    def _log_weights(self, h: Ints, t: Ints, worst: Ints, side: int) -> Ints:
        """Bounds of the log weight, below (0) or above (1), with sizes of t and b of `worst`."""
        sizes, missed, worsts = self._logs
        more, less = sizes[side], sizes[1 - side]
        return np.asarray(
            more[t - h - 2]
            - less[self.k - 1 - h]
            - less[t - self.k - 1]
            + missed[side][h]
            + worsts[side][worst]
        )

    def class_weights(self, h: Ints, t: Ints, bits: int) -> list[Enclosure]:
        size = list(factorials(len(self.counts), bits))
        missed = {i: enclose_exponential(self._missed(i), bits) for i in np.unique(h).tolist()}
        worst = {i: enclose_exponential(self._worst(i), bits) for i in np.unique(t).tolist()}
        k, found = self.k, []
        for i, j in zip(h.tolist(), t.tolist(), strict=True):
            weight = missed[i].multiply(worst[j], bits)
            if k - 1 - i and j > k + 1:  # else binom(n, 0) or binom(n, n)
                below = size[k - 1 - i].multiply(size[j - k - 1], bits)
                weight = weight.multiply(size[j - i - 2], bits).divide(below, bits)
            found.append(weight)
        return found


def _columns(pairs: Iterable[tuple[int, int]]) -> tuple[Ints, Ints]:
    """Lower and upper bounds; negligible ones are cut, each to its own side."""
    low, high = zip(*pairs, strict=True)
    return (
        np.array([each if each > -_FAR else -2 * _FAR for each in low], np.int64),
        np.array([max(each, -_FAR) for each in high], np.int64),
    )


def _all_but_the_lightest(most: Ints, budget: int, unit: int) -> tuple[Ints, int]:
    """Indices to keep so that the rest sums to at most 2^budget; and its sum in units of 2^unit."""
    base = budget - _COUNTED
    light = np.maximum(most[most < budget] - base, 0)
    total, cut = 0, base
    for step, number in enumerate(np.bincount(light, minlength=1).tolist()):
        if total + (number << step) > 1 << _COUNTED:
            break
        total, cut = total + (number << step), base + step + 1
    return np.flatnonzero(most >= cut), total << (base - unit)


def has_exact_sampler(mechanism: TopKMechanism) -> bool:
    """True if there is an exact sampler of this mechanism."""
    if not isinstance(mechanism, Canonical) or mechanism.rounded:
        return False
    return NOISES[mechanism.noise].max_stable


@dataclass(frozen=True, eq=False)
class _Level:
    """The ends of the classes, in whole units, and the bounds of the total."""

    h: Ints
    t: Ints
    low: list[int]  # the end of each class is no less
    high: list[int]  # and no more
    whole: tuple[int, int]

    def find_class(self, u: int, read: int) -> int | None:
        """The class that certainly contains [u, u + 1]/2^read of the total; otherwise None."""
        begin, end = u * self.whole[0], (u + 1) * self.whole[1]
        place = bisect_left(self.low, -(-end >> read))
        certain = place < len(self.low) and (place == 0 or self.high[place - 1] << read <= begin)
        return place if certain else None


@dataclass(frozen=True, eq=False)
class ExactSampler:
    """Draws from the canonical mechanism with gumbel noise on whole counts."""

    mechanism: Canonical
    scores: Scores
    _classes: ExactClasses = field(init=False, repr=False)
    _levels: list[_Level] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        m, scores = self.mechanism, self.scores
        if not has_exact_sampler(m):
            raise ParameterError(
                "mechanism",
                m,
                "canonical with gumbel noise and a loss not rounded, which alone is drawn exactly",
            )
        check_top_k(scores, m.k)
        if (scores.values != np.floor(scores.values)).any():
            raise ParameterError("scores", scores, "whole numbers")
        gamma, change = (
            decimal_fraction(m.gamma),
            decimal_fraction(2 * scores.effective_sensitivity),
        )
        change *= max(gamma, 1 - gamma) if scores.contributions == 1 else 1
        gain = decimal_fraction(m.epsilon) / change
        ranked = tuple(int(scores.values[i]) for i in scores.order)
        object.__setattr__(self, "_classes", ExactClasses(ranked, m.k, gain, gamma))
        self._level(0)

    def __call__(self, bits: Bits) -> list[int]:
        """The indices of the items drawn, ascending."""
        u = read = level = 0
        while True:
            more = (_READ << level) - read
            u, read = (u << more) | bits(more), read + more
            prepared = self._level(level)
            place = prepared.find_class(u, read)
            if place is not None:
                break
            level += 1
        k, h, t = self.mechanism.k, int(prepared.h[place]), int(prepared.t[place])
        ranks = list(range(k))
        if t > k:  # a uniform member of C(h,t)
            body = uniform_subset(t - h - 2, k - 1 - h, bits)
            ranks = [*range(h), *(h + 1 + each for each in body), t - 1]
        return sorted(self.scores.order[ranks].tolist())

    def _level(self, level: int) -> _Level:
        for here in range(len(self._levels), level + 1):
            h, t, rest = self._classes.keep_heavy_classes(_DEPTH << here)
            if here:
                before = self._levels[here - 1]
                new = ~np.isin(_code(h, t), _code(before.h, before.t))
                h, t = np.append(before.h, h[new]), np.append(before.t, t[new])
            precision = _PRECISION << here
            weights = self._classes.class_weights(h, t, precision)
            unit = max(weight.log2_upper_bound for weight in weights) - precision
            low, high = zip(*(weight.bounds_in_units(unit) for weight in weights), strict=True)
            ends, most = list(accumulate(low)), list(accumulate(high))
            whole = ends[-1], most[-1] + rest.bounds_in_units(unit)[1]
            self._levels.append(_Level(h, t, ends, most, whole))
        return self._levels[level]


def decimal_fraction(number: float) -> Fraction:
    """A float as the number that people read: 0.1 is a tenth."""
    return Fraction(repr(float(number)))


def _code(h: Ints, t: Ints) -> Ints:
    return np.asarray((h.astype(np.int64) << 32) | t)
