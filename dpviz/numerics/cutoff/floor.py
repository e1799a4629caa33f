"""A floor under a noisy top-k: only larger values are released, so lists may be shorter than k.

Symbols: item i shows q_i + N_i, the floor shows ζ: a fixed value, or q_⊥ + N of its own. Given ζ
items pass independently, with S_i(ζ); if at most k pass, these are released and ζ is the cut-off.
Nodes are values of ζ, their weights its law, without a tilt.
Invariants: ζ lies between the nodes but for a chance of `outside`. Nodes are as close as the number
that pass varies with ζ, on a smooth map of equal steps, so the trapezoidal rule converges faster
than any power: of a bump of deviation s it misses e^(−s²ω²/2), ω = 2π/step.
Source: ours; the floor is ⊥ of Durfee & Rogers 2019, Alg 1, or a public threshold.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Noise
from dpviz.numerics.blas_threads import single_blas_thread
from dpviz.numerics.cutoff.angles import bennett_exponent
from dpviz.numerics.cutoff.level_condensation import group_equal_levels
from dpviz.numerics.cutoff.tilted_nodes import TiltedNodes
from dpviz.numerics.cutoff.window import CutoffWindow, count_decided_best_and_worst

_TOLERANCE = 1e-14
_NEGLIGIBLE = -math.log(_TOLERANCE)
_COARSE = 65
_FINE = 257
_ROUGH = 0.25  # of a level: how finely items are looked at to place nodes
_ROUGHLY = 2.0  # and how much that may change an exponent
_FLAT = 1e-6  # where fewer items than this are undecided nothing varies
_DIGITS = 30.0  # e^−this is what nodes miss
# frequencies of a gumbel floor's density and of a few items' chances: e^(−π/2·ω)
_SHARPEST = 2 / math.pi
_DEGREE, _RATE_DEGREE = 16, 64  # of the log of how close nodes are, and of that itself
_NEWTON = 4


@dataclass(frozen=True)
class Floor:
    """Level that a noisy value must pass, itself noisy or not."""

    level: float
    noisy: bool

    def log_cdf(self, noise: Noise, z: Floats) -> Floats:
        """log P(the floor shows at most z)."""
        if self.noisy:
            return noise.log_cdf(z - self.level)
        return np.where(z >= self.level, 0.0, -np.inf)


FloorNodes = TiltedNodes  # the former name, in stored pickles


@single_blas_thread()
def floor_value_nodes(
    noise: Noise, descending_levels: Floats, k: int, floor: Floor, fineness: float = 1.0
) -> TiltedNodes:
    """Values of the floor, ascending, for items at descending levels; no item is tilted."""
    if floor.noisy:
        z, weight = _floor_nodes(noise, descending_levels, k, floor.level, fineness)
        # one node alone stands for every floor
        log_density = (
            np.minimum(noise.log_pdf(z - floor.level), 0.0) if len(z) > 1 else np.zeros(len(z))
        )
    else:
        z, weight, log_density = np.array([floor.level]), np.ones(1), np.zeros(1)
    low, high = (float(z[0]), float(z[-1])) if len(z) else (0.0, 0.0)
    first = last = k
    if len(z):
        failing, beyond = count_decided_best_and_worst(
            noise, descending_levels, descending_levels, low, high, _TOLERANCE
        )
        first, last = min(failing, k), max(len(descending_levels) - beyond, k)
    _, values, count = group_equal_levels(descending_levels[first:last])
    middle, outside = 0.5 * (low + high), 4 * _TOLERANCE
    window = CutoffWindow(
        noise, k, first, last, values, count, low, high, middle, high - low, 0.0, outside
    )
    return TiltedNodes(window, z, weight, np.zeros(len(z)), log_density)


def _floor_nodes(
    noise: Noise, level: Floats, k: int, aim: float, fineness: float
) -> tuple[Floats, Floats]:
    """(z, weight) over values of the noisy floor at which at most k items may pass; maybe none."""
    low = aim + float(noise.quantile(np.array(-_NEGLIGIBLE), np.array(-_TOLERANCE)))
    high = aim + _NEGLIGIBLE + math.log(noise.tail)
    first, beyond = count_decided_best_and_worst(noise, level, level, low, high, _TOLERANCE)
    last = len(level) - beyond
    k -= first
    if k < 0 or first == last:  # what passes is known, wherever the floor is
        return (np.empty(0), np.empty(0)) if k < 0 else (np.array([high]), np.ones(1))

    def log_density(z: Floats) -> Floats:
        return noise.log_pdf(z - aim)

    z, step = place_cutoff_nodes_and_steps(
        noise, level[first:last], k, low, high, log_density, fineness
    )
    return z, step * np.exp(log_density(z))


def place_cutoff_nodes_and_steps(
    noise: Noise,
    descending_levels: Floats,
    k: int,
    low: float,
    high: float,
    log_density: Callable[[Floats], Floats],
    fineness: float = 1.0,
) -> tuple[Floats, Floats]:
    """(z, step) up to `high` where at most k items may pass, close where their number varies."""
    # few levels about which as many items lie are enough to say how close nodes should be
    begins = np.flatnonzero(np.append(True, np.diff(np.floor(descending_levels / _ROUGH)) != 0))
    count = np.diff(np.append(begins, len(descending_levels))).astype(float)
    values = np.add.reduceat(descending_levels, begins) / count
    while True:
        coarse = np.linspace(low, high, _COARSE)
        sf, cdf, pdf = noise.tails(coarse[:, None] - values)
        mean, variance = sf @ count, (sf * cdf) @ count
        crowded = bennett_exponent(mean - k, variance)  # P(at most k) ≤ e^−this
        few = np.flatnonzero(crowded - log_density(coarse) < _NEGLIGIBLE + _ROUGHLY)
        if not len(few):
            return np.empty(0), np.empty(0)
        if few[0] <= 1:
            break
        low = float(coarse[int(few[0]) - 1])
    narrow = (pdf @ count + _FLAT) ** 2 / (variance + _FLAT**2)  # 1 over the variance of such a ζ
    return _mapped(
        coarse, fineness * np.sqrt(2 * _DIGITS * narrow + (_SHARPEST * _DIGITS) ** 2) / math.tau
    )


def _mapped(z: Floats, closeness: Floats) -> tuple[Floats, Floats]:
    """Nodes at equal steps of ∫ rate, for a smooth rate nowhere below the closeness asked for."""
    smooth = np.polynomial.Chebyshev.fit(z, np.log(closeness), _DEGREE)
    lift = float((np.log(closeness) - smooth(z)).max())
    rate = np.polynomial.Chebyshev.interpolate(
        lambda at: np.exp(smooth(at) + lift), _RATE_DEGREE, domain=[z[0], z[-1]]
    )
    place = rate.integ(lbnd=z[0])
    fine = np.linspace(z[0], z[-1], _FINE)
    there = np.linspace(0.0, place(z[-1]), math.ceil(place(z[-1])) + 1)
    at = np.interp(there, place(fine), fine)
    for _ in range(_NEWTON):
        at -= (place(at) - there) / rate(at)
    return at, there[1] / rate(at)
