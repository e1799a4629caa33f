"""Grids on given edges: the law's own masses, and the same mass however it is cut."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

from dpviz.data import EXAMPLES
from dpviz.topk.canonical import Canonical
from dpviz.topk.classes import log_class_size
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
    expected = np.zeros(grid.mass.shape)
    row = np.searchsorted(h_edges, dist.h, side="right") - 1
    column = np.searchsorted(t_edges, dist.t, side="right") - 1
    np.add.at(expected, (row, column), dist.probability)
    assert np.abs(grid.mass - expected).max() < 1e-9
    assert grid.mass[2, 0] == pytest.approx(
        dist.top, abs=1e-12
    )  # h = 9 and t = 10: the exact top 10


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


@pytest.mark.parametrize(
    "edges",
    [(range(11), range(10, 62)), ([0, 4, 9, 10], [10, 11, 15, 30, 61]), ([2, 10], [10, 20])],
)
def test_a_cell_says_how_many_sets_its_classes_hold(
    edges: tuple[Iterable[int], Iterable[int]],
) -> None:
    h_edges, t_edges = (np.array(list(e)) for e in edges)
    grid = bin_on_edges(LAWS[0].law, h_edges, t_edges)
    expected = np.zeros(grid.log_sets.shape)
    classes = [(9, 10), *((h, t) for h in range(10) for t in range(11, 61))]
    for h, t in classes:
        i, j = (
            np.searchsorted(h_edges, h, side="right") - 1,
            np.searchsorted(t_edges, t, side="right") - 1,
        )
        if 0 <= i < len(h_edges) - 1 and 0 <= j < len(t_edges) - 1:
            expected[i, j] += math.exp(log_class_size(np.array(h), np.array(t), 10))
    assert np.exp(grid.log_sets) == pytest.approx(expected, rel=1e-9)
