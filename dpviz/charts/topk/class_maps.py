"""Heatmaps of several top-k laws on the same axes, as in `class_heatmap`, and in the same colours."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.base import ParameterError
from dpviz.base.text_format import release_frequency_text
from dpviz.charts.grammar import (
    LIGHT,
    STACKED,
    Chart,
    Figure,
    Look,
    Marks,
    axes,
    design_identity,
    marks,
)
from dpviz.charts.topk.map_frame import (
    CELL_MEANING,
    cell_log10_chances,
    chance_colour_axis,
    heat_cells,
    likeliest_cell_phrases,
    occupied_cell_indices_and_values,
    rank_axis,
    region_marks,
)
from dpviz.topk import Grid

_ACROSS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
_BETWEEN = 0.035


def class_heatmaps(
    labels: Sequence[str],
    grids: Sequence[Grid],
    regions: Mapping[str, tuple[int, int]],
    *,
    shorter: bool = False,
    look: Look = LIGHT,
) -> Chart:
    """A panel for each grid, by design; `regions` maps names in `EVENTS` to (a,b)."""
    first = grids[0]
    if any(
        not np.array_equal(g.h_edges, first.h_edges) or not np.array_equal(g.t_edges, first.t_edges)
        for g in grids
    ):
        raise ParameterError("grids", "grids with different edges", "on the same edges")
    names = [design_identity(i, look).lettered_label(label) for i, label in enumerate(labels)]
    likeliest = [
        (name, *likeliest_cell_phrases(grid, 1)[0]) for name, grid in zip(names, grids, strict=True)
    ]
    folded = " A cell holds several neighbouring classes." if first.has_binned_cells else ""
    return Chart(
        figure=_figure(labels, grids, regions, look, shorter=shorter),
        shows="Heatmaps of the chance by h and t on the same axes.",
        how_to_read=f"{CELL_MEANING} Axes and colours are the same in every panel.{folded}",
        says_now=" ".join(
            f"The likeliest cell with {name} {cell}: {release_frequency_text(p)}."
            for name, cell, p in likeliest
        ),
        columns=[
            {"design": name, **occupied_cell_indices_and_values(grid)[1]}
            for name, grid in zip(names, grids, strict=True)
        ],
    )


def _figure(
    labels: Sequence[str],
    grids: Sequence[Grid],
    regions: Mapping[str, tuple[int, int]],
    look: Look,
    *,
    shorter: bool,
) -> Figure:
    across = _ACROSS[len(grids)]
    down = -(-len(grids) // across)
    gap = 0.115 if down > 1 else 0.0
    wide, high = (1 - _BETWEEN * (across - 1)) / across, (1 - gap * (down - 1)) / down
    frame = {"showline": True, "mirror": True, "linecolor": look.line}
    drawn: list[Marks] = []
    layout: dict[str, Any] = {}
    for number, (grid, label) in enumerate(zip(grids, labels, strict=True)):
        row, column = divmod(number, across)
        left, top = column * (wide + _BETWEEN), 1 - row * (high + gap)
        who, at = design_identity(number, look), axes.axis_suffix(number)
        where = {"xaxis": f"x{at}", "yaxis": f"y{at}"}
        hover = f"%{{customdata}}<extra>{who.letter}</extra>"
        drawn += [
            heat_cells(grid, cell_log10_chances(grid), 3, hover=hover, **where),
            marks.panel_heading(
                f"<b>{who.letter}</b>  {label}", left, look, y=top, colour=who.colour, lift=4
            ),
            region_marks(grid, regions, look, shorter=shorter, **where),
        ]
        layout[f"xaxis{at}"] = rank_axis(
            "t, lowest rank" if number + across >= len(grids) else "",
            grid.t_edges,
            domain=[left, min(1.0, left + wide)],
            anchor=f"y{at}",
            matches="x" if at else None,
            **frame,
        )
        layout[f"yaxis{at}"] = rank_axis(
            "" if column else "first h all there",
            grid.h_edges,
            domain=[max(0.0, top - high), top],
            anchor=f"x{at}",
            matches="y" if at else None,
            showticklabels=not column,
            **frame,
        )
    return Figure(
        look,
        drawn,
        height=7.4 * look.text_size / look.scale
        + down * (250 if down == 1 else 235)
        + (down - 1) * 3 * look.text_size / look.scale,
        meta=STACKED,
        margin={
            "l": 4.6 * look.text_size,
            "r": 6.4 * look.text_size,
            "t": 3.2 * look.text_size,
            "b": 4.2 * look.text_size,
        },
        coloraxis=chance_colour_axis(look, x=1.01, len=1.0, y=0, yanchor="bottom"),
        **layout,
    )
