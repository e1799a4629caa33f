"""Logs of binomial coefficients, to the last digits that a double holds.

log n! differences lose digits: at n = 20,000 the terms are 1e5 and their difference a few. Here the
large parts are cancelled by hand (Stirling's series), so the error stays near 1e-16 of the result.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base.arrays import Floats

__all__ = ["log_binomial", "log_subtract", "log_sum"]

_TABLED = 4096  # corrections up to here are looked up, beyond it two terms of the series are exact
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


def _series(n: Floats) -> Floats:
    """What Stirling's formula n log n − n + ½ log(2πn) leaves out of log n!, for n ≥ 4096: 1/(12n) − 1/(360n³)."""
    v = 1.0 / n
    return v * (1 / 12 - v * v / 360)


def _corrections() -> Floats:
    """The same for n = 1..4096, by δ(n) = δ(n+1) + (n+½)·log(1+1/n) − 1; 0 at n = 0, where it is not used.

    Below 16 step by step; above, five terms of the series are exact.
    """
    n = np.arange(1.0, _TABLED + 1)
    v = 1.0 / n
    v2 = v * v
    table = np.append(0.0, v * (1 / 12 - v2 * (1 / 360 - v2 * (1 / 1260 - v2 * (1 / 1680 - v2 / 1188)))))
    for small in range(15, 0, -1):
        table[small] = table[small + 1] + ((small + 0.5) * math.log1p(1 / small) - 1)
    return table


_TABLE = _corrections()


def _correction(n: Floats) -> Floats:
    """What Stirling's formula leaves out of log n!, for any whole n ≥ 1."""
    looked_up = _TABLE[np.minimum(n, _TABLED).astype(np.intp)]
    large = n > _TABLED
    return np.where(large, _series(np.where(large, n, 1.0)), looked_up) if large.any() else looked_up


def log_binomial(n: ArrayLike, r: ArrayLike) -> Floats:
    """log of "n choose r" for whole n and r; −inf where r < 0 or r > n.

    Formula, s = n−r: r log(1 + s/r) + s log(1 + r/s) + ½ log(n/(2πrs)) + Stirling's corrections.

    >>> log_binomial([5, 5, 5], [2, 0, 6]).round(12).tolist()
    [2.302585092994, 0.0, -inf]
    """
    n, r = np.broadcast_arrays(np.asarray(n, float), np.asarray(r, float))
    s = n - r
    inner = (r > 0) & (s > 0)
    m, a, b = np.where(inner, n, 2.0), np.where(inner, r, 1.0), np.where(inner, s, 1.0)
    value = a * np.log1p(b / a) + b * np.log1p(a / b) + 0.5 * np.log(m / (a * b)) - _HALF_LOG_2PI
    value += _correction(m) - _correction(a) - _correction(b)
    return np.where(inner, value, np.where((r == 0) | (s == 0), np.where(n >= 0, 0.0, -np.inf), -np.inf))


def log_sum(values: Floats) -> float:
    """log Σ e^v; −inf for no values.

    >>> round(log_sum(np.log([1.0, 2.0, 5.0])), 12) == round(math.log(8), 12)
    True
    """
    if len(values) == 0:
        return -math.inf
    top = float(np.max(values))
    return top if math.isinf(top) else top + math.log(float(np.exp(values - top).sum()))


def log_subtract(large: Floats, small: Floats) -> Floats:
    """log(e^large − e^small), −inf where they are equal or rounding puts small above large."""
    with np.errstate(divide="ignore", invalid="ignore"):  # −inf − −inf: nothing minus nothing
        gap = np.where(np.isneginf(small), np.inf, large - small)
        return np.where(gap > 0, large + np.log(-np.expm1(-np.maximum(gap, 0.0))), -np.inf)
