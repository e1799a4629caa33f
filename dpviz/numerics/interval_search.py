"""Searches over ranges from 1e-4 to 1e300 wide."""

from collections.abc import Callable

import numpy as np

from dpviz.base import Bools, Floats

_FRACTIONS = np.linspace(0.0, 1.0, 34)
_ROUNDS = 400  # from 1e306 down
_CLOSE = 1e-4


def argmax_concave(
    function: Callable[[Floats], Floats], low: float, high: float, *, tolerance: float = _CLOSE
) -> float:
    """Point at which a concave `function` is largest, as far as rounding shows."""
    for _ in range(_ROUNDS):
        points = low + (high - low) * _FRACTIONS
        value = function(points)
        at = len(value) - 1 - int(np.argmax(value[::-1]))  # −inf up to some point: go right of it
        narrower = float(points[max(at - 1, 0)]), float(points[min(at + 1, len(points) - 1)])
        if high - low < tolerance or narrower == (low, high):
            break
        low, high = narrower
    return float(points[at])


def find_first_true(
    predicate: Callable[[Floats], Bools],
    low: float,
    high: float,
    *,
    from_below: bool = False,
    tolerance: float = _CLOSE,
) -> float:
    """Point between low and high at which `predicate` turns true."""
    for _ in range(_ROUNDS):
        points = low + (high - low) * _FRACTIONS
        held = predicate(points[1:-1])
        at = int(np.argmax(held)) if held.any() else len(held)
        narrower = float(points[at]), float(points[at + 1])
        if high - low < tolerance + 1e-12 * max(abs(low), abs(high)) or narrower == (low, high):
            break
        low, high = narrower
    return low if from_below else high


def bisect(
    is_beyond: Callable[[float], bool],
    low: float,
    high: float,
    *,
    rounds: int,
    tolerance: float = 0.0,
) -> tuple[float, float]:
    """Halve low..high towards the point from which on `is_beyond` is true."""
    for _ in range(rounds):
        if high - low <= tolerance:
            break
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return low, high
