"""Nodes in z for integrals over the cut-off of a noisy top-k, and the tilted items at each.

Symbols as in `window`. At a node, r solves Σ rS/(F + rS) = choose + ½; then S̃ = rS/D, F̃ = F/D,
f̃ = f/D with D = F + rS, and the weight Π D·r^(−choose) makes up for it. So the count wanted is in
the middle of the tilted count's distribution, and few frequencies give its probability.
Invariants: where the density has kinks, panels end at every level shifted by a kink; elsewhere the
integrand is analytic and the trapezoidal rule converges faster than any power.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpviz.base import Bools, Floats
from dpviz.numerics.cutoff.window import CutoffWindow, solve_tilt_and_variance
from dpviz.numerics.quadrature import gauss_nodes_and_weights

_COARSE = 33
_LOG_NEGLIGIBLE = -36.0
_TRAPEZOID = (0.6, 0.33)  # step over scale where the density is near normal, and where it is skewed
_NORMAL = 8.0  # variance of the tilted count from which it is near normal
_LONGEST = 0.25
_PANEL = 0.75  # widest panel
# panel width over scale that 1, 2, ... Gauss nodes serve to 1e-10
_ORDER_UP_TO = (5e-5, 0.02, 0.12, 0.3, 0.5, 0.75)
_TINY = 1e-300
_ROUGH = -14.0  # log density below which rough figures overlook z
_ROUGH_ANGLES = 14.0
_FEW = 40


@dataclass(frozen=True)
class TiltedItems:
    sf: Floats
    cdf: Floats
    pdf: Floats
    log_weight: Floats

    def select_nodes(self, nodes: slice) -> "TiltedItems":
        return TiltedItems(self.sf[nodes], self.cdf[nodes], self.pdf[nodes], self.log_weight[nodes])


@dataclass(frozen=True)
class TiltedNodes:
    """Nodes over the cut-off z, ascending, each with its tilt."""

    window: CutoffWindow
    z: Floats
    weight: Floats
    log_r: Floats
    log_density: Floats

    def select_nodes(self, keep: Bools, weight: Floats) -> Self:
        return replace(
            self,
            z=self.z[keep],
            weight=weight[keep],
            log_r=self.log_r[keep],
            log_density=self.log_density[keep],
        )

    def with_few_angles(self) -> Self:
        """The same nodes, that ask for angles enough for figures to about 1e-3."""
        return replace(self, log_density=self.log_density - _ROUGH_ANGLES)

    def tilted_items(self, part: slice, level: Floats, count: Floats) -> TiltedItems:
        """Tilted items of groups (`level`, `count`) at some nodes, mean within 1 of its aim."""
        window = self.window
        aim = window.selected_undecided_count + 0.5
        sf, cdf, pdf = window.noise.tails(self.z[part, None] - level)
        log_r = self.log_r[part]
        tilted = np.exp(log_r)[:, None] * sf
        scale = cdf + tilted
        missed = np.abs((tilted / scale) @ count - aim) > 0.9
        if missed.any():
            log_r = log_r.copy()
            log_r[missed], _ = solve_tilt_and_variance(
                sf[missed], cdf[missed], count, aim, log_r[missed], tolerance=0.5
            )
            tilted = np.exp(log_r)[:, None] * sf
            scale = cdf + tilted
        log_weight = np.log(scale) @ count - log_r * window.selected_undecided_count
        np.divide(1.0, scale, out=scale)
        tilted *= scale
        cdf *= scale
        pdf *= scale
        return TiltedItems(tilted, cdf, pdf, log_weight)

    def untilted_items(self, part: slice, level: Floats) -> TiltedItems:
        """Items without a tilt, for sums that need no angles."""
        sf, cdf, pdf = self.window.noise.tails(self.z[part, None] - level)
        return TiltedItems(sf, cdf, pdf, np.zeros(len(sf)))


def tilted_nodes(
    window: CutoffWindow, fineness: float = 1.0, lowest_node: float = -math.inf
) -> TiltedNodes:
    coarse = _profile(window)
    if window.noise.kinks or lowest_node > coarse.z[0]:
        z, weight = _panels(window, coarse, fineness, lowest_node)
    else:
        step = min(coarse.scale * _TRAPEZOID[coarse.variance < _NORMAL], _LONGEST) / fineness
        low, high = float(coarse.z[0]), float(coarse.z[-1])
        z = np.linspace(low, high, math.ceil((high - low) / step) + 1)
        weight = np.full(len(z), z[1] - z[0])
    return coarse.tilted_nodes(window, z, weight)


def rough_nodes(window: CutoffWindow) -> TiltedNodes:
    """Few nodes and angles, for figures to about 1e-3; many kinks are overlooked."""
    coarse = _profile(window)
    near = coarse.log_density > coarse.log_density.max() + _ROUGH
    low, high = float(coarse.z[near][0]), float(coarse.z[near][-1])
    step = float(coarse.z[1] - coarse.z[0])
    low, high = max(low - step, window.low), high + step
    kinks = _kinks(window, low, high)
    few = len(kinks) <= _FEW
    widest = min(coarse.scale, 1.0) * (1.0 if few else 0.5)
    edges = np.linspace(low, high, math.ceil((high - low) / widest) + 1)
    if few:
        edges = np.unique(np.concatenate([edges, kinks]))
    z, weight = gauss_nodes_and_weights(edges, 4 if few else 3)
    return coarse.tilted_nodes(window, z, weight).with_few_angles()


def _kinks(window: CutoffWindow, low: float, high: float) -> Floats:
    """Points between low and high at which the integrand is not smooth."""
    kinks = np.concatenate([np.empty(0), *(window.level + kink for kink in window.noise.kinks)])
    return kinks[(kinks > low) & (kinks < high)]


@dataclass(frozen=True)
class _Profile:
    """λ and the log density of z (up to a slowly varying factor) on a coarse grid."""

    z: Floats
    log_r: Floats
    log_density: Floats
    variance: float  # of the tilted count at the peak

    @property
    def scale(self) -> float:
        """The width of the density: its mass over √(2π) times its peak."""
        step = float(self.z[1] - self.z[0])
        mass = float(np.exp(self.log_density - self.log_density.max()).sum()) * step
        return max(mass / math.sqrt(2 * math.pi), step / 4)

    def tilted_nodes(self, window: CutoffWindow, z: Floats, weight: Floats) -> TiltedNodes:
        """Nodes with λ and the log density, at most 0, between those of the grid."""
        log_density = np.interp(z, self.z, self.log_density - self.log_density.max())
        log_r = np.interp(z, self.z, self.log_r)
        return TiltedNodes(window, z, weight, log_r, np.minimum(log_density, 0.0))


def _profile(window: CutoffWindow) -> _Profile:
    """The coarse grid, narrowed until the density fills most of it."""
    low, high = window.low, window.high
    _, level, count = window.condensed_level_groups(np.array([window.k]))
    while True:
        z = np.linspace(low, high, _COARSE)
        z[0] += 1e-4 * (z[1] - z[0])  # with bounded noise nothing can lie below the low end itself
        sf, cdf, pdf = window.noise.tails(z[:, None] - level)
        log_r, variance = solve_tilt_and_variance(
            sf,
            cdf,
            count,
            window.selected_undecided_count + 0.5,
            np.zeros(_COARSE),
            tolerance=0.2,
        )
        tilted = cdf + np.exp(log_r)[:, None] * sf
        density = np.log(tilted) @ count - log_r * window.selected_undecided_count
        density += np.log(np.maximum((pdf / tilted) @ count, _TINY))
        density -= 0.5 * np.log1p(2 * math.pi * variance)
        kept = np.flatnonzero(density > density.max() + _LOG_NEGLIGIBLE)
        first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, _COARSE - 1)
        if last - first >= 20:
            return _Profile(z, log_r, density, float(variance[np.argmax(density)]))
        low, high = (window.low if first == 0 else float(z[first])), float(z[last])


def _panels(
    window: CutoffWindow, coarse: _Profile, fineness: float, above: float
) -> tuple[Floats, Floats]:
    """Gauss–Legendre nodes between all kinks, their number by the panel's width."""
    widest = min(coarse.scale, _PANEL) / fineness
    low, high = float(coarse.z[0]), float(coarse.z[-1])
    if low < window.low + 1e-3 * (high - low):
        low = window.low
    if (low := max(low, above)) >= high:
        return np.empty(0), np.empty(0)
    regular = np.linspace(low, high, math.ceil((high - low) / widest) + 1)
    edges = np.unique(np.concatenate([regular, _kinks(window, low, high)]))
    return gauss_nodes_and_weights(
        edges, np.searchsorted(_ORDER_UP_TO, np.diff(edges) / widest) + 1
    )
