"""Integrals of positive functions given by their logs.

A panel is integrated by Gauss–Legendre as a whole and as two halves, and split until the two agree
to what matters of the whole integral, so a peak may be very narrow where a panel sees it. Agreement
is no proof: the error is estimated, and compared with ball arithmetic in `tests/oracle`.
"""

from collections.abc import Callable

import numpy as np
from numpy.polynomial.legendre import leggauss

from dpviz.base import Floats

_POINTS, _WEIGHTS = leggauss(10)
_LOG_WEIGHTS = np.log(_WEIGHTS)
_AGREE = 1e-13
_HALVINGS = 60
_ROUNDING = 4e-16


def log_integral(log_density: Callable[[Floats], Floats], edges: Floats) -> float:
    """log ∫ e^log_density between the first and the last of the ascending `edges`."""
    return float(log_integrals(lambda z: log_density(z)[None], edges)[0])


def log_integrals(log_density: Callable[[Floats], Floats], edges: Floats) -> Floats:
    """The same of several functions at the same nodes: one row of `log_density` each."""
    a, b = edges[:-1], edges[1:]
    whole = _panels(log_density, a, b)
    done = np.full(len(whole), -np.inf)
    for _ in range(_HALVINGS):
        middle = 0.5 * (a + b)
        left, right = _panels(log_density, a, middle), _panels(log_density, middle, b)
        halves = np.logaddexp(left, right)
        total = np.logaddexp(done, _log_sums(halves))[:, None]
        total[total == -np.inf] = 0.0  # nothing is right as it is
        miss = np.abs(np.exp(halves - total) - np.exp(np.minimum(whole - total, 700.0)))
        agree = np.maximum(
            _AGREE, _ROUNDING * np.abs(total)
        )  # logs of size L carry rounding of L·ε
        good = (miss <= agree).all(0) | (middle <= a) | (middle >= b)
        done = np.logaddexp(done, _log_sums(halves[:, good]))
        if good.all():
            break
        again = ~good
        a, b = np.concatenate([a[again], middle[again]]), np.concatenate([middle[again], b[again]])
        whole = np.concatenate([left[:, again], right[:, again]], axis=1)
    return done


def _log_sums(values: Floats) -> Floats:
    """log Σ e^v of each row."""
    top = values.max(1, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(values - safe[:, None]).sum(1)))


def _panels(log_density: Callable[[Floats], Floats], a: Floats, b: Floats) -> Floats:
    """log of each panel's integral, shape (functions, panels)."""
    half = 0.5 * (b - a)
    z = 0.5 * (a + b)[:, None] + half[:, None] * _POINTS
    value = log_density(z.ravel()).reshape(-1, *z.shape) + _LOG_WEIGHTS
    top = value.max(2)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(value - safe[..., None]).sum(2) * half))
