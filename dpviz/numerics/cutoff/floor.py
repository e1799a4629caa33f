"""A floor under a noisy top-k: only what shows more than it comes out, so that lists may be shorter than k.

Symbols: item i shows q_i + N_i, the floor shows ζ: a fixed value, or q_⊥ + N of its own. Given ζ items pass
independently, with S_i(ζ); where at most k pass, these come out and ζ is the cut-off. Nodes are values of ζ, their
weights its law, tilted by nothing.
Invariants: ζ lies between the nodes but for a chance of `outside`; nodes are as close as the number that pass varies
with ζ, on a smooth map of equal steps, so that the trapezoidal rule converges faster than any power.
Source: ours; the floor is ⊥ of Durfee & Rogers 2019, Alg 1, or a public threshold.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.polynomial import Chebyshev

from dpviz.base import Floats, Ints, Noise
from dpviz.numerics.cutoff.condensed import Rule, condensed
from dpviz.numerics.cutoff.tilted_nodes import TiltedItems, TiltedNodes
from dpviz.numerics.cutoff.window import Window
from dpviz.numerics.one_thread import one_thread
from dpviz.numerics.runs import grouped

_TOLERANCE = 1e-14
_NEGLIGIBLE = -math.log(_TOLERANCE)
_MANY = 300  # levels from which they are condensed
_COARSE = 65
_FINE = 257
_STEP = 0.55  # of a deviation of ζ at which one more item passes
_LONGEST = 0.3
_NOTHING = 1e-290
_FLAT = 1e-6  # where fewer items than this are undecided nothing varies
_DEGREES = (14, 8, 1)  # of the map of equal steps to ζ, until it rises everywhere


@dataclass(frozen=True)
class Floor:
    """What a noisy value has to pass.

    Parameters
    ----------
    level
        Its fixed value, or the level that noise is added to, relative to the same level as the items'.
    noisy
        Whether noise of the items' family is added to it.
    """

    level: float
    noisy: bool

    def log_cdf(self, noise: Noise, z: Floats) -> Floats:
        """log P(the floor shows at most z)."""
        if self.noisy:
            return noise.log_cdf(z - self.level)
        return np.where(z >= self.level, 0.0, -np.inf)


@dataclass(frozen=True)
class _FloorWindow(Window):
    """The items that floors leave undecided, many of them looked at as a few where the noise is smooth."""

    _known: dict[bytes, Rule] = field(default_factory=dict, repr=False)

    def split(self, cuts: Ints) -> tuple[Ints, Floats, Floats]:
        """(start, level, count) as a window's, but for counts that are no whole numbers."""
        start, level, count = super().split(cuts)
        if self.noise.kinks or len(level) <= _MANY:
            return start, level, count
        begins = np.unique(np.clip(cuts - self.first, 0, self.last - self.first))
        block, level, count = condensed(level, count, np.searchsorted(start, begins), self._known)
        return begins[block], level, count


@dataclass(frozen=True)
class FloorNodes(TiltedNodes):
    """Values of the floor, ascending; no item is tilted.

    Parameters
    ----------
    window
        The items that they leave undecided.
    z
        The values, shape (nodes,).
    weight
        The chance of each, as a quadrature weight.
    log_r
        0, as nothing is tilted.
    log_density
        About the log of the chance of each, from 0 at its peak.
    """

    def items(self, part: slice, level: Floats, count: Floats) -> TiltedItems:
        """The items as they are."""
        return self.plain_items(part, level)


@one_thread()
def floor_nodes(noise: Noise, level: Floats, k: int, floor: Floor, fineness: float = 1.0) -> FloorNodes:
    """Values of the floor for items at descending levels.

    Parameters
    ----------
    noise
        The family of the noise, at scale 1.
    level
        The levels of the items that may come out, shape (n,), n ≥ 1.
    k
        The most that come out, at most n.
    floor
        What they have to pass.
    fineness
        Above 1 for nodes that are closer.

    Returns
    -------
    FloorNodes
        The nodes; `window` says which items they leave undecided.
    """
    if not floor.noisy:
        z, weight = np.array([floor.level]), np.ones(1)
    else:
        z, weight = _spread_nodes(noise, level, k, floor.level, fineness)
    window = _window(noise, level, k, float(z[0]), float(z[-1]))
    log_density = np.minimum(np.log(np.maximum(weight / weight.max(), 1e-300)), 0.0)
    return FloorNodes(window, z, weight, np.zeros(len(z)), log_density)


def _window(noise: Noise, level: Floats, k: int, low: float, high: float) -> _FloorWindow:
    """Which items floors from `low` to `high` leave undecided."""
    first, last = _undecided(noise, level, low, high)
    first, last = min(first, k), max(last, k)
    _, values, count = grouped(level[first:last])
    middle = 0.5 * (low + high)
    return _FloorWindow(noise, k, first, last, values, count, low, high, middle, high - low, 0.0, 4 * _TOLERANCE)


def _undecided(noise: Noise, level: Floats, low: float, high: float) -> tuple[int, int]:
    """(first, last): the ranks before `first` pass, those from `last` on do not, but for a negligible chance."""
    failing = np.cumsum(np.exp(noise.log_cdf(high - level)))
    passing = np.cumsum(np.exp(noise.log_sf(low - level))[::-1])
    first = int(np.searchsorted(failing, _TOLERANCE, side="right"))
    return first, len(level) - int(np.searchsorted(passing, _TOLERANCE, side="right"))


def _spread_nodes(noise: Noise, level: Floats, k: int, aim: float, fineness: float) -> tuple[Floats, Floats]:
    """(z, weight) over the noisy floor's values at which at most k items may pass."""
    low = aim + float(noise.quantile(np.array(-_NEGLIGIBLE), np.array(-_TOLERANCE)))
    high = aim + _NEGLIGIBLE + math.log(noise.tail)
    first, last = _undecided(noise, level, low, high)
    _, values, count = grouped(level[first:last])
    k -= first
    if k < 0 or not len(values):  # what passes is known, wherever the floor is
        return np.array([high]), np.array([1.0 if k >= 0 else _NOTHING])
    if len(values) > _MANY:
        _, values, count = condensed(values, count, np.array([0]))
    while True:
        coarse = np.linspace(low, high, _COARSE)
        sf, cdf, pdf = noise.tails(coarse[:, None] - values)
        mean = sf @ count
        crowded = (mean > k) & ((mean - k) ** 2 > 2 * mean * _NEGLIGIBLE)  # P(at most k) ≤ e^(−(μ−k)²/2μ)
        few = np.flatnonzero(~crowded)
        if not len(few):  # more than k pass, wherever the floor is
            return np.array([high]), np.array([_NOTHING])
        if not crowded[1]:
            break
        low = float(coarse[max(int(few[0]) - 1, 0)])
    variance = (sf * cdf) @ count
    deviation = np.sqrt(variance + _FLAT**2) / (pdf @ count + _FLAT)
    closeness = fineness / np.minimum(_STEP * deviation, _LONGEST)
    return _mapped(noise, aim, coarse, np.maximum(closeness, fineness / _LONGEST))


def _mapped(noise: Noise, aim: float, z: Floats, closeness: Floats) -> tuple[Floats, Floats]:
    """Nodes about as close as asked for: the image of equal steps under a smooth map, whatever that is exactly."""
    smooth = Chebyshev.fit(z, np.log(closeness), min(16, len(z) - 1))
    fine = np.linspace(z[0], z[-1], _FINE)
    rate = np.exp(smooth(fine))
    place = np.append(0.0, np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(fine)))
    steps = math.ceil(place[-1]) + 1
    for degree in _DEGREES:
        there = Chebyshev.fit(place, fine, degree)
        at = np.linspace(0.0, place[-1], steps)
        slope = there.deriv()(at)
        if (slope > 0).all():
            break
    nodes = there(at)
    return nodes, slope * (at[1] - at[0]) * np.exp(noise.log_pdf(nodes - aim))
