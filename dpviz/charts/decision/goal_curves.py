"""How good against ε: the chance of the goal for each mechanism allowed, with what was decided on one of them.

Invariants: the ε decided on is marked by a line from top to bottom, the goal by one from side to side; where doubling ε
buys most, and where it buys next to nothing any more, have a marker each on the curve taken. No ε is judged by colour.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.charts.chart import Chart
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import as_typed, label, number, percent
from dpviz.studies.decision import Need

__all__ = ["LEVELS", "TURNS", "goal_curves"]

TURNS, LEVELS = "turns", "levels off"
_HEIGHT = 300.0
_POINTS = 241
_NARROW = 560  # pixels that a legend has


def goal_curves(
    needs: Sequence[Need],
    names: Sequence[str],
    labels: Sequence[str],
    taken: Sequence[tuple[int, float, str]],
    goal: float,
    what: str,
    *,
    within: Sequence[float] = (),
    look: Look = LIGHT,
) -> Chart:
    """Curves of `needs`, each with a short name and its whole label; `taken` has a curve, its ε and what ε is called.

    `goal` is the chance asked for, `what` what it is the chance of, for the axis, which reaches every ε of `within`.
    """
    low, high = _range(needs, [*within, *(epsilon for _, epsilon, _ in taken)])
    x = np.geomspace(low, high, _POINTS)
    lines = [
        Line(name, x, need.curve.at(x), at, told=f"{name} {label(whole)}")
        for at, (name, whole, need) in enumerate(zip(names, labels, needs, strict=True))
    ]
    first, epsilon, called = taken[0]
    shape, curve = needs[first].shape, lines[first]
    figure = draw_panels(
        [Panel("", lines)],
        Axis("ε of one release, in equal factors", low, high, log=True),
        Axis(what, 0.0, 1.02, percent=True),
        look=look,
        height=_HEIGHT,
        upright=(epsilon, f"{called} = {number(epsilon)}"),
    )
    more = 2.1 * look.size * (_lines([line.told for line in lines], look) - 1)
    height, bottom = figure.layout["height"] + round(more), figure.layout["margin"]["b"] + more
    figure.update_layout(height=height, margin={"b": bottom}, legend={"maxheight": 0.5})
    for mark, at in ((TURNS, shape.turning), (LEVELS, shape.levels_off)):
        if at is not None and low < at < high:
            figure.add_scatter(
                x=[at], y=[float(np.interp(at, curve.x, curve.y))], mode="markers+text", name=mark, showlegend=False,
                text=[f"\u00a0{mark}\u00a0"], textposition="bottom right", textfont={"color": look.ink},
                marker={"symbol": "circle-open", "size": 11 * look.scale, "color": look.ink, "line": {"width": 2}},
                hovertemplate=f"{mark}: ε = %{{x:.3~g}}, %{{y:.3~g}}<extra></extra>", cliponaxis=False,
            )  # fmt: skip
    for _, other, name in taken[1:]:
        figure.add_upright(other, line={"color": look.ink, "width": 1, "dash": "dot"})
        figure.add_annotation(
            x=float(np.log10(other)), y=0.08, xref="x", yref="y domain", xanchor="left", yanchor="bottom", xshift=4,
            text=f"{name} = {number(other)}", showarrow=False, font={"color": look.muted},
        )  # fmt: skip
    figure.add_level(goal, line={"color": look.muted, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=0, y=goal, xref="x domain", yref="y", xanchor="left", yanchor="bottom", xshift=4,
        text=f"goal: {as_typed(goal)}", showarrow=False, font={"color": look.muted},
    )  # fmt: skip
    says = f"Doubling ε around {number(_three(shape.turning))} buys most, {round(100 * shape.gain)} points of chance"
    if shape.levels_off is not None:
        says += f"; from {number(_three(shape.levels_off))} on it buys less than one point"
    at_epsilon = percent(float(needs[first].curve.at(np.array([epsilon]))[0]))
    return Chart(
        figure=figure,
        alt=f"Curves of {what} against ε for {', '.join(labels)}. At {called} = {number(epsilon)} it is {at_epsilon}.",
        how_to_read=(
            "Further left is more private, further up is better; a curve crosses the goal at its smallest ε. Rings on "
            f"{names[first]} say where more ε buys most and from where hardly any. "
            + " · ".join(f"{name}: {whole}" for name, whole in zip(names, labels, strict=True))
        ),
        says_now=says + ".",
        make_table=lambda: pd.concat(
            [
                pd.DataFrame({"mechanism": whole, "epsilon": need.curve.x, "chance": need.curve.value})
                for whole, need in zip(labels, needs, strict=True)
            ],
            ignore_index=True,
        ),
    )


def _lines(told: Sequence[str], look: Look) -> int:
    """How many lines a legend takes as plotly sets it beside the figures of a page."""
    lines, at = 1, 0.0
    for text in told:
        wide = (45 + 6.8 * len(text)) * look.scale
        lines, at = (lines + 1, wide) if at + wide > _NARROW and at else (lines, at + wide)
    return lines


def _range(needs: Sequence[Need], decided: Sequence[float]) -> tuple[float, float]:
    """Where any curve moves, with every ε decided on and where the first levels off."""
    ends = list(decided)
    for need in needs:
        value = np.asarray(need.curve.value)
        moving = np.flatnonzero((value > 0.02 * value.max()) & (value < 0.99 * value.max()))
        ends += [float(need.curve.x[i]) for i in (*moving[:1], *moving[-1:])]
        ends += [need.shape.turning] + ([] if need.shape.levels_off is None else [need.shape.levels_off])
    low = max(min(ends) / 1.3, min(float(need.curve.x[0]) for need in needs))
    return low, min(max(ends) * 1.5, max(float(need.curve.x[-1]) for need in needs))


def _three(value: float) -> float:
    return float(f"{value:.3g}")
