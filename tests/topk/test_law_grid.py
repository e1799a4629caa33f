"""Grids on given edges: the law's own masses, and the same mass however it is cut."""

import numpy as np
import pytest

from dpviz.data import EXAMPLES
from dpviz.topk.canonical import Canonical
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.law_grid import bin_on_edges, class_grid, shared_edges
from dpviz.topk.one_shot import OneShot
from dpviz.topk.peeling import Peeling

SCORES = EXAMPLES["help_line"].scores()
LAWS = [
    Canonical(epsilon=0.5, k=10).distribution(SCORES),
    Peeling(epsilon=0.5, k=10).distribution(SCORES),
    OneShot(epsilon=0.5, k=10, noise="exponential").distribution(SCORES),
]


@pytest.mark.parametrize("dist", LAWS, ids=lambda dist: dist.mechanism.name)
def test_a_cell_holds_the_masses_of_its_classes(dist: TopKDistribution) -> None:
    h_edges, t_edges = np.array([0, 4, 9, 10]), np.array([10, 11, 15, 30, 61])
    grid = bin_on_edges(dist.law, h_edges, t_edges)
    weights = dist.probability
    expected, _, _ = np.histogram2d(dist.h, dist.t, [h_edges - 0.5, t_edges - 0.5], weights=weights)
    assert np.abs(grid.mass - expected).max() < 1e-9
    assert grid.mass[2, 0] == pytest.approx(dist.top, abs=1e-12)  # h = 9, t = 10: the exact top 10


def test_shared_edges_hold_what_every_grid_holds() -> None:
    own = [class_grid(dist.law, 80, 120) for dist in LAWS]
    h_edges, t_edges = shared_edges(own, 20, 25)
    assert len(h_edges) <= 21
    assert len(t_edges) <= 26
    for dist, grid in zip(LAWS, own, strict=True):
        shared = bin_on_edges(dist.law, h_edges, t_edges)
        assert shared.covered_mass >= grid.covered_mass - 1e-9
        assert h_edges[0] <= grid.h_edges[0] <= grid.h_edges[-1] <= h_edges[-1]
        assert t_edges[0] <= grid.t_edges[0] <= grid.t_edges[-1] <= t_edges[-1]
