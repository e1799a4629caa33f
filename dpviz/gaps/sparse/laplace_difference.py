"""The difference of two independent Laplace variables: the noise of a gap.

Symbols: W = ξ − η, ξ ~ Lap(1/a), η ~ Lap(1/b); W is symmetric.
Invariants: right where a = b and near it, where the printed formula is 0/0.
Source: Ding, Wang, Zhang & Kifer 2019, Lemma 7.
"""

import math
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from dpviz.base.arrays import Floats


def difference_sf(w: ArrayLike, a: float, b: float) -> Floats:
    """P(W ≥ w), with the smaller rate s and the larger r: ½e^(−sw)·(1 + s²(1 − e^(−(r−s)w))/(r² − s²)), w ≥ 0.

    >>> float(difference_sf(2.0, 1.0, 1.0)), float(difference_sf(0.0, 0.5, 0.25))
    (0.1353352832366127, 0.5)
    """
    w = np.asarray(w, float)
    size = np.abs(w)
    slow, fast = min(a, b), max(a, b)
    x = np.minimum((fast - slow) * size, 700.0)
    share = np.where(x > 0, -np.expm1(-x) / np.where(x > 0, x, 1.0), 1.0)  # (1 − e^(−x))/x
    tail = 0.5 * np.exp(-slow * size) * (1 + slow * slow * size * share / (fast + slow))
    return np.asarray(np.where(w >= 0, tail, 1 - tail))


@lru_cache(maxsize=256)
def difference_quantile(probability: float, a: float, b: float) -> float:
    """The t with P(W ≤ t) = `probability`, 0 < probability < 1.

    >>> round(difference_quantile(0.95, 0.5, 0.25), 6)
    10.283867
    """
    if probability < 0.5:
        return -difference_quantile(1 - probability, a, b)
    alpha, slow = 1 - probability, min(a, b)
    if alpha >= 0.5:
        return 0.0
    high = (2 - 2 * math.log(alpha)) / slow
    root = scipy.optimize.brentq(
        lambda t: float(difference_sf(t, a, b)) - alpha, 0.0, high, xtol=1e-13 / slow, rtol=1e-15
    )
    return float(root)
