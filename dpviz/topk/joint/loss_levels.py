"""Levels of a largest gap: reaches, counts, and bounds on the number of answers within each gap.

Symbols: x = ranked scores (descending), gap g = x_[l] − x_[j] (the loss of joint selection is g/2),
reach b_l(g) = #{j : x_[l] − x_[j] ≤ g}, N(g) = number of answers with every gap at most g. An
answer of gap G has weight e^(−rate·G) = ∫ rate·e^(−rate·g) over g ≥ G: so draw g with density ∝
N(g)·rate·e^(−rate·g); given g all its N(g) answers are equally likely.
Invariants: gaps are compared as computed, so ties stay ties. N rises with g, so one known value
bounds all before and after it.
Source: Gillenwater et al. 2022 (joint selection); the representation by levels is ours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Ints, Progress, ignore_progress, repeat_values
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.law import row_chunks

LogCount = Callable[[Ints], Floats]
"""log N of reaches, shape (n, k) → (n,)."""

_ROUNDS = 200
_CELLS = 1 << 18  # reaches computed at once
_POINTS = 4  # of a stretch in a round, at most
_FAR = 80.0  # log of how far below 1 all answers together may weigh


class WorkLimitExceeded(Exception):
    """More work than the caller allowed."""


def counts_within_gap_by_rank(x: Floats, k: int, gaps: Floats) -> Ints:
    """b_l(g) for l = 1..k, shape (gaps, k): number of scores within g below the l-th."""
    return _counts_within(x, x[:k], np.asarray(gaps, float)[:, None])


def _counts_within(values: Floats, top: Floats, gap: Floats) -> Ints:
    """Number of descending `values` at most `gap` below each of `top`, or above it."""
    d, place = len(values), np.searchsorted(-values, gap - top, side="right")
    # top − gap is rounded, the gap top − value is what counts: look at the two beside the place
    wrong = ((place > 0) & (top - values[place - 1] > gap)) | (
        (place < d) & (top - values[np.minimum(place, d - 1)] <= gap)
    )
    if wrong.any():
        top, gap = (each[wrong] for each in np.broadcast_arrays(top, gap))
        low, high = np.zeros(len(top), np.int64), np.full(len(top), d)
        while (low < high).any():
            middle = (low + high) // 2
            inside = (low < high) & (top - values[np.minimum(middle, d - 1)] <= gap)
            low, high = np.where(inside, middle + 1, low), np.where(inside, high, middle)
        place[wrong] = low
    return place


def gap_intervals_of_reaches(x: Floats, reaches: Ints) -> tuple[Floats, Floats]:
    """(start, end): the largest gap in each row's reach and the smallest beyond it (or inf)."""
    d, top = len(x), x[: reaches.shape[1]]
    start = (top - x[reaches - 1]).max(1)
    return start, np.where(reaches < d, top - x[np.minimum(reaches, d - 1)], np.inf).min(1)


def log_exponential_probability(rate: float, start: Floats, end: Floats) -> Floats:
    """log ∫ rate·e^(−rate·g) dg from start to end (inf allowed); −inf if end ≤ start."""
    width = rate * np.maximum(end - start, 0.0)
    with np.errstate(divide="ignore"):
        return -rate * start + np.log(-np.expm1(-width))


def distinct_gaps(x: Floats, k: int, low: float, high: float, pair_limit: int) -> Floats:
    """The distinct gaps x_[l] − x_[j], l ≤ k, in [low, high), ascending."""
    values = np.unique(x)[::-1]
    top = np.unique(x[:k])[::-1]
    first, last = (_counts_within(values, top, np.nextafter(end, -np.inf)) for end in (low, high))
    count = last - first
    pairs = int(count.sum())
    if pairs > pair_limit:
        raise WorkLimitExceeded
    row = repeat_values(np.arange(len(top)), count)
    column = np.arange(pairs) - repeat_values(np.cumsum(count) - count, count) + first[row]
    return np.unique(top[row] - values[column])


@dataclass(frozen=True)
class LevelEnvelope:
    """Stretches [start, end) of g with low ≤ log N ≤ high, from 0 to infinity; equal if known."""

    rate: float
    start: Floats
    end: Floats
    low: Floats
    high: Floats

    @property
    def exact_mask(self) -> Bools:
        return self.low >= self.high

    @property
    def _span(self) -> Floats:
        return log_exponential_probability(self.rate, self.start, self.end)

    @property
    def log_total_weight_low(self) -> float:
        return log_sum_exp(self.low + self._span)

    @property
    def log_total_weight_high(self) -> float:
        return log_sum_exp(self.high + self._span)

    @property
    def log_bound_width(self) -> Floats:
        """log of the upper less the lower bound on each stretch's weight; −inf if N is known."""
        with np.errstate(divide="ignore"):
            return self.high + self._span + np.log(-np.expm1(np.minimum(self.low - self.high, 0.0)))

    def with_tighter_bounds(
        self, start: Floats, end: Floats, low: Floats, high: Floats
    ) -> "LevelEnvelope":
        edges = np.unique(np.concatenate([self.start, start, end[np.isfinite(end)]]))
        old = np.searchsorted(self.start, edges, side="right") - 1
        piece = np.maximum(np.searchsorted(start, edges, side="right") - 1, 0)
        inside = (start[piece] <= edges) & (edges < end[piece])
        new_low = np.where(inside, np.maximum(low[piece], self.low[old]), self.low[old])
        new_high = np.where(inside, np.minimum(high[piece], self.high[old]), self.high[old])
        return LevelEnvelope(
            self.rate,
            edges,
            np.append(edges[1:], np.inf),
            np.maximum.accumulate(new_low),
            np.minimum.accumulate(new_high[::-1])[::-1],
        )

    def gap_windows(self, dropped_share: float) -> tuple[list[tuple[float, float]], float]:
        """Parts [low, high) of the gaps with all but `dropped_share` of the weight; a bound on the
        rest.
        """
        upper = np.exp(np.minimum(self.high + self._span - self.log_total_weight_low, 700.0))
        order = np.argsort(upper)
        light = order[: int(np.searchsorted(np.cumsum(upper[order]), dropped_share, side="right"))]
        keep = np.ones(len(upper), bool)
        keep[light] = False
        change = np.diff(np.concatenate([[0], keep.astype(np.int64), [0]]))
        low = self.start[np.flatnonzero(change == 1)].tolist()
        high = self.end[np.flatnonzero(change == -1) - 1].tolist()
        return list(zip(low, high, strict=True)), float(upper[light].sum())

    def draw_stretches_and_gaps(self, size: int, rng: Generator) -> tuple[Ints, Floats]:
        """`size` draws from the upper bound: the stretch, and g in it (its start if N is known)."""
        weight = self.high + self._span
        levels = np.cumsum(np.exp(weight - weight.max()))
        at = np.searchsorted(levels, rng.random(size) * levels[-1], side="right")
        at = np.minimum(at, len(levels) - 1)
        start, end, known = self.start[at], self.end[at], self.exact_mask[at]
        share = rng.random(size) * np.expm1(-np.where(known, 1.0, self.rate * (end - start)))
        inside = np.minimum(start - np.log1p(share) / self.rate, np.nextafter(end, -np.inf))
        return at, np.where(known, start, inside)

    def merge_stretches(self, bound_step: float) -> "LevelEnvelope":
        """Merge neighbouring stretches whose upper bounds differ by less than `bound_step`."""
        last = np.flatnonzero(np.diff(np.floor(self.high / bound_step), append=np.inf))
        first = np.append(0, last[:-1] + 1)
        return LevelEnvelope(
            self.rate, self.start[first], self.end[last], self.low[first], self.high[last]
        )


def coarse_envelope(
    x: Floats, k: int, rate: float, log_bound: LogCount, log_answers: float, points: int
) -> LevelEnvelope:
    """A first envelope from a cheap upper bound on log N."""
    far = min(float(x[0] - x[-1]), (log_answers + _FAR) / rate)
    start, end, high = _evaluate(x, k, far * np.linspace(0.0, 1.0, points) ** 2, log_bound)
    nothing = LevelEnvelope(rate, *(np.array([v]) for v in (0.0, np.inf, 0.0, log_answers)))
    return nothing.with_tighter_bounds(
        start, end, np.zeros(len(start)), np.minimum(high, log_answers)
    )


def refine_envelope(
    envelope: LevelEnvelope,
    x: Floats,
    k: int,
    log_count: LogCount,
    *,
    excess: float,
    points: float = math.inf,
    progress: Progress = ignore_progress,
) -> LevelEnvelope:
    """Evaluate N until the total weight is known up to a factor."""
    first = envelope.log_total_weight_high - envelope.log_total_weight_low
    for _ in range(_ROUNDS):
        ratio = envelope.log_total_weight_high - envelope.log_total_weight_low
        progress(1.0 - min(1.0, max(ratio - excess, 0.0) / max(first, 1e-300)))
        if ratio <= excess:
            break
        loose = np.flatnonzero(
            envelope.log_bound_width
            > envelope.log_total_weight_low + math.log(excess / len(envelope.low))
        )
        # points stand evenly in log N over all that may still matter: beside each other they would
        # only move its edge
        number = int(min(points, _POINTS * len(loose)))
        unknown = np.cumsum((envelope.high - envelope.low)[loose])
        wanted = (np.arange(number) + 0.5) / number * unknown[-1]
        at = np.minimum(np.searchsorted(unknown, wanted, side="right"), len(loose) - 1)
        share = 1.0 - (unknown[at] - wanted) / (envelope.high - envelope.low)[loose[at]]
        start, end = envelope.start[loose[at]], envelope.end[loose[at]]
        width = np.where(np.isfinite(end), end, x[0] - x[-1]) - start
        gap = start + np.maximum(width, 0.0) * np.clip(share, 0.0, 1.0)
        start, end, count = _evaluate(x, k, gap, log_count)
        envelope = envelope.with_tighter_bounds(start, end, count, count)
    return envelope


def _evaluate(x: Floats, k: int, gap: Floats, log_count: LogCount) -> tuple[Floats, Floats, Floats]:
    """Start, end and log N of the pieces that hold these gaps, each piece once."""
    parts = []
    for part in row_chunks(len(gap), k, _CELLS):
        reached = counts_within_gap_by_rank(x, k, gap[part])
        start, end = gap_intervals_of_reaches(x, reached)
        start, index = np.unique(start, return_index=True)
        parts.append((start, end[index], log_count(reached[index])))
    start, end, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    start, index = np.unique(start, return_index=True)
    return start, end[index], count[index]
