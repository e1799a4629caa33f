"""The runs that each way to a goal needs against its total ε, on one axis of powers of ten."""

from collections.abc import Mapping

import numpy as np

from dpviz.candidates.threshold_search import RunsNeeded
from dpviz.charts.grammar import LIGHT, Chart, Look, number_text, power_of_ten
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure

_NAMES = {
    "search": "search for the threshold",
    "known": "threshold known",
    "stopping": "random stopping",
    "naive": "best of all runs",
}


def runs_needed_chart(ways: Mapping[str, RunsNeeded], *, look: Look = LIGHT) -> Chart:
    """Runs against total ε: the search and the known threshold over ε0, the others as dots."""
    lines = [
        Line(_NAMES[name], way.epsilon, way.log10_runs, i, marks=way.epsilon[[0, -1]])
        for i, (name, way) in enumerate(ways.items())
    ]
    epsilon = np.concatenate([way.epsilon for way in ways.values()])
    runs = np.concatenate([way.log10_runs for way in ways.values()])
    search, known, stopping, naive = (float(way.log10_runs[-1]) for way in ways.values())
    says = (
        f"The search takes {power_of_ten(search)} runs at a total of ε ="
        f" {number_text(float(ways['search'].epsilon[-1]))}. A known threshold takes"
        f" {power_of_ten(known)} at the same total. Random stopping takes {power_of_ten(stopping)}"
        f" at ε = {number_text(float(ways['stopping'].epsilon[0]))}, and the best of all runs"
        f" {power_of_ten(naive)} at ε = {number_text(float(ways['naive'].epsilon[0]))}."
    )
    return Chart(
        figure=panel_figure(
            [Panel("runs on average, as a power of ten", lines)],
            Axis("total ε", 0.9 * float(epsilon.min()), 1.15 * float(epsilon.max()), log=True),
            Axis("exponent of 10", -0.05 * float(runs.max()), 1.06 * float(runs.max())),
            look=look,
        ),
        alt=f"Number of runs against the total ε of four ways to choose. {says}",
        how_to_read=(
            "All four reach the best median of the candidates, except in 10 of 100 cases at most."
            " Each number holds for all data. Lower is quicker, and further left is more private."
            " Along a line ε0 grows from 0.1 to 1."
        ),
        says_now=says,
        make_table=lambda: [
            {
                "way to choose": _NAMES[name],
                "total epsilon": way.epsilon,
                "log10 of runs": way.log10_runs,
            }
            for name, way in ways.items()
        ],
    )
