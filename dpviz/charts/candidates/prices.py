"""What each way to choose costs: bars of the total ε, with what it gives beside them.

Invariant: a way whose theorem does not cover the candidates has no bar, and the words of its problem in the table.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from dpviz.candidates.worth import Price
from dpviz.charts.candidates.rows import rows_axis
from dpviz.charts.chart import Chart
from dpviz.charts.figure import Figure
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, number, percent

__all__ = ["price_bars"]

_BUYS = "what that buys: the mean score, and the chance that it is among the best"


def price_bars(
    table: Sequence[Price],
    labels: Mapping[str, str],
    *,
    chosen: str,
    share: float,
    brief: bool = False,
    look: Look = LIGHT,
) -> Chart:
    """A bar a way, named by `labels`; `chosen` is the rule looked at, `share` what counts as the top of the runs.

    `brief` leaves δ and what each way buys to a table beside the chart.
    """
    says = _says(table, labels, chosen)
    return Chart(
        figure=_figure(table, labels, chosen, share, brief, look),
        alt=f"Horizontal bars of the total ε of {len(table)} ways to choose. {says}",
        how_to_read=(
            "Each bar is what one release costs in all, the chosen run's score included; shorter is better."
            + ("" if brief else f" Beside it stands {_BUYS} {as_typed(share)} of all runs.")
        ),
        says_now=says,
        make_table=lambda: _frame(table, labels, share),
    )


def _figure(
    table: Sequence[Price], labels: Mapping[str, str], chosen: str, share: float, brief: bool, look: Look
) -> Figure:
    places = list(range(len(table)))
    known = [price for price in table if price.epsilon is not None]
    widest = max(price.epsilon or 0.0 for price in known)
    colours = [
        look.categories[0]
        if price.name == "naive"
        else look.sequential[6]
        if price.name == chosen
        else look.sequential[3]
        for price in table
    ]
    figure = Figure()
    figure.add_bar(
        x=[price.epsilon or 0.0 for price in table],
        y=places,
        orientation="h",
        marker={
            "color": colours,
            "line": {"width": 0},
        },
        hovertext=[f"<b>{labels[price.name]}</b><br>{_total(price)}<br>{_worth(price, share)}" for price in table],
        hovertemplate="%{hovertext}<extra></extra>",
        showlegend=False,
    )
    for place, price in enumerate(table):
        if price.epsilon is None:
            text = "not covered: see below"
        elif brief:
            text = f"<b>ε = {number(price.epsilon)}</b>"
        else:
            text = f"<b>{_total(price)}</b>   {_worth(price, share)}"
        long = (price.epsilon or 0.0) > 0.5 * widest
        figure.add_annotation(
            x=price.epsilon or 0.0,
            y=place,
            xanchor="right" if long else "left",
            xshift=-8 if long else 8,
            text=text,
            showarrow=False,
            font={"color": _on(colours[place], look) if long else look.ink},
        )
    size = look.size
    figure.update_layout(
        template=look.template,
        height=round((44 * len(table) + 70) * look.scale),
        bargap=0.28,
        xaxis={"range": [0, widest * 1.02], "title": {"text": "total ε of one release"}, "nticks": 7},
        yaxis=rows_axis([f"<b>{labels[p.name]}</b>" if p.name == chosen else labels[p.name] for p in table], look),
        margin={"l": 14.5 * size, "t": 10, "b": 3.8 * size, "r": 12},
    )
    return figure


def _on(colour: str, look: Look) -> str:
    """The colour of text on a bar: dark on light bars, light on dark ones."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#14191f" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def _total(price: Price) -> str:
    if price.epsilon is None or price.delta is None:
        return "not covered"
    return f"ε = {number(price.epsilon)}" + (f", δ = {number(price.delta)}" if price.delta else "")


def _worth(price: Price, share: float) -> str:
    score = "nothing comes out" if price.utility.score is None else f"score {number(price.utility.score)}"
    return f"{score} · top {as_typed(share)}: {percent(price.utility.within)}"


def _says(table: Sequence[Price], labels: Mapping[str, str], chosen: str) -> str:
    by_name = {price.name: price for price in table}
    naive, rule = by_name["naive"], by_name.get(chosen)
    start = f"Publishing the best of one run each costs ε = {number(naive.epsilon or 0.0)}"
    if rule is None or rule.epsilon is None:
        return start + "."
    return f"{start}; {labels[chosen]} costs ε = {number(rule.epsilon)}" + (
        f" with δ = {number(rule.delta)}." if rule.delta else "."
    )


def _frame(table: Sequence[Price], labels: Mapping[str, str], share: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "way to choose": [labels[price.name] for price in table],
            "total epsilon": [price.epsilon for price in table],
            "total delta": [price.delta for price in table],
            "mean score": [price.utility.score for price in table],
            f"in the top {100 * share:g} %": [price.utility.within for price in table],
            "nothing": [price.utility.bottom for price in table],
            "runs on average": [price.utility.runs for price in table],
            "not covered because": ["" if price.problem is None else str(price.problem) for price in table],
        }
    )
