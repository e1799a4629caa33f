"""What the order of the queries does: expected answers, right and wrong, under each order, plain and adaptive."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import number

__all__ = ["threshold_orders_chart"]

Pair = tuple[float, float]
"""Expected answers to queries truly at or above the threshold, and to others."""


def threshold_orders_chart(
    orders: Mapping[str, tuple[Pair, Pair]], chosen: str, above: int, *, look: Look = LIGHT
) -> Chart:
    """`orders`: label → (plain, adaptive), each (right, wrong). `above` queries truly lie at or above the threshold."""
    names = list(orders)
    figure = Figure()
    y: list[Sequence[str]] = [
        [_bold(name, chosen) for name in names for _ in range(2)],
        ["plain", "adaptive"] * len(names),
    ]
    pairs = np.array([pair for both in orders.values() for pair in both])
    for i, (name, colour, shape) in enumerate(
        (("truly above", look.categories[3], ""), ("below: mistakes", look.categories[1], "/"))
    ):
        figure.add_bar(
            y=y,
            x=pairs[:, i].astype(np.float32),
            orientation="h",
            name=name,
            marker={
                "color": colour,
                "line": {"width": 0},
                "pattern": {"shape": shape, "bgcolor": colour, "fgcolor": look.paper, "size": 6, "solidity": 0.2},
            },
            hovertemplate=f"{name}: <b>%{{x:.3~g}}</b><extra></extra>",
        )
    totals = pairs.sum(axis=1)
    figure.add_scatter(
        y=y,
        x=totals,
        mode="text",
        text=[f"\u00a0{number(round(t, 2))}" for t in totals.tolist()],
        textposition="middle right",
        textfont={"color": look.ink},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    figure.update_layout(
        template=look.template,
        height=round((92 + 62 * len(names)) * look.scale),
        barmode="stack",
        bargap=0.22,
        margin={"l": 13.5 * look.size, "t": 8, "b": 6.8 * look.size},
        xaxis={
            "title": {"text": "expected number of answers"},
            "range": [0, max(float(totals.max()), 1e-9) * 1.12],
            "fixedrange": True,
        },
        yaxis={"autorange": "reversed", "fixedrange": True, "showgrid": False, "dividercolor": look.line},
        legend={"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "traceorder": "normal"},
    )
    says = _says(orders, above)
    return Chart(
        figure=figure,
        alt=f"Bars of expected answers by the order of the queries. {says}",
        how_to_read=(
            "The same queries, threshold and ε, asked in another order. A release ends when its budget is used up, so "
            "mistakes made early take the place of right answers later. The number of plain answers is the same in "
            "every order. Sorting by private scores would need privacy of its own: it is here to show what order does."
        ),
        says_now=says,
        make_table=lambda: pd.DataFrame(
            {
                "order": [name for name in names for _ in range(2)],
                "mechanism": y[1],
                "expected answers": totals,
                "truly above": pairs[:, 0],
                "mistakes": pairs[:, 1],
            }
        ),
    )


def _says(orders: Mapping[str, tuple[Pair, Pair]], above: int) -> str:
    right = {name: both[1][0] for name, both in orders.items()}
    best, worst = max(right, key=lambda n: right[n]), min(right, key=lambda n: right[n])
    if right[best] - right[worst] < 0.005:
        return "On these scores the order makes no difference worth the name."
    return (
        f"Of the {above:,} queries truly at or above the threshold, the adaptive mechanism finds "
        f"{number(round(right[best], 2))} on average when they are asked {_asked(best)}, and "
        f"{number(round(right[worst], 2))} when {_asked(worst)}."
    )


def _asked(name: str) -> str:
    return name[0].lower() + name[1:]


def _bold(name: str, chosen: str) -> str:
    return f"<b>{name}</b>" if name == chosen else name
