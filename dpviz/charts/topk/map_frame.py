"""Axes, colours, regions and words of heatmaps over (h, t), whose cells have one size.

Symbols: h = how many of the top ranks are all there (up is better), t = the lowest rank on the list
(left is better). A place on an axis counts cells. The colours of a chance are the same for any law.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import number_text
from dpviz.charts.grammar import Look, Mark, axes, marks
from dpviz.topk import EVENTS, Grid

CELL_MEANING = (
    "Each cell is a group of lists. The first h items are all there, but not the next one. Their"
    " lowest item has rank t. Higher and further left is better."
)
LEAST = 1e-12  # masses below are rounding
_FLOOR, _PALE = -3.0, 0.6  # decades: 0.1 %, and the pale end of the scale below it
_DASHES = ("solid", "dash", "dot", "dashdot")


def cell_log10_chances(grid: Grid) -> Floats:
    """log10 of each cell's chance, at least the pale end; NaN where no list can be."""
    log10 = np.log10(np.maximum(grid.mass, 10 ** (_FLOOR - _PALE)))
    return np.where(np.isfinite(grid.log_sets) | (grid.mass > LEAST), log10, np.nan)


def heat_cells(grid: Grid, values: Floats, digits: int, **more: Any) -> Mark:
    """Cells in the colours of their values, with the meaning and the chance of each."""
    return marks.trace(
        "heatmap",
        np.arange(len(grid.t_edges), dtype=np.float32),
        np.arange(len(grid.h_edges), dtype=np.float32),
        z=values.astype(np.float32),
        coloraxis="coloraxis",
        hoverongaps=False,
        customdata=hover_texts(grid, digits),
        **more,
    )


def chance_colour_axis(look: Look, **bar: Any) -> dict[str, Any]:
    """Colour axis of chances: logarithmic from 0.1 % to 100 %, and pale below."""
    whole, shown = _PALE - _FLOOR, look.visible_colour_scale
    scale = [(0.0, look.sequential[1]), (_PALE / whole, look.sequential[1])]
    scale += [((_PALE - _FLOOR * share) / whole, colour) for share, colour in shown]
    ticks, texts = [_FLOOR - _PALE / 2, -2, -1, 0], ["<0.1 %", "1 %", "10 %", "100 %"]
    return {
        "colorscale": scale,
        "cmin": _FLOOR - _PALE,
        "cmax": 0.0,
        "colorbar": axes.colour_bar("chance", ticks, texts, look) | bar,
    }


def rank_axis_position(edges: Ints, rank: float) -> float:
    """Place of a rank's near side on an axis of cells."""
    return float(np.interp(rank, edges, np.arange(len(edges))))


def rank_cell_index(edges: Ints, rank: int) -> int:
    """Number of the cell that holds a rank, from 0; outside the edges there is none."""
    return int(np.searchsorted(edges, rank, side="right")) - 1


def rank_axis(title: str, edges: Ints, **more: Any) -> dict[str, Any]:
    """Axis of cells, with labels at round ranks."""
    ticks = _labelled_ranks(edges)
    return axes.axis(
        title,
        (0, len(edges) - 1),
        grid=False,
        tickvals=[rank_axis_position(edges, rank + 0.5) for rank in ticks],
        ticktext=[f"{rank:,}" for rank in ticks],
        **more,
    )


def _labelled_ranks(edges: Ints) -> list[int]:
    """Round ranks if a cell is a rank, else ranks evenly over the cells."""
    if len(edges) - 1 == edges[-1] - edges[0]:
        return rank_ticks(int(edges[0]), int(edges[-1]) - 1)
    ticks = []
    for cell in np.unique(np.linspace(0, len(edges) - 2, 6).astype(int)).tolist():
        first, width = int(edges[cell]), int(edges[cell + 1] - edges[cell])
        unit = 10 ** (len(str(width)) - 1) if width > 1 else 1
        ticks.append(-(-first // unit) * unit)
    return ticks


def rank_ticks(first: int, last: int) -> list[int]:
    """First rank, and round ones after it that leave room between them."""
    step = _round_spacing(last - first, 6)
    after = range(-(-(first + 1) // step) * step, last + 1, step)
    return [first, *(rank for rank in after if rank - first >= step / 2)]


def _round_spacing(span: int, about: int) -> int:
    """Round distance that divides the span into about so many parts."""
    rough = max(1.0, span / about)
    unit: int = 10 ** int(np.log10(rough))
    return next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough)


# ---- the named regions ---------------------------------------------------------------------------


def region_marks(
    grid: Grid, regions: Mapping[str, tuple[int, int]], look: Look, *, shorter: bool, **panel: str
) -> Iterator[Mark]:
    """Right and lower edge of each region in view, with its names beside the corner.

    A region (a, b) holds h ≥ a and t ≤ b. One that ends at t = k holds only the exact top k, unless
    lists may be `shorter`; the exact top k is named in its row.
    """
    k, right, top = grid.k, float(len(grid.t_edges) - 1), float(len(grid.h_edges) - 1)
    left, best = rank_axis_position(grid.t_edges, k), min(k, int(grid.h_edges[-1]) - 1)
    names: dict[tuple[int, int], list[str]] = {}
    for name, (a, b) in regions.items():
        exact = b == k and not shorter
        names.setdefault((best if exact else min(a, best), b), []).append(EVENTS[name].label)
    at = {"xref": panel.get("xaxis", "x"), "yref": panel.get("yaxis", "y")}
    for style, ((a, b), labels) in reversed([*enumerate(names.items())]):
        x1, y0 = rank_axis_position(grid.t_edges, b + 1), rank_axis_position(grid.h_edges, a)
        if x1 <= left or y0 >= top or (x1 >= right and y0 <= 0):
            continue
        corner = [(x1, top), (x1, y0), (left, y0)]
        x, y = zip(*(corner[: 2 if y0 <= 0 else 3] if x1 < right else corner[1:]), strict=True)
        for colour, width, dash in ((look.paper, 4.5, None), (look.ink, 2, _DASHES[style % 4])):
            yield marks.curve_mark(x, y, colour, width, dash, cliponaxis=False, **panel)
        text = ", ".join(labels)
        if a == best and b == k:
            yield _chip(
                f"{text}: {exact_top_k_phrase(k)}", x1, (top + y0) / 2, "left middle", look, at
            )
        else:
            inside = x1 > 0.8 * right
            lift = {"xshift": -3 if inside else 3, "yshift": 3 + 1.5 * look.text_size * (style % 2)}
            side, said = ("right", text) if inside else ("left", f"← {text}")  # it lies to the left
            yield _chip(said, x1, y0, f"{side} bottom", look, at | lift)


def _chip(text: str, x: float, y: float, anchor: str, look: Look, at: Mapping[str, Any]) -> Mark:
    """Text on paper, which can be read over any cell."""
    size = 0.88 * look.text_size
    return marks.text_annotation(
        text, x, y, anchor, look.ink, size=size, bgcolor=look.paper, borderpad=1, **at
    )


# ---- cells in words ------------------------------------------------------------------------------


def exact_top_k_phrase(k: int) -> str:
    return f"the exact top {k:,}" if k > 1 else "the best item"


def cell_phrases(grid: Grid) -> list[list[str]]:
    """Meaning of each cell, from its verb on."""
    k, h, t = grid.k, grid.h_edges.tolist(), grid.t_edges.tolist()
    lowest = [
        f"and nothing below rank {k:,}"
        if end - 1 == k
        else f"and lowest rank {_span(first, end - 1)}"
        for first, end in pairwise(t)
    ]
    phrases = [
        [f"has {_first_ranks(low, end - 1)} {rank}" for rank in lowest] for low, end in pairwise(h)
    ]
    if h[-1] >= k and t[1] - 1 == k:
        phrases[-1][0] = f"is {exact_top_k_phrase(k)}"
    return phrases


def _first_ranks(low: int, high: int) -> str:
    """The ranks that are all there, where low ≤ h ≤ high."""
    if high == 0:
        return "the best item missing"
    return f"{'the' if low else 'at most the'} first {_span(low or high, high)} all there"


def _span(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def likeliest_cell_phrases(grid: Grid, cell_count: int) -> list[tuple[str, float]]:
    """The likeliest cells in words, each with its chance."""
    phrases = [phrase for row in cell_phrases(grid) for phrase in row]
    chances = grid.mass.ravel()
    best = np.argsort(-chances, kind="stable")[:cell_count].tolist()
    return [(phrases[at], float(chances[at])) for at in best]


def hover_texts(grid: Grid, digits: int) -> list[list[str]]:
    """Meaning and chance of each cell, for a pointer."""
    return [
        [
            f"{phrase}<br>chance <b>"
            + (f"{number_text(100 * p, digits)} %" if p >= 10**_FLOOR else "less than 0.1 %")
            + "</b>"
            for phrase, p in zip(*row, strict=True)
        ]
        for row in zip(cell_phrases(grid), grid.mass.tolist(), strict=True)
    ]


def occupied_cell_indices_and_values(
    grid: Grid,
) -> tuple[tuple[Ints, Ints], dict[str, Floats | Ints]]:
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
