"""Heatmap over (h, t) of a top-k law, with its marginals and the named regions.

Symbols: h = how many of the top ranks are all present (up is better), t = the worst rank present
(left is better); a cell is a bin of classes C(h,t) of a `Grid`. Colours are logarithmic.
Source: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.charts.grammar import (
    LIGHT,
    Chart,
    Figure,
    Look,
    Mark,
    axis,
    colour_bar,
    curve_mark,
    dots,
    horizontal_bars,
    horizontal_legend,
    percent,
    release_frequency_text,
    trace,
    vertical_bars,
)
from dpviz.charts.topk.heatmap_measures import LEAST, MEASURES, Measure
from dpviz.topk import EVENTS, Grid

_LN10 = float(np.log(10.0))
CELL_MEANING = (
    "Each cell is a group of lists. They contain the best h items but not the next one, and their"
    " lowest item has rank t. Higher and further left is better."
)
_SHORTER = (
    " A list may be shorter, which makes h smaller. Then t is {}, or larger if a lower item is in"
    " the list."
)
DASHES = ("solid", "dash", "dot", "dashdot")


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
    entry = MEASURES[measure]
    h, t, heaviest = likeliest_cell(grid)
    binned = " A cell holds several neighbouring classes together." if grid.has_binned_cells else ""
    return Chart(
        figure=Figure(
            look,
            _cells(grid, entry, loss, digits, look),
            _marginals(grid, digits, look),
            _outline(grid, regions, look, best=grid.k if shorter else grid.k - 1),
            () if chosen is None else _mark(grid, chosen, look),
            margin={"r": 7 * look.text_size, "t": 2.6 * look.text_size},
            height=520,
            bargap=0,
            x=_ranks("t, rank of the lowest item", grid.t_edges, grid.k, [0, 0.88]),
            y=_ranks("h, best items before one is missing", grid.h_edges, grid.k - 1, [0, 0.82]),
            y2=axis("", grid=False, domain=[0.845, 1], showticklabels=False),
            x2=axis("", grid=False, domain=[0.895, 1], showticklabels=False),
            legend=horizontal_legend(1.02, "bottom", traceorder="reversed", xanchor="left"),
        ),
        alt=(
            f"Heatmap of {entry.meaning}. h goes from {grid.h_edges[0]} to {grid.h_edges[-1] - 1}"
            f" and t from {grid.t_edges[0]} to {grid.t_edges[-1] - 1}. The likeliest cell is h ="
            f" {h}, t = {t} with {percent(heaviest)}."
        ),
        how_to_read=(
            f"{CELL_MEANING} The colour shows {entry.meaning}. The bars above and beside the cells"
            f" add up the chances.{binned}{_SHORTER.format(grid.k) if shorter else ''}"
        ),
        says_now=(
            f"The likeliest cell is h = {h}, t = {t}, with {release_frequency_text(heaviest)}."
            f" The cells shown contain {percent(grid.covered_mass)} of releases."
        ),
        make_table=lambda: _table(grid, loss),
    )


def _cells(grid: Grid, measure: Measure, loss: Floats | None, digits: int, look: Look) -> Mark:
    values = measure.values(grid, loss)
    seen = values[np.isfinite(values)]
    low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 1.0)
    if measure.decades is not None:
        low = max(low, high - measure.decades)
    if high - low < 1e-9:  # one value: the scale gets a second end
        low, high = (low - 1.0, high) if measure.decades else (low, high + 1.0)
    ticks = np.linspace(low, high, 5) if measure.linear else _decades(low, high)
    where = (
        "h %{y:.0f}, t %{x:.0f}" if not grid.has_binned_cells else "around h %{y:.0f}, t %{x:.0f}"
    )
    scale = colour_bar(
        measure.title, ticks.tolist(), [measure.tick(float(tick)) for tick in ticks], look
    )
    return trace(
        "heatmap",
        (grid.t_edges - 0.5).astype(np.float32),
        (grid.h_edges - 0.5).astype(np.float32),
        z=values.astype(np.float32),
        customdata=grid.mass.astype(np.float32),
        zmin=low,
        zmax=high,
        colorscale=look.visible_colour_scale,
        hoverongaps=False,
        xgap=1 if grid.mass.shape[1] <= 36 else 0,
        ygap=1 if grid.mass.shape[0] <= 24 else 0,
        hover=f"{where}<br>chance <b>%{{customdata:.{digits}p}}</b>",
        colorbar={**scale, "x": 1.01, "len": 0.82, "y": 0, "yanchor": "bottom"},
        name="",
        showlegend=None,
    )


def _decades(low: float, high: float) -> Floats:
    """Powers of ten in the range, at most seven; with their 2 and 5 if there are few."""
    fine = [
        e + m
        for e in range(int(np.floor(low)), int(np.ceil(high)) + 1)
        for m in np.log10((1, 2, 5)).tolist()
    ]
    fine = [tick for tick in fine if low - 1e-9 <= tick <= high + 1e-9]
    if 2 <= len(fine) <= 5:
        return np.array(fine)
    first, last = int(np.ceil(low - 1e-9)), int(np.floor(high + 1e-9))
    if last < first:
        return np.array([low, high])
    return np.arange(last, first - 1, -max(1, -(-(last - first) // 6)))[::-1].astype(float)


def _marginals(grid: Grid, digits: int, look: Look) -> list[Mark]:
    t, h = (
        ((edges[:-1] + edges[1:] - 1) / 2).astype(np.float32)
        for edges in (grid.t_edges, grid.h_edges)
    )
    return [
        vertical_bars(
            t,
            grid.t_mass.astype(np.float32),
            look.muted,
            width=np.diff(grid.t_edges).astype(np.float32),
            yaxis="y2",
            hover=f"t %{{x:.0f}}<br>chance <b>%{{y:.{digits}p}}</b>",
        ),
        horizontal_bars(
            grid.h_mass.astype(np.float32),
            h,
            look.muted,
            width=np.diff(grid.h_edges).astype(np.float32),
            xaxis="x2",
            hover=f"h %{{y:.0f}}<br>chance <b>%{{x:.{digits}p}}</b>",
        ),
    ]


def _outline(
    grid: Grid, regions: Mapping[str, tuple[int, int]], look: Look, *, best: int
) -> Iterator[Mark]:
    """Right and lower edge of each region in view; the other edges are the same for all.

    A region that ends at t = k holds only the exact top k, whose h is `best`.
    """
    k, right, bottom = grid.k, float(grid.t_edges[-1]) - 0.5, float(grid.h_edges[0]) - 0.5
    left, top = (
        max(k - 0.5, float(grid.t_edges[0]) - 0.5),
        min(best + 0.5, float(grid.h_edges[-1]) - 0.5),
    )
    for i, (name, (a, b)) in reversed(list(enumerate(regions.items()))):
        x1, y0 = b + 0.5, (best if b == k else min(a, best)) - 0.5
        if x1 <= left or y0 >= top or (x1 >= right and y0 <= bottom):
            continue
        corner = [(x1, top), (x1, max(y0, bottom)), (left, y0)]
        x, y = zip(
            *(corner[: 2 if y0 < bottom else 3] if x1 <= right else [(right, y0), corner[2]]),
            strict=True,
        )
        common: dict[str, Any] = {"legendgroup": name, "cliponaxis": False}
        # a casing, so that the line stands out from any cell
        yield curve_mark(x, y, look.paper, 4.5, **common)
        colour, dash = look.ink, DASHES[i % len(DASHES)]
        yield curve_mark(
            x, y, colour, 2.5, dash, name=EVENTS[name].label, showlegend=True, **common
        )


def _mark(grid: Grid, chosen: tuple[int, int], look: Look) -> list[Mark]:
    row, column = (
        int(np.searchsorted(edges, value, side="right")) - 1
        for edges, value in ((grid.h_edges, chosen[0]), (grid.t_edges, chosen[1]))
    )
    if not (0 <= row < len(grid.h_edges) - 1 and 0 <= column < len(grid.t_edges) - 1):
        return []
    x = float(grid.t_edges[column] + grid.t_edges[column + 1] - 1) / 2
    y = float(grid.h_edges[row] + grid.h_edges[row + 1] - 1) / 2
    return [dots([x], [y], look.paper, 11 * look.scale, None, (2, look.ink))]


def _ranks(title: str, edges: Ints, first_tick: int, domain: list[float]) -> dict[str, Any]:
    return axis(
        title,
        (float(edges[0]) - 0.5, float(edges[-1]) - 0.5),
        grid=False,
        moves=True,
        domain=domain,
        tickformat=",d",
        dtick=round_tick_spacing(int(edges[-1] - edges[0]), 11),
        tick0=first_tick,
    )


def round_tick_spacing(span: int, about: int) -> int:
    """Round distance that divides the span into about so many parts."""
    rough = max(1.0, span / about)
    unit: int = 10 ** int(np.log10(rough))
    return next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)


def likeliest_cell(grid: Grid) -> tuple[str, str, float]:
    """Ranks h and t of the likeliest cell, and its chance."""
    row, column = np.unravel_index(int(np.argmax(grid.mass)), grid.mass.shape)
    return (
        _span(grid.h_edges, int(row)),
        _span(grid.t_edges, int(column)),
        float(grid.mass[row, column]),
    )


def _span(edges: Ints, i: int) -> str:
    first, last = int(edges[i]), int(edges[i + 1]) - 1
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def occupied_cells(grid: Grid) -> tuple[tuple[Ints, Ints], dict[str, Floats | Ints]]:
    """Cells that carry mass, the likeliest first: their indices, and their values as columns."""
    row, column = np.nonzero(grid.mass > LEAST)
    order = np.argsort(-grid.mass[row, column], kind="stable")
    row, column = row[order], column[order]
    return (row, column), {
        "h from": grid.h_edges[row],
        "h to": grid.h_edges[row + 1] - 1,
        "t from": grid.t_edges[column],
        "t to": grid.t_edges[column + 1] - 1,
        "chance": grid.mass[row, column],
    }


def _table(grid: Grid, loss: Floats | None) -> dict[str, Floats | Ints]:
    at, held = occupied_cells(grid)
    held["log10 of the number of sets"] = grid.log_sets[at] / _LN10
    return held if loss is None else held | {"loss at the middle": loss[at]}
