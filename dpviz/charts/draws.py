"""Releases that were drawn, one dot each, stacked by how many of the true top k came out.

Invariants: dots are illustrations; the exact expectation is drawn beside them, never estimated from them.
"""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.arrays import Ints
from dpviz.charts.base import Chart
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, number, percent

__all__ = ["draw_dots"]


def draw_dots(hits: Ints, k: int, *, share: float, top: float, chosen: int | None = None, look: Look = LIGHT) -> Chart:
    """Dots for `hits`, shape (n,): how many of the true top k each release holds.

    `share` is the expected share and `top` the exact chance of all k; `chosen` the index of a release
    to mark.
    """
    n = len(hits)
    height = _stacked(hits)
    whole = hits == k
    figure = go.Figure()
    for name, held, colour, symbol in (
        (f"exactly the true top {k:,}", whole, look.categories[0], "diamond"),
        ("something else", ~whole, look.sequential[5], "circle"),
    ):
        where = np.flatnonzero(held)
        if len(where):
            figure.add_scatter(
                x=hits[where],
                y=height[where],
                mode="markers",
                name=name,
                marker={"color": colour, "symbol": symbol, "size": 9 * look.scale},
                customdata=where + 1,
                hovertemplate="release %{customdata}<br>%{x} of the true top<extra></extra>",
            )
    if chosen is not None:
        figure.add_scatter(
            x=[int(hits[chosen])],
            y=[int(height[chosen])],
            mode="markers",
            name="shown in full",
            marker={"color": "rgba(0,0,0,0)", "size": 15 * look.scale, "line": {"color": look.ink, "width": 2}},
            hoverinfo="skip",
        )
    expected = share * k
    low, high = float(min(hits.min(), np.floor(expected))) - 0.8, float(max(hits.max(), np.ceil(expected))) + 0.8
    figure.add_shape(
        type="line",
        x0=expected,
        x1=expected,
        y0=0,
        y1=1,
        yref="paper",
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )
    figure.add_annotation(
        x=expected,
        y=1,
        yref="paper",
        yanchor="bottom",
        showarrow=False,
        text=f"exact mean {number(round(expected, 2))}",
        font={"color": look.muted},
    )
    figure.update_layout(
        template=look.template,
        height=round(300 * look.scale),
        xaxis={
            "range": [low, high],
            "title": {"text": f"how many of the true top {k:,} came out"},
            "tickformat": ",d",
            "dtick": 1 if high - low < 16 else None,
            "showgrid": False,
            "fixedrange": True,
        },
        yaxis={
            "range": [0.2, max(10.0, float(height.max())) + 1.2],
            "title": {"text": "releases"},
            "nticks": 4,
            "tickformat": ",d",
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top"},
        margin={"t": 40},
    )
    exactly = int(whole.sum())
    return Chart(
        figure=figure,
        alt=f"Stacked dots of {count(n, 'release')}: {exactly} hold exactly the true top {k}.",
        how_to_read=(
            "Each dot is one release that was drawn; the further right, the more of the true top came out. "
            "The dashed line is the exact mean, computed and not drawn."
        ),
        says_now=(
            f"{exactly:,} of {count(n, 'release')} {'is' if n == 1 and exactly else 'are'} exactly the true top {k:,}; "
            f"the exact chance of that is {percent(top)}."
        ),
        table=pd.DataFrame({"release": np.arange(1, n + 1), "of the true top": hits}),
    )


def _stacked(hits: Ints) -> Ints:
    """The place of each dot in its pile, from 1, in the order drawn."""
    order = np.argsort(hits, kind="stable")
    ordered = hits[order]
    first = np.searchsorted(ordered, ordered, side="left")
    height = np.empty(len(hits), np.int64)
    height[order] = np.arange(len(hits)) - first + 1
    return height
