"""How good against ε: the curves handed in, the goal, every ε decided on."""

import numpy as np
import pytest

from dpviz.base.text_format import number_text, percent, safe_label
from dpviz.charts.decision.cost_lines import CostLine, goal_by_cost_chart
from dpviz.charts.decision.goal_curves import LEVELS, TURNS, goal_by_epsilon_chart
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from dpviz.studies.design import Design
from tests.charts.drawn import Drawn, plotly_figure

DESIGNS = Design(), Design(mechanism="one_shot")
NEEDS = decide(Question(k=2, data=DataSpec(name="class_trip"), designs=DESIGNS)).needs
NAMES, LABELS = ["1", "2"], ["Canonical <b>", "One-shot"]
CHART = goal_by_epsilon_chart(NEEDS, NAMES, LABELS, [(1, 2.5, "ε")], 0.9, "chance of the goal")


def test_each_curve_is_the_one_handed_in() -> None:
    drawn = Drawn(CHART)
    for name, need in zip(NAMES, NEEDS, strict=True):
        line = drawn.part(name, "lines")
        np.testing.assert_allclose(line.y, need.curve.at(line.x.astype(float)), atol=1e-5)
        assert line.x.min() < need.smallest < line.x.max()
        assert float(need.curve.at(np.array([need.smallest]))[0]) == pytest.approx(0.9, abs=2e-3)
    told = [f"1 {safe_label('Canonical <b>')}", f"2 {safe_label('One-shot')}"]
    texts = [drawn.part(name, "text").text[0].replace("<br>", " ") for name in NAMES]
    assert [" ".join(text.split()) for text in texts] == told
    assert [trace.name for trace in drawn.phone if trace.name] == told
    assert [trace.text[0].strip() for trace in drawn.phone if not trace.name] == list(NAMES)
    assert drawn.axis("x").log


def test_the_goal_and_every_epsilon_decided_on_are_marked() -> None:
    assert Drawn(CHART).uprights == [2.5]
    assert Drawn(CHART).levels == [0.9]
    taken = [(0, 1.9, "ε of A"), (1, 2.5, "ε of B")]
    two = Drawn(goal_by_epsilon_chart(NEEDS, NAMES, LABELS, taken, 0.9, "chance"))
    assert two.uprights == [1.9, 2.5]
    assert 10 ** two.note("ε of A = 1.9")["x"] == pytest.approx(1.9)
    assert 10 ** two.note("ε of B = 2.5")["x"] == pytest.approx(2.5)
    assert two.note("goal: 90")["y"] == 0.9


def test_rings_stand_where_the_curve_taken_turns_and_levels_off() -> None:
    drawn = Drawn(CHART)
    shape, curve = NEEDS[1].shape, NEEDS[1].curve
    assert shape.levels_off is not None
    for mark, at in ((TURNS, shape.turning), (LEVELS, shape.levels_off)):
        ring = drawn.named(mark)
        assert ring.x.tolist() == pytest.approx([at])
        assert ring.y[0] == pytest.approx(float(curve.at(np.array([at]))[0]), abs=1e-3)
        assert ring.text[0].strip("\u00a0") == mark
    told = f"most around {shape.turning:.3g}. It adds {round(100 * shape.gain)} points"
    assert told in CHART.says_now
    assert f"From {shape.levels_off:.3g} on" in CHART.says_now
    at_epsilon = percent(float(curve.at(np.array([2.5]))[0]))
    assert f"At ε = {number_text(2.5)} it is {at_epsilon}." in CHART.alt


@pytest.mark.parametrize(
    "costs", [[(0.0, 0.0, 0.0), (1.0, 2.0, 3.0)], [(0.0, 0.0, 0.0)], [(0.0, 1e-15, 4.0)]]
)
@pytest.mark.parametrize("people", [False, True])
def test_a_plan_whose_total_is_delta_alone_is_drawn(
    costs: list[tuple[float, ...]], people: bool
) -> None:
    # Equal factors lead to no ε of 0: its line may lie off the axis, its ring stands at the end.
    chance, base = np.array([0.95, 0.99, 1.0]), 50 * people
    lines = [
        CostLine("1", f"Plan {n}", base + np.array(cost), chance) for n, cost in enumerate(costs)
    ]
    at = (0, float(base), 0.95)
    chart = goal_by_cost_chart(
        lines, at, 0.9, "chance of the goal", "cost", in_right_guesses=people
    )
    assert ("for δ alone" in chart.says_now) is not people
    (ring,) = [trace for trace in plotly_figure(chart).data if trace.name == "chosen"]
    assert people or ring.x[0] > 0


@pytest.mark.parametrize("chosen", [0, 1])
def test_what_doubling_adds_is_said_of_one_line_on_what_is_drawn(chosen: int) -> None:
    """Beside a flat line another is steep, and beyond the drawing the flat one may rise."""
    flat = decide(
        Question(k=2, data=DataSpec(name="class_trip"), designs=DESIGNS[:1], goal="1 of 2 in 0.01")
    ).needs
    plans = [flat[0], NEEDS[1]]
    chart = goal_by_epsilon_chart(plans, NAMES, LABELS, [(chosen, 2.5, "ε")], 0.9, "chance")
    assert chart.says_now.startswith(f"On {NAMES[chosen]} ")
    steady = plans[chosen].shape.turning is None
    assert ("no doubling of ε that is drawn adds more" in chart.says_now) is steady
    assert steady is (chosen == 0)
