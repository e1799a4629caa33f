"""Chance of the best item by the sensitivity of one other item, for both exponential mechanisms."""

from dpviz.base.text_format import percent
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure
from dpviz.margin import COMPARED
from dpviz.margin.uneven_sensitivities import BestProbabilityCurves

_NAMES = ("gumbel", "generalised")


def uneven_sensitivities_chart(curves: BestProbabilityCurves, *, look: Look = LIGHT) -> Chart:
    """Two curves that cross where the generalised mechanism begins to win."""
    styles = {name: style for style, name in enumerate(COMPARED)}
    chances = dict(zip(_NAMES, (curves.exponential, curves.generalised), strict=True))
    says = " ".join(
        f"{COMPARED.label(name)} goes from {percent(chance[0])} to {percent(chance[-1])}."
        for name, chance in chances.items()
    )
    return Chart(
        figure=panel_figure(
            [
                Panel(
                    "",
                    [
                        Line(COMPARED.label(name), curves.factors, chance, styles[name])
                        for name, chance in chances.items()
                    ],
                )
            ],
            Axis(
                "sensitivity of the last item, over the largest of the others",
                float(curves.factors[0]),
                float(curves.factors[-1]),
                log=True,
            ),
            Axis("chance of the best item", 0.0, 1.04, percent=True),
            look=look,
            height=340,
        ),
        shows="Curves of the chance of the best item by the sensitivity of one other item.",
        how_to_read=(
            "Only listed items are chosen from, and the sensitivity of the last one grows. The"
            " exponential mechanism then adds more noise to all items. The generalised one adds it to that item alone."
        ),
        says_now=says,
        columns={
            "factor": curves.factors,
            **{COMPARED.label(n): c for n, c in chances.items()},
        },
    )
