"""Utility curves of several designs: the lines are the curves' own, the axis is logarithmic."""

import numpy as np
import pytest

from dpviz import Canonical, Peeling, Scores
from dpviz.charts.topk.utility_curves import crossing_epsilon, utility_curves_chart
from dpviz.topk import FigureCurve, utility_curves
from tests.charts.drawn import Drawn

SCORES = Scores([50.0, 42.0, 30.0, 24.0, 19.0], monotonic=True)
CURVES = {
    name: utility_curves(made, SCORES, events=["top", "good"], tolerance=1e-2)
    for name, made in {
        "canonical": Canonical(epsilon=1.0, k=2),
        "peeling": Peeling(epsilon=1.0, k=2),
    }.items()
}
NODES = np.geomspace(0.1, 10, 9)
VALUES = np.linspace(0.0, 1.0, 9)


LOW, HIGH = np.maximum(VALUES - 0.1, 0), np.minimum(VALUES + 0.05, 1)
ESTIMATED = FigureCurve("top", NODES, VALUES, LOW, HIGH, 0.0, "estimated")


def test_every_panel_draws_the_curves_of_its_event() -> None:
    drawn = Drawn(utility_curves_chart(CURVES))
    for panel, event in enumerate(("top", "good"), start=1):
        for name, kind in (("canonical", Canonical), ("peeling", Peeling)):
            line = drawn.part(name, "lines", panel)
            for i in range(0, len(line.x), 40):
                exact = (
                    kind(epsilon=float(line.x[i]), k=2)
                    .distribution(SCORES)
                    .event_probability(event)
                )
                assert line.y[i] == pytest.approx(exact, abs=0.02)
            marks = drawn.part(name, "markers", panel)
            assert 0.5 in np.round(marks.y, 2)
            assert set(np.round(marks.y, 2)) <= {0.1, 0.5, 0.9}


def test_unless_told_the_axis_runs_from_where_a_curve_leaves_zero_to_where_the_last_is_near_one() -> (
    None
):
    every = [curve for curves in CURVES.values() for curve in curves]
    axis = Drawn(utility_curves_chart(CURVES)).axis("x")
    assert axis.start == pytest.approx(
        min(crossing_epsilon(curve, 0.005) for curve in every) / 1.15
    )
    assert axis.end == pytest.approx(max(crossing_epsilon(curve, 0.995) for curve in every) * 1.15)


def test_a_crossing_is_where_the_curve_first_gets_there() -> None:
    assert crossing_epsilon(ESTIMATED, 0.5) == pytest.approx(1.0, rel=1e-3)
    assert crossing_epsilon(ESTIMATED, 0.0) == 0.1
    falling = FigureCurve("top", NODES, 0.3 * VALUES, 0.3 * VALUES, 0.3 * VALUES, 0.0, "exact")
    assert crossing_epsilon(falling, 0.5) == np.inf
