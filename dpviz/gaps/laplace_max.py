"""The chance that one Laplace variable exceeds the maximum of many.

Symbols: standard Laplace noise, density f, cdf F; q = the location of the one, x_j those of the others,
shifted so that the largest is 0; P = ∫ f(z − q) Π_j F(z − x_j) dz.
Invariants: right to a relative 1e-11, however small. Panels start where Π F no longer is negligible, which
leaves at most some hundred kinks; locations well below that enter through power sums.
"""

import numpy as np

from dpviz.base.arrays import Floats, Ints
from dpviz.base.noise import NOISES
from dpviz.numerics.quadrature import log_integral

_LAPLACE = NOISES["laplace"]
_FAR = 45.0  # e^-45 of the integral may lie beyond an edge
_BELOW = 3.0
_POWERS = 12  # (½e^-3)^12 is below 1e-19
_LOWEST = -740.0  # e^q below this is no double


def log_wins(q: float, others: Floats) -> float:
    """log P(q + noise > every x_j + noise); −inf where P is below the smallest double.

    >>> round(float(np.exp(log_wins(0.0, np.zeros(3)))), 12)
    0.25
    """
    if q < _LOWEST:
        return float("-inf")
    values, times = np.unique(others, return_counts=True)
    low = max(q - _FAR, _least(values, times, _FAR + max(0.0, -q)))
    high = max(q, 0.0) + _FAR + np.log(len(others))
    near = values > low - _BELOW
    direct, count = values[near], times[near]
    powers = np.arange(1, _POWERS + 1)
    sums = np.array([times[~near] @ np.exp(p * (values[~near] - low)) * 0.5**p / p for p in powers])

    def log_density(z: Floats) -> Floats:
        far = np.exp(-np.outer(z - low, powers)) @ sums
        close = _LAPLACE.log_cdf(z[:, None] - direct) @ count
        return np.asarray(_LAPLACE.log_pdf(z - q) + close - far)

    kinks = np.append(values[values > low], q)
    steps = np.linspace(low, high, 2 + int((high - low) / 4))
    edges = np.unique(np.concatenate([kinks[(kinks > low) & (kinks < high)], steps]))
    return min(0.0, log_integral(log_density, edges))


def _least(values: Floats, times: Ints, need: float) -> float:
    """A z below which Π F ≤ e^−need: log F(u) ≤ −½·min(1, e^(−u)) for every u."""

    def exponent(z: float) -> float:
        return 0.5 * float(times @ np.exp(-np.maximum(z - values, 0.0)))

    low, high = float(values[0]) - 1.0, float(np.log(times.sum())) + 1.0
    if exponent(low) < need:  # too few to hold z up
        return -2 * need
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if exponent(middle) >= need else (low, middle)
    return low
