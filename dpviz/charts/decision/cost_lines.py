"""Chance of the goal against the total cost of all releases, a line for each mechanism."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import percent, percent_upper_bound, safe_label, upper_bound_text
from dpviz.charts.decision.goal_curves import goal_marks, legend_line_count
from dpviz.charts.grammar import LIGHT, Chart, Look, marks
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure

_HEIGHT = 300.0
_EDGE = 1.25  # after what moves, in factors
_BEFORE = 1.6  # room for names


@dataclass(frozen=True, eq=False)
class CostLine:
    """A mechanism: its short name, its label, and arrays (points,) of cost and chance."""

    name: str
    label: str
    cost: Floats
    chance: Floats


def goal_by_cost_chart(
    lines: Sequence[CostLine],
    chosen_point: tuple[int, float, float],
    goal: float,
    chance_title: str,
    cost_title: str,
    *,
    accepted: float | None = None,
    in_right_guesses: bool = False,
    data_name: str = "",
    axis_reaches: Sequence[float] = (),
    look: Look = LIGHT,
) -> Chart:
    """Lines of chance against cost; `chosen_point` holds the number of a line, its cost and its
    chance.

    `cost_title` names the cost: right guesses in 100 (`in_right_guesses`), or ε in equal factors.
    It reaches every value of `axis_reaches`. `data_name` names the data, if there are several.
    """
    low, high = cost_axis_range(
        lines,
        [chosen_point[1], *axis_reaches, *([] if accepted is None else [accepted])],
        in_right_guesses,
    )
    along = Axis(cost_title, low, high, log=not in_right_guesses)
    number, cost, chance = chosen_point
    drawn = [
        Line(one.name, one.cost, one.chance, at, told=f"{one.name} {safe_label(one.label)}")
        for at, one in enumerate(lines)
    ]
    mark = None if accepted is None else VerticalMarker(accepted, "your limit")
    to_the_left = cost > (0.5 * (low + high) if in_right_guesses else math.sqrt(low * high))
    # where δ alone is enough no factor leads to its ε, which is 0
    ring = cost if in_right_guesses else max(cost, low)
    epsilon = f"ε = {upper_bound_text(cost)}" if cost else "δ alone"
    at = (
        f"at most {percent_upper_bound(cost / 100)} right guesses in 100"
        if in_right_guesses
        else epsilon
    )
    says = (
        f"With {lines[number].label} the {chance_title} is {percent(chance)}{data_name}, for {at}."
    )
    return Chart(
        figure=panel_figure(
            [Panel("", drawn)],
            along,
            Axis(chance_title, 0.0, 1.02, percent=True),
            look=look,
            height=_HEIGHT,
            mark=mark,
            extra_marks=[
                marks.dots(
                    [ring],
                    [chance],
                    look.ink,
                    12 * look.scale,
                    "circle-open",
                    (2.5, None),
                    mode="markers+text",
                    name="chosen",
                    showlegend=False,
                    text=["\u00a0chosen\u00a0"],
                    textposition="top left",
                    textfont={"color": look.ink},
                    hover=f"chosen: {at}, {percent(chance)}",
                    cliponaxis=False,
                ),
                goal_marks(goal, look, on_the_left=to_the_left),
            ],
            legend_lines=legend_line_count([line.told for line in drawn], look),
        ),
        shows=f"Lines of {chance_title} across {cost_title} for {', '.join(one.label for one in lines)}.",
        how_to_read=(
            "Further left protects the people in the data better, further up the lists are better."
            " Where a line crosses the goal, its plan is good enough. The ring is the chosen plan. "
            + " · ".join(f"{one.name}: {one.label}" for one in lines)
        ),
        says_now=says,
        columns=[{"mechanism": one.label, "cost": one.cost, "chance": one.chance} for one in lines],
    )


def cost_axis_range(
    lines: Sequence[CostLine], marked_costs: Sequence[float], in_right_guesses: bool
) -> tuple[float, float]:
    """Ends of an axis that shows every moving part of the lines and all that is marked."""
    ends = list(marked_costs)
    for one in lines:
        moving = np.flatnonzero((one.chance > 0.02) & (one.chance < 0.99) & (one.cost > 0))
        ends += [float(one.cost[i]) for i in (*moving[:1], *moving[-1:])]
    if in_right_guesses:
        return 50.0, min(100.0, max(ends) + 2)
    ends = [end for end in ends if 0 < end < np.inf]
    inside = ends or [cost for one in lines for cost in one.cost[one.cost > 0].tolist()] or [1.0]
    return min(inside) / _BEFORE, max(inside) * _EDGE
