"""Integrals of positive functions given by their logs.

A panel is integrated by Gauss–Legendre as a whole and as two halves, and split until the two agree to
what matters of the whole integral; so a peak may be as narrow as it likes where a panel sees it. That two agree is
no proof: the error is estimated, and held against ball arithmetic in `tests/oracle`.
"""

from collections.abc import Callable

import numpy as np
from numpy.polynomial.legendre import leggauss

from dpviz.base import Floats
from dpviz.numerics.log_binomials import log_sum

_POINTS, _WEIGHTS = leggauss(10)
_LOG_WEIGHTS = np.log(_WEIGHTS)
_AGREE = 1e-13
_HALVINGS = 60
_ROUNDING = 4e-16


def log_integral(log_density: Callable[[Floats], Floats], edges: Floats) -> float:
    """log ∫ e^log_density between the first and the last of the ascending `edges`.

    >>> round(log_integral(lambda z: -0.5 * z * z - 5000.0, np.linspace(-40, 40, 9)) + 5000.0, 12)
    0.918938533205
    """
    a, b = edges[:-1], edges[1:]
    done = -np.inf
    for _ in range(_HALVINGS):
        middle = 0.5 * (a + b)
        whole = _panels(log_density, a, b)
        left, right = _panels(log_density, a, middle), _panels(log_density, middle, b)
        halves = np.logaddexp(left, right)
        total = np.logaddexp(done, log_sum(halves))
        if total == -np.inf:
            return -np.inf
        miss = np.abs(np.exp(halves - total) - np.exp(np.minimum(whole - total, 700.0)))
        agree = max(_AGREE, _ROUNDING * abs(total))  # logs of size L carry rounding of L·ε
        good = (miss <= agree) | (middle <= a) | (middle >= b)
        done = float(np.logaddexp(done, log_sum(halves[good])))
        if good.all():
            break
        again = ~good
        a, b = np.concatenate([a[again], middle[again]]), np.concatenate([middle[again], b[again]])
    return float(done)


def _panels(log_density: Callable[[Floats], Floats], a: Floats, b: Floats) -> Floats:
    """log of each panel's integral."""
    half = 0.5 * (b - a)
    z = 0.5 * (a + b)[:, None] + half[:, None] * _POINTS
    value = log_density(z.ravel()).reshape(z.shape) + _LOG_WEIGHTS
    top = value.max(1)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(value - safe[:, None]).sum(1) * half))
