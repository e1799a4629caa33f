"""Levels of a largest gap: reaches, counts and the law of a level g.

Symbols: x = ranked scores (descending), gap g = x_[l] − x_[j] (the loss of joint selection is g/2),
reach b_l(g) = #{j : x_[l] − x_[j] ≤ g}, N(g) = number of answers with every gap at most g. An
answer of gap G has weight e^(−rate·G) = ∫ rate·e^(−rate·g) over g ≥ G: so draw g with density ∝
N(g)·rate·e^(−rate·g); given g all its N(g) answers are equally likely.
Invariants: gaps are compared as computed, so ties stay ties. No array has size d×k.
Source: Gillenwater et al. 2022 (joint selection); the representation by levels is ours.
"""

import math

import numpy as np

from dpviz.base import Floats, Ints, repeat_values


class WorkLimitExceeded(Exception):
    """More work than the caller allowed."""


def counts_within_gap(x: Floats, k: int, gap: Floats) -> Ints:
    """b_l(g) for l = 1..k, shape (len(gap), k): number of scores within g below the l-th."""
    d, top, g = len(x), x[:k], np.asarray(gap, float)[:, None]
    place = np.searchsorted(-x, g - top, side="right")
    # x_l − g is rounded, the gap x_l − x_j is what counts: look at the two beside the place found
    wrong = ((place > 0) & (top - x[place - 1] > g)) | (
        (place < d) & (top - x[np.minimum(place, d - 1)] <= g)
    )
    wrong |= place == 0
    if wrong.any():
        row, column = np.nonzero(wrong)
        place[row, column] = _bisected(x, top[column], g[row, 0])
    return place


def _bisected(x: Floats, top: Floats, gap: Floats) -> Ints:
    low, high = np.zeros(len(top), np.int64), np.full(len(top), len(x))
    while (high - low).max() > 1:  # x[low] is within the gap, x[high] (if any) is not
        middle = (low + high) // 2
        inside = top - x[np.minimum(middle, len(x) - 1)] <= gap
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return high


def gap_interval(x: Floats, reached: Ints) -> tuple[Floats, Floats]:
    """(start, end): the largest gap in each row's reach and the smallest beyond it (or inf)."""
    d, top = len(x), x[: reached.shape[1]]
    start = (top - x[reached - 1]).max(1)
    return start, np.where(reached < d, top - x[np.minimum(reached, d - 1)], np.inf).min(1)


def log_exponential_probability(rate: float, start: Floats, end: Floats) -> Floats:
    """log ∫ rate·e^(−rate·g) dg from start to end (inf allowed); −inf if end ≤ start."""
    width = rate * np.maximum(end - start, 0.0)
    with np.errstate(divide="ignore"):
        return -rate * start + np.log(-np.expm1(-width))


def distinct_gaps(x: Floats, k: int, low: float, high: float, most: int) -> Floats:
    """The distinct gaps x_[l] − x_[j], l ≤ k, in [low, high), ascending."""
    values = np.unique(x)[::-1]
    top = np.unique(x[:k])[::-1]
    first = _below(values, top, low)
    count = _below(values, top, high) - first
    pairs = int(count.sum())
    if pairs > most:
        raise WorkLimitExceeded
    row = repeat_values(np.arange(len(top)), count)
    column = np.arange(pairs) - repeat_values(np.cumsum(count) - count, count) + first[row]
    return np.unique(top[row] - values[column])


def _below(values: Floats, top: Floats, gap: float) -> Ints:
    """Number of descending `values` that lie less than `gap` below each of `top`, or above it."""
    if gap == math.inf:
        return np.full(len(top), len(values))
    low, high = np.zeros(len(top), np.int64), np.full(len(top), len(values))
    while (low < high).any():
        middle = (low + high) // 2
        inside = (low < high) & (top - values[np.minimum(middle, len(values) - 1)] < gap)
        low, high = (
            np.where(inside, middle + 1, low),
            np.where(inside, high, np.minimum(middle, high)),
        )
    return low
