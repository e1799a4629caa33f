"""How likely a name may come out at most, by the number of people who have it, whoever publishes it
how.

Symbols: π_n = the chance that a name which n people have is published, π_0 = 0, as what nobody has
no one can publish; q = e^−ε. One person more allows π_n = min(e^ε π_(n−1) + δ, 1 − e^−ε (1 −
π_(n−1) − δ), 1): the first up to the `turn`, the second after it, both summed up here.
Invariants: names alone come out, each for itself, where a person has one of them. No (ε, δ)-DP
mechanism exceeds π_n at any n, and keeping each name with it is (ε, δ)-DP.
Source: Desfontaines, Voss, Gipson & Mandayam 2022, Thm 1 (truncated geometric noise and a threshold
have this law).
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base import Floats, ParameterError, check_number, check_open_interval


def largest_publication_probability(count: ArrayLike, epsilon: float, delta: float) -> Floats:
    """The largest chance with which a name may be published that so many people have.

    It holds where each person has one name, is added or removed, and only names are published:
    neither counts nor their order. A threshold on noisy counts keeps a little less, and may give
    the counts as well.

    Examples
    --------
    >>> largest_publication_probability([0, 1, 5, 10, 20], epsilon=1.0, delta=0.01).round(4).tolist()
    [0.0, 0.01, 0.7506, 1.0, 1.0]
    """
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
