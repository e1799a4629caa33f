"""The largest chance with which any mechanism may publish a name, by the people who have it.

Symbols: π_n = the chance that a name of n people is published, π_0 = 0; q = e^−ε. One more person
allows π_n = min(e^ε π_(n−1) + δ, 1 − e^−ε (1 − π_(n−1) − δ), 1): the first term up to `turn`, the
second after it, both in closed form here.
Invariants: only names come out, each for itself. A person has one of them, and is added or removed.
No (ε, δ)-DP mechanism exceeds π_n at any n, and publishing each name with π_n is (ε, δ)-DP.
Source: Desfontaines, Voss, Gipson & Mandayam 2022, Thm 1.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base import Floats, ParameterError, check_number, check_open_interval


def largest_publication_probability(count: ArrayLike, epsilon: float, delta: float) -> Floats:
    """The largest chance with which a name that `count` people have may be published."""
    epsilon = check_number("epsilon", epsilon, low=0.0, above=True)
    delta = check_open_interval("delta", delta)
    n = np.asarray(count, dtype=float)
    if not np.all(np.isfinite(n) & (n >= 0) & (n == np.floor(n))):
        raise ParameterError("count", count, "whole numbers from 0 on")
    turn = 1 + math.floor(math.log1p(math.tanh(epsilon / 2) * (1 - delta) / delta) / epsilon)
    rising, falling = np.minimum(n, turn), np.maximum(n - turn, 0.0)
    most = -math.expm1(-epsilon)
    kept = np.where(
        n > 0, delta * np.exp((rising - 1) * epsilon) * -np.expm1(-rising * epsilon) / most, 0.0
    )
    left = (
        np.exp(-falling * epsilon) * (1 - kept)
        + np.expm1(-falling * epsilon) * delta * (1 - most) / most
    )
    return np.asarray(np.where(n > turn, 1 - np.maximum(left, 0.0), kept))
