"""The runs that each way to a goal needs against its total ε, on one axis of powers of ten."""

from collections.abc import Mapping

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import number_text, power_of_ten_text
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure

_NAMES = {
    "search": "search for the threshold",
    "known": "threshold known",
    "stopping": "random stopping",
    "naive": "best of all runs",
}


def runs_needed_chart(ways: Mapping[str, tuple[Floats, Floats]], *, look: Look = LIGHT) -> Chart:
    """Runs against total ε: the search and the known threshold over ε0, the others as dots."""
    lines = [
        Line(_NAMES[name], totals, numbers, i, marks=totals[[0, -1]])
        for i, (name, (totals, numbers)) in enumerate(ways.items())
    ]
    epsilon, runs = map(np.concatenate, zip(*ways.values(), strict=True))
    search, known, stopping, naive = (float(numbers[-1]) for _, numbers in ways.values())
    says = (
        f"The search takes {power_of_ten_text(search)} runs at a total of ε ="
        f" {number_text(float(ways['search'][0][-1]))}. A known threshold takes"
        f" {power_of_ten_text(known)} at the same total. Random stopping takes {power_of_ten_text(stopping)}"
        f" at ε = {number_text(float(ways['stopping'][0][0]))}, and the best of all runs"
        f" {power_of_ten_text(naive)} at ε = {number_text(float(ways['naive'][0][0]))}."
    )
    return Chart(
        figure=panel_figure(
            [Panel("runs on average, as a power of ten", lines)],
            Axis("total ε", 0.9 * float(epsilon.min()), 1.15 * float(epsilon.max()), log=True),
            Axis("exponent of 10", -0.05 * float(runs.max()), 1.06 * float(runs.max())),
            look=look,
        ),
        shows="Number of runs against the total ε of four ways to choose.",
        how_to_read=(
            "All four reach the best median of the candidates, except in 10 of 100 cases at most."
            " Each number holds for all data. Lower is quicker, and further left is more private."
            " Along a line ε0 grows from 0.1 to 1."
        ),
        says_now=says,
        columns=[
            {
                "way to choose": _NAMES[name],
                "total epsilon": totals,
                "log10 of runs": numbers,
            }
            for name, (totals, numbers) in ways.items()
        ],
    )
