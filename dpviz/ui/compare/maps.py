"""The heatmaps of all designs on the same axes, once every law is there."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz import charts
from dpviz.charts.topk.class_maps import class_maps
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.grid import Grid, grid_on, shared_edges
from dpviz.ui.compare.sides import Side, labels
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.show import folded, show, waiting
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Step

__all__ = ["maps"]

_REGIONS = ("top", "great", "good")
_CELLS = {2: (60, 90), 3: (50, 64)}  # rows and columns of one panel
_SMALL = (40, 48)


def maps(of: Sequence[Side], look: charts.Look) -> None:
    """The section."""
    line = "What kinds of answer come out: for each design, how many of the best are in (h) and the worst rank (t)"
    folded(line, "maps", lambda: _maps(of, look))


def _maps(of: Sequence[Side], look: charts.Look) -> None:
    grids = _grids(of)
    if grids is None:
        waiting("The heatmaps")
        return
    answer = of[0].answer
    regions = {name: answer.bounds(name) for name in _REGIONS}
    with st.container(key="compare_maps_box"):
        show(class_maps(labels(of), grids, regions, look=look), "compare_maps")
    explain("h", "t", "top", "great", "good", "chance")


def _grids(of: Sequence[Side]) -> list[Grid] | None:
    """Every law on the edges that span them all."""
    known = [(side.answer.distribution, side.answer.grid) for side in of]
    if any(dist is None or grid is None for dist, grid in known):
        return None
    dists = [dist for dist, _ in known if dist is not None]
    own = [grid for _, grid in known if grid is not None]
    cells = _CELLS.get(len(of), _SMALL)
    key = " ".join(side.answer.key for side in of)
    (job,) = desk().ask("maps", [(key, lambda: _steps(dists, own, cells))], patience=PATIENCE)
    return [job.results[name] for name in job.results] if job.finished and job.problem is None else None


def _steps(dists: Sequence[TopKDistribution], own: Sequence[Grid], cells: tuple[int, int]) -> Mapping[str, Step]:
    edges = shared_edges(own, *cells)

    def binned(dist: TopKDistribution) -> Step:
        return lambda progress, done: grid_on(dist.law, *edges)

    return {str(i): binned(dist) for i, dist in enumerate(dists)}
