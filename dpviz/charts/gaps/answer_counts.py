"""Numbers of queries that the plain and the adaptive sparse vector answer: law, by k, by order."""

from collections.abc import Mapping

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.base.text_format import count_text, number_text, percent
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks
from dpviz.charts.grammar.axes import IntegerBins

_LEFT_OUT = 5e-4
_MOST_BARS = 200  # bars of one law


def threshold_answer_count_chart(
    plain: Floats, adaptive: Floats, k: int, *, look: Look = LIGHT
) -> Chart:
    """Law of the number of answers; entry c of `plain` and `adaptive` is P(c answers)."""
    n = max(len(plain), len(adaptive))
    laws = np.zeros((2, n))
    laws[0, : len(plain)], laws[1, : len(adaptive)] = plain, adaptive
    seen = [_span(law) for law in laws]
    low, high = min(a for a, _ in seen), max(b for _, b in seen)
    fold = IntegerBins.from_range(low, high, _MOST_BARS)
    each, starts = fold.bin_size, fold.first
    chances = [fold.sum(law[low:]) for law in laws]
    means = laws @ np.arange(n)
    says = (
        f"The average number of answers is {number_text(round(float(means[0]), 2))} with the plain"
        f" mechanism and {number_text(round(float(means[1]), 2))} with the adaptive one. The adaptive"
        f" one gives more than {k:,} in {percent(float(laws[1, k + 1 :].sum()))} of releases."
    )
    return Chart(
        figure=Figure(
            look,
            [
                marks.vertical_bars(
                    starts + (each - 1) / 2,
                    law.astype(np.float32),
                    colour,
                    pattern=marks.hatch_pattern(shape, colour, look),
                    name=f"{name}, mean {number_text(round(mean, 2))}",
                    hover=[
                        f"{name}: {f'{a:,} to ' if each > 1 else ''}{count_text(a + each - 1, 'answer')}"
                        f"<br><b>{percent(p)}</b>"
                        for a, p in marks.zip_plain_values(starts, law)
                    ],
                )
                for law, mean, name, colour, shape in zip(
                    chances,
                    means.tolist(),
                    ("plain", "adaptive"),
                    look.designs[:2],
                    ("", "/"),
                    strict=True,
                )
            ],
            height=300,
            barmode="group",
            bargap=0.18,
            bargroupgap=0.04,
            margin={"t": 14, "b": 7.2 * look.text_size},
            x=axes.axis(
                "number of answers",
                (low - 0.7, high + 0.7),
                grid=False,
                tickformat=",d",
                dtick=max(1, -(-(high - low) // 14)),
            ),
            y=axes.percent_axis(),
            legend=axes.bottom_legend(),
        ),
        shows=f"Bars of the chance of each number of answers, from {low:,} to {high:,}.",
        how_to_read=(
            "Each bar is the chance of a number of answers. The plain mechanism stops at"
            f" {k:,}. The adaptive one pays less for answers far above the threshold and can give"
            f" up to {len(adaptive) - 1:,}."
            + (f" Each bar folds {each} numbers." if each > 1 else "")
        ),
        says_now=says,
        columns={"answers": np.arange(n), "plain": laws[0], "adaptive": laws[1]},
    )


def _span(law: Floats) -> tuple[int, int]:
    total = np.cumsum(law)
    return int(np.searchsorted(total, _LEFT_OUT)), min(
        int(np.searchsorted(total, total[-1] - _LEFT_OUT)), len(law) - 1
    )


def expected_answers_chart(
    k: Ints, plain: Floats, top: Floats, middle: Floats, *, title: str, look: Look = LIGHT
) -> Chart:
    """Expected answers by k, plain and by branch of the adaptive one, all of shape (len(k),)."""
    adaptive = top + middle
    best = int(np.argmax(adaptive - plain))
    return Chart(
        figure=Figure(
            look,
            [
                marks.vertical_bars(
                    k,
                    values.astype(np.float32),
                    look.designs[colour],
                    pattern={
                        "shape": pattern,
                        "fillmode": "overlay",
                        "fgcolor": look.paper,
                        "size": 5,
                        "solidity": 0.25,
                    },
                    name=name,
                    offsetgroup=side,
                    base=base,
                    hover=f"{name}<br>k = %{{x}}: <b>%{{y:.2f}}</b> answers",
                )
                for name, side, values, base, colour, pattern in (
                    ("plain", "plain", plain, None, 0, ""),
                    ("adaptive, top branch", "adaptive", top, None, 1, "/"),
                    ("adaptive, middle branch", "adaptive", middle, top.astype(np.float32), 2, "x"),
                )
            ],
            height=340,
            bargap=0.25,
            bargroupgap=0.05,
            x=axes.axis(
                "k, the plain answers that the budget covers",
                grid=False,
                draggable=True,
            ),
            y=axes.axis("expected answers", rangemode="tozero", nticks=6),
            legend=axes.horizontal_legend(-0.26, "top"),
            margin={"t": 1.2 * look.text_size, "b": 7.2 * look.text_size},
        ),
        shows=(
            f"Bars of expected answers of the plain and the adaptive sparse vector, for k from"
            f" {k[0]} to {k[-1]} and {title}."
        ),
        how_to_read=(
            "At each k the left bar is the plain sparse vector and the right bar the adaptive one."
            " The right bar is stacked by branch; the top branch pays half."
        ),
        says_now=(
            f"At k = {k[-1]} the plain one gives {_two(plain[-1])} answers and the adaptive one "
            f"{_two(adaptive[-1])}. The top branch gives {_two(top[-1])} of them. "
            f"The adaptive one adds most at k = {k[best]}: "
            f"{_two(adaptive[best] - plain[best])} answers."
        ),
        columns={
            "k": k,
            "plain": plain,
            "adaptive, top": top,
            "adaptive, middle": middle,
        },
    )


def _two(value: float) -> str:
    return number_text(round(float(value), 2))


Pair = tuple[float, float]
"""Expected answers to queries truly at or above the threshold, and to others."""


def query_order_chart(
    orders: Mapping[str, tuple[Pair, Pair]],
    chosen_order: str,
    above_count: int,
    *,
    look: Look = LIGHT,
) -> Chart:
    """`orders`: label → (plain, adaptive), each (right, wrong); `above_count` are truly above."""
    names = list(orders)
    places = (
        [f"<b>{name}</b>" if name == chosen_order else name for name in names for _ in range(2)],
        ["plain", "adaptive"] * len(names),
    )
    pairs = np.array([pair for both in orders.values() for pair in both])
    totals = pairs.sum(axis=1)
    says = _order_says(orders, above_count)
    return Chart(
        figure=Figure(
            look,
            [
                marks.horizontal_bars(
                    pairs[:, i].astype(np.float32),
                    places,
                    colour,
                    pattern=marks.hatch_pattern(shape, colour, look, solidity=0.2),
                    name=name,
                    hover=f"{name}: <b>%{{x:,.3~r}}</b>",
                )
                for i, name, colour, shape in (
                    (0, "truly above", look.right, ""),
                    (1, "below: mistakes", look.wrong, "/"),
                )
            ],
            marks.point_texts(
                totals,
                places,
                [f"\u00a0{number_text(round(t, 2))}" for t in totals.tolist()],
                {"color": look.ink},
            ),
            height=92 + 62 * len(names),
            barmode="stack",
            bargap=0.22,
            margin={"l": 13.5 * look.text_size, "t": 8, "b": 6.8 * look.text_size},
            x=axes.axis("expected number of answers", (0, max(float(totals.max()), 1e-9) * 1.12)),
            y=axes.axis(autorange="reversed", grid=False, dividercolor=look.line),
            legend=axes.bottom_legend(traceorder="normal"),
        ),
        shows="Bars of expected answers by the order of the queries.",
        how_to_read=(
            "The queries, the threshold and ε are the same in each order. A release ends when its"
            " budget is used up, so early mistakes replace later right answers. The number of plain"
            " answers is the same in every order. Sorting by private scores would need its own"
            " privacy budget, and only shows the effect of the order."
        ),
        says_now=says,
        columns={
            "order": [name for name in names for _ in range(2)],
            "mechanism": places[1],
            "expected answers": totals,
            "truly above": pairs[:, 0],
            "mistakes": pairs[:, 1],
        },
    )


def _order_says(orders: Mapping[str, tuple[Pair, Pair]], above: int) -> str:
    right = {name: both[1][0] for name, both in orders.items()}
    best, worst = max(right, key=lambda n: right[n]), min(right, key=lambda n: right[n])
    if right[best] - right[worst] < 0.005:
        return "On these scores the order makes almost no difference."
    return (
        f"{count_text(above, 'query is', 'queries are')} truly at or above the threshold. The adaptive mechanism finds"
        f" {number_text(round(right[best], 2))} on average when they are asked"
        f" {best[0].lower()}{best[1:]}, and {number_text(round(right[worst], 2))} when"
        f" {worst[0].lower()}{worst[1:]}."
    )
