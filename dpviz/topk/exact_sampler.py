"""An exact sampler of canonical with gumbel noise on whole counts: no floating point decides.

The classes stand in one order, each as long as its weight, and a uniform number U picks one. Random
bits give U as an interval; whole numbers enclose the ends of the classes. Unless the interval lies
inside one class, more bits are read and the enclosures get finer (the next level).
Invariants: bits are read once; classes of earlier levels come first, so the meaning of U never
changes. The law is that of `Canonical` with ε, γ and Δ as written in decimals.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import numpy as np

from dpviz.base import NOISES, Floats, Ints, ParameterError, Scores, check_top_k
from dpviz.numerics.enclosures import Enclosure, enclose_exponential, factorials
from dpviz.topk.canonical import Canonical
from dpviz.topk.classes import heaviest_classes
from dpviz.topk.mechanism import TopKMechanism

# bits at level 0 of what is left out, of U and of weights; doubled by each level
_DEPTH, _READ, _PRECISION = 40, 64, 128

Bits = Callable[[int], int]
"""From n, a uniform whole number from 0 to 2^n − 1: `secrets.randbits` for a release, or
`random.Random(seed).getrandbits` for a test.
"""


@dataclass(frozen=True, eq=False)
class ExactClasses:
    """The classes of the k-subsets of ranked whole counts, with weights bounded by whole numbers.

    A class C(h,t) weighs binom(t−h−2, k−1−h)·a_h·b_t, with a_h = exp(−(1−γ)·g·(f_[h+1] − f_[k])),
    b_t = exp(γ·g·(f_[t] − f_[k])) and g = the gain of one count.
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

    def heavy_classes_and_rest(self, rest_bits: int) -> tuple[Ints, Ints, Enclosure]:
        """(h, t, weight of the rest): classes without some of at most 2^−depth of the total."""
        # floating point only says which classes to leave out: a log of size L is off by L·2^−49 at
        # most, and where that nears 1 a class weighs nothing; so the bound doubled holds
        x = np.array([float(count - self.counts[self.k - 1]) for count in self.counts])
        kept = heaviest_classes(x, self.k, self._score, log_margin=-(rest_bits + 3) * math.log(2))
        rest = Enclosure(0, 0, 0)
        if kept.log_dropped > -math.inf:
            rest = Enclosure(0, 1, math.ceil(kept.log_dropped / math.log(2)) + 1)
        return kept.h, kept.t, rest

    def _score(self, x: Floats, h: Ints, t: Ints) -> Floats:
        gain, gamma = float(self.gain), float(self.gamma)
        return gain * (gamma * x[t - 1] - (1 - gamma) * x[h])

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


def has_exact_sampler(mechanism: TopKMechanism) -> bool:
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
            h, t, rest = self._classes.heavy_classes_and_rest(_DEPTH << here)
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


def uniform_integer(n: int, bits: Bits) -> int:
    """A uniform whole number from 0 to n − 1."""
    length = (n - 1).bit_length()
    while True:
        drawn = bits(length) if length else 0
        if drawn < n:
            return drawn


def uniform_subset(n: int, size: int, bits: Bits) -> set[int]:
    """A uniform subset of 0 … n − 1 (Floyd 1987)."""
    chosen: set[int] = set()
    for last in range(n - size, n):
        drawn = uniform_integer(last + 1, bits)
        chosen.add(last if drawn in chosen else drawn)
    return chosen
