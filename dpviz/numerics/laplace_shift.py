"""(ε, δ) of several counts with laplace noise that one person moves.

Symbols: t = how far each of m counts moves, over the scale of the noise. The loss of one count is t
with chance ½, −t with chance ½·e^(−t), and between them has the density ¼·e^(−(t−ℓ)/2).
Invariants: a loss between two points of the grid is split over both so that the mass in either
world stays (Doroshenko et al. 2022), so δ is never too small, and too large by the square of a
step. A bound on the rounding of the transform is added.
"""

import math
import sys
from functools import lru_cache

import numpy as np

from dpviz.base import Floats, Ints

_CELLS = 1 << 13  # of the grid, on each side of 0


def laplace_delta(epsilon: Floats, moved: Ints, shift: float) -> Floats:
    """δ(ε) of `moved` counts, elementwise; exactly 0 from ε = m·t on.

    >>> laplace_delta(np.array([0.0, 0.5, 1.0]), np.array([1, 1, 1]), 1.0).round(6).tolist()
    [0.393469, 0.221199, 0.0]
    """
    pairs = np.broadcast_arrays(epsilon, moved)
    found = [_delta(float(e), int(m), shift) for e, m in zip(*map(np.ravel, pairs), strict=True)]
    return np.reshape(found, pairs[0].shape)


def _delta(epsilon: float, moved: int, shift: float) -> float:
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
    left = 0.5 * np.exp((np.arange(-steps, steps) * step - shift) / 2)  # 2·density at a cell's left
    right = left * 4 * np.sinh(step / 4) ** 2 / -np.expm1(-step)
    one = np.zeros(2 * steps + 1)
    one[:-1] += left * np.expm1(step / 2) - right
    one[1:] += right
    one[-1] += 0.5
    one[0] += 0.5 * np.exp(-shift)
    size = 2 * steps * moved + 1
    padded = 1 << (size - 1).bit_length()  # a transform of such a size is fast
    mass = np.fft.irfft(np.fft.rfft(one, padded) ** moved, padded)[:size]
    loss = np.linspace(-moved * shift, moved * shift, size)
    hidden = math.sqrt(size) * moved * sys.float_info.epsilon
    return loss, np.maximum(mass, 0.0).astype(float), hidden
