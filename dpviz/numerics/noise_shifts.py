"""(ε, δ) of noisy counts that one person moves: with gaussian noise, exactly, and with laplace.

Symbols, gaussian: s = how far the noisy values move, as an L2 distance over the noise's standard deviation;
Φ, φ the normal cdf and density, M = (1 − Φ)/φ; h = ε/s − s/2. δ(ε; s) = Φ(s/2 − ε/s) − e^ε·Φ(−s/2 −
ε/s) = φ(h)·(M(h) − M(h + s)), of either direction; δ(−ε; s) = 1 − e^(−ε) + e^(−ε)·δ(ε; s).
Invariants: no nearly equal numbers are subtracted: a small difference of M is ∫ (1 − u·M(u)) du,
and a tiny δ keeps its digits as a log. The shift returned keeps (ε, δ), as more is taken off than
rounding can add.
Symbols, laplace: t = how far each of m counts moves, over the scale of the noise. The loss of one
count is t with chance ½, −t with chance ½·e^(−t), and between them has the density ¼·e^(−(t−ℓ)/2).
Invariants: a loss between two points of the grid is split over both so that the mass in either
world stays (Doroshenko et al. 2022), so δ is never too small, and too large by the square of a
step. A bound on the rounding of the transform is added.
Source: Balle & Wang 2018, Thm 8.
"""

import math
import sys
from functools import lru_cache

import numpy as np
import scipy

from dpviz.base import Floats, Ints

_POINTS, _ROUNDS = 34, 14  # from 1e-300 on
_FAR = 1e3  # where δ is below e^-500,000, and so nearly 1 − u·M(u) = 1/u² that no double tells
_SMALL = 1.0  # shifts below this take the integral
_NODE, _WEIGHT = (0.5 * part for part in np.polynomial.legendre.leggauss(12))
ROUNDING = 1e-11  # of log δ: thirty times what it was ever off
_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_CELLS = 1 << 13  # of the grid of losses, on each side of 0


def gaussian_delta(epsilon: Floats | float, shift: Floats | float) -> Floats:
    """δ(ε; s), elementwise; for s = 0 it is max(0, 1 − e^ε)."""
    epsilon, shift = np.broadcast_arrays(np.asarray(epsilon, float), np.asarray(shift, float))
    size = np.abs(epsilon)
    delta = np.where(shift > 0, np.exp(_log_delta(size, np.maximum(shift, 1e-300))), 0.0)
    return np.where(epsilon < 0, np.exp(-size) * delta - np.expm1(-size), delta)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def _log_delta(epsilon: Floats, shift: Floats) -> Floats:
    """log δ(ε; s) for ε ≥ 0 and s > 0."""
    h = epsilon / shift - shift / 2
    u = h[..., None] + shift[..., None] * (0.5 + _NODE)
    falling = np.where(u > _FAR, 1 / u**2, 1 - u * _mills(u))
    small = np.log(shift) + np.log(falling @ _WEIGHT)
    far = np.where(h > 0, np.log(_mills(h) - _mills(h + shift)), -np.inf)
    beside = -(h**2) / 2 - _LOG_ROOT
    near = np.log(scipy.special.ndtr(-h) - np.exp(beside) * _mills(h + shift))
    large = np.where(h > 0, beside + far, near)
    return np.where(h == np.inf, -np.inf, np.where(shift < _SMALL, beside + small, large))


def _mills(u: Floats) -> Floats:
    """(1 − Φ)/φ."""
    return math.sqrt(math.pi / 2) * np.asarray(scipy.special.erfcx(u / math.sqrt(2)))


@lru_cache(maxsize=4096)
def largest_gaussian_shift(epsilon: float, delta: float) -> float:
    """Largest s with δ(ε; s) ≤ δ, to a part in 10¹¹ from below, for ε and δ above 0."""
    most = math.log(delta) - ROUNDING
    low, high = delta, 2.0  # δ(ε; s) is below s/2
    while _log_delta(np.array(epsilon), np.array(high)) <= most:
        low, high = high, 2 * high
    for _ in range(_ROUNDS):
        shifts = (np.geomspace if high > 2 * low else np.linspace)(low, high, _POINTS)
        kept = int(np.count_nonzero(_log_delta(np.array(epsilon), shifts[1:-1]) <= most))
        low, high = float(shifts[kept]), float(shifts[kept + 1])
    return low


def laplace_delta(epsilon: Floats, moved_counts: Ints, shift: float) -> Floats:
    """δ(ε) of `moved_counts` counts, elementwise; exactly 0 from ε = m·t on.

    >>> laplace_delta(np.array([0.0, 0.5, 1.0]), np.array([1, 1, 1]), 1.0).round(6).tolist()
    [0.393469, 0.221199, 0.0]
    """
    pairs = np.broadcast_arrays(epsilon, moved_counts)
    found = [
        _laplace_delta(float(e), int(m), shift) for e, m in zip(*map(np.ravel, pairs), strict=True)
    ]
    return np.reshape(found, pairs[0].shape)


def _laplace_delta(epsilon: float, moved: int, shift: float) -> float:
    if epsilon >= moved * shift:
        return 0.0
    if not moved:
        return -float(np.expm1(epsilon))
    loss, mass, hidden = _loss_law(moved, shift)
    first = int(np.searchsorted(loss, epsilon, side="right"))
    return min(1.0, float(mass[first:] @ -np.expm1(epsilon - loss[first:])) + hidden)


@lru_cache(maxsize=256)
def _loss_law(moved: int, shift: float) -> tuple[Floats, Floats, float]:
    """Losses of `moved` counts, their chances, and a bound on what rounding hides."""
    steps = max(_CELLS // moved, 8)
    step = shift / steps
    # 2·density at a cell's right, which no width of a cell takes out of the floats' range
    at = 0.5 * np.exp((np.arange(1 - steps, steps + 1) * step - shift) / 2)
    inside = -np.expm1(-step / 2)
    right = at * inside**2 / -np.expm1(-step)
    one = np.zeros(2 * steps + 1)
    one[:-1] += at * inside - right
    one[1:] += right
    one[-1] += 0.5
    one[0] += 0.5 * np.exp(-shift)
    size = 2 * steps * moved + 1
    padded = 1 << (size - 1).bit_length()  # a transform of such a size is fast
    mass = np.fft.irfft(np.fft.rfft(one, padded) ** moved, padded)[:size]
    loss = np.linspace(-moved * shift, moved * shift, size)
    hidden = math.sqrt(size) * moved * sys.float_info.epsilon
    return loss, np.maximum(mass, 0.0).astype(float), hidden
