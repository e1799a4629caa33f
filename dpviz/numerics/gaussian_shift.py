"""What gaussian noise hides: (ε, δ) of a shift, exactly, and the largest shift that (ε, δ) allows.

Symbols: s = how far the noisy values move, as an L2 distance over the noise's standard deviation; Φ the normal cdf;
δ(ε; s) = Φ(s/2 − ε/s) − e^ε·Φ(−s/2 − ε/s), of either direction, for ε below 0 too.
Invariants: in logs, so that a tiny δ keeps its digits; the shift returned keeps (ε, δ).
Source: Balle & Wang 2018, Thm 8.
"""

import math
from typing import TypeVar

import numpy as np
import scipy

from dpviz.base import Floats

_HALVINGS = 80
Number = TypeVar("Number", float, Floats)


def gaussian_delta(epsilon: Floats | float, shift: Floats | float) -> Floats:
    """δ(ε; s), elementwise; for s = 0 it is max(0, 1 − e^ε).

    >>> gaussian_delta(1.0, np.array([0.0, 1.0])).round(6).tolist()
    [0.0, 0.126937]
    """
    epsilon, shift = np.broadcast_arrays(np.asarray(epsilon, float), np.asarray(shift, float))
    with np.errstate(over="ignore", invalid="ignore"):
        delta, log_here = _of_shift(epsilon, np.maximum(shift, 1e-300))
    return np.where((shift > 0) & np.isfinite(log_here), delta, np.maximum(0.0, -np.expm1(np.minimum(epsilon, 1.0))))


def _of_shift(epsilon: Number, shift: Number) -> tuple[Number, Number]:
    """δ(ε; s) and the log of its first term, of which nothing may be left."""
    log_here = scipy.special.log_ndtr(shift / 2 - epsilon / shift)
    log_there = epsilon + scipy.special.log_ndtr(-shift / 2 - epsilon / shift)
    return -np.exp(log_here) * np.expm1(np.minimum(log_there - log_here, 0.0)), log_here


def gaussian_shift(epsilon: float, delta: float) -> float:
    """The largest s with δ(ε; s) ≤ δ, from below, for ε and δ above 0.

    >>> s = gaussian_shift(1.0, 1e-5)
    >>> round(s, 6), bool(gaussian_delta(1.0, s) <= 1e-5)
    (0.268051, True)
    """

    def kept(shift: float) -> bool:  # on single numbers, which takes a sixth of what arrays of one take
        reached, log_here = _of_shift(epsilon, shift)
        return bool(reached <= delta) or not math.isfinite(log_here)

    low, high = 0.0, 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        while kept(high):
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (middle, high) if kept(middle) else (low, middle)
    return low if low > 0 else math.ulp(0.0)
