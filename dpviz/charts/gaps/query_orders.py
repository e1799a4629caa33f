"""What the order of the queries does: expected answers, right and wrong, under each order, plain and adaptive."""

from collections.abc import Mapping

import numpy as np

from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axis, bars, hatch, legend_below, words
from dpviz.charts.words import number

Pair = tuple[float, float]
"""Expected answers to queries truly at or above the threshold, and to others."""


def threshold_orders_chart(
    orders: Mapping[str, tuple[Pair, Pair]], chosen: str, above: int, *, look: Look = LIGHT
) -> Chart:
    """`orders`: label → (plain, adaptive), each (right, wrong). `above` queries truly lie at or above the threshold."""
    names = list(orders)
    places = (
        [f"<b>{name}</b>" if name == chosen else name for name in names for _ in range(2)],
        ["plain", "adaptive"] * len(names),
    )
    pairs = np.array([pair for both in orders.values() for pair in both])
    totals = pairs.sum(axis=1)
    says = _says(orders, above)
    figure = Figure(
        look,
        [
            bars(
                pairs[:, i].astype(np.float32),
                places,
                colour,
                pattern=hatch(shape, colour, look, solidity=0.2),
                name=name,
                hover=f"{name}: <b>%{{x:.3~g}}</b>",
            )
            for i, name, colour, shape in (
                (0, "truly above", look.categories[3], ""),
                (1, "below: mistakes", look.categories[1], "/"),
            )
        ],
        words(totals, places, [f"\u00a0{number(round(t, 2))}" for t in totals.tolist()], {"color": look.ink}),
        height=92 + 62 * len(names),
        barmode="stack",
        bargap=0.22,
        margin={"l": 13.5 * look.size, "t": 8, "b": 6.8 * look.size},
        x=axis("expected number of answers", (0, max(float(totals.max()), 1e-9) * 1.12)),
        y=axis(autorange="reversed", grid=False, dividercolor=look.line),
        legend=legend_below(traceorder="normal"),
    )
    return Chart(
        figure=figure,
        alt=f"Bars of expected answers by the order of the queries. {says}",
        how_to_read=(
            "The same queries, threshold and ε, asked in another order. A release ends when its budget is used up, so "
            "mistakes made early take the place of right answers later. The number of plain answers is the same in "
            "every order. Sorting by private scores would need privacy of its own: it is here to show what order does."
        ),
        says_now=says,
        make_table=lambda: {
            "order": [name for name in names for _ in range(2)],
            "mechanism": places[1],
            "expected answers": totals,
            "truly above": pairs[:, 0],
            "mistakes": pairs[:, 1],
        },
    )


def _says(orders: Mapping[str, tuple[Pair, Pair]], above: int) -> str:
    right = {name: both[1][0] for name, both in orders.items()}
    best, worst = max(right, key=lambda n: right[n]), min(right, key=lambda n: right[n])
    if right[best] - right[worst] < 0.005:
        return "On these scores the order makes no difference worth the name."
    return (
        f"Of the {above:,} queries truly at or above the threshold, the adaptive mechanism finds "
        f"{number(round(right[best], 2))} on average when they are asked {best[0].lower()}{best[1:]}, and "
        f"{number(round(right[worst], 2))} when {worst[0].lower()}{worst[1:]}."
    )
