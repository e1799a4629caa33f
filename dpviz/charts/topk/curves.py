"""Utility curves of several designs against ε: one panel a figure of merit, the first the widest.

Invariants: values between nodes are the curve's own interpolation; a band is drawn where a law is estimated;
the range of ε is where the curves move. Nothing is computed that the curves do not hold.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.base.arrays import Floats
from dpviz.charts.chart import Chart
from dpviz.charts.line_panels import Axis, Line, Panel, draw_panels
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.words import number
from dpviz.topk.classes import EVENTS
from dpviz.topk.curves import FigureCurve

__all__ = ["crossing", "utility_curves_chart"]

_POINTS = 161
_MARKED = (0.1, 0.5, 0.9)
_EDGES = (0.005, 0.995)


def crossing(curve: FigureCurve, probability: float) -> float:
    """The ε at which the curve first reaches `probability`; inf where it does not."""
    reached = np.flatnonzero(curve.value >= probability)
    if len(reached) == 0:
        return float("inf")
    first = int(reached[0])
    if first == 0:
        return float(curve.x[0])
    fine = np.geomspace(curve.x[first - 1], curve.x[first], 33)
    values = np.maximum.accumulate(curve.at(fine))
    return float(np.exp(np.interp(probability, values, np.log(fine))))


def utility_curves_chart(
    designs: Mapping[str, Sequence[FigureCurve]],
    *,
    epsilon: float | None = None,
    span: tuple[float, float] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """The curves of each design, named by its label, in the same order of events for all.

    `epsilon` is marked; `span` is the range of ε shown, where the curves move unless given.
    """
    events = [curve.event for curve in next(iter(designs.values()))]
    shown = _span([curve for curves in designs.values() for curve in curves]) if span is None else span
    panels = [
        Panel(
            _title(event),
            [_line(label, style, curves[i], shown) for style, (label, curves) in enumerate(designs.items())],
            share=1.6 if i == 0 and len(events) > 1 else 1.0,
            named=i == 0,
        )
        for i, event in enumerate(events)
    ]
    axis = Axis("ε, logarithmic", *shown, log=True)
    mark = None if epsilon is None else (epsilon, f"ε = {number(epsilon)}")
    figure = draw_panels(
        panels, axis, Axis("probability", 0.0, 1.02, percent=True), look=look, height=360.0, upright=mark
    )
    told = "Further left is better: the same probability for less ε. "
    told += "Markers stand where a curve passes 10\u202f%, 50\u202f% and 90\u202f%."
    estimated = sorted({label for label, curves in designs.items() if any(c.method == "estimated" for c in curves)})
    return Chart(
        figure=figure,
        alt=(
            f"Curves of {', '.join(_title(event) for event in events)} against ε from {number(shown[0])} to "
            f"{number(shown[1])} for {', '.join(designs)}. {_says(designs)}"
        ),
        how_to_read=told + (f" Bands are 95\u202f% intervals ({', '.join(estimated)} estimated)." if estimated else ""),
        says_now=_says(designs),
        make_table=lambda: _table(designs),
    )


def _title(event: str) -> str:
    return EVENTS[event].label if event in EVENTS else event


def _span(curves: Sequence[FigureCurve]) -> tuple[float, float]:
    """From where the first curve leaves 0 to where the last one that gets there reaches 1."""
    starts = [c for c in (crossing(curve, _EDGES[0]) for curve in curves) if np.isfinite(c)]
    ends = [c for c in (crossing(curve, _EDGES[1]) for curve in curves) if np.isfinite(c)]
    low = min(starts) if starts else float(curves[0].x[0])
    high = max(ends) if ends else float(curves[0].x[-1])
    if high < 2 * low:
        low, high = low / 2, high * 2
    return low / 1.15, high * 1.15


def _line(label: str, style: int, curve: FigureCurve, span: tuple[float, float]) -> Line:
    low, high = max(span[0], curve.x[0]), min(span[1], curve.x[-1])
    inside = curve.x[(curve.x >= low) & (curve.x <= high)]
    x: Floats = np.unique(np.concatenate([np.geomspace(low, high, _POINTS), inside]))
    y = curve.at(x)
    marks = np.array([c for c in (crossing(curve, p) for p in _MARKED) if low < c < high])
    if curve.method != "estimated":
        return Line(label, x, y, style, marks)
    below, above = (np.interp(np.log(x), np.log(curve.x), bound) for bound in (curve.low, curve.high))
    return Line(label, x, y, style, marks, low=below, high=above)


def _says(designs: Mapping[str, Sequence[FigureCurve]]) -> str:
    """The ε at which the first event is as likely as not, by design."""
    needed = {label: crossing(curves[0], 0.5) for label, curves in designs.items()}
    event = _title(next(iter(designs.values()))[0].event)
    reached = sorted((e, label) for label, e in needed.items() if np.isfinite(e))
    if not reached:
        return f"None of them reaches 50\u202f% for {event} in the range computed."
    (best, first), others = reached[0], reached[1:]
    text = f"{event} comes out in half of the releases at ε ≈ {_three(best)} with {first}"
    if others:
        text += "".join(f", {_three(e)} with {label} ({_times(e / best)})" for e, label in others)
    missing = [label for label, e in needed.items() if not np.isfinite(e)]
    return text + "." + (f" Not in the range computed: {', '.join(missing)}." if missing else "")


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:,.0f} times"


def _three(value: float) -> str:
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else np.format_float_positional(rounded, trim="-")


def _table(designs: Mapping[str, Sequence[FigureCurve]]) -> pd.DataFrame:
    """Every node of every curve."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "design": label,
                    "figure": curve.event,
                    "epsilon": curve.x,
                    "value": curve.value,
                    "low": curve.low,
                    "high": curve.high,
                    "method": curve.method,
                }
            )
            for label, curves in designs.items()
            for curve in curves
        ],
        ignore_index=True,
    )
