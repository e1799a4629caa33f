"""Releases that were drawn, one dot each, stacked by how many of the true top k came out.

Invariants: dots are illustrations; the expectation beside them comes from the law, never from them.
"""

import math

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats, Ints
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, number, percent

__all__ = ["draw_dots"]


def draw_dots(
    hits: Ints,
    k: int,
    *,
    mean: float,
    whole: float,
    method: str = "exact",
    chosen: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """Dots for `hits`, shape (n,): how many of the items in each release belong to the true top k.

    `mean` is the expected number and `whole` the chance of all k, both by `method` ("exact" or "estimated")
    and never from these draws; `chosen` is the index of a release to mark.
    """
    n = len(hits)
    low, high = min(int(hits.min()), math.floor(mean)), max(int(hits.max()), math.ceil(mean))
    x, y = _piled(hits, per_row=max(1, min(10, 44 // (high - low + 1))))
    all_right = hits == k
    figure = Figure()
    for name, held, colour, symbol in (
        (f"all {k:,} right", all_right, look.categories[0], "diamond"),
        ("not all right", ~all_right, look.sequential[5], "circle"),
    ):
        where = np.flatnonzero(held)
        if len(where):
            figure.add_scatter(
                x=x[where],
                y=y[where],
                mode="markers",
                name=name,
                marker={"color": colour, "symbol": symbol, "size": 8 * look.scale},
                customdata=np.column_stack([where + 1, hits[where]]),
                hovertemplate=f"release %{{customdata[0]}}<br>%{{customdata[1]}} of {k:,} right<extra></extra>",
            )
    if chosen is not None:
        figure.add_scatter(
            x=[float(x[chosen])],
            y=[float(y[chosen])],
            mode="markers",
            name="shown in full",
            marker={"color": "rgba(0,0,0,0)", "size": 13 * look.scale, "line": {"color": look.ink, "width": 2}},
            hoverinfo="skip",
        )
    tallest = max(float(y.max()), 6.0)
    for value in np.unique(hits).tolist():
        figure.add_annotation(
            x=value,
            y=float(y[hits == value].max()) + tallest * 0.09,
            text=f"{int((hits == value).sum()):,}",
            showarrow=False,
            font={"color": look.muted},
        )
    _mark_mean(figure, mean, method, look)
    figure.update_layout(
        template=look.template,
        height=round(320 * look.scale),
        xaxis={
            "range": [low - 0.7, high + 0.7],
            "title": {"text": f"how many of the {k:,} are right"},
            "tickformat": ",d",
            "dtick": max(1, -(-(high - low) // 14)),
            "showgrid": False,
            "fixedrange": True,
        },
        yaxis={
            "range": [0, tallest * 1.2],
            "showticklabels": False,
            "showgrid": False,
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": -0.25, "yanchor": "top"},
        margin={"l": 8, "t": 3.4 * look.size, "b": 6.5 * look.size},
    )
    exactly = int(all_right.sum())
    return Chart(
        figure=figure,
        alt=f"Stacked dots of {count(n, 'release')}: {exactly} have all {k} right.",
        how_to_read=(
            "Each dot is one release; the further right, the more of it belongs to the true top. "
            f"The arrow points at the {method} mean, which does not come from these releases."
        ),
        says_now=(
            f"In {exactly:,} of {count(n, 'release')} all {k:,} are right; "
            f"the {method} chance of that is {percent(whole)}."
        ),
        make_table=lambda: pd.DataFrame({"release": np.arange(1, n + 1), "right": hits}),
    )


def _mark_mean(figure: Figure, expected: float, method: str, look: Look) -> None:
    """The expectation, pointed at from above."""
    figure.add_annotation(
        x=expected,
        y=0.98,
        yref="paper",
        yanchor="bottom",
        ay=-2.2 * look.size,
        ax=0,
        arrowhead=2,
        arrowwidth=1.2,
        arrowcolor=look.ink,
        text=f"{method} mean {number(round(expected, 2))}",
        font={"color": look.muted},
    )


def _piled(hits: Ints, per_row: int) -> tuple[Floats, Floats]:
    """Where each dot lies: a pile for each value, filled row by row in the order drawn."""
    order = np.argsort(hits, kind="stable")
    ordered = hits[order]
    place = np.empty(len(hits), np.int64)
    place[order] = np.arange(len(hits)) - np.searchsorted(ordered, ordered, side="left")
    row, column = np.divmod(place, per_row)
    size = np.array([(hits == value).sum() for value in hits])
    x = hits + (column - (np.minimum(size, per_row) - 1) / 2) * (0.8 / per_row)
    return x.astype(float), row + 1.0
