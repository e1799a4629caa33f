"""What each way to choose costs: bars of the total ε, with what it gives beside them.

Invariant: a way whose theorem does not cover the candidates has no bar, and the words of its problem in the table.
"""

from collections.abc import Mapping, Sequence

from dpviz.candidates.worth import Price
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, airy_rows, axis, bars, note
from dpviz.charts.words import as_typed, number, percent

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
        make_table=lambda: {
            "way to choose": [labels[price.name] for price in table],
            "total epsilon": [price.epsilon for price in table],
            "total delta": [price.delta for price in table],
            "mean score": [price.utility.score for price in table],
            f"in the top {100 * share:g} %": [price.utility.within for price in table],
            "nothing": [price.utility.bottom for price in table],
            "runs on average": [price.utility.runs for price in table],
            "not covered because": ["" if price.problem is None else str(price.problem) for price in table],
        },
    )


def _figure(
    table: Sequence[Price], labels: Mapping[str, str], chosen: str, share: float, brief: bool, look: Look
) -> Figure:
    costs = [price.epsilon or 0.0 for price in table]
    widest = max(costs)
    colours = [
        look.categories[0]
        if price.name == "naive"
        else look.sequential[6]
        if price.name == chosen
        else look.sequential[3]
        for price in table
    ]
    return Figure(
        look,
        bars(
            costs,
            list(range(len(table))),
            colours,
            hovertext=[f"<b>{labels[price.name]}</b><br>{_total(price)}<br>{_worth(price, share)}" for price in table],
            hover="%{hovertext}",
        ),
        [
            note(_beside(price, share, brief), cost, place, "right", look.upon(colour), xshift=-8)
            if cost > 0.5 * widest
            else note(_beside(price, share, brief), cost, place, "left", look.ink, xshift=8)
            for place, (price, cost, colour) in enumerate(zip(table, costs, colours, strict=True))
        ],
        height=44 * len(table) + 70,
        bargap=0.28,
        x=axis("total ε of one release", (0, widest * 1.02), moves=True, nticks=7),
        y=airy_rows([f"<b>{labels[p.name]}</b>" if p.name == chosen else labels[p.name] for p in table], look),
        margin={"l": 14.5 * look.size, "t": 10, "b": 3.8 * look.size, "r": 12},
    )


def _beside(price: Price, share: float, brief: bool) -> str:
    """What stands on a bar or after it."""
    if price.epsilon is None:
        return "not covered: see below"
    return f"<b>ε = {number(price.epsilon)}</b>" if brief else f"<b>{_total(price)}</b>   {_worth(price, share)}"


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
