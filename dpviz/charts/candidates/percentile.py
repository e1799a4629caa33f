"""The percentile sparse vector, query by query: how good each candidate is, and where the search stops.

Invariants: queries keep their order; at most 40 are drawn, the rest is told; that none is found is the last bar.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.candidates.percentile import StopLaw
from dpviz.charts.candidates.rows import rows_axis
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, count, isolated, label, number, of_releases, percent, trimmed

__all__ = ["percentile_steps"]

MOST_STEPS = 40


def percentile_steps(
    names: Sequence[str], chances: Floats, percentile: float, law: StopLaw, threshold: float, *, look: Look = LIGHT
) -> Chart:
    """`chances` are P(a run scores ≥ `threshold`) by query, `law` where the search stops."""
    shown = min(len(names), MOST_STEPS)
    reached = 1 - np.append(0.0, np.cumsum(law.stop)[:-1])
    yes = np.where(reached > 1e-15, law.stop / np.maximum(reached, 1e-15), 0.0)
    good = chances >= percentile
    figure = Figure()
    _shares(figure, names[:shown], chances[:shown], percentile, look)
    _stops(figure, names[:shown], law, reached[:shown], yes[:shown], look)
    rows = [f"{i + 1:,}\u2002{label(name, 32)}" for i, name in enumerate(names[:shown])] + ["<i>none of them</i>"]
    _lay_out(figure, rows, max(float(law.stop.max()), law.none, float(reached.max())), threshold, look)
    best = int(np.argmax(law.stop))
    right = float(law.stop[good].sum())
    says = (
        f"The search stops most often at {isolated(trimmed(names[best]))}, in {of_releases(float(law.stop[best]))}. "
        f"What it names truly reaches p* in {of_releases(right)}; it names none in {of_releases(law.none)}."
    )
    left = f" {count(len(names) - shown, 'query', 'queries')} more are in the table only." if len(names) > shown else ""
    return Chart(
        figure=figure,
        alt=f"For {len(names):,} queries in order, how often a run reaches the threshold and where it stops. {says}",
        how_to_read=(
            "From top to bottom, step by step. On the left the share of a candidate's runs that reach the threshold, "
            "and the wanted share p* (dashed). On the right the outline is the chance that the search gets this far, "
            "the bar that it says yes here and ends." + left
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
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


def _shares(figure: Figure, names: Sequence[str], chances: Floats, percentile: float, look: Look) -> None:
    """Dots: how often each candidate's runs reach the threshold."""
    good = chances >= percentile
    for held, name, symbol, colour in (
        (good, f"reaches p* = {as_typed(percentile)}", "circle", look.sequential[6]),
        (~good, "does not", "circle-open", look.categories[0]),
    ):
        where = np.flatnonzero(held)
        figure.add_scatter(
            x=chances[where],
            y=where,
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10 * look.scale, "color": colour, "line": {"width": 2, "color": colour}},
            customdata=[label(names[i]) for i in where.tolist()],
            hovertemplate="<b>%{customdata}</b><br>reaches the threshold in %{x:.1%} of its runs<extra></extra>",
        )
    figure.add_shape(
        type="line", x0=percentile, x1=percentile, y0=-0.6, y1=len(names) - 0.5,
        line={"color": look.ink, "width": 1, "dash": "dash"},
    )  # fmt: skip


def _stops(figure: Figure, names: Sequence[str], law: StopLaw, reached: Floats, yes: Floats, look: Look) -> None:
    """Bars: the search gets this far, and ends here."""
    n = len(names)
    figure.add_bar(
        x=reached,
        y=list(range(n)),
        orientation="h",
        xaxis="x2",
        name="gets this far",
        marker={"color": "rgba(0,0,0,0)", "line": {"width": 1.2, "color": look.muted}},
        hoverinfo="skip",
    )
    ends = [*law.stop[:n].tolist(), law.none]
    figure.add_bar(
        x=ends,
        y=list(range(n + 1)),
        orientation="h",
        xaxis="x2",
        name="ends here",
        marker={
            "color": [look.sequential[5]] * n + [look.muted],
            "pattern": {"shape": [""] * n + ["/"]},
            "line": {"width": 0},
        },
        customdata=[
            *(
                f"<b>{label(name)}</b><br>asked in {percent(a)}, then yes in {percent(b)}<br>ends here in {percent(p)}"
                for name, a, b, p in zip(names, reached.tolist(), yes.tolist(), ends, strict=False)
            ),
            f"<b>none of them</b><br>{percent(law.none)}",
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.add_scatter(
        x=[*np.maximum(reached, law.stop[:n]).tolist(), law.none],
        y=list(range(n + 1)),
        xaxis="x2",
        mode="text",
        text=["\u00a0\u00a0" + percent(p) for p in ends],
        textposition="middle right",
        textfont={"color": look.muted},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )


def _lay_out(figure: Figure, rows: list[str], widest: float, threshold: float, look: Look) -> None:
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round((29 * len(rows) + 110) * look.scale),
        bargap=0.3,
        barmode="overlay",
        yaxis=rows_axis(rows, look),
        xaxis={
            "domain": [0, 0.36],
            "range": [-0.04, 1.04],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["0", "50 %", "100 %"],
            "title": {"text": f"runs that score {number(threshold)} or more"},
            "fixedrange": True,
        },
        xaxis2={
            "domain": [0.42, 1],
            "range": [0, widest * 1.13],
            "anchor": "y",
            "tickformat": ".0%",
            "nticks": 5,
            "title": {"text": "chance that the search ends here"},
            "fixedrange": True,
        },
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        margin={"l": 18.5 * size, "t": 2.6 * size, "b": 3.8 * size, "r": 12},
    )
