"""Quadrature over the noise of a threshold, for integrands with a kink at every query.

Symbols: z = threshold noise ~ Lap(1/epsilon0); a query with margin m exceeds the noisy threshold
with probability S(rate·(z − m)), S the Laplace survival function, which has a kink at z = m.
Invariants: panels end at 0, where the density has its kink, and at the other kinks while these are
few. Where they are many, S is replaced inside its kink's panel by its projection on the polynomials
that the nodes carry: the sum over the nodes is then right for kink × polynomial, and only the
product of two kinks in one panel is left.
"""

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander

from dpviz.base import NOISES, Floats, Ints
from dpviz.gaps.sparse.run_plan import RunPlan
from dpviz.numerics.quadrature import gauss_nodes_and_weights

MOST_SPLITS = 60
_FAR = 45.0  # so many noise scales from a kink a chance is constant to working precision
_STEEPEST = 4.0  # the most e-folds of the density across one panel


_gauss_legendre = lru_cache(leggauss)  # a few orders, asked for again in every block of queries


@dataclass(frozen=True)
class ThresholdNodes:
    """Gauss–Legendre panels over the threshold noise z."""

    edges: Floats
    order: int
    z: Floats
    weight: Floats

    @property
    def size(self) -> int:
        return len(self.z)

    def select_panels(self, first: int, last: int) -> "ThresholdNodes":
        nodes = slice(first * self.order, last * self.order)
        return ThresholdNodes(
            self.edges[first : last + 1], self.order, self.z[nodes], self.weight[nodes]
        )


def threshold_nodes(
    epsilon0: float, kinks: Floats, rate: float, order: int, fineness: float = 1.0
) -> ThresholdNodes:
    """Nodes for the density of Lap(1/ε0), in panels that widen as the density falls."""
    reach = 26.0 / epsilon0  # the noise beyond the outermost edges has a mass of e^-26
    inside = kinks[np.abs(kinks) < reach]
    quiet = [] if len(kinks) == 0 else [kinks.min() - _FAR / rate, kinks.max() + _FAR / rate]
    busy = np.clip(quiet or [0.0, 0.0], -reach, reach)
    cuts = np.unique(
        np.concatenate(([-reach, 0.0, reach], busy, inside if len(inside) <= MOST_SPLITS else []))
    )
    edges = [cuts[:1]]
    for low, high in itertools.pairwise(cuts):
        varies = low < busy[1] and high > busy[0]
        width = min(1 / epsilon0, 0.5 / (rate * fineness)) if varies else math.inf
        edges.append(_subdivided(float(low), float(high), epsilon0, width)[1:])
    return panel_nodes(np.concatenate(edges), epsilon0, order)


def _subdivided(low: float, high: float, epsilon0: float, width: float) -> Floats:
    """Edges from low to high (on one side of 0), `width` apart at 0 and wider further out."""
    growth = epsilon0 / 9.0  # of the width, as the density falls: e^(epsilon0·|z|/9) at |z|
    near, far = sorted((abs(low), abs(high)))
    widest = min(_STEEPEST / epsilon0, _STEEPEST * width)
    base = min(width, widest)
    turn = math.log(widest / base) / growth  # from here on panels are `widest`

    def panels_to(z: float) -> float:
        return -math.expm1(-growth * min(z, turn)) / (growth * base) + max(0.0, z - turn) / widest

    count = max(1, math.ceil(panels_to(far) - panels_to(near)))
    steps = np.linspace(panels_to(near), panels_to(far), count + 1)
    at_turn = panels_to(turn)
    head = -np.log1p(-growth * base * np.minimum(steps, at_turn)) / growth
    places = np.where(steps <= at_turn, head, turn + (steps - at_turn) * widest)
    places[0], places[-1] = near, far
    return places if low >= 0 else -places[::-1]


def panel_nodes(edges: Floats, epsilon0: float, order: int) -> ThresholdNodes:
    """Gauss–Legendre nodes for the density of Lap(1/`epsilon0`) between edges, 0 among them."""
    z, width = gauss_nodes_and_weights(edges, order)
    return ThresholdNodes(edges, order, z, width * epsilon0 / 2 * np.exp(-epsilon0 * np.abs(z)))


def exceedance_and_complement_probabilities(
    margin: Floats, rate: float, nodes: ThresholdNodes
) -> tuple[Floats, Floats]:
    """P(margin + Lap(1/rate) ≥ z) and its complement, (n, nodes), projected near kinks."""
    sf, cdf, _ = NOISES["laplace"].tails(rate * (nodes.z[None, :] - margin[:, None]))
    panel = np.searchsorted(nodes.edges, margin, side="right") - 1
    inside = np.flatnonzero((panel >= 0) & (panel < len(nodes.edges) - 1))
    inside = inside[margin[inside] > nodes.edges[panel[inside]]]
    if len(inside):
        _project(sf, cdf, inside, panel[inside], margin[inside], rate, nodes)
    return sf, cdf


def answer_and_reach_probabilities(
    plan: RunPlan, margins: Floats, nodes: ThresholdNodes
) -> tuple[Floats, Floats]:
    """P(a query is answered by each branch | z), and P(it reaches each branch, or passes none)."""
    reach = np.ones((len(plan.branches) + 1, len(margins), nodes.size))
    chance = np.empty((len(plan.branches), *reach.shape[1:]))
    for j, branch in enumerate(plan.branches):
        passes, misses = exceedance_and_complement_probabilities(
            margins - branch.offset, branch.rate, nodes
        )
        np.multiply(reach[j], passes, out=chance[j])
        np.multiply(reach[j], misses, out=reach[j + 1])
    return chance, reach


def _project(
    sf: Floats,
    cdf: Floats,
    rows: Ints,
    panel: Ints,
    margin: Floats,
    rate: float,
    nodes: ThresholdNodes,
) -> None:
    """S = (1 − ½e^u) + (cosh u − 1)·[u > 0], u = rate·(z − m): project the second term."""
    order = nodes.order
    x, w = _gauss_legendre(order)
    low, half = nodes.edges[panel], np.diff(nodes.edges)[panel] / 2
    theta = (margin - low) / half - 1
    shrink = (1 - theta) / 2  # [θ, 1] has this share of [−1, 1]
    y = theta[:, None] + shrink[:, None] * (x + 1)
    term = np.cosh(rate * half[:, None] * (y - theta[:, None])) - 1
    basis = legvander(y, order - 1) * (np.arange(order) + 0.5)
    moments = np.einsum("il,ilk->ik", term * w * shrink[:, None], basis)
    at = panel[:, None] * order + np.arange(order)
    smooth = 1 - 0.5 * np.exp(rate * (nodes.z[at] - margin[:, None]))
    value = smooth + moments @ legvander(x, order - 1).T
    sf[rows[:, None], at] = value
    cdf[rows[:, None], at] = 1 - value
