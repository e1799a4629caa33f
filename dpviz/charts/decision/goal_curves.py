"""Chance of the goal against ε for each allowed mechanism, with the decided ε marked."""

from collections.abc import Sequence

import numpy as np

from dpviz.base.text_format import number_text, percent, safe_label, stated_percent_text
from dpviz.charts.grammar import LIGHT, Chart, Look, Mark, marks
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure
from dpviz.studies.decision import PlanWithCurves

TURNS, LEVELS = "turns", "levels off"
_HEIGHT = 300.0
_POINTS = 241
_NARROW = 560  # pixels that a legend has


# Rings mark where doubling ε buys most, and next to nothing. No ε is judged by colour.
def goal_by_epsilon_chart(
    plans: Sequence[PlanWithCurves],
    names: Sequence[str],
    full_labels: Sequence[str],
    chosen_points: Sequence[tuple[int, float, str]],
    goal: float,
    chance_title: str,
    *,
    look: Look = LIGHT,
) -> Chart:
    """Curves of `plans`; `chosen_points` has a curve's number, its ε and the ε's name."""
    low, high = epsilon_axis_range(plans, [epsilon for _, epsilon, _ in chosen_points])
    x = np.geomspace(low, high, _POINTS)
    along = Axis("ε of one release, in equal factors", low, high, log=True)
    lines = [
        Line(name, x, need.curve.at(x), at, told=f"{name} {safe_label(whole)}")
        for at, (name, whole, need) in enumerate(zip(names, full_labels, plans, strict=True))
    ]
    first, epsilon, called = chosen_points[0]
    shape, curve = plans[first].shape, lines[first]
    says = f"On {names[first]} no doubling of ε that is drawn adds more than one point of chance"
    if shape.turning is not None:
        says = (
            f"On {names[first]} doubling ε helps most around {number_text(shape.turning, 3)}. It adds"
            f" {round(100 * shape.gain)} points of chance"
        )
    if shape.turning is not None and shape.levels_off is not None:
        says += f". From {number_text(shape.levels_off, 3)} on it adds less than one point"
    at_epsilon = percent(float(plans[first].curve.at(np.array([epsilon]))[0]))
    return Chart(
        figure=panel_figure(
            [Panel("", lines)],
            along,
            Axis(chance_title, 0.0, 1.02, percent=True),
            look=look,
            height=_HEIGHT,
            mark=VerticalMarker(epsilon, f"{called} = {number_text(epsilon)}"),
            extra_marks=[
                [
                    marks.dots(
                        [at],
                        [float(np.interp(at, curve.x, curve.y))],
                        look.ink,
                        11 * look.scale,
                        "circle-open",
                        (2, None),
                        mode="markers+text",
                        name=name,
                        showlegend=False,
                        text=[f"\u00a0{name}\u00a0"],
                        textposition="bottom right",
                        textfont={"color": look.ink},
                        hover=f"{name}: ε = %{{x:,.3~r}}, %{{y:,.3~r}}",
                        cliponaxis=False,
                    )
                    for name, at in ((TURNS, shape.turning), (LEVELS, shape.levels_off))
                    if shape.turning is not None and at is not None and low < at < high
                ],
                [marks.vertical_line(other, look.ink, "dot") for _, other, _ in chosen_points[1:]],
                [
                    VerticalMarker(other, f"{name} = {number_text(other)}").marker_text(
                        along, look, foot=0.08
                    )
                    for _, other, name in chosen_points[1:]
                ],
                goal_marks(goal, look),
            ],
            legend_lines=legend_line_count([line.told for line in lines], look),
        ),
        shows=(
            f"Curves of {chance_title} against ε for {', '.join(full_labels)}. At {called} ="
            f" {number_text(epsilon)} it is {at_epsilon}."
        ),
        how_to_read=(
            "Further left is more private, further up is better. A curve crosses the goal at its"
            f" smallest ε. Rings on {names[first]} mark where more ε helps most, and where it stops"
            " helping. "
            + " · ".join(f"{name}: {whole}" for name, whole in zip(names, full_labels, strict=True))
        ),
        says_now=says + ".",
        columns=[
            {"mechanism": whole, "epsilon": need.curve.x, "chance": need.curve.value}
            for whole, need in zip(full_labels, plans, strict=True)
        ],
    )


def goal_marks(goal: float, look: Look, *, on_the_left: bool = True) -> list[Mark]:
    """Horizontal line of the goal with its name at one end."""
    end, anchor, shift = (0, "left bottom", 4) if on_the_left else (1, "right top", -4)
    text = f"goal: {stated_percent_text(goal)}"
    return [
        marks.horizontal_line(goal, look.muted, "dot"),
        marks.text_annotation(
            text, end, goal, anchor, look.muted, xref="x domain", yref="y", xshift=shift
        ),
    ]


def legend_line_count(entries: Sequence[str], look: Look) -> int:
    """Number of lines that plotly's legend takes on a page."""
    lines, at = 1, 0.0
    for text in entries:
        wide = (45 + 6.8 * len(text)) * look.scale
        lines, at = (lines + 1, wide) if at + wide > _NARROW and at else (lines, at + wide)
    return lines


def epsilon_axis_range(
    needs: Sequence[PlanWithCurves], decided_epsilons: Sequence[float]
) -> tuple[float, float]:
    """Range of ε in which any curve moves, with every decided ε and the level parts."""
    ends = list(decided_epsilons)
    for need in needs:
        value = np.asarray(need.curve.value)
        moving = np.flatnonzero((value > 0.02 * value.max()) & (value < 0.99 * value.max()))
        ends += [float(need.curve.x[i]) for i in (*moving[:1], *moving[-1:])]
        if need.shape.turning is not None:
            ends += [at for at in (need.shape.turning, need.shape.levels_off) if at is not None]
    low = max(min(ends) / 1.3, min(float(need.curve.x[0]) for need in needs))
    return low, min(max(ends) * 1.5, max(float(need.curve.x[-1]) for need in needs))
