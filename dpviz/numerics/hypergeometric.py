"""Mixtures of many hypergeometric laws, of marked ones in draws without replacement.

Symbols: of N, K are marked and n are drawn; X = marked ones drawn, mean μ = nK/N. X is at least as
concentrated as the binomials with n draws of chance K/N and with K draws of chance n/N (Hoeffding
1963), v the smaller variance: P(``|X − μ|`` ≥ s) ≤ 2·exp(−v·((1 + s/v)·log(1 + s/v) − s/v))
(Bennett).
Invariants: what lies beyond the window around μ is below 2e^(−_EXPONENT); a window's terms come
from their ratios and are divided by their sum, so nothing overflows.
"""

import numpy as np

from dpviz.base import Floats, Ints, tally

_EXPONENT = 32.0
_CELLS = 30_000


def hypergeometric_mixture(
    total: Ints, marked: Ints, drawn: Ints, shift: Ints, weight: Floats, largest_count: int
) -> Floats:
    """Σ weight_i·P(shift_i + X_i = j) up to `largest_count`, X_i the marked ones drawn."""
    out = np.zeros(largest_count + 1)
    low, high = _windows(total, marked, drawn)
    order = np.argsort(high - low)
    start = 0
    while start < len(order):
        stop = start + max(1, _CELLS // int(high[order[-1]] - low[order[-1]] + 1))
        rows = order[start:stop]
        # a row's further terms are right too: 0 once nothing is left
        width = int((high - low)[rows].max()) + 1
        terms = np.ones((len(rows), width))
        here = low[rows, None] + np.arange(width - 1.0)
        n, k, others = drawn[rows, None], marked[rows, None], (total - marked - drawn)[rows, None]
        np.divide((k - here) * (n - here), (here + 1) * (here + (others + 1)), out=terms[:, 1:])
        np.cumprod(terms, axis=1, out=terms)
        terms *= (weight[rows] / terms.sum(1))[:, None]
        at = np.minimum((low + shift)[rows, None] + np.arange(width), largest_count)
        out += tally(at.ravel(), terms.ravel(), largest_count + 1)
        start = stop
    return out


def hypergeometric_tail(
    total: Ints, marked: Ints, drawn: Ints, shift: Ints, weight: Floats, smallest_count: int
) -> float:
    """Σ weight_i·P(shift_i + X_i ≥ smallest_count); laws surely on one side cost nothing."""
    low, high = (end + shift for end in _windows(total, marked, drawn))
    certain = low >= smallest_count
    chance = float(weight[certain].sum())
    either = ~certain & (high >= smallest_count)
    if either.any():
        laws = total[either], marked[either], drawn[either], shift[either]
        most = int(high[either].max())
        chance += float(hypergeometric_mixture(*laws, weight[either], most)[smallest_count:].sum())
    return chance


def _windows(total: Ints, marked: Ints, drawn: Ints) -> tuple[Ints, Ints]:
    """Least and largest X of each law, but for a negligible chance."""
    size = np.maximum(total, 1).astype(float)
    mean = drawn * (marked / size)
    variance = np.minimum(mean * (1 - marked / size), mean * (1 - drawn / size))
    # the s at which Bennett's exponent is _EXPONENT, or a little more: Newton from above, where the
    # weaker s²/(2(v + s/3)) is; the exponent is convex in s, so no step goes below
    v = np.maximum(variance, 1e-3)
    s = _EXPONENT / 3 + np.sqrt((_EXPONENT / 3) ** 2 + 2 * v * _EXPONENT)
    for _ in range(3):
        steep = np.log1p(s / v)
        s = s - ((v + s) * steep - s - _EXPONENT) / steep
    low = np.maximum(np.maximum(0, drawn + marked - total), np.floor(mean - s).astype(np.int64))
    high = np.minimum(np.minimum(drawn, marked), np.ceil(mean + s).astype(np.int64))
    return low, high
