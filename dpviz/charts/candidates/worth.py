"""What each way to choose costs and gives, as bars; and what it gives against the stop chance γ, as curves.

Invariants: a way whose theorem does not cover the candidates has no bar, and the words of its problem in the table.
Between the computed γ curves are straight in log γ: more runs on the left, fewer on the right; the theorem's bound is
drawn where it says something (above 0).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from dpviz.candidates.worth import Price, StopCurve
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, airy_rows, as_typed, axis, bars, note, number, percent
from dpviz.charts.line_panels import Axis, Line, Panel, Upright, draw_panels

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
    says = _prices_say(table, labels, chosen)
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


def _prices_say(table: Sequence[Price], labels: Mapping[str, str], chosen: str) -> str:
    by_name = {price.name: price for price in table}
    naive, rule = by_name["naive"], by_name.get(chosen)
    start = f"Publishing the best of one run each costs ε = {number(naive.epsilon or 0.0)}"
    if rule is None or rule.epsilon is None:
        return start + "."
    return f"{start}; {labels[chosen]} costs ε = {number(rule.epsilon)}" + (
        f" with δ = {number(rule.delta)}." if rule.delta else "."
    )


_BOUND = "least that random stopping promises"


def stop_curves(
    curves: Mapping[str, StopCurve],
    what: Literal["within", "score"],
    *,
    stop: float,
    share: float,
    dearer: Sequence[str] = (),
    look: Look = LIGHT,
) -> Chart:
    """The chance to be among the best `share` of all runs, or the mean score, of each rule by its label.

    `stop` is γ as it is now, `dearer` the rules whose total ε grows with the runs. Beside the chance stands the
    promise 1 − γ/p of random stopping.
    """
    first = next(iter(curves.values()))
    lines = [
        Line(name, curve.stop, getattr(curve, what), style, marks=np.array([stop]))
        for style, (name, curve) in enumerate(curves.items())
    ]
    x = Axis(
        "stop chance γ (of Poisson repeats: 1/μ), logarithmic",
        float(first.stop[0]),
        float(first.stop[-1]),
        log=True,
    )
    if what == "within":
        seen = np.append(first.stop[first.stop < share], share)
        lines.append(Line(_BOUND, seen, 1 - seen / share, 5))
        y = Axis("chance", 0.0, 1.02, percent=True)
        title = f"among the best {as_typed(share)} of all runs"
    else:
        values = np.concatenate([curve.score for curve in curves.values()])
        room = 0.06 * (float(values.max() - values.min()) or 1.0)
        y = Axis("mean score", float(values.min()) - room, float(values.max()) + room)
        title = "mean score of what comes out"
    says = _curves_say(curves, what, stop, share)
    return Chart(
        figure=draw_panels(
            [Panel(title, lines, named=False)],
            x,
            y,
            look=look,
            height=350.0,
            mark=Upright(stop, f"γ = {number(stop)}"),
        ),
        alt=f"Curves against the stop chance from {number(x.low)} to {number(x.high)}: {title}. {says}",
        how_to_read=_curves_how(dearer, what == "within"),
        says_now=says,
        make_table=lambda: [
            {
                "rule": name,
                "stop chance": curve.stop,
                "mean score": curve.score,
                "in the top": curve.within,
                "nothing": curve.bottom,
                "runs on average": curve.runs,
            }
            for name, curve in curves.items()
        ],
    )


def _curves_say(curves: Mapping[str, StopCurve], what: str, stop: float, share: float) -> str:
    values = []
    for name, curve in curves.items():
        value = float(np.interp(np.log(stop), np.log(curve.stop), getattr(curve, what)))
        values.append(f"{name} {percent(value) if what == 'within' else number(value)}")
    of = f"the chance to be among the best {as_typed(share)}" if what == "within" else "the mean score"
    return f"At γ = {number(stop)} {of}: " + ", ".join(values) + "."


def _curves_how(dearer: Sequence[str], bound: bool) -> str:
    sentence = "To the left the rules make more runs and choose better; that costs work, and no more ε"
    sentence += f", except with {' and '.join(dearer)}, whose total ε grows as well." if dearer else "."
    return sentence + (" The bound of random stopping, 1 − γ/p, holds for every pool of candidates." if bound else "")
