"""The (h,t) heatmap: where the mass of a top-k law lies, with its marginals and the named regions.

Symbols: h = how many of the top ranks are all present (up is better), t = the worst rank present (left
is better); a cell is a bin of classes C(h,t) of a `Grid`. Colours are logarithmic.
Source of the classes and regions: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.topk.measures import LEAST, MEASURES, Measure
from dpviz.charts.words import of_releases, percent
from dpviz.topk.classes import EVENTS
from dpviz.topk.grid import Grid

__all__ = ["class_heatmap"]

_LN10 = float(np.log(10.0))
DASHES = ("solid", "dash", "dot", "dashdot")


def class_heatmap(
    grid: Grid,
    regions: Mapping[str, tuple[int, int]],
    *,
    measure: str = "probability",
    loss: Floats | None = None,
    chosen: tuple[int, int] | None = None,
    digits: int = 3,
    look: Look = LIGHT,
) -> Chart:
    """The heatmap of a grid.

    `regions` maps names in `EVENTS` to their (a,b), outlined as h ≥ a and t ≤ b; `loss`, of the shape
    of the grid, is for the measure of that name; `chosen` is a class (h,t) to mark; `digits` how many of a
    chance are sure enough to be told.
    """
    shown = MEASURES[measure]
    figure = Figure()
    _cells(figure, grid, shown, loss, digits, look)
    _marginals(figure, grid, digits, look)
    _outline(figure, grid, regions, look)
    if chosen is not None:
        _mark(figure, grid, chosen, look)
    _lay_out(figure, grid, look)
    best = np.unravel_index(int(np.argmax(grid.mass)), grid.mass.shape)
    h, t = _span(grid.h_edges, int(best[0])), _span(grid.t_edges, int(best[1]))
    heaviest = float(grid.mass[best])
    binned = " A cell holds several neighbouring classes together." if grid.binned else ""
    return Chart(
        figure=figure,
        alt=(
            f"Heatmap of {shown.meaning}, over h from {grid.h_edges[0]} to {grid.h_edges[-1] - 1} and t from "
            f"{grid.t_edges[0]} to {grid.t_edges[-1] - 1}. The likeliest cell is h {h}, t {t} with {percent(heaviest)}."
        ),
        how_to_read=(
            "Each cell is a kind of answer: the best h items are all in it and the next one is not (higher is better), "
            f"and its worst item has rank t (further left is better). The colour shows {shown.meaning}; "
            f"the bars above and beside it add the chances up.{binned}"
        ),
        says_now=(
            f"The likeliest cell is h = {h}, t = {t}, with {of_releases(heaviest)}; "
            f"{percent(grid.covered)} of releases fall into the cells shown."
        ),
        make_table=lambda: _table(grid, loss),
    )


def _cells(figure: Figure, grid: Grid, shown: Measure, loss: Floats | None, digits: int, look: Look) -> None:
    values = shown.values(grid, loss)
    seen = values[np.isfinite(values)]
    low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 1.0)
    if shown.decades is not None:
        low = max(low, high - shown.decades)
    if high - low < 1e-9:  # one value: the scale gets a second end
        low, high = (low - 1.0, high) if shown.decades else (low, high + 1.0)
    ticks = np.linspace(low, high, 5) if shown.linear else _decades(low, high)
    where = "h %{y:.0f}, t %{x:.0f}" if not grid.binned else "around h %{y:.0f}, t %{x:.0f}"
    figure.add_heatmap(
        x=(grid.t_edges - 0.5).astype(np.float32),
        y=(grid.h_edges - 0.5).astype(np.float32),
        z=values.astype(np.float32),
        customdata=grid.mass.astype(np.float32),
        zmin=low,
        zmax=high,
        colorscale=look.visible_ramp,
        hoverongaps=False,
        xgap=1 if grid.mass.shape[1] <= 36 else 0,
        ygap=1 if grid.mass.shape[0] <= 24 else 0,
        hovertemplate=f"{where}<br>chance <b>%{{customdata:.{digits}p}}</b><extra></extra>",
        colorbar={
            "title": {"text": shown.title, "font": {"color": look.muted}},
            "tickvals": ticks.tolist(),
            "ticktext": [shown.tick(float(tick)) for tick in ticks],
            "tickfont": {"color": look.muted},
            "thickness": 10,
            "outlinewidth": 0,
            "x": 1.01,
            "len": 0.82,
            "y": 0,
            "yanchor": "bottom",
        },
        name="",
    )


def _decades(low: float, high: float) -> Floats:
    """Whole powers of ten in the range, at most seven; with their twos and fives where there are few."""
    fine = [e + m for e in range(int(np.floor(low)), int(np.ceil(high)) + 1) for m in np.log10((1, 2, 5)).tolist()]
    fine = [tick for tick in fine if low - 1e-9 <= tick <= high + 1e-9]
    if 2 <= len(fine) <= 5:
        return np.array(fine)
    first, last = int(np.ceil(low - 1e-9)), int(np.floor(high + 1e-9))
    if last < first:
        return np.array([low, high])
    step = max(1, -(-(last - first) // 6))
    return np.arange(last, first - 1, -step)[::-1].astype(float)


def _marginals(figure: Figure, grid: Grid, digits: int, look: Look) -> None:
    common = {"marker": {"color": look.sequential[5], "line": {"width": 0}}, "showlegend": False}
    figure.add_bar(
        x=((grid.t_edges[:-1] + grid.t_edges[1:] - 1) / 2).astype(np.float32),
        y=grid.t_mass.astype(np.float32),
        width=np.diff(grid.t_edges).astype(np.float32),
        yaxis="y2",
        hovertemplate=f"t %{{x:.0f}}<br>chance <b>%{{y:.{digits}p}}</b><extra></extra>",
        **common,
    )
    figure.add_bar(
        y=((grid.h_edges[:-1] + grid.h_edges[1:] - 1) / 2).astype(np.float32),
        x=grid.h_mass.astype(np.float32),
        width=np.diff(grid.h_edges).astype(np.float32),
        xaxis="x2",
        orientation="h",
        hovertemplate=f"h %{{y:.0f}}<br>chance <b>%{{x:.{digits}p}}</b><extra></extra>",
        **common,
    )


def _outline(figure: Figure, grid: Grid, regions: Mapping[str, tuple[int, int]], look: Look) -> None:
    """The right and lower edge of each region, as far as they are in view: up and to the left they all end alike.

    A region that ends at t = k holds nothing but the exact top k.
    """
    k, right, bottom = grid.k, float(grid.t_edges[-1]) - 0.5, float(grid.h_edges[0]) - 0.5
    left, top = max(k - 0.5, float(grid.t_edges[0]) - 0.5), min(k - 0.5, float(grid.h_edges[-1]) - 0.5)
    for i, (name, (a, b)) in reversed(list(enumerate(regions.items()))):
        x1, y0 = b + 0.5, (k - 1 if b == k else min(a, k - 1)) - 0.5
        if x1 <= left or y0 >= top or (x1 >= right and y0 <= bottom):
            continue
        corner = [(x1, top), (x1, max(y0, bottom)), (max(left, float(grid.t_edges[0]) - 0.5), y0)]
        path = corner[: 2 if y0 < bottom else 3] if x1 <= right else [(right, y0), corner[2]]
        colour = look.categories[i % len(look.categories)]
        for name_shown, line in (
            (None, {"color": look.paper, "width": 4.5}),  # a casing, so that the line stands out from any cell
            (EVENTS[name].label, {"color": colour, "width": 2.5, "dash": DASHES[i % len(DASHES)]}),
        ):
            figure.add_scatter(
                x=[x for x, _ in path],
                y=[y for _, y in path],
                mode="lines",
                line=line,
                name=name_shown,
                legendgroup=name,
                showlegend=name_shown is not None,
                hoverinfo="skip",
                cliponaxis=False,
            )


def _mark(figure: Figure, grid: Grid, chosen: tuple[int, int], look: Look) -> None:
    row, column = (
        int(np.searchsorted(edges, value, side="right")) - 1
        for edges, value in ((grid.h_edges, chosen[0]), (grid.t_edges, chosen[1]))
    )
    if 0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1:
        figure.add_scatter(
            x=[float(grid.t_edges[column] + grid.t_edges[column + 1] - 1) / 2],
            y=[float(grid.h_edges[row] + grid.h_edges[row + 1] - 1) / 2],
            mode="markers",
            marker={"size": 11 * look.scale, "color": look.paper, "line": {"color": look.ink, "width": 2}},
            showlegend=False,
            hoverinfo="skip",
        )


def _lay_out(figure: Figure, grid: Grid, look: Look) -> None:
    side = {"showgrid": False, "showticklabels": False, "fixedrange": True, "title": {"text": ""}}
    figure.update_layout(
        template=look.template,
        margin={"r": 7 * look.size, "t": 2.6 * look.size},
        height=round(520 * look.scale),
        bargap=0,
        xaxis={
            "domain": [0, 0.88],
            "range": [float(grid.t_edges[0]) - 0.5, float(grid.t_edges[-1]) - 0.5],
            "title": {"text": "t, the worst rank in the answer"},
            "showgrid": False,
            "tickformat": ",d",
            "dtick": _step(grid.t_edges),
            "tick0": grid.k,
        },
        yaxis={
            "domain": [0, 0.82],
            "range": [float(grid.h_edges[0]) - 0.5, float(grid.h_edges[-1]) - 0.5],
            "title": {"text": "h, how many of the best are all in"},
            "showgrid": False,
            "tickformat": ",d",
            "dtick": _step(grid.h_edges),
            "tick0": grid.k - 1,
        },
        yaxis2={"domain": [0.845, 1], **side},
        xaxis2={"domain": [0.895, 1], **side},
        legend={
            "traceorder": "reversed",
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "xanchor": "left",
        },
    )


def _step(edges: Ints) -> int:
    """A whole, round distance between ticks, for about ten of them."""
    rough = (int(edges[-1]) - int(edges[0])) / 11
    unit = 10 ** max(0, int(np.floor(np.log10(max(rough, 1.0)))))
    return next(int(m * unit) for m in (1, 2, 5, 10) if m * unit >= rough)


def _span(edges: Ints, i: int) -> str:
    first, last = int(edges[i]), int(edges[i + 1]) - 1
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _table(grid: Grid, loss: Floats | None) -> pd.DataFrame:
    """The cells that carry mass, the likeliest first."""
    row, column = np.nonzero(grid.mass > LEAST)
    order = np.argsort(-grid.mass[row, column], kind="stable")
    row, column = row[order], column[order]
    frame = pd.DataFrame(
        {
            "h from": grid.h_edges[row],
            "h to": grid.h_edges[row + 1] - 1,
            "t from": grid.t_edges[column],
            "t to": grid.t_edges[column + 1] - 1,
            "chance": grid.mass[row, column],
            "log10 of the number of sets": grid.log_sets[row, column] / _LN10,
        }
    )
    if loss is not None:
        frame["loss at the middle"] = loss[row, column]
    return frame
