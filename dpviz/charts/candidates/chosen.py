"""Whose run comes out: a bar a candidate, beside what the best of one run each would do.

Invariants: at most 24 candidates are drawn, the likeliest ones; the others are one bar and the words say so;
nothing (⊥) has a bar of its own, and a pattern.
"""

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.candidates.rules import SelectionLaw
from dpviz.charts.candidates.rows import rows_axis
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import count, isolated, label, number, of_releases, percent, trimmed

__all__ = ["chosen_bars"]

MOST_BARS = 24
_NOTHING = "nothing comes out"
_NAIVE = "best of one run each"


def chosen_bars(law: SelectionLaw, means: Floats, naive: Floats, *, look: Look = LIGHT) -> Chart:
    """Bars of `law.candidate`, the best mean score on top; `naive` is the law of the best of one run each.

    `means` are the candidates' own mean scores, shape (K,).
    """
    size = law.pool.size
    names = [law.pool.label(k) for k in range(size)]
    kept = np.sort(np.argsort(-law.candidate, kind="stable")[:MOST_BARS])
    kept = kept[np.argsort(-means[kept], kind="stable")]
    left = size - len(kept)
    rows = [
        (
            label(names[k], 34),
            law.candidate[k],
            naive[k],
            f"<b>{label(names[k], 100)}</b><br>mean score {number(means[k])}",
        )
        for k in kept.tolist()
    ]
    if left:
        others = np.setdiff1d(np.arange(size), kept)
        rows.append(
            (count(left, "other"), law.candidate[others].sum(), naive[others].sum(), "<b>all the others together</b>")
        )
    can_be_nothing = law.bottom > 1e-12
    if can_be_nothing:
        rows.append((f"<i>{_NOTHING}</i>", law.bottom, 0.0, f"<b>{_NOTHING}</b>"))
    best = int(np.argmax(law.candidate))
    ends = f"; {_NOTHING} in {of_releases(law.bottom)}" if can_be_nothing else ""
    name, often = isolated(trimmed(names[best])), of_releases(float(law.candidate[best]))
    says = f"The likeliest is {name}: it comes out in {often}{ends}."
    folded = f" {count(left, 'candidate')} that come out least are one bar." if left else ""
    return Chart(
        figure=_figure(rows, can_be_nothing, look),
        alt=f"Horizontal bars of the chance that each of {size:,} candidates comes out. {says}",
        how_to_read=(
            "Each bar is a candidate, the one with the best runs on top; its length is the chance that a run of it is "
            "what comes out. A diamond is that chance if every candidate is run once and the best run is published."
            + folded
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {
                "candidate": [*names, "⊥ (nothing)"],
                "mean score": [*means, np.nan],
                "chance": [*law.candidate, law.bottom],
                _NAIVE: [*naive, 0.0],
            }
        ),
    )


def _figure(rows: list[tuple[str, float, float, str]], nothing: bool, look: Look) -> Figure:
    names, chance, naive, more_words = zip(*rows, strict=True)
    places = list(range(len(rows)))
    colours = [look.sequential[5]] * len(rows)
    if nothing:
        colours[-1] = look.muted
    figure = Figure()
    figure.add_bar(
        x=np.array(chance),
        y=places,
        orientation="h",
        name="chance to come out",
        marker={
            "color": colours,
            "line": {"width": 0},
            "pattern": {"shape": [""] * (len(rows) - nothing) + ["/"] * nothing},
        },
        customdata=[f"{more}<br>{percent(p)} of releases" for p, more in zip(chance, more_words, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )
    shown = len(rows) - nothing
    figure.add_scatter(
        x=np.array(naive[:shown]),
        y=places[:shown],
        mode="markers",
        name=_NAIVE,
        marker={
            "symbol": "diamond",
            "size": 9 * look.scale,
            "color": look.categories[0],
            "line": {"width": 1.5, "color": look.paper},
        },
        customdata=[percent(p) for p in naive[:shown]],
        hovertemplate=_NAIVE + ": %{customdata}<extra></extra>",
    )
    widest = max(*chance, *naive, 0.02)
    figure.add_scatter(
        x=[1.02 * widest] * len(rows),  # a column of its own: beside a bar it would stand beside another's diamond
        y=places,
        mode="text",
        text=[percent(p) for p in chance],
        textposition="middle right",
        textfont={"color": look.muted},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round((27 * len(rows) + 100) * look.scale),
        bargap=0.32,
        xaxis={"range": [0, widest * 1.14], "tickformat": ".0%", "nticks": 6, "title": {"text": "chance to come out"}},
        yaxis=rows_axis(list(names), look),
        margin={"l": 17.5 * size, "t": 2.4 * size, "b": 3.8 * size, "r": 12},
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    )
    return figure
