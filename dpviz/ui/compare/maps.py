"""The heatmaps of all designs on the same axes, once every law is there."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz import charts
from dpviz.charts.topk.class_maps import class_maps
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.grid import Grid, grid_on, shared_edges
from dpviz.ui.compare.sides import Side, ended, labels
from dpviz.ui.shell.explain import explain
from dpviz.ui.shell.show import folded, show, waiting
from dpviz.ui.work.desk import PATIENCE, desk
from dpviz.ui.work.job import Job, Step

__all__ = ["maps"]

_REGIONS = ("top", "great", "good")
_CELLS = {2: (60, 90), 3: (50, 64)}  # rows and columns of one panel
_SMALL = (40, 48)


def maps(of: Sequence[Side], look: charts.Look) -> list[tuple[int, bool]] | None:
    """The section; how much was there of what it shows, for it asks for the heatmaps once the laws are there."""
    line = "What kinds of answer come out: for each design, how many of the best are in (h) and the worst rank (t)"
    return folded(line, "maps", lambda: _maps(of, look))


def _maps(of: Sequence[Side], look: charts.Look) -> list[tuple[int, bool]]:
    laws = ended(desk().jobs("laws"))
    jobs = _ask(of)
    seen = [*laws, *ended(jobs)]
    if not any(job.finished and job.problem is None for job in jobs):
        waiting("The heatmaps")
        return seen
    (grids,) = [list(job.results.values()) for job in jobs]
    answer = of[0].answer
    regions = {name: answer.bounds(name) for name in _REGIONS}
    with st.container(key="compare_maps_box"):
        show(class_maps(labels(of), grids, regions, look=look), "compare_maps")
    explain("h", "t", "top", "great", "good", "chance")
    return seen


def _ask(of: Sequence[Side]) -> list[Job]:
    """The job that puts every law on the edges that span them all; none before they are there."""
    known = [(side.answer.distribution, side.answer.grid) for side in of]
    if any(dist is None or grid is None for dist, grid in known):
        return desk().ask("maps", [])
    dists = [dist for dist, _ in known if dist is not None]
    own = [grid for _, grid in known if grid is not None]
    cells = _CELLS.get(len(of), _SMALL)
    key = " ".join(side.answer.key for side in of)
    return desk().ask("maps", [(key, lambda: _steps(dists, own, cells))], patience=PATIENCE)


def _steps(dists: Sequence[TopKDistribution], own: Sequence[Grid], cells: tuple[int, int]) -> Mapping[str, Step]:
    edges = shared_edges(own, *cells)

    def binned(dist: TopKDistribution) -> Step:
        return lambda progress, done: grid_on(dist.law, *edges)

    return {str(i): binned(dist) for i, dist in enumerate(dists)}
