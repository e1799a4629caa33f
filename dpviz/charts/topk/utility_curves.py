"""Utility curves of several designs against ε: a panel for each figure, the first the widest."""

from collections.abc import Mapping, Sequence

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import number_text
from dpviz.charts.grammar import LIGHT, Chart, Look
from dpviz.charts.line_panels import Axis, Line, Panel, panel_figure
from dpviz.topk import EVENTS, FigureCurve

_POINTS = 161
_TITLES = {"share": "share of the top k"}
MARKED = (0.1, 0.5, 0.9)
_EDGES = (0.005, 0.995)  # of the most a curve reaches: between them it moves


def crossing_epsilon(curve: FigureCurve, probability: float) -> float:
    """Smallest ε at which the curve reaches `probability`; inf if it does not."""
    reached = np.flatnonzero(curve.value >= probability)
    if len(reached) == 0:
        return float("inf")
    first = int(reached[0])
    if first == 0:
        return float(curve.x[0])
    fine = np.geomspace(curve.x[first - 1], curve.x[first], 33)
    return float(
        np.exp(np.interp(probability, np.maximum.accumulate(curve.at(fine)), np.log(fine)))
    )


def utility_curves_chart(
    designs: Mapping[str, Sequence[FigureCurve]], *, look: Look = LIGHT
) -> Chart:
    """Curves of each design by label, in the same order of events."""
    events = [curve.event for curve in next(iter(designs.values()))]
    ends = _span([curve for curves in designs.values() for curve in curves])
    panels = [
        Panel(
            figure_of_merit_title(event),
            [
                curve_line(label, style, curves[i], ends)
                for style, (label, curves) in enumerate(designs.items())
            ],
            share=1.6 if i == 0 and len(events) > 1 else 1.0,
            named=i == 0,
        )
        for i, event in enumerate(events)
    ]
    estimated = sorted(
        {label for label, curves in designs.items() if any(c.method == "estimated" for c in curves)}
    )
    return Chart(
        figure=panel_figure(
            panels,
            Axis("ε, logarithmic", *ends, log=True),
            Axis("chance", 0.0, 1.02, percent=True),
            look=look,
            height=360.0,
        ),
        shows=(
            f"Curves of {', '.join(figure_of_merit_title(event) for event in events)} against ε from"
            f" {number_text(ends[0])} to {number_text(ends[1])} for {', '.join(designs)}."
        ),
        how_to_read=(
            "A curve further left is better, as it needs less ε for the same chance. Markers show"
            " 10\u202f%, 50\u202f% and 90\u202f%."
        )
        + (
            f" Bands are 95\u202f% intervals ({', '.join(estimated)} estimated)."
            if estimated
            else ""
        ),
        says_now=_says(designs),
        columns=[
            curve_point_columns(label, curve)
            for label, curves in designs.items()
            for curve in curves
        ],
    )


def figure_of_merit_title(figure: str) -> str:
    return (
        EVENTS[figure].label if figure in EVENTS else _TITLES.get(figure, figure.replace("_", " "))
    )


def changing_epsilon_range(
    curves: Sequence[FigureCurve], largest_values: Sequence[float]
) -> tuple[float, float]:
    """Range from the first curve that leaves 0 to the last that comes near its `largest_values`."""
    starts, ends = (
        [
            c
            for c in (
                crossing_epsilon(v, edge * top)
                for v, top in zip(curves, largest_values, strict=True)
            )
            if np.isfinite(c)
        ]
        for edge in _EDGES
    )
    return min(starts, default=float(curves[0].x[0])), max(ends, default=float(curves[0].x[-1]))


def _span(curves: Sequence[FigureCurve]) -> tuple[float, float]:
    low, high = changing_epsilon_range(curves, [1.0] * len(curves))
    if high < 2 * low:
        low, high = low / 2, high * 2
    return low / 1.15, high * 1.15


def curve_line(name: str, style: int, curve: FigureCurve, span: tuple[float, float]) -> Line:
    """Curve over a range of ε, marked where it passes `MARKED`, with a band if it is estimated."""
    low, high = max(span[0], float(curve.x[0])), min(span[1], float(curve.x[-1]))
    inside = curve.x[(curve.x >= low) & (curve.x <= high)]
    x: Floats = np.unique(np.concatenate([np.geomspace(low, high, _POINTS), inside]))
    marked = np.array([c for c in (crossing_epsilon(curve, p) for p in MARKED) if low < c < high])
    if curve.method != "estimated":
        return Line(name, x, curve.at(x), style, marked)
    bottom, top = (
        np.interp(np.log(x), np.log(curve.x), bound) for bound in (curve.low, curve.high)
    )
    return Line(name, x, curve.at(x), style, marked, bottom, top)


def _says(designs: Mapping[str, Sequence[FigureCurve]]) -> str:
    """Sentence on the ε at which the first event has a chance of one half, by design."""
    needed = {label: crossing_epsilon(curves[0], 0.5) for label, curves in designs.items()}
    event = figure_of_merit_title(next(iter(designs.values()))[0].event)
    reached = sorted((e, label) for label, e in needed.items() if np.isfinite(e))
    if not reached:
        return f"None reaches 50\u202f% for {event} in the computed range."
    (best, first), others = reached[0], reached[1:]
    text = f"{event} reaches 50\u202f% at ε ≈ {_three(best)} with {first}"
    for e, label in others:
        times = f"{e / best:.1f}" if e / best < 9.95 else f"{e / best:,.0f}"
        text += f", {_three(e)} with {label} ({times} times)"
    missing = [label for label, e in needed.items() if not np.isfinite(e)]
    return text + "." + (f" Not in the computed range: {', '.join(missing)}." if missing else "")


def _three(value: float) -> str:
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else np.format_float_positional(rounded, trim="-")


def curve_point_columns(
    name: str, curve: FigureCurve, x_name: str = "epsilon", figure: str = ""
) -> dict[str, object]:
    """Points of a curve as columns: design, figure, `x_name`, value, low, high, method."""
    return {
        "design": name,
        "figure": figure or curve.event,
        x_name: curve.x,
        "value": curve.value,
        "low": curve.low,
        "high": curve.high,
        "method": curve.method,
    }
