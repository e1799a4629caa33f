"""An exact sampler of canonical with gumbel noise on whole counts: no floating point decides.

The classes stand in one order, each as long as its weight, and a uniform number U picks one. Random
bits give U as an interval; whole numbers enclose the ends of the classes. Unless the interval lies
inside one class, more bits are read and the enclosures get finer (the next level).
Invariants: bits are read once; classes of earlier levels come first, so the meaning of U never
changes. The law is that of `Canonical` with ε, γ and Δ as written in decimals.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import numpy as np

from dpviz.base import NOISES, Ints, ParameterError, Scores, check_top_k
from dpviz.numerics.random_bits import Bits, uniform_subset
from dpviz.topk.canonical import Canonical
from dpviz.topk.exact_classes import ExactClasses
from dpviz.topk.mechanism import TopKMechanism

# bits at level 0 of what is left out, of U and of weights; doubled by each level
_DEPTH, _READ, _PRECISION = 40, 64, 128


def has_exact_sampler(mechanism: TopKMechanism) -> bool:
    """True if there is an exact sampler of this mechanism."""
    return isinstance(mechanism, Canonical) and NOISES[mechanism.noise].max_stable


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
    """Draws from the canonical mechanism with gumbel noise on whole counts.

    >>> import random
    >>> draw = ExactSampler(Canonical(epsilon=9.0, k=2), Scores([9, 14, 12, 2], monotonic=True))
    >>> draw(random.Random(7).getrandbits)
    [1, 2]
    """

    mechanism: Canonical
    scores: Scores
    _classes: ExactClasses = field(init=False, repr=False)
    _levels: list[_Level] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        m, scores = self.mechanism, self.scores
        if not has_exact_sampler(m):
            raise ParameterError(
                "mechanism", m, "canonical with gumbel noise, which alone is drawn exactly"
            )
        check_top_k(scores, m.k)
        if (scores.values != np.floor(scores.values)).any():
            raise ParameterError("scores", scores, "whole numbers")
        gamma, change = decimal_fraction(m.gamma), decimal_fraction(scores.sensitivity)
        change *= max(gamma, 1 - gamma) if scores.contributions == 1 else 1
        gain = decimal_fraction(m.epsilon) / change / (1 if scores.monotonic else 2)
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
                ranks = self._member(int(prepared.h[place]), int(prepared.t[place]), bits)
                return sorted(self.scores.order[ranks].tolist())
            level += 1

    def _level(self, level: int) -> _Level:
        for here in range(len(self._levels), level + 1):
            shell = self._classes.keep_heavy_classes(_DEPTH << here)
            h, t = shell.h, shell.t
            if here:
                before = self._levels[here - 1]
                new = ~np.isin(_code(h, t), _code(before.h, before.t))
                h, t = np.append(before.h, h[new]), np.append(before.t, t[new])
            precision = _PRECISION << here
            weights = self._classes.class_weights(h, t, precision)
            unit = max(weight.log2_upper_bound for weight in weights) - precision
            low, high = zip(*(weight.bounds_in_units(unit) for weight in weights), strict=True)
            ends, most = list(accumulate(low)), list(accumulate(high))
            whole = ends[-1], most[-1] + shell.rest.bounds_in_units(unit)[1]
            self._levels.append(_Level(h, t, ends, most, whole))
        return self._levels[level]

    def _member(self, h: int, t: int, bits: Bits) -> Sequence[int]:
        """The 0-based ranks of a uniform member of C(h,t)."""
        k = self.mechanism.k
        if t == k:
            return range(k)
        body = uniform_subset(t - h - 2, k - 1 - h, bits)
        return [*range(h), *(h + 1 + each for each in body), t - 1]


def decimal_fraction(number: float) -> Fraction:
    """A float as the number that people read: 0.1 is a tenth.

    >>> decimal_fraction(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(number)))


def _code(h: Ints, t: Ints) -> Ints:
    return np.asarray((h.astype(np.int64) << 32) | t)
