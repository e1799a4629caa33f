"""Cost and quality of each way to choose a candidate, and curves against the stop chance γ."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from dpviz.base.text_format import join_with_and, number_text, percent, stated_percent_text
from dpviz.candidates.utility import RulePrice, StopProbabilityCurve
from dpviz.charts.direct_labels import point_label_sides
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, axes, marks
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure

_PANEL, _HIGH = 560.0, 260.0  # pixels that names are placed for
_AIR = 3 * "\u00a0"  # between a dot and its name


# A way whose theorem does not cover the candidates has no dot; the table says why.
def cost_quality_chart(
    table: Sequence[RulePrice],
    labels: Mapping[str, str],
    *,
    chosen: str,
    share: float,
    look: Look = LIGHT,
) -> Chart:
    """A dot for each way, named by `labels`; `share` is the part of the runs that counts as top."""
    says = _prices_say(table, labels, chosen)
    without = [labels[price.name] for price in table if price.epsilon is None]
    return Chart(
        figure=_figure(
            [price for price in table if price.epsilon is not None], labels, chosen, share, look
        ),
        shows=(f"A dot for each of {len(table)} ways to choose, by its total ε and its quality."),
        how_to_read=(
            "Each dot is a way to choose. Further left is a lower total cost of one release, with"
            " the chosen run's score. Further up is a higher chance that the published run is among"
            f" the best {stated_percent_text(share)} of all runs."
            + (f" No theorem covers {join_with_and(without)} here." if without else "")
        ),
        says_now=says,
        columns={
            "way to choose": [labels[price.name] for price in table],
            "total epsilon": [price.epsilon for price in table],
            "total delta": [price.delta for price in table],
            "mean score": [price.utility.score for price in table],
            f"in the top {100 * share:g} %": [price.utility.within for price in table],
            "nothing": [price.utility.bottom for price in table],
            "runs on average": [price.utility.runs for price in table],
            "not covered because": [
                "" if price.problem is None else str(price.problem) for price in table
            ],
        },
    )


def _figure(
    table: Sequence[RulePrice], labels: Mapping[str, str], chosen: str, share: float, look: Look
) -> Figure:
    costs = np.array([price.epsilon for price in table], float)
    good = np.array([price.utility.within for price in table])
    widest, high = 1.1 * float(costs.max()), 1.1 * float(good.max()) or 1.0
    colours = [
        look.ink if price.name == "naive" else look.accent if price.name == chosen else look.muted
        for price in table
    ]
    names = [f"<b>{labels[p.name]}</b>" if p.name == chosen else labels[p.name] for p in table]
    places = point_label_sides(
        [labels[p.name] for p in table],
        costs / widest,
        good / high,
        (_PANEL * look.scale, _HIGH * look.scale),
        look.text_size,
    )
    return Figure(
        look,
        marks.dots(
            costs,
            good,
            colours,
            13 * look.scale,
            ["diamond" if price.name == "naive" else "circle" for price in table],
            (1, look.paper),
            hover=[
                f"<b>{labels[price.name]}</b><br>{_total(price)}<br>"
                + (
                    "nothing is published"
                    if price.utility.score is None
                    else f"score {number_text(price.utility.score)}"
                )
                + f" · top {stated_percent_text(share)}: {percent(price.utility.within)}"
                for price in table
            ],
        ),
        marks.point_texts(
            costs, good, [f"{_AIR}{name}{_AIR}" for name in names], {"color": look.ink}, at=places
        ),
        height=_HIGH + 90,
        x=axes.axis("total ε of one release", (0, widest), draggable=True, nticks=7),
        y=axes.axis(
            f"among the best {stated_percent_text(share)}", (0, high), tickformat=".0%", nticks=5
        ),
        margin={"l": 4.6 * look.text_size, "t": 10, "b": 3.8 * look.text_size, "r": 12},
    )


def _total(price: RulePrice) -> str:
    if price.epsilon is None or price.delta is None:
        return "not covered"
    return f"ε = {number_text(price.epsilon)}" + (
        f", δ = {number_text(price.delta)}" if price.delta else ""
    )


def _prices_say(table: Sequence[RulePrice], labels: Mapping[str, str], chosen: str) -> str:
    by_name = {price.name: price for price in table}
    naive, rule = by_name["naive"], by_name.get(chosen)
    start = f"The best of one run each costs ε = {number_text(naive.epsilon or 0.0)}"
    if rule is None or rule.epsilon is None:
        return start + "."
    return f"{start}. {labels[chosen]} costs ε = {number_text(rule.epsilon)}" + (
        f" with δ = {number_text(rule.delta)}." if rule.delta else "."
    )


def stop_chance_chart(
    curves: Mapping[str, StopProbabilityCurve],
    quantity: Literal["within", "score"],
    *,
    stop: float,
    share: float,
    dearer: Sequence[str] = (),
    look: Look = LIGHT,
) -> Chart:
    """Chance to be among the best `share` of all runs, or mean score, by the label of each rule.

    `stop` is the current γ; `dearer` are the rules whose total ε grows with the runs.
    """
    first = next(iter(curves.values()))
    lines = [
        Line(name, curve.stop, getattr(curve, quantity), style, marks=np.array([stop]))
        for style, (name, curve) in enumerate(curves.items())
    ]
    x = Axis(
        "stop chance γ (of Poisson repeats: 1/μ), logarithmic",
        float(first.stop[0]),
        float(first.stop[-1]),
        log=True,
    )
    if quantity == "within":
        seen = np.append(first.stop[first.stop < share], share)
        lines.append(Line("guarantee of random stopping", seen, 1 - seen / share, 5))
        y = Axis("chance", 0.0, 1.02, percent=True)
        title = f"among the best {stated_percent_text(share)} of all runs"
    else:
        values = np.concatenate([curve.score for curve in curves.values()])
        room = 0.06 * (float(values.max() - values.min()) or 1.0)
        y = Axis("mean score", float(values.min()) - room, float(values.max()) + room)
        title = "mean score of the published run"
    says = _curves_say(curves, quantity, stop, share)
    return Chart(
        figure=panel_figure(
            [Panel(title, lines, named=False)],
            x,
            y,
            look=look,
            height=350.0,
            mark=VerticalMarker(stop, f"γ = {number_text(stop)}"),
        ),
        shows=(
            f"Curves against the stop chance from {number_text(x.low)} to {number_text(x.high)}:"
            f" {title}."
        ),
        how_to_read=(
            "Further left the rules make more runs and choose better. That costs work but no ε"
            + (f", except with {' and '.join(dearer)}, whose total ε grows too." if dearer else ".")
            + (
                " The bound of random stopping, 1 − γ/p, holds for every pool of candidates."
                if quantity == "within"
                else ""
            )
        ),
        says_now=says,
        columns=[
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


def _curves_say(
    curves: Mapping[str, StopProbabilityCurve], what: str, stop: float, share: float
) -> str:
    told = percent if what == "within" else number_text
    here = {name: curve.figure_at(what, stop) for name, curve in curves.items()}
    values = [f"{name} {told(value)}" for name, value in here.items() if value is not None]
    of = (
        f"the chance to be among the best {stated_percent_text(share)}"
        if what == "within"
        else "the mean score"
    )
    return f"At γ = {number_text(stop)} {of}: " + ", ".join(values) + "."
