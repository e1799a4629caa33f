"""Logs of binomial coefficients and probabilities, to the last digits that a double holds.

Differences of log n! lose digits: at n = 20,000 the terms are 1e5 and their difference a few. Here
the large parts are cancelled by hand (Stirling's series), so the error stays near 1e-16 of the
result. Source: Loader, Fast and accurate computation of binomial probabilities, 2000.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base import Floats

_TABLED = 4096  # corrections up to here are looked up, beyond it two terms of the series are exact
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)


def _corrections() -> Floats:
    """`_correction` of 1..4096, by δ(n) = δ(n+1) + (n+½)·log(1+1/n) − 1; entry 0 is not used."""
    n = np.arange(1.0, _TABLED + 1)
    v = 1.0 / n
    v2 = v * v
    table = np.append(
        0.0, v * (1 / 12 - v2 * (1 / 360 - v2 * (1 / 1260 - v2 * (1 / 1680 - v2 / 1188))))
    )
    for small in range(15, 0, -1):
        table[small] = table[small + 1] + ((small + 0.5) * math.log1p(1 / small) - 1)
    return table


_TABLE = _corrections()


def _correction(n: Floats) -> Floats:
    """log n! less Stirling's n log n − n + ½ log(2πn), for whole n ≥ 1: 1/(12n) − 1/(360n³) + …"""
    large = n > _TABLED
    if not large.any():
        return np.asarray(_TABLE[n.astype(np.intp)])
    v = 1.0 / np.where(large, n, 1.0)
    tabled = _TABLE[np.minimum(n, _TABLED).astype(np.intp)]
    return np.where(large, v * (1 / 12 - v * v / 360), tabled)


def log_binomial(n: ArrayLike, r: ArrayLike) -> Floats:
    """log of "n choose r" for whole n and r; −inf where r < 0 or r > n."""
    n, r = np.asarray(n, float), np.asarray(r, float)
    s = n - r
    inner = (r > 0) & (s > 0)
    if inner.all():  # as mostly
        return _log_binomial_inside(n, r, s)
    inside = _log_binomial_inside(
        np.where(inner, n, 2.0), np.where(inner, r, 1.0), np.where(inner, s, 1.0)
    )
    return np.where(inner, inside, np.where(((r == 0) | (s == 0)) & (n >= 0), 0.0, -np.inf))


def _log_binomial_inside(n: Floats, r: Floats, s: Floats) -> Floats:
    """r log(1 + s/r) + s log(1 + r/s) + ½ log(n/(2πrs)) + corrections, for 0 < r < n, s = n − r."""
    value = r * np.log1p(s / r) + s * np.log1p(r / s) + 0.5 * np.log(n / (r * s)) - _HALF_LOG_2PI
    return np.asarray(value + (_correction(n) - _correction(r) - _correction(s)))


@np.errstate(divide="ignore", invalid="ignore")
def log_binomial_probability(n: ArrayLike, r: ArrayLike, p: ArrayLike) -> Floats:
    """log P(r of n succeed), each with chance p, for whole n and r; −inf where that cannot be."""
    n, r, p = np.broadcast_arrays(np.asarray(n, float), np.asarray(r, float), np.asarray(p, float))
    s = n - r
    inner = (r > 0) & (s > 0) & (p > 0) & (p < 1)
    m, a, b, q = (
        np.where(inner, n, 2.0),
        np.where(inner, r, 1.0),
        np.where(inner, s, 1.0),
        np.where(inner, p, 0.5),
    )
    value = (
        0.5 * np.log(m / (a * b)) - _HALF_LOG_2PI + _correction(m) - _correction(a) - _correction(b)
    )
    # ½ log(n/(2πrs)) + corrections − D(r, np) − D(s, n(1−p)), D(x, m) = x log(x/m) − (x − m)
    value -= _divergence(a, m * q) + _divergence(b, m * (1 - q))
    # 0·log 0 = 0 where nothing can fail, or succeed
    nothing = np.where(n == 0, 0.0, n * np.log1p(-p))
    edge = np.where(r == 0, nothing, np.where(s == 0, n * np.log(p), -np.inf))
    return np.where(inner, value, edge)


def _divergence(x: Floats, m: Floats) -> Floats:
    """x log(x/m) − (x − m), without large differences where x is near m."""
    off = x - m
    near = np.abs(off) < 0.5 * m
    return np.asarray(
        x * np.where(near, np.log1p(np.where(near, off / m, 0.0)), np.log(x / m)) - off
    )


def log_sum_exp(values: Floats) -> float:
    """log Σ e^v; −inf for no values."""
    if len(values) == 0:
        return -math.inf
    top = float(np.max(values))
    return top if math.isinf(top) else top + math.log(float(np.exp(values - top).sum()))


@np.errstate(divide="ignore", invalid="ignore")  # −inf − −inf: nothing minus nothing
def log_subtract(large: Floats, small: Floats) -> Floats:
    """log(e^large − e^small), −inf where they are equal or rounding puts small above large."""
    gap = np.where(np.isneginf(small), np.inf, large - small)
    return np.where(gap > 0, large + np.log(-np.expm1(-np.maximum(gap, 0.0))), -np.inf)
