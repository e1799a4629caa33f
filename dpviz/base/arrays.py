"""Array types and functions on arrays."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_LOG2 = math.log(2.0)


def repeat_values(values: NDArray[Any], count: ArrayLike) -> NDArray[Any]:
    """Each of `values` as often as `count` (whole numbers of the same shape) says."""
    # numpy counts in `np.intp`, of 32 bits in WebAssembly, and refuses the 64 bits of `Ints` there
    return np.repeat(values, np.asarray(count).astype(np.intp))


def tally(index: NDArray[Any], weights: Floats | None = None, size: int = 0) -> NDArray[Any]:
    """Count of each whole number in `index`, or the sum of its `weights`; shape (≥ size,)."""
    return np.bincount(index.astype(np.intp, copy=False), weights, size)


@np.errstate(divide="ignore")
def log1mexp(a: Floats) -> Floats:
    """log(1 − e^(−a)) for a ≥ 0, right at both ends; −inf at 0."""
    a = np.asarray(a, float)
    large = np.log1p(-np.exp(-np.maximum(a, _LOG2)))
    return np.where(a > _LOG2, large, np.log(-np.expm1(-np.minimum(a, _LOG2))))


def ranked_tie_counts(ranked: Floats, k: int) -> tuple[int, int]:
    """`Scores.tie_counts` of scores in descending order."""
    level = -ranked[min(k, len(ranked)) - 1]  # k may pass their number where names were not known
    above, upto = np.searchsorted(-ranked, level), np.searchsorted(-ranked, level, side="right")
    return int(above), int(upto)


def scaled_differences(values: Floats, level: float, unit: float) -> Floats:
    """(values − level)/unit, difference first, so that each is right to rounding of itself.

    >>> scaled_differences(np.array([1e15 + 1, 1e308]), 1e15, 1e200).tolist()
    [1e-200, 1e+108]
    """
    part, power = math.frexp(unit)
    return (np.ldexp(values, -power) - math.ldexp(level, -power)) / part
