"""How often a one-sided bound holds: before it is known whether there is an answer, and given that there is one.

Invariants: queries that are answered too rarely to tell are left out, and the words say how many.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, count, number, percent

__all__ = ["threshold_coverage_chart"]

_MOST = 400
_STYLES = ((3, "circle-open", 12), (0, "diamond", 7), (1, "square", 7))


def threshold_coverage_chart(
    scores: Scores,
    threshold: float,
    confidence: float,
    after: Mapping[str, Any],
    before: Mapping[str, Floats],
    overall: Mapping[str, float],
    *,
    look: Look = LIGHT,
) -> Chart:
    """`after`: branch → P(bound holds | answered by it) of each query (n,), masked where too rare.

    `before`: branch → P(no answer by it with a bound that fails), (n,). `overall`: mechanism →
    E[answers whose bound holds] / E[answers].
    """
    figure = Figure()
    for (name, held), (colour, symbol, size) in zip(after.items(), _STYLES, strict=False):
        at = np.flatnonzero(~np.ma.getmaskarray(held))
        at = at[np.argsort(scores.values[at], kind="stable")]
        at = at[np.unique(np.linspace(0, len(at) - 1, min(len(at), _MOST)).astype(int))] if len(at) else at
        figure.add_scatter(
            x=scores.values[at].astype(np.float32),
            y=np.asarray(held[at], np.float32),
            mode="markers",
            name=name,
            marker={
                "color": look.categories[colour],
                "symbol": symbol,
                "size": size * look.scale,
                "line": {"width": 2 if size > 7 else 0},
            },
            hovertemplate="score %{x:.4~g}<br>given an answer the bound holds in <b>%{y:.1%}</b><extra></extra>",
        )
    figure.add_level(y=confidence, line={"color": look.ink, "width": 1.2, "dash": "dash"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=confidence,
        xanchor="right",
        yanchor="top",
        text=f"asked for: {as_typed(confidence)}",
        showarrow=False,
        font={"color": look.ink},
    )
    figure.add_upright(x=threshold, line={"color": look.muted, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=threshold,
        y=0,
        yref="y domain",
        xanchor="left",
        yanchor="bottom",
        text=f" threshold {number(threshold)}",
        showarrow=False,
        font={"color": look.muted},
    )
    figure.update_layout(
        template=look.template,
        height=round(330 * look.scale),
        margin={"t": 12, "b": 7.2 * look.size},
        xaxis={"title": {"text": "true score of the query"}, "fixedrange": True},
        yaxis={
            "title": {"text": "bound holds"},
            "tickformat": ".0%",
            "range": [0, 1.04],
            "nticks": 6,
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
    )
    masked = {name: int(np.ma.getmaskarray(held).sum()) for name, held in after.items()}
    rare = ", ".join(f"{count(n, 'query', 'queries')} ({name})" for name, n in masked.items() if n)
    says = _says(confidence, overall)
    return Chart(
        figure=figure,
        alt=f"How often the lower bound holds for each query once it was answered, by its true score. {says}",
        how_to_read=(
            "Each point is a query: how often its lower bound holds where a release answers it so. Answers are given "
            "when noise is high, so for a query below the threshold an answer is itself a sign that the bound is too "
            "high." + (f" Left out, for they are hardly ever answered: {rare}." if rare else "")
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {"item": [scores.label(i) for i in range(scores.d)], "score": scores.values}
            | {f"{name}, before the answer, at least": before[name] for name in after}
            | {f"{name}, given an answer": np.ma.filled(held.astype(float), np.nan) for name, held in after.items()}
        ),
    )


def _says(confidence: float, overall: Mapping[str, float]) -> str:
    start = (
        f"Before it is known whether a query is answered, the chance of an answer with a bound that fails is at most "
        f"{as_typed(1 - confidence)}"
    )
    if not overall:
        return f"{start}; here there are hardly any answers."
    shares = " and ".join(f"{percent(share)} of the {name} mechanism's" for name, share in overall.items())
    return f"{start}. Of the answers that do come out, the bound holds for {shares}."
