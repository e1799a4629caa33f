"""Integrals of positive functions given by their logs.

A panel is integrated by Gauss–Legendre as a whole and as two halves, and split until the two agree
to what matters of the whole integral, so a peak may be very narrow where a panel sees it. Agreement
is no proof: the error is estimated, and compared with ball arithmetic in `tests/oracle`.
"""

import math
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from dpviz.base import Floats, Ints, Progress, ignore_progress, slices_with_progress

_rule = cache(np.polynomial.legendre.leggauss)
_POINTS, _WEIGHTS = _rule(10)
_LOG_WEIGHTS = np.log(_WEIGHTS)
_AGREE = 1e-13
_HALVINGS = 60
_ROUNDING = 4e-16
_NARROWEST = 1e-13  # of panels


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
        # logs of size L carry rounding of L·ε
        agree = np.maximum(_AGREE, _ROUNDING * np.abs(total))
        good = (miss <= agree).all(0) | (middle <= a) | (middle >= b)
        done = np.logaddexp(done, _log_sums(halves[:, good]))
        if good.all():
            break
        again = ~good
        a, b = np.concatenate([a[again], middle[again]]), np.concatenate([middle[again], b[again]])
        whole = np.concatenate([left[:, again], right[:, again]], axis=1)
    return done


def gauss_nodes_and_weights(edges: Floats, order: Ints | int) -> tuple[Floats, Floats]:
    """Gauss–Legendre nodes (ascending) and weights, `order` of them between two edges."""
    half, middle = 0.5 * np.diff(edges), 0.5 * (edges[:-1] + edges[1:])
    order = np.broadcast_to(order, half.shape)
    z, weight = [], []
    for n in np.unique(order):
        here = order == n
        x, w = _rule(int(n))
        z.append((middle[here, None] + half[here, None] * x).ravel())
        weight.append((half[here, None] * w).ravel())
    nodes = np.concatenate(z)
    ascending = np.argsort(nodes)
    return nodes[ascending], np.concatenate(weight)[ascending]


def unit_panel_edges(low: float, high: float, kinks: Floats) -> Floats:
    """Edges of panels of about one unit, split at the kinks between low and high."""
    units = np.linspace(low, high, max(2, math.ceil(high - low) + 1))
    edges = np.unique(np.concatenate([units, kinks[(kinks > low) & (kinks < high)]]))
    return np.asarray(edges[np.append(True, np.diff(edges) > _NARROWEST)])


def widening_panel_edges(
    low: float, peak: float, high: float, breaks: Iterable[Floats], finest_log2_width: int
) -> Floats:
    """Edges that widen from 2^finest away from the peak and both ends; `breaks` are edges too."""
    offsets = 2.0 ** np.arange(
        finest_log2_width, max(3, math.ceil(math.log2(max(high - low, 1.0))))
    )
    around = np.array([low, peak, high])[:, None] + np.concatenate([-offsets, [0.0], offsets])
    edges = np.unique(np.concatenate([around.ravel(), *breaks]))
    return edges[(edges >= low) & (edges <= high)]


def integrate_by_halving(
    integrate_panels: Callable[[Floats, Floats], tuple[Floats, ...]],
    edges: Floats,
    *,
    batch: int,
    tolerance: float,
    halvings: int,
    narrowest: float = 0.0,
    progress: Progress = ignore_progress,
) -> tuple[list[Floats], float, int]:
    """(integrals, summed misses, number of panels), each panel halved until it misses little."""
    totals: list[Floats] = []
    error, number = 0.0, 0
    left, right = edges[:-1], edges[1:]
    for halving in range(halvings):
        missed = []
        for some in slices_with_progress(len(left), batch, progress):
            a, b = left[some], right[some]
            *parts, miss = integrate_panels(a, b)
            good = (miss <= tolerance) | (b - a < narrowest) | (halving == halvings - 1)
            found = [part[good].sum(0) for part in parts]
            totals = list(map(np.add, totals, found)) if totals else found
            error += float(miss[good].sum())
            number += int(good.sum())
            missed.append(~good)
        again = np.concatenate(missed)
        if not again.any():
            break
        middle = 0.5 * (left[again] + right[again])
        left, right = np.concatenate([left[again], middle]), np.concatenate([middle, right[again]])
    return totals, error, number


@np.errstate(divide="ignore")
def _log_sums(values: Floats) -> Floats:
    """log Σ e^v of each row."""
    top = values.max(1, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0.0)
    return np.asarray(safe + np.log(np.exp(values - safe[:, None]).sum(1)))


@np.errstate(divide="ignore")
def _panels(log_density: Callable[[Floats], Floats], a: Floats, b: Floats) -> Floats:
    """log of each panel's integral, shape (functions, panels)."""
    half = 0.5 * (b - a)
    z = 0.5 * (a + b)[:, None] + half[:, None] * _POINTS
    value = log_density(z.ravel()).reshape(-1, *z.shape) + _LOG_WEIGHTS
    top = value.max(2)
    safe = np.where(np.isfinite(top), top, 0.0)
    return np.asarray(safe + np.log(np.exp(value - safe[..., None]).sum(2) * half))
