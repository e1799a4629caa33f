"""Better estimates from free gaps, for noise *before* selection.

Symbols: α_i = q_i + ξ_i measured; g_i = q_i + η_i − (q_{i+1} + η_{i+1}); λ = Var(η)/Var(ξ).
Invariant: formulas take the noise as before the selection. Given it gaps are biased, and the true
error can exceed even that of the measurements alone: `gap_experiment` measures it.
Source: Ding, Wang, Zhang & Kifer 2019, Theorem 3 (for λ = 4), Corollary 1 and Section 6.2.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpviz.base import Floats, ParameterError, check_integer, check_number


def blue(measurements: ArrayLike, gaps: ArrayLike, variance_ratio: float) -> Floats:
    """Best linear unbiased estimates of q_1 … q_k from measurements and the gaps between them.

    β_i = (Σα + λk·α_i + Σ_{j<k}(k−j)g_j − k·Σ_{j<i}g_j) / ((1+λ)k)

    Parameters
    ----------
    measurements
        α in the order of the selection, shape (…, k), in any unit.
    gaps
        g between neighbours in that order, shape (…, k − 1), in the same unit, without the last gap
        of a release (to the best item left out).
    variance_ratio
        λ above 0, the variance of the selection's noise over that of the measurements: 4 where ε is
        split in half, 1 for monotonic scores.

    Returns
    -------
    Floats
        β, shape (…, k), in the same unit.

    Raises
    ------
    ParameterError
        For shapes that do not fit, entries that are not finite, and a ratio not above 0.

    Examples
    --------
    >>> blue([10.0, 6.0], [4.0], 4.0).tolist()
    [10.0, 6.0]
    """
    ratio = check_number("variance_ratio", variance_ratio, low=0.0, above=True)
    alpha, gap = _checked("measurements", measurements), _checked("gaps", gaps)
    for name, array in (("measurements", alpha), ("gaps", gap)):
        if array.ndim == 0:
            raise ParameterError(name, array, "a list of numbers")
    k = alpha.shape[-1]
    if gap.shape != (*alpha.shape[:-1], k - 1):
        raise ParameterError(
            "the shape of gaps",
            gap.shape,
            f"{(*alpha.shape[:-1], k - 1)}, one less than measurements",
        )
    before = np.concatenate([np.zeros((*gap.shape[:-1], 1)), np.cumsum(gap, axis=-1)], axis=-1)
    total = np.asarray(alpha.sum(-1) + gap @ np.arange(k - 1.0, 0.0, -1.0))[..., None]
    return np.asarray((total + ratio * k * alpha - k * before) / ((1 + ratio) * k))


def blue_variance_ratio(k: int, variance_ratio: float) -> float:
    """Var(β_i)/Var(α_i) = (λk + 1)/((λ + 1)k), for noise before selection."""
    k = check_integer("k", k, low=1)
    ratio = check_number("variance_ratio", variance_ratio, low=0.0, above=True)
    return (ratio * k + 1) / ((ratio + 1) * k)


def sparse_vector_gap_variance(epsilon0: float, epsilon1: float) -> float:
    """Variance of a sparse vector's gap, 2/ε0² + 2/ε1², in units of Δ², before selection."""
    epsilon0 = check_number("epsilon0", epsilon0, low=0.0, above=True)
    epsilon1 = check_number("epsilon1", epsilon1, low=0.0, above=True)
    return 2 / epsilon0**2 + 2 / epsilon1**2


def fuse(
    measurements: ArrayLike,
    measurement_variance: ArrayLike,
    estimates: ArrayLike,
    estimate_variance: ArrayLike,
) -> Floats:
    """Two estimates of the same values weighted by inverse variance, for noise before selection.

    For a sparse vector's gap the estimate is T + gap. All arguments broadcast.

    Parameters
    ----------
    measurements, measurement_variance
        The first estimates, in any unit, and their variances, above 0, in that unit squared.
    estimates, estimate_variance
        The second estimates and their variances, in the same units.

    Returns
    -------
    Floats
        The weighted means, of the shape that all broadcast to.

    Raises
    ------
    ParameterError
        For shapes that do not fit, entries that are not finite, and variances not above 0.

    Examples
    --------
    >>> fuse([10.0, 20.0], 1.0, [14.0, 16.0], 3.0).tolist()
    [11.0, 19.0]
    """
    first, second = _checked("measurements", measurements), _checked("estimates", estimates)
    variance = _checked("measurement_variance", measurement_variance)
    other = _checked("estimate_variance", estimate_variance)
    for name, value in [("measurement_variance", variance), ("estimate_variance", other)]:
        if np.any(value <= 0):
            raise ParameterError(name, float(value.min()), "above 0")
    try:
        return np.asarray(second + other / (variance + other) * (first - second))
    except ValueError:
        shapes = tuple(array.shape for array in (first, variance, second, other))
        raise ParameterError(
            "the shapes of measurements and estimates", shapes, "the same"
        ) from None


def _checked(name: str, values: ArrayLike) -> Floats:
    allowed = "finite numbers"
    try:
        array = np.asarray(values)
    except ValueError:
        raise ParameterError(name, values, allowed) from None
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise ParameterError(name, values, allowed)
    return array.astype(float)
