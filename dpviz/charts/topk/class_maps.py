"""Heatmaps of several top-k laws on the same axes and in the same colours: where the answers of each design fall.

Symbols: h = how many of the top ranks are all present (up is better), t = the worst rank present (left is
better). All grids have the same edges; colours are logarithmic and mean the same in every panel.
Source of the classes and regions: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.identity import Identity, identity
from dpviz.charts.look import LIGHT, STACKED, Look
from dpviz.charts.words import of_releases, percent, power
from dpviz.topk.classes import EVENTS
from dpviz.topk.grid import Grid

__all__ = ["class_maps", "round_ranks"]

_LEAST = 1e-12  # masses below are rounding
_DECADES = 6
_REGION_DASHES = ("solid", "dash", "dot")
_ACROSS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
_BETWEEN = 0.035


def class_maps(
    labels: Sequence[str], grids: Sequence[Grid], regions: Mapping[str, tuple[int, int]], *, look: Look = LIGHT
) -> Chart:
    """One panel a grid, in the order of the designs. `regions` maps names in `EVENTS` to their (a,b)."""
    first = grids[0]
    if any(not np.array_equal(g.h_edges, first.h_edges) or not np.array_equal(g.t_edges, first.t_edges) for g in grids):
        raise ParameterError("grids", "grids with different edges", "on the same edges")
    names = [identity(i, look).named(label) for i, label in enumerate(labels)]
    traces: list[dict[str, Any]] = []
    across = _ACROSS[len(grids)]
    down = -(-len(grids) // across)
    size = look.size
    height = (3.2 + 5.2) * size + down * (250 if down == 1 else 235) * look.scale + (down - 1) * 3 * size
    layout: dict[str, Any] = {"annotations": []}
    for i, grid in enumerate(grids):
        row, column = divmod(i, across)
        traces.append(_panel(grid, i, look))
        layout |= _axes(first, i, row, column, across, down, last=i + across >= len(grids), look=look)
        layout["annotations"].append(_title(identity(i, look), labels[i], layout, i, look))
    traces += _outlines(first, regions, len(grids), look)
    figure = Figure(traces)
    high = max(float(grid.mass.max()) for grid in grids)
    figure.update_layout(
        template=look.template,
        height=round(height),
        meta=STACKED,
        margin={"l": 4.6 * size, "r": 6.4 * size, "t": 3.2 * size, "b": 5.2 * size},
        coloraxis=_colours(float(np.log10(max(high, _LEAST))), look),
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 0, "yref": "container", "yanchor": "bottom"},
        **layout,
    )
    cells = [_heaviest(grid) for grid in grids]
    likeliest = "; ".join(f"{name}: h {h}, t {t} ({percent(p)})" for name, (h, t, p) in zip(names, cells, strict=True))
    h, t, p = cells[int(np.argmax([p for _, _, p in cells]))]
    most = names[int(np.argmax([p for _, _, p in cells]))]
    folded = (
        (
            " A cell holds several neighbouring classes together"
            + (", more of them the larger t is." if len(set(np.diff(first.t_edges).tolist())) > 1 else ".")
        )
        if first.binned
        else ""
    )
    return Chart(
        figure=figure,
        alt=f"Heatmaps of the chance over h and t on the same axes. The likeliest cell of each: {likeliest}.",
        how_to_read=(
            "Each cell is a kind of answer: the best h items are all in it and the next one is not (higher is better), "
            "and its worst item has rank t (further left is better). Axes and colours are the same in every panel."
            + folded
        ),
        says_now=f"The most concentrated is {most}: {of_releases(p)} fall into its likeliest cell, h = {h}, t = {t}.",
        make_table=lambda: pd.concat(
            [_table(name, grid) for name, grid in zip(names, grids, strict=True)], ignore_index=True
        ),
    )


def _suffix(i: int) -> str:
    return "" if i == 0 else str(i + 1)


def _along(edges: Ints, t: float) -> float:
    """Where the left edge of rank `t` lies, counted in columns."""
    return float(np.interp(t, edges, np.arange(len(edges))))


def _middles(edges: Ints) -> Ints:
    return (edges[:-1] + edges[1:] - 1) // 2


def _ticks(edges: Ints) -> list[int]:
    """Some ranks with a label: round ones where a column is a rank, else evenly over the columns."""
    if len(edges) - 1 == edges[-1] - edges[0]:
        return round_ranks(int(edges[0]), int(edges[-1]) - 1)
    at = np.unique(np.linspace(0, len(edges) - 2, 5).astype(int))
    ticks = []
    for column in at.tolist():
        first, width = int(edges[column]), int(edges[column + 1] - edges[column])
        unit = 10 ** (len(str(width)) - 1) if width > 1 else 1
        ticks.append(-(-first // unit) * unit)
    return ticks


def round_ranks(first: int, last: int, about: int = 6) -> list[int]:
    """The first rank, and round ones after it that leave room between them.

    >>> round_ranks(10, 60), round_ranks(1, 5)
    ([10, 20, 30, 40, 50, 60], [1, 2, 3, 4, 5])
    """
    rough = max(1.0, (last - first) / about)
    unit = 10 ** int(np.log10(rough))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)
    after = range(-(-(first + 1) // step) * step, last + 1, step)
    return [first, *(rank for rank in after if rank - first >= step / 2)]


def _panel(grid: Grid, i: int, look: Look) -> dict[str, Any]:
    middles = np.broadcast_to(_middles(grid.t_edges), grid.mass.shape)
    return {
        "type": "heatmap",
        "x": np.arange(len(grid.t_edges), dtype=np.float32),
        "y": (grid.h_edges - 0.5).astype(np.float32),
        "z": np.log10(np.where(grid.mass > _LEAST, grid.mass, np.nan)).astype(np.float32),
        "customdata": np.dstack([100 * grid.mass, middles]).astype(np.float32),
        "coloraxis": "coloraxis",
        "hovertemplate": "h %{y:.0f}, t %{customdata[1]:,.0f}<br><b>%{customdata[0]:.3~g} %</b>"
        f"<extra>{identity(i, look).letter}</extra>",
        "xaxis": f"x{_suffix(i)}",
        "yaxis": f"y{_suffix(i)}",
        "showlegend": False,
    }


def _axes(
    grid: Grid, i: int, row: int, column: int, across: int, down: int, *, last: bool, look: Look
) -> dict[str, Any]:
    wide = (1 - _BETWEEN * (across - 1)) / across
    gap = 0.115 if down > 1 else 0.0
    high = (1 - gap * (down - 1)) / down
    x0, y1 = column * (wide + _BETWEEN), 1 - row * (high + gap)
    n = _suffix(i)
    ticks = _ticks(grid.t_edges)
    x: dict[str, Any] = {
        "domain": [x0, min(1.0, x0 + wide)],
        "anchor": f"y{n}",
        "range": [0, len(grid.t_edges) - 1],
        "showgrid": False,
        "tickvals": [_along(grid.t_edges, t) + 0.5 for t in ticks],
        "ticktext": [f"{t:,}" for t in ticks],
        "title": {"text": "t, the worst rank" if last else ""},
    }
    y: dict[str, Any] = {
        "domain": [max(0.0, y1 - high), y1],
        "anchor": f"x{n}",
        "range": [float(grid.h_edges[0]) - 0.5, float(grid.h_edges[-1]) - 0.5],
        "showgrid": False,
        "tickformat": ",d",
        "nticks": 6,
        "title": {"text": "h, the best all in" if column == 0 else ""},
        "showticklabels": column == 0,
    }
    line = {"showline": True, "mirror": True, "linecolor": look.line}
    if i:
        x["matches"], y["matches"] = "x", "y"
    return {f"xaxis{n}": x | line, f"yaxis{n}": y | line}


def _title(who: Identity, label: str, layout: dict[str, Any], i: int, look: Look) -> dict[str, Any]:
    n = _suffix(i)
    return {
        "text": f"<b>{who.letter}</b>  {label}",
        "x": layout[f"xaxis{n}"]["domain"][0],
        "y": layout[f"yaxis{n}"]["domain"][1],
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 4,
        "showarrow": False,
        "font": {"color": who.colour, "size": look.size},
    }


def _outlines(grid: Grid, regions: Mapping[str, tuple[int, int]], panels: int, look: Look) -> list[dict[str, Any]]:
    """The right and lower edge of each region, as far as they are in view, with a casing to stand out from any cell."""
    k, right, bottom = grid.k, float(len(grid.t_edges) - 1), float(grid.h_edges[0]) - 0.5
    left, top = _along(grid.t_edges, k), min(k - 0.5, float(grid.h_edges[-1]) - 0.5)
    casing: dict[str, list[float | None]] = {"x": [], "y": []}
    lines: list[dict[str, Any]] = []
    for style, (name, (a, b)) in enumerate(regions.items()):
        x1, y0 = _along(grid.t_edges, b + 1), (k - 1 if b == k else min(a, k - 1)) - 0.5
        if x1 <= left or y0 >= top or (x1 >= right and y0 <= bottom):
            continue
        corner = [(x1, top), (x1, max(y0, bottom)), (left, y0)]
        path = corner[: 2 if y0 < bottom else 3] if x1 < right else [(right, y0), corner[2]]
        x, y = [x for x, _ in path], [y for _, y in path]
        casing = {"x": [*casing["x"], *x, None], "y": [*casing["y"], *y, None]}
        dash = _REGION_DASHES[style % len(_REGION_DASHES)]
        line = {"color": look.ink, "width": 1.5, "dash": dash}
        lines.append({"x": x, "y": y, "line": line, "name": EVENTS[name].label, "legendgroup": name})
    shared = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "cliponaxis": False}
    under = casing | {"line": {"color": look.paper, "width": 3.5}, "showlegend": False}
    return [
        shared | {"showlegend": i == 0} | drawn | {"xaxis": f"x{_suffix(i)}", "yaxis": f"y{_suffix(i)}"}
        for i in range(panels)
        for drawn in ([under, *lines] if lines else [])
    ]


def _colours(high: float, look: Look) -> dict[str, Any]:
    low = high - _DECADES
    ticks: Floats = np.arange(np.floor(high), low - 1e-9, -1.0)[::-1]
    return {
        "colorscale": look.ramp,
        "cmin": low,
        "cmax": high,
        "colorbar": {
            "title": {"text": "chance", "font": {"color": look.muted}},
            "tickvals": ticks,
            "ticktext": [f"{10 ** (v + 2):.10g} %" if v >= -6 else power(float(v)) for v in ticks.tolist()],
            "tickfont": {"color": look.muted},
            "thickness": 10,
            "outlinewidth": 0,
            "x": 1.01,
            "len": 1.0,
            "y": 0,
            "yanchor": "bottom",
        },
    }


def _heaviest(grid: Grid) -> tuple[str, str, float]:
    row, column = np.unravel_index(int(np.argmax(grid.mass)), grid.mass.shape)
    return _range(grid.h_edges, int(row)), _range(grid.t_edges, int(column)), float(grid.mass[row, column])


def _range(edges: Any, i: int) -> str:
    first, last = int(edges[i]), int(edges[i + 1]) - 1
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _table(name: str, grid: Grid) -> pd.DataFrame:
    row, column = np.nonzero(grid.mass > _LEAST)
    order = np.argsort(-grid.mass[row, column], kind="stable")
    row, column = row[order], column[order]
    return pd.DataFrame(
        {
            "design": name,
            "h from": grid.h_edges[row],
            "h to": grid.h_edges[row + 1] - 1,
            "t from": grid.t_edges[column],
            "t to": grid.t_edges[column + 1] - 1,
            "chance": grid.mass[row, column],
        }
    )
