"""Heatmaps of several top-k laws on the same axes, as in `class_heatmap`, and in the same colours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import ParameterError
from dpviz.charts.grammar import (
    LIGHT,
    STACKED,
    Chart,
    Figure,
    Look,
    Mark,
    axes,
    design_identity,
    marks,
)
from dpviz.charts.text_format import release_frequency_text
from dpviz.charts.topk.map_frame import (
    CELL_MEANING,
    cell_chances,
    chance_colours,
    heat_cells,
    likeliest_cells,
    occupied_cells,
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
        (name, *likeliest_cells(grid, 1)[0]) for name, grid in zip(names, grids, strict=True)
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
            {"design": name, **occupied_cells(grid)[1]}
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
    panels = [
        _Panel(i, *divmod(i, across), across, down, last=i + across >= len(grids))
        for i in range(len(grids))
    ]
    first = grids[0]
    return Figure(
        look,
        [
            [
                heat_cells(
                    grid,
                    cell_chances(grid),
                    3,
                    hover=f"%{{customdata}}<extra>{design_identity(panel.number, look).letter}</extra>",
                    **panel.axis_names,
                ),
                _title(panel, label, look),
                region_marks(grid, regions, look, shorter=shorter, **panel.axis_names),
            ]
            for panel, grid, label in zip(panels, grids, labels, strict=True)
        ],
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
        coloraxis=chance_colours(look, x=1.01, len=1.0, y=0, yanchor="bottom"),
        **{
            name: settings for panel in panels for name, settings in panel.axes(first, look).items()
        },
    )


@dataclass(frozen=True)
class _Panel:
    """Place of a panel: its number, row and column of `down` × `across`; `last` if it is lowest."""

    number: int
    row: int
    column: int
    across: int
    down: int
    last: bool

    @property
    def axis_names(self) -> dict[str, str]:
        return {
            "xaxis": f"x{axes.axis_suffix(self.number)}",
            "yaxis": f"y{axes.axis_suffix(self.number)}",
        }

    @property
    def top_left_corner(self) -> tuple[float, float]:
        """Left and upper edge, as shares of the figure."""
        wide, high, gap = self._size
        return self.column * (wide + _BETWEEN), 1 - self.row * (high + gap)

    @property
    def _size(self) -> tuple[float, float, float]:
        """Width, height, and distance to the next panel below."""
        gap = 0.115 if self.down > 1 else 0.0
        return (
            (1 - _BETWEEN * (self.across - 1)) / self.across,
            (1 - gap * (self.down - 1)) / self.down,
            gap,
        )

    def axes(self, grid: Grid, look: Look) -> dict[str, dict[str, Any]]:
        (left, top), (wide, high, _), n = (
            self.top_left_corner,
            self._size,
            axes.axis_suffix(self.number),
        )
        common = {"showline": True, "mirror": True, "linecolor": look.line}
        x = rank_axis(
            "t, lowest rank" if self.last else "",
            grid.t_edges,
            domain=[left, min(1.0, left + wide)],
            anchor=f"y{n}",
            matches="x" if n else None,
            **common,
        )
        y = rank_axis(
            "first h all there" if self.column == 0 else "",
            grid.h_edges,
            domain=[max(0.0, top - high), top],
            anchor=f"x{n}",
            matches="y" if n else None,
            showticklabels=self.column == 0,
            **common,
        )
        return {f"xaxis{n}": x, f"yaxis{n}": y}


def _title(panel: _Panel, label: str, look: Look) -> Mark:
    who, (left, top) = design_identity(panel.number, look), panel.top_left_corner
    return marks.panel_heading(
        f"<b>{who.letter}</b>  {label}", left, look, y=top, colour=who.colour, lift=4
    )
