"""Grids on given edges: the law's own masses, and the same mass however it is cut."""

from dpviz.data import EXAMPLES
from dpviz.topk.canonical import Canonical
from dpviz.topk.law_grid import bin_on_edges, class_grid, shared_edges
from dpviz.topk.one_shot import OneShot
from dpviz.topk.peeling import Peeling

SCORES = EXAMPLES["help_line"].scores()
LAWS = [
    Canonical(epsilon=0.5, k=10).distribution(SCORES),
    Peeling(epsilon=0.5, k=10).distribution(SCORES),
    OneShot(epsilon=0.5, k=10, noise="exponential").distribution(SCORES),
]


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
