"""Levels of a largest shortfall: where max_l (x_[l] − y_l) is at most g, and the law of a level g.

Symbols: x = ranked scores (descending), gap g = x_[l] − x_[j] (the loss of joint selection is g/2), reach
b_l(g) = #{j : x_[l] − x_[j] ≤ g}, N(g) = how many answers have every gap at most g. An answer of gap G has
weight e^(−rate·G) = ∫ rate·e^(−rate·g) over g ≥ G: so draw g with density ∝ N(g)·rate·e^(−rate·g); given g
all its N(g) answers are equally likely.
Invariants: N is a step function that changes at gaps alone; gaps are compared as computed, so a tie is a
tie at any size of the scores; nothing of size d×k is ever made.
Source: Gillenwater et al. 2022 (joint selection); the representation by levels is ours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.arrays import Floats, Ints
from dpviz.kernels.combinatorics import log_sum
from dpviz.progress import Progress, silent

__all__ = ["Envelope", "TooMany", "envelope", "gaps_between", "log_span", "neighbours", "reach"]

LogCount = Callable[[Ints], Floats]
"""log N of reaches, shape (n, k) → (n,)."""

_FIRST = 48  # points before any refinement
_ROUNDS = 64
_CELLS = 1 << 18  # reaches looked up at once
_NEGLIGIBLE = 1e-3  # a stretch with less of the excess is not split further


class TooMany(Exception):
    """More work than the caller allowed; it has another way."""


def reach(x: Floats, k: int, gap: Floats) -> Ints:
    """b_l(g) for l = 1..k, shape (len(gap), k): how many ranked scores lie within g below the l-th.

    >>> reach(np.array([5.0, 3.0, 3.0, 0.0]), 2, np.array([0.0, 2.0, 3.0])).tolist()
    [[1, 3], [3, 3], [3, 4]]
    """
    d, top, g = len(x), x[:k], np.asarray(gap, float)[:, None]
    found = np.searchsorted(-x, g - top, side="right")
    # x_l − g is rounded, the gap x_l − x_j is what counts: look at the two beside the place found
    wrong = ((found > 0) & (top - x[found - 1] > g)) | ((found < d) & (top - x[np.minimum(found, d - 1)] <= g))
    wrong |= found == 0
    if wrong.any():
        row, column = np.nonzero(wrong)
        found[row, column] = _bisected(x, top[column], g[row, 0])
    return found


def _bisected(x: Floats, top: Floats, gap: Floats) -> Ints:
    low, high = np.zeros(len(top), np.int64), np.full(len(top), len(x))
    while (high - low).max() > 1:  # x[low] is within the gap, x[high] (if any) is not
        middle = (low + high) // 2
        inside = top - x[np.minimum(middle, len(x) - 1)] <= gap
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return high


def neighbours(x: Floats, reached: Ints) -> tuple[Floats, Floats]:
    """(start, end): the largest gap within each row's reach and the smallest beyond it (inf for none).

    N is the same for every g with start ≤ g < end.
    """
    d, top = len(x), x[: reached.shape[1]]
    start = (top - x[reached - 1]).max(1)
    beyond = np.where(reached < d, top - x[np.minimum(reached, d - 1)], np.inf)
    return start, beyond.min(1)


def log_span(rate: float, start: Floats, end: Floats) -> Floats:
    """log ∫ rate·e^(−rate·g) dg from start to end (inf allowed); −inf where end ≤ start."""
    width = rate * np.maximum(end - start, 0.0)
    with np.errstate(divide="ignore"):
        return -rate * start + np.log(-np.expm1(-width))


@dataclass(frozen=True)
class Envelope:
    """Points at which N is known, and what that says of every other g.

    `start`, `end`, `log_count` (n,): N on the piece start ≤ g < end. Between the end of a piece and the
    start of the next one N is at least the former's and at most the latter's.
    `log_low`, `log_high`: bounds on log ∫ N(g)·rate·e^(−rate·g) dg.
    """

    rate: float
    start: Floats
    end: Floats
    log_count: Floats

    @property
    def _log_exact(self) -> Floats:
        return self.log_count + log_span(self.rate, self.start, self.end)

    @property
    def _spans(self) -> Floats:
        """log of the weight between pieces, which N has to multiply."""
        return log_span(self.rate, self.end[:-1], self.start[1:])

    @property
    def log_low(self) -> float:
        """log of what the whole weight is at least."""
        return log_sum(np.append(self._log_exact, self.log_count[:-1] + self._spans))

    @property
    def log_high(self) -> float:
        """log of what the whole weight is at most."""
        return log_sum(np.append(self._log_exact, self.log_count[1:] + self._spans))

    def windows(self, share: float) -> tuple[list[tuple[float, float]], float]:
        """Stretches [low, high) of g outside of which lies at most `share` of the weight; and a bound on it."""
        upper = np.logaddexp(self._log_exact, np.append(self.log_count[1:] + self._spans, -np.inf))
        order = np.argsort(upper)
        running = np.cumsum(np.exp(upper[order] - self.log_low))
        light = order[: int(np.searchsorted(running, share, side="right"))]
        keep = np.ones(len(upper), bool)
        keep[light] = False
        dropped = float(np.exp(upper[light] - self.log_low).sum())
        edges = np.append(self.start, np.inf)
        change = np.diff(np.concatenate([[0], keep.astype(np.int64), [0]]))
        first, last = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
        return [(float(edges[i]), float(edges[j])) for i, j in zip(first, last, strict=True)], dropped

    def propose(self, size: int, rng: Generator) -> tuple[Floats, Floats]:
        """`size` draws of g from the upper bound, and log of the bound on N there (NaN: it is N itself)."""
        start = np.concatenate([self.start, self.end[:-1]])
        end = np.concatenate([self.end, self.start[1:]])
        bound = np.concatenate([self.log_count, self.log_count[1:]])
        weight = bound + log_span(self.rate, start, end)
        levels = np.cumsum(np.exp(weight - weight.max()))
        at = np.searchsorted(levels, rng.random(size) * levels[-1], side="right")
        at = np.minimum(at, len(levels) - 1)
        width = self.rate * (end[at] - start[at])
        exact = at < len(self.start)
        step = -np.log1p(rng.random(size) * np.expm1(-np.where(exact, 1.0, width))) / self.rate
        inside = np.minimum(start[at] + step, np.nextafter(end[at], -np.inf))
        return np.where(exact, start[at], inside), np.where(exact, np.nan, bound[at])


def envelope(
    x: Floats,
    k: int,
    rate: float,
    log_count: LogCount,
    log_answers: float,
    *,
    excess: float,
    progress: Progress = silent,
) -> Envelope:
    """N known at enough points for the whole weight to be known up to a factor e^excess.

    `log_answers` is log of the number of all answers: gaps so wide that even all of them could not
    matter are left alone. Where N changes and much weight lies, new points are put, round by round.
    """
    widest = float(x[0] - x[-1])
    far = min(widest, (log_answers + 80.0) / rate)
    points = np.append(far * np.linspace(0.0, 1.0, _FIRST) ** 2, widest)
    start, end, count = _known(x, k, points, log_count)
    for round_ in range(_ROUNDS):
        known = Envelope(rate, start, end, count)
        high = known.log_high
        ratio = high - known.log_low
        progress(min(1.0, (round_ + 1) / 12 if ratio > excess else 1.0))
        if ratio <= excess:
            break
        rise = count[1:] + known._spans - high + np.log(-np.expm1(np.minimum(count[:-1] - count[1:], -1e-300)))
        split = rise > math.log(_NEGLIGIBLE * excess / len(rise))
        low, width = end[:-1][split], (start[1:] - end[:-1])[split]
        more = (low[:, None] + width[:, None] * np.array([0.0, 0.25, 0.5, 0.75])).ravel()
        new = _known(x, k, more, log_count)
        start, index = np.unique(np.concatenate([start, new[0]]), return_index=True)
        end = np.concatenate([end, new[1]])[index]
        count = np.concatenate([count, new[2]])[index]
    return Envelope(rate, start, end, count)


def _known(x: Floats, k: int, gap: Floats, log_count: LogCount) -> tuple[Floats, Floats, Floats]:
    """Start, end and log N of the pieces that hold these gaps, each piece once."""
    parts = []
    batch = max(1, _CELLS // k)
    for i in range(0, len(gap), batch):
        reached = reach(x, k, gap[i : i + batch])
        start, end = neighbours(x, reached)
        start, index = np.unique(start, return_index=True)
        parts.append((start, end[index], log_count(reached[index])))
    start, end, count = (np.concatenate(part) for part in zip(*parts, strict=True))
    start, index = np.unique(start, return_index=True)
    return start, end[index], count[index]


def gaps_between(x: Floats, k: int, low: float, high: float, most: int) -> Floats:
    """The distinct gaps x_[l] − x_[j], l ≤ k, in [low, high), ascending. Raises `TooMany` beyond `most` pairs.

    >>> gaps_between(np.array([5.0, 3.0, 3.0, 0.0]), 2, 0.0, 4.0, 100).tolist()
    [0.0, 2.0, 3.0]
    """
    values = np.unique(x)[::-1]
    top = np.unique(x[:k])[::-1]
    first = _below(values, top, low)
    count = _below(values, top, high) - first
    pairs = int(count.sum())
    if pairs > most:
        raise TooMany
    row = np.repeat(np.arange(len(top)), count)
    column = np.arange(pairs) - np.repeat(np.cumsum(count) - count, count) + first[row]
    return np.unique(top[row] - values[column])


def _below(values: Floats, top: Floats, gap: float) -> Ints:
    """How many of the descending `values` lie less than `gap` below each of `top` (those above it included)."""
    if gap == math.inf:
        return np.full(len(top), len(values))
    low, high = np.zeros(len(top), np.int64), np.full(len(top), len(values))
    while (low < high).any():
        middle = (low + high) // 2
        inside = (low < high) & (top - values[np.minimum(middle, len(values) - 1)] < gap)
        low, high = np.where(inside, middle + 1, low), np.where(inside, high, np.minimum(middle, high))
    return low
