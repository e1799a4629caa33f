"""The percentile sparse vector, query by query: how good each candidate is, and where the search stops.

Invariants: queries keep their order; at most 60 are drawn, the rest is told; nothing found is the last bar.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.arrays import Floats
from dpviz.candidates.percentile import StopLaw
from dpviz.charts.base import Chart
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, isolated, label, number, of_releases, percent, trimmed

__all__ = ["percentile_steps"]

MOST_STEPS = 60


def percentile_steps(
    names: Sequence[str], chances: Floats, percentile: float, law: StopLaw, threshold: float, *, look: Look = LIGHT
) -> Chart:
    """`chances` are P(a run scores ≥ `threshold`) by query, `law` where the search stops."""
    shown = min(len(names), MOST_STEPS)
    reached = 1 - np.append(0.0, np.cumsum(law.stop)[:-1])
    yes = np.where(reached > 1e-15, law.stop / np.maximum(reached, 1e-15), 0.0)
    places = np.arange(shown)
    told = [f"<b>{label(name, 34)}</b>" for name in names[:shown]]
    good = chances >= percentile
    figure = go.Figure()
    for held, name, symbol, colour in (
        (good, f"reaches p* = {percent(percentile)}", "circle", look.sequential[6]),
        (~good, "does not", "circle-open", look.categories[0]),
    ):
        where = places[held[:shown]]
        figure.add_scatter(
            x=where,
            y=chances[where],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10 * look.scale, "color": colour, "line": {"width": 2}},
            customdata=[told[i] for i in where.tolist()],
            hovertemplate="%{customdata}<br>reaches the threshold in %{y:.1%} of its runs<extra></extra>",
        )
    figure.add_shape(
        type="line", x0=-0.6, x1=shown - 0.4, y0=percentile, y1=percentile,
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )  # fmt: skip
    figure.add_bar(
        x=[*places.tolist(), shown],
        y=[*law.stop[:shown].tolist(), law.none],
        yaxis="y2",
        showlegend=False,
        marker={
            "color": [look.sequential[5]] * shown + [look.muted],
            "pattern": {"shape": [""] * shown + ["/"]},
            "line": {"width": 0},
        },
        text=[percent(p) for p in [*law.stop[:shown].tolist(), law.none]] if shown <= 14 else None,
        textposition="outside",
        textfont={"color": look.muted},
        cliponaxis=False,
        customdata=[
            *(f"{told[i]}<br>asked in {percent(reached[i])}, then says yes in {percent(yes[i])}" for i in range(shown)),
            "<b>none of them</b>",
        ],
        hovertemplate="%{customdata}<br>stops here: <b>%{y:.2%}</b><extra></extra>",
    )
    few = shown <= 24
    figure.update_layout(
        template=look.template,
        height=round((470 if few else 400) * look.scale),
        bargap=0.3,
        xaxis={
            "anchor": "y2",
            "range": [-0.6, shown + 0.6],
            "showgrid": False,
            "tickvals": list(range(shown + 1)) if few else None,
            "ticktext": [*(isolated(trimmed(f"{i + 1}", 4)) for i in range(shown)), "none"] if few else None,
            "title": {"text": "query, in the order asked"},
        },
        yaxis={
            "domain": [0.56, 1],
            "range": [-0.06, 1.08],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["0", "50 %", "100 %"],
            "title": {"text": f"runs ≥ {number(threshold)}"},
            "fixedrange": True,
        },
        yaxis2={
            "domain": [0, 0.44],
            "range": [0, max(float(law.stop.max()), law.none, 0.02) * 1.25],
            "tickformat": ".0%",
            "nticks": 4,
            "title": {"text": "stops here"},
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        margin={"t": 2.6 * look.size, "r": 12},
    )
    best = int(np.argmax(law.stop))
    right = float(law.stop[good].sum())
    says = (
        f"It stops most often at query {best + 1:,}, in {of_releases(float(law.stop[best]))}; what it stops at truly "
        f"reaches p* in {of_releases(right)}, and it finds none in {of_releases(law.none)}."
    )
    left = f" {count(len(names) - shown, 'query', 'queries')} more are in the table only." if len(names) > shown else ""
    return Chart(
        figure=figure,
        alt=f"For {len(names):,} queries in order: how often a run reaches the threshold, where the search stops. {says}",
        how_to_read=(
            "Above, each candidate's share of runs that reach the threshold, and the wanted share p* (dashed). Below, "
            "the chance that the search stops there: it asks in order, with noise, until the first yes." + left
        ),
        says_now=says,
        table=pd.DataFrame(
            {
                "query": np.arange(1, len(names) + 1),
                "candidate": list(names),
                "share of runs": chances,
                "asked": reached,
                "yes if asked": yes,
                "stops here": law.stop,
            }
        ),
    )
