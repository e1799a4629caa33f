"""How many runs are made before something is published: what it takes in time, never published itself."""

import numpy as np
import pandas as pd

from dpviz.candidates.run_counts import RunsLaw
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, number, percent

__all__ = ["runs_bars"]

_MOST_BARS = 100
_SHOWN = 0.995


def runs_bars(runs: RunsLaw, *, look: Look = LIGHT) -> Chart:
    """Bars of P(number of runs), up to where 99.5 % of the mass lies; several counts to a bar where there are many."""
    last = max(1, runs.quantile(_SHOWN))
    first = 0 if float(runs.pmf(np.array(0))) > 0 else 1
    per_bar = -(-(last - first + 1) // _MOST_BARS)
    low = np.arange(first, last + 1, per_bar)
    high = low + per_bar - 1
    mass = runs.more(low - 1) - runs.more(high)
    beyond = float(runs.more(np.array(int(high[-1]))))
    half, most = runs.quantile(0.5), runs.quantile(0.95)
    hover = [
        count(a, "run") if a == b else f"{a:,} to {b:,} runs" for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]
    figure = Figure()
    figure.add_bar(
        x=(low + high) / 2,
        y=mass,
        width=per_bar * 0.9,
        marker={"color": look.sequential[5], "line": {"width": 0}},
        customdata=hover,
        hovertemplate="%{customdata}: <b>%{y:.2%}</b><extra></extra>",
    )
    figure.add_shape(
        type="line", x0=runs.mean, x1=runs.mean, y0=0, y1=1, yref="paper",
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )  # fmt: skip
    figure.add_annotation(
        x=runs.mean,
        y=1,
        yref="paper",
        yanchor="top",
        xanchor="left",
        xshift=6,
        showarrow=False,
        text=f"mean {number(round(runs.mean, 2))}",
        font={"color": look.muted},
    )
    figure.update_layout(
        template=look.template,
        height=round(280 * look.scale),
        bargap=0,
        xaxis={
            "title": {"text": "runs made"},
            "range": [first - 0.6, float(high[-1]) + 0.6],
            "showgrid": False,
            "tickformat": ",d",
        },
        yaxis={
            "title": {"text": "chance"},
            "tickformat": ".2~%",
            "nticks": 5,
            "rangemode": "tozero",
            "fixedrange": True,
        },
        margin={"t": 10, "r": 12},
    )
    says = (
        f"On average {number(round(runs.mean, 2))} runs are made; half of the releases need at most "
        f"{count(half, 'run')}, 19 of 20 at most {most:,}."
    )
    folded = f" Each bar holds {per_bar:,} counts." if per_bar > 1 else ""
    left = f" Beyond the right edge lies {percent(beyond)}." if beyond > 1e-12 else ""
    return Chart(
        figure=figure,
        alt=f"Bars of the number of runs made. {says}",
        how_to_read="Each bar is a number of runs and the chance that just so many are made. The number itself must "
        f"stay secret: only the chosen run is published.{folded}{left}",
        says_now=says,
        make_table=lambda: pd.DataFrame({"runs from": low, "runs to": high, "chance": mass}),
    )
