"""Heatmaps of several top-k laws on the same axes, as in `class_heatmap`, and in the same colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints, ParameterError
from dpviz.charts.grammar import (
    LIGHT,
    STACKED,
    Chart,
    Figure,
    Look,
    Mark,
    axis,
    axis_suffix,
    bottom_legend,
    colour_bar,
    curve_mark,
    design_identity,
    panel_heading,
    percent,
    power_of_ten,
    release_frequency_text,
    trace,
)
from dpviz.charts.topk.class_heatmap import (
    CELL_MEANING,
    likeliest_cell,
    occupied_cells,
    round_tick_spacing,
)
from dpviz.charts.topk.heatmap_measures import LEAST
from dpviz.topk import EVENTS, Grid

_DECADES = 6
_REGION_DASHES = ("solid", "dash", "dot", "dashdot")
_ACROSS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
_BETWEEN = 0.035


def class_heatmaps(
    labels: Sequence[str],
    grids: Sequence[Grid],
    regions: Mapping[str, tuple[int, int]],
    *,
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
    heaviest = [likeliest_cell(grid) for grid in grids]
    likeliest = "; ".join(
        f"{name}: h {h}, t {t} ({percent(p)})"
        for name, (h, t, p) in zip(names, heaviest, strict=True)
    )
    most = int(np.argmax([p for _, _, p in heaviest]))
    h, t, p = heaviest[most]
    folded = (
        (
            " A cell holds several neighbouring classes"
            + (
                ", and more of them for larger t."
                if len(set(np.diff(first.t_edges).tolist())) > 1
                else "."
            )
        )
        if first.has_binned_cells
        else ""
    )
    return Chart(
        figure=_figure(labels, grids, regions, look),
        alt=(
            f"Heatmaps of the chance by h and t on the same axes. The likeliest cells: {likeliest}."
        ),
        how_to_read=(f"{CELL_MEANING} Axes and colours are the same in every panel.{folded}"),
        says_now=(
            f"{names[most]} is the most predictable: {release_frequency_text(p)} fall into one"
            f" cell, h = {h}, t = {t}."
        ),
        make_table=lambda: [
            {"design": name, **occupied_cells(grid)[1]}
            for name, grid in zip(names, grids, strict=True)
        ],
    )


def _figure(
    labels: Sequence[str], grids: Sequence[Grid], regions: Mapping[str, tuple[int, int]], look: Look
) -> Figure:
    across = _ACROSS[len(grids)]
    down = -(-len(grids) // across)
    panels = [
        _Panel(i, *divmod(i, across), across, down, last=i + across >= len(grids))
        for i in range(len(grids))
    ]
    first, high = grids[0], max(float(grid.mass.max()) for grid in grids)
    return Figure(
        look,
        [
            [_cells(grid, panel, look), _title(panel, label, look)]
            for panel, grid, label in zip(panels, grids, labels, strict=True)
        ],
        _outlines(first, regions, panels, look),
        height=8.9 * look.text_size / look.scale
        + down * (250 if down == 1 else 235)
        + (down - 1) * 3 * look.text_size / look.scale,
        meta=STACKED,
        margin={
            "l": 4.6 * look.text_size,
            "r": 6.4 * look.text_size,
            "t": 3.2 * look.text_size,
            "b": 5.7 * look.text_size,
        },
        coloraxis=_colours(float(np.log10(max(high, LEAST))), look),
        legend=bottom_legend(xanchor="left"),
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
        return {"xaxis": f"x{axis_suffix(self.number)}", "yaxis": f"y{axis_suffix(self.number)}"}

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
        (left, top), (wide, high, _), n = self.top_left_corner, self._size, axis_suffix(self.number)
        ticks = _ticks(grid.t_edges)
        common: dict[str, Any] = {
            "grid": False,
            "moves": True,
            "showline": True,
            "mirror": True,
            "linecolor": look.line,
        }
        x = axis(
            "t, lowest rank" if self.last else "",
            (0, len(grid.t_edges) - 1),
            domain=[left, min(1.0, left + wide)],
            anchor=f"y{n}",
            matches="x" if n else None,
            tickvals=[_along(grid.t_edges, t) + 0.5 for t in ticks],
            ticktext=[f"{t:,}" for t in ticks],
            **common,
        )
        y = axis(
            "h, complete top" if self.column == 0 else "",
            (float(grid.h_edges[0]) - 0.5, float(grid.h_edges[-1]) - 0.5),
            domain=[max(0.0, top - high), top],
            anchor=f"x{n}",
            matches="y" if n else None,
            tickformat=",d",
            nticks=6,
            showticklabels=self.column == 0,
            **common,
        )
        return {f"xaxis{n}": x, f"yaxis{n}": y}


def _along(edges: Ints, t: float) -> float:
    return float(np.interp(t, edges, np.arange(len(edges))))


def _ticks(edges: Ints) -> list[int]:
    """Ranks with a label: round ones if a column is a rank, else evenly over the columns."""
    if len(edges) - 1 == edges[-1] - edges[0]:
        return rank_ticks(int(edges[0]), int(edges[-1]) - 1)
    at = np.unique(np.linspace(0, len(edges) - 2, 5).astype(int))
    ticks = []
    for column in at.tolist():
        first, width = int(edges[column]), int(edges[column + 1] - edges[column])
        unit = 10 ** (len(str(width)) - 1) if width > 1 else 1
        ticks.append(-(-first // unit) * unit)
    return ticks


def rank_ticks(first: int, last: int) -> list[int]:
    """First rank, and round ones after it that leave room between them."""
    step = round_tick_spacing(last - first, 6)
    after = range(-(-(first + 1) // step) * step, last + 1, step)
    return [first, *(rank for rank in after if rank - first >= step / 2)]


def _cells(grid: Grid, panel: _Panel, look: Look) -> Mark:
    middles = np.broadcast_to((grid.t_edges[:-1] + grid.t_edges[1:] - 1) // 2, grid.mass.shape)
    return trace(
        "heatmap",
        np.arange(len(grid.t_edges), dtype=np.float32),
        (grid.h_edges - 0.5).astype(np.float32),
        z=np.log10(np.where(grid.mass > LEAST, grid.mass, np.nan)).astype(np.float32),
        customdata=np.dstack([100 * grid.mass, middles]).astype(np.float32),
        coloraxis="coloraxis",
        hover="h %{y:.0f}, t %{customdata[1]:,.0f}<br><b>%{customdata[0]:,.3~r} %</b>"
        f"<extra>{design_identity(panel.number, look).letter}</extra>",
        **panel.axis_names,
    )


def _title(panel: _Panel, label: str, look: Look) -> Mark:
    who, (left, top) = design_identity(panel.number, look), panel.top_left_corner
    return panel_heading(
        f"<b>{who.letter}</b>  {label}", left, look, y=top, colour=who.colour, lift=4
    )


def _outlines(
    grid: Grid, regions: Mapping[str, tuple[int, int]], panels: Sequence[_Panel], look: Look
) -> Iterator[Mark]:
    """Right and lower edge of each region in view, with a casing to stand out from any cell."""
    k, right, bottom = grid.k, float(len(grid.t_edges) - 1), float(grid.h_edges[0]) - 0.5
    left, top = _along(grid.t_edges, k), min(k - 0.5, float(grid.h_edges[-1]) - 0.5)
    paths: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for style, (name, (a, b)) in enumerate(regions.items()):
        x1, y0 = _along(grid.t_edges, b + 1), (k - 1 if b == k else min(a, k - 1)) - 0.5
        if x1 <= left or y0 >= top or (x1 >= right and y0 <= bottom):
            continue
        corner = [(x1, top), (x1, max(y0, bottom)), (left, y0)]
        paths[style, name] = (
            corner[: 2 if y0 < bottom else 3] if x1 < right else [(right, y0), corner[2]]
        )
    casing = [point for path in paths.values() for point in (*path, (None, None))]
    for panel in panels if paths else ():
        common: dict[str, Any] = {"cliponaxis": False, **panel.axis_names}
        yield _path(casing, look.paper, 3.5, None, **common)
        for (style, name), path in paths.items():
            legend = {
                "name": EVENTS[name].label,
                "legendgroup": name,
                "showlegend": panel.number == 0,
            }
            yield _path(
                path, look.ink, 1.5, _REGION_DASHES[style % len(_REGION_DASHES)], **legend, **common
            )


def _path(points: Sequence[tuple[float | None, float | None]], *style: Any, **more: Any) -> Mark:
    x, y = zip(*points, strict=True)
    return curve_mark(x, y, *style, **more)


def _colours(high: float, look: Look) -> dict[str, Any]:
    low = high - _DECADES
    ticks: Floats = np.arange(np.floor(high), low - 1e-9, -1.0)[::-1]
    texts = [
        f"{10 ** (v + 2):.10g} %" if v >= -6 else power_of_ten(float(v)) for v in ticks.tolist()
    ]
    scale = {
        **colour_bar("chance", ticks, texts, look),
        "x": 1.01,
        "len": 1.0,
        "y": 0,
        "yanchor": "bottom",
    }
    return {"colorscale": look.colour_scale, "cmin": low, "cmax": high, "colorbar": scale}
