"""Law of "the largest of q_i + N_i" for up to millions of items: P(i) = ∫ e^Φ(z)·f_i/F_i dz.

Symbols: Φ = Σ log F_i; q relative to the largest; w_i = e^(q_i − z). Items near the winning value
are taken one by one, those with w below _SMALL at every node by power sums: log F and f/F are power
series in w, found by interpolation. With exponential noise this is P(r) = p_r ∫_0^1 Π_{i≠r}(1 −
t·p_i) dt, t = e^(−z), p = e^q.
Invariants: every panel's integral is compared with the known change of e^Φ over it; `error` is the
sum of the differences.
Source: McKenna & Sheldon 2020 (permute-and-flip).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial

from dpviz.base import Floats, Noise, tally
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.quadrature import integrate_by_halving, unit_panel_edges

_SMALL = 0.02
_DEGREE = 8
_DEPTH = 36.0  # where Φ is below −_DEPTH the winner cannot be
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_CELLS = 200_000
_AGREE = 1e-15
_HALVINGS = 12
_ROUNDING = 1e-12


def item_win_probabilities(noise: Noise, descending_levels: Floats) -> tuple[Floats, float]:
    """(P(each item shows the largest value), error), items in descending order."""
    weight = np.exp(np.maximum(descending_levels - descending_levels[0], -700.0))
    if noise.max_stable:
        return weight / weight.sum(), _ROUNDING
    race = _ItemRace(noise, descending_levels - descending_levels[0], weight)
    probability, error = race.integrate()
    return probability, error + _ROUNDING


class _ItemRace:
    """Near items at their distinct levels, the rest as moments Σ w^j, and the series for these."""

    def __init__(self, noise: Noise, level: Floats, weight: Floats) -> None:
        self.noise = noise
        self.log_cdf = _series(noise.log_cdf)  # log F = Σ_j c_j w^j
        self.ratio = _series(lambda u: np.exp(noise.log_pdf(u) - noise.log_cdf(u)))  # of f/F
        self.low = _lowest(noise, level, weight, self.log_cdf)
        near = int(np.searchsorted(-level, -(self.low + math.log(_SMALL)), side="right"))
        self.level, self.back = np.unique(level[:near], return_inverse=True)
        self.count = tally(self.back, size=len(self.level)).astype(float)
        self.far = weight[near:]  # e^q of the others
        power, self.moments = self.far.copy(), np.empty(_DEGREE)  # Σ e^(jq), j = 1.._DEGREE
        for j in range(_DEGREE):
            self.moments[j] = power.sum()
            power *= self.far

    def log_maximum_cdf(self, z: Floats) -> Floats:
        t = np.exp(-z)[:, None] ** np.arange(1, _DEGREE + 1)
        near = self.noise.log_cdf(z[:, None] - self.level) @ self.count
        return np.asarray(t @ (self.log_cdf * self.moments) + near)

    def integrate(self) -> tuple[Floats, float]:
        """The probabilities, near items first, and the summed error seen."""
        high = math.log(self.count.sum() + len(self.far)) + 40.0
        kinks = np.add.outer(self.noise.kinks, self.level).ravel()
        (rates, powers), error, _ = integrate_by_halving(
            self._panels,
            unit_panel_edges(self.low, high, kinks),
            batch=max(1, _CELLS // (len(_POINTS) * max(len(self.level), 1))),
            tolerance=_AGREE,
            halvings=_HALVINGS,
        )
        coefficients = np.append(0.0, self.ratio * powers)
        others = Polynomial(coefficients)(self.far) if len(self.far) else self.far
        return np.concatenate([rates[self.back], others]), error

    def _panels(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
        """For each panel ∫ e^Φ f/F of the near levels, ∫ e^Φ t^j, and the total's miss."""
        half = 0.5 * (b - a)
        z = (0.5 * (a + b)[:, None] + half[:, None] * _POINTS).ravel()
        t = np.exp(-z)[:, None] ** np.arange(1, _DEGREE + 1)
        u = z[:, None] - self.level
        log_cdf = self.noise.log_cdf(u)
        phi = t @ (self.log_cdf * self.moments) + log_cdf @ self.count
        mass = np.exp(phi) * (half[:, None] * _WEIGHTS).ravel()
        shape = (len(a), len(_POINTS), -1)
        near = (mass[:, None] * np.exp(self.noise.log_pdf(u) - log_cdf)).reshape(shape).sum(1)
        far = (mass[:, None] * t).reshape(shape).sum(1)
        total = near @ self.count + far @ (self.ratio * self.moments)
        change = np.exp(self.log_maximum_cdf(b)) - np.exp(self.log_maximum_cdf(a))
        return near, far, np.abs(total - change)


def _series(function: Callable[[Floats], Floats]) -> Floats:
    """c with function(−log w) = Σ_j c_j w^j, j ≥ 1, for w up to _SMALL: by Chebyshev points."""
    x = np.cos(np.pi * (np.arange(_DEGREE) + 0.5) / _DEGREE)
    w = _SMALL * (x + 1) / 2
    fitted = Chebyshev.fit(w, function(-np.log(w)) / w, _DEGREE - 1, domain=[0.0, _SMALL])
    return np.asarray(fitted.convert(kind=Polynomial, domain=[-1.0, 1.0], window=[-1.0, 1.0]).coef)


def _lowest(noise: Noise, level: Floats, weight: Floats, log_cdf: Floats) -> float:
    """A z with Φ(z) ≤ −_DEPTH, or the start of the best item's support: no winner is below."""
    # the best item alone is above its own quantile
    alone = float(noise.quantile(np.array(-_DEPTH), np.array(-math.exp(-_DEPTH))))

    def possible(z: float) -> bool:
        near = int(np.searchsorted(-level, -(z + math.log(_SMALL)), side="right"))
        t = math.exp(-z) ** np.arange(1, 3)
        rest = weight[near:]
        far = log_cdf[0] * t[0] * float(rest.sum()) + log_cdf[1] * t[1] * float(rest @ rest)
        return bool(far + noise.log_cdf(z - level[:near]).sum() > -_DEPTH)

    return bisect(possible, max(noise.start, alone), math.log(len(level)) + 1.0, rounds=12)[0]
