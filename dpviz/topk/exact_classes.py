"""Classes that canonical with gumbel noise can choose, computed with whole numbers alone.

A class C(h,t) has binom(t−h−2, k−1−h) members and weighs that times a_h·b_t, with a_h =
exp(−(1−γ)·g·(f_[h+1] − f_[k])) and b_t = exp(γ·g·(f_[t] − f_[k])), g = the gain of one count. Over
ranks t0..t1 of one h the weight is at most binom(t1−h−2, k−1−h)·a_h·b_t0.
Invariants: pruning compares whole-number bounds of logs to base two, so `rest` is never too small.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz.base import Ints
from dpviz.base.caching import cached_property
from dpviz.numerics.enclosures import (
    Enclosure,
    enclose_exponential,
    factorials,
    log2_exponential_bounds,
)

_SPLIT = 16  # a block is as many ranks wide, or a power of it
_MOST_BLOCKS = 2**22  # to begin with
_COUNTED = 40  # no more than 2^40 blocks are dropped in a round
_FAR = 2**60  # a log below −this is taken for it
_COARSE = 64  # bits, where only logs are asked for


@dataclass(frozen=True)
class KeptClasses:
    h: Ints
    t: Ints
    rest: Enclosure


@dataclass(frozen=True, eq=False)
class ExactClasses:
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
        """Whole numbers (below, above) the logs to base two of n!, of a_h by h, and of b_t by t."""
        sizes = [
            (f.log2_lower_bound, f.log2_upper_bound) for f in factorials(len(self.counts), _COARSE)
        ]
        missed = map(log2_exponential_bounds, map(self._missed, range(self.k)))
        worst = map(self._worst, range(self.k, len(self.counts) + 1))
        low, high = _columns(map(log2_exponential_bounds, worst))
        unused = np.zeros(self.k, np.int64)  # ranks above k are nobody's worst
        return (
            _columns(sizes),
            _columns(missed),
            (np.append(unused, low), np.append(unused, high)),
        )

    def keep_heavy_classes(self, depth: int) -> KeptClasses:
        """All classes except some that together weigh at most 2^−depth of the total."""
        d, k = len(self.counts), self.k
        width = 1
        while k * (d - k) // width > _MOST_BLOCKS:
            width *= _SPLIT
        h, t = (
            each.ravel()
            for each in np.meshgrid(np.arange(k), np.arange(k + 1, d + 1, width), indexing="ij")
        )
        unit = -depth - 2 * _COUNTED
        rest, best, rounds = (
            0,
            0,
            0,
        )  # rest in units of 2^unit; 2^best is no more than the whole weight
        while True:
            last = np.minimum(t + width - 1, d)
            most = self._log_weights(h, last, t, 1) + (width - 1).bit_length()
            best = max(best, int(self._log_weights(h, t, t, 0).max()))
            rounds += 1
            keep, dropped = _all_but_the_lightest(most, best - depth - rounds, unit)
            rest += dropped
            h, t = h[keep], t[keep]
            if width == 1 or not len(h):
                return KeptClasses(np.append(h, k - 1), np.append(t, k), Enclosure(0, rest, unit))
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
