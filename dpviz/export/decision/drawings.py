"""The two pictures of a sheet as SVG: the goal's chance by total cost, and an array of people.

Invariants: no script, no outside file; dash and fill tell what colour tells; none judges a cost.
"""

import math
from itertools import chain, cycle

import numpy as np

from dpviz.base import Markup
from dpviz.charts.decision.cost_lines import CostLine, cost_axis_range
from dpviz.export.document import render_fragment
from dpviz.pages.decide.view import cost_axis, cost_line, cost_position
from dpviz.studies.decision import Decision

_WIDTH, _HEIGHT = 460, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 20, 34
_POINTS = 161
_MANY = 5  # powers of ten, of which each has one tick then
_DASHES = ("6 3", "2 2", "8 2 2 2", "1 3", "10 4", "4 1")
_INK, _BLUE, _GREY, _RULE = "#222", "#1f5fa8", "#8a939c", "#d9dee3"


def costs_svg(decision: Decision, beside: Decision | None = None) -> Markup:
    """The goal's chance by total cost, with the plan taken, the accepted cost and the goal.

    All mechanisms of a decision; beside another, the one taken of each.
    """
    taken = {"taken": decision} if beside is None else {"A": decision, "B": beside}
    people = all(each.question.most_right is not None for each in taken.values())
    others = [
        need
        for need in decision.needs
        if need is not decision.chosen_plan_with_curves and need.along is not None
    ]
    named = {need.label: need for need in (decision.chosen_plan_with_curves, *others)}
    if beside is not None:
        named = {
            f"{letter}: {each.chosen_plan_with_curves.label}": each.chosen_plan_with_curves
            for letter, each in taken.items()
        }
    lines = [cost_line(need, name, people=people) for name, need in named.items()]
    limits = {
        name: each.question.most_right if people else each.question.most_epsilon
        for name, each in taken.items()
    }
    accepted = {name: limit for name, limit in limits.items() if limit is not None}
    costs = {name: cost_position(each.cost, people=people) for name, each in taken.items()}
    low, high = cost_axis_range(lines, [*costs.values(), *accepted.values()], people)

    def x(cost: float) -> float:
        along = (
            (cost - low) / (high - low) if people else math.log(cost / low) / math.log(high / low)
        )
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * along

    def y(p: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - p)

    def points(line: CostLine) -> str:
        """The points within the ends, drawn anew between them."""
        drawn = np.linspace(low, high, _POINTS) if people else np.geomspace(low, high, _POINTS)
        drawn = drawn[(drawn >= line.cost[0]) & (drawn <= line.cost[-1])]
        return " ".join(
            f"{x(cost):.1f},{y(float(np.interp(cost, line.cost, line.chance))):.1f}"
            for cost in drawn
        )

    def ring(name: str, each: Decision) -> dict[str, object]:
        # an ε of 0, where δ alone is enough, is off the axis
        cost = costs[name] if people else max(costs[name], low)
        chance = each.chosen_plan_with_curves.curve.at(np.array([each.epsilon]))[0]
        return {"x": x(cost), "y": y(float(chance)), "name": name}

    return render_fragment(
        "curves",
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_WIDTH - _RIGHT,
        top=_TOP,
        bottom=_HEIGHT - _BOTTOM,
        ink=_INK,
        blue=_BLUE,
        grey=_GREY,
        rule=_RULE,
        axis=cost_axis(decision.question, people=people),
        levels=[(y(p), f"{100 * p:.0f} %") for p in (0.0, 0.25, 0.5, 0.75, 1.0)],
        ticks=[(x(cost), f"{cost:g}") for cost in _ticks(low, high, people=people)],
        goal=y(decision.question.parsed_goal.probability),
        lines=[
            {"name": line.name, "points": points(line), "dash": dash, "strong": not dash}
            for line, dash in zip(lines, chain([""], cycle(_DASHES)), strict=False)
        ],
        rings=[ring(name, each) for name, each in taken.items() if math.isfinite(costs[name])],
        accepted=[
            (x(limit), "accepted" if beside is None else f"accepted for {n}")
            for n, limit in accepted.items()
        ],
    )


def _ticks(low: float, high: float, *, people: bool) -> list[float]:
    if people:
        values = [float(cost) for cost in range(50, 101, 5 if high - low < 25 else 10)]
    else:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        digits = (1, 2, 5) if len(powers) < _MANY else (1,)
        values = [digit * 10.0**power for power in powers for digit in digits]
    return [cost for cost in values if low <= cost <= high]


def people_svg(right: int, alt: str) -> Markup:
    """100 people: those a blind guess gets right, those added at most, and the others."""
    fills = [
        (_GREY, _GREY) if i < 50 else (_BLUE, _BLUE) if i < right else ("#fff", _GREY)
        for i in range(100)
    ]
    return render_fragment("people", alt=alt, people=fills)
