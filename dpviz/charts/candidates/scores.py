"""The score of what comes out, as columns, over the score of one run of a candidate drawn at random.

Invariant: columns are bins of one width that hold whole levels; their masses are the law's own.
"""

import numpy as np
import pandas as pd

from dpviz.candidates.worth import ScoreBins, Utility
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, number, of_releases, percent

__all__ = ["score_columns"]


def score_columns(
    bins: ScoreBins, worth: Utility, one_run: float, quantile: float, share: float, *, look: Look = LIGHT
) -> Chart:
    """Columns of `bins.out` with the outline of `bins.run`.

    `one_run` is the mean score of a single run of a random candidate; from `quantile` up the best `share` of
    all runs begin.
    """
    middle, width = (bins.edges[1:] + bins.edges[:-1]) / 2, float(bins.edges[1] - bins.edges[0])
    hover = [
        f"score {number(a)}" if bins.single else f"scores {number(a)} to {number(b)}"
        for a, b in zip(middle if bins.single else bins.edges[:-1], bins.edges[1:], strict=True)
    ]
    start = quantile - width / 2 if bins.single else quantile
    far = start > float(bins.edges[0] + bins.edges[-1]) / 2
    figure = Figure()
    figure.add_bar(
        x=middle,
        y=bins.out,
        width=width * 0.9,
        name="what comes out",
        marker={"color": look.sequential[5], "line": {"width": 0}},
        customdata=hover,
        hovertemplate="%{customdata}<br>comes out in <b>%{y:.2%}</b><extra></extra>",
    )
    figure.add_scatter(
        x=np.repeat(bins.edges, 2)[1:-1],
        y=np.repeat(bins.run, 2),
        mode="lines",
        name="one run of a random candidate",
        line={"color": look.categories[0], "width": 1.8 * look.scale, "dash": "dot"},
        hoverinfo="skip",
    )
    figure.add_shape(
        type="line", x0=start, x1=start, y0=0, y1=1, yref="paper",
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )  # fmt: skip
    figure.add_annotation(
        x=start,
        y=1,
        yref="paper",
        yanchor="bottom",
        xanchor="right" if far else "left",
        xshift=4 if far else -4,
        showarrow=False,
        text=f"the best {as_typed(share)} of runs →",
        font={"color": look.muted},
    )
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round(340 * look.scale),
        bargap=0,
        xaxis={"title": {"text": "score"}, "showgrid": False, "range": [float(bins.edges[0]), float(bins.edges[-1])]},
        yaxis={
            "title": {"text": "chance"},
            "tickformat": ".0%",
            "nticks": 5,
            "rangemode": "tozero",
            "fixedrange": True,
        },
        legend={
            "orientation": "h",
            "x": 0 if far else 1,
            "xanchor": "left" if far else "right",
            "y": 1.03,
            "yanchor": "bottom",
        },
        margin={"t": 2.8 * size, "r": 12},
    )
    says = (
        "Nothing ever comes out."
        if worth.score is None
        else f"What comes out scores {number(worth.score)} on average, a single run {number(one_run)}; "
        f"it is among the best {as_typed(share)} of all runs in {of_releases(worth.within)}."
    )
    return Chart(
        figure=figure,
        alt=f"Columns of the score of what comes out, with the outline of one run's. {says}",
        how_to_read=(
            "The further right the columns lie of the dotted outline, the more choosing has gained. Right of the "
            f"dashed line lie the best {as_typed(share)} of the runs of all candidates."
            + ("" if bins.single else " Neighbouring scores are drawn together in columns of one width.")
            + _left(bins)
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {"score from": bins.edges[:-1], "score to": bins.edges[1:], "comes out": bins.out, "one run": bins.run}
        ),
    )


def _left(bins: ScoreBins) -> str:
    out, run = bins.below
    if run <= 0:
        return ""
    sentence = f" {percent(run)} of single runs lie left of the picture"
    return sentence + (f", {percent(out)} of what comes out." if out > 0 else ".")
