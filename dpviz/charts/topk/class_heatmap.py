"""Heatmap over (h, t) of a top-k law, with its marginals and the named regions.

A cell is a bin of classes C(h,t). Source: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

from collections.abc import Mapping

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import release_frequency_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, axes, marks
from dpviz.charts.topk.heatmap_measures import MEASURES
from dpviz.charts.topk.map_frame import (
    CELL_MEANING,
    cell_of,
    heat_cells,
    likeliest_cells,
    occupied_cells,
    rank_axis,
    region_marks,
)
from dpviz.topk import Grid

_LN10 = float(np.log(10.0))
_SHORTER = (
    " A list may be shorter, which makes h smaller. Then t is {}, or larger if a lower item is in"
    " the list."
)
_BARS = " The bars above and beside the cells add up the chances."
_ALONG, _ACROSS = (0, 0.86), (0.875, 1)  # of the cells, and of the bars beside them
_SAID = 0.01  # chance of the second likeliest cell, from which on it is told


def class_heatmap(
    grid: Grid,
    regions: Mapping[str, tuple[int, int]],
    *,
    measure: str = "probability",
    loss: Floats | None = None,
    chosen: tuple[int, int] | None = None,
    digits: int = 3,
    shorter: bool = False,
    look: Look = LIGHT,
) -> Chart:
    """Heatmap of a grid; `regions` maps names in `EVENTS` to (a,b), outlined as h ≥ a and t ≤ b.

    `loss` has the grid's shape, for the measure of that name. `chosen` is a class (h,t) to mark,
    `digits` the certain digits of a chance; `shorter`: fewer than k items may come out.
    """
    entry, chance = MEASURES[measure], measure == "probability"
    along = _ALONG if chance else (0, 1)
    beside = axes.axis("", (0, 1), domain=_ACROSS, tickvals=[1], ticktext=["100 %"], grid=False)
    (first, most), *others = likeliest_cells(grid, 2)
    rest = "".join(
        f" The next {cell}, with {release_frequency_text(p)}." for cell, p in others if p >= _SAID
    )
    binned = " A cell holds several neighbouring classes together." if grid.has_binned_cells else ""
    bar = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "tickangle": 0,
    }
    bar |= {"title": {"text": entry.title, "side": "top", "font": {"color": look.muted}}}
    return Chart(
        figure=Figure(
            look,
            heat_cells(
                grid,
                entry.values(grid, loss),
                digits,
                xgap=1 if grid.mass.shape[1] <= 36 else 0,
                ygap=1 if grid.mass.shape[0] <= 24 else 0,
                hover="%{customdata}",
                name="",
                showlegend=None,
            ),
            _marginals(grid, digits, look) if chance else (),
            region_marks(grid, regions, look, shorter=shorter),
            () if chosen is None else _mark(grid, chosen, look),
            margin={"r": 2 * look.text_size, "t": 5 * look.text_size},
            height=290 + 12 * len(grid.h_edges),
            bargap=0,
            x=rank_axis("t, the lowest rank on the list", grid.t_edges, domain=along),
            y=rank_axis("the first h are all there", grid.h_edges, domain=along),
            x2=beside,
            y2=beside,
            coloraxis=entry.colours(grid, loss, look, len=along[1], **bar),
        ),
        shows=(
            f"Heatmap{f' of {entry.meaning}' if chance else ''}, with h from {grid.h_edges[0]} to"
            f" {grid.h_edges[-1] - 1} and t from {grid.t_edges[0]} to {grid.t_edges[-1] - 1}."
        ),
        how_to_read=(
            f"{CELL_MEANING} The colour shows {entry.meaning}.{_BARS if chance else ''}"
            f"{binned}{_SHORTER.format(grid.k) if shorter else ''}"
        ),
        says_now=(
            f"The likeliest cell {first}, with {release_frequency_text(most)}.{rest}"
            if chance
            else f"The colour shows {entry.meaning}."
        ),
        columns=_table(grid, loss),
    )


def _marginals(grid: Grid, digits: int, look: Look) -> list[Mark]:
    t, h = (np.arange(len(mass)) + np.float32(0.5) for mass in (grid.t_mass, grid.h_mass))
    return [
        marks.vertical_bars(
            t,
            grid.t_mass.astype(np.float32),
            look.muted,
            width=1,
            yaxis="y2",
            hover=f"chance <b>%{{y:.{digits}p}}</b>",
        ),
        marks.horizontal_bars(
            grid.h_mass.astype(np.float32),
            h,
            look.muted,
            width=1,
            xaxis="x2",
            hover=f"chance <b>%{{x:.{digits}p}}</b>",
        ),
    ]


def _mark(grid: Grid, chosen: tuple[int, int], look: Look) -> list[Mark]:
    row, column = cell_of(grid.h_edges, chosen[0]), cell_of(grid.t_edges, chosen[1])
    if not (0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1):
        return []
    at = [column + 0.5], [row + 0.5]
    return [marks.dots(*at, look.paper, 11 * look.scale, None, (2, look.ink))]


def _table(grid: Grid, loss: Floats | None) -> dict[str, Floats | Ints]:
    at, held = occupied_cells(grid)
    held["log10 of the number of sets"] = grid.log_sets[at] / _LN10
    return held if loss is None else held | {"loss at the middle": loss[at]}
