"""Angles for Fourier sums over Poisson-binomial counts, and the power series for all of them.

Symbols: y = e^(iθ), t = F + yS for an item with S + F = 1; N angles θ = (n + ½)·2π/N, of which one
half is the conjugate of the other, so half are listed.
Invariants: every factor is at most exp(−min(1, 2 sin²(θ/2))·SF), whichever of t, S, F it is. Angles
at which the product of these is below e^(−exponent) are left out. N is so large that counts that
fold back onto the one wanted have a probability below that (Bennett's inequality).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.base import Floats, Ints, cached_property

EXPONENT = 30.0  # e^-30 = 9e-14 of the density, times √(2πV)
_OFF = 2.5  # the mean is within 1 of choose + ½, and one item may be set apart
_SERIES = 0.03  # |1−y|·p up to which the power series is used
_TERMS = 8
_LEAST = 1e-3  # variance, whatever is said

Complexes = NDArray[np.complex128]


@dataclass(frozen=True)
class FourierAngles:
    """`n` angles in all, of which those `theta` in (0, π) are needed."""

    n: int
    theta: Floats
    terms: int = _TERMS

    @cached_property
    def phase_factors(self) -> Complexes:
        """e^(iθ)."""
        return np.asarray(np.exp(1j * self.theta))

    @cached_property
    def versine(self) -> Floats:
        return 2 * np.sin(self.theta / 2) ** 2

    @cached_property
    def sine(self) -> Floats:
        return np.sin(self.theta)

    @cached_property
    def inverse_phase_powers(self) -> Complexes:
        """y^(−j) for j = 0..n − 1, shape (angles, n)."""
        return np.asarray(np.exp(-1j * np.outer(self.theta, np.arange(self.n))))

    def inverse_transform_at_counts(self, values: Complexes, first: Ints) -> Floats:
        """Mean of values·y^(−j) over all angles, for n counts j from `first`, shape (nodes, n)."""
        turned = values * np.exp(-1j * first[:, None] * self.theta)
        return np.asarray((turned @ self.inverse_phase_powers).real * (2.0 / self.n))

    @cached_property
    def _powers(self) -> Complexes:
        """(1 − y)^j for j = 0..terms, shape (angles, terms + 1)."""
        gap: Complexes = np.asarray(1 - self.phase_factors)
        return np.power(gap[:, None], np.arange(self.terms + 1))

    def series_column_limits(self, sf: Floats, cdf: Floats) -> tuple[int, int]:
        """(left, right): the series serves F before column `left`, and S from `right` on."""
        small = _SERIES / max(float(np.abs(self._powers[:, 1]).max(initial=0.0)), 1e-9)
        left = int(np.searchsorted(cdf.max(0), small, side="right"))
        right = sf.shape[1] - int(np.searchsorted(sf.max(0)[::-1], small, side="right"))
        return min(left, right), right

    def negative_log_series(self, powers: Floats) -> Complexes:
        """Σ_j (1−y)^j/j·powers_j = −log t, j from 1; `powers` has shape (nodes, terms, columns)."""
        return _apply(self._powers[:, 1:] / np.arange(1, self.terms + 1), powers)

    def power_series(self, powers: Floats) -> Complexes:
        """Σ_j (1−y)^j·powers_j, j from 0: 1/t times what powers_0 holds."""
        return _apply(self._powers[:, :-1], powers)


def _apply(factors: Complexes, powers: Floats) -> Complexes:
    out: Complexes = np.empty((len(powers), len(factors), powers.shape[-1]), complex)
    out.real = np.matmul(np.ascontiguousarray(factors.real), powers)
    out.imag = np.matmul(np.ascontiguousarray(factors.imag), powers)
    return out


def fourier_angles(
    largest_variance: float, smallest_variance: float, log_importance: float
) -> FourierAngles:
    """Angles for counts of these variances at nodes of weight ≤ e^log_importance."""
    exponent = max(EXPONENT + log_importance, 1.0)
    n = 2
    while n <= _OFF or bennett_exponent(n - _OFF, largest_variance) < exponent:
        n += 2
    theta = (np.arange(n // 2) + 0.5) * (2 * math.pi / n)
    return FourierAngles(
        n, theta[np.minimum(1.0, 2 * np.sin(theta / 2) ** 2) * smallest_variance < exponent]
    )


def bennett_exponent(deviation: ArrayLike, variance: ArrayLike) -> Floats:
    """−log of a bound on P(a Poisson-binomial count is `deviation` or more above its mean), ≥ 0."""
    deviation, variance = np.maximum(deviation, 0.0), np.maximum(variance, _LEAST)
    return np.asarray(
        variance
        * ((1 + deviation / variance) * np.log1p(deviation / variance) - deviation / variance)
    )


Angles = FourierAngles  # the former name, in stored pickles
