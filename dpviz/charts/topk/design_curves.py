"""Curves of several designs in one panel: against ε, against k, and beside theorems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.base import Floats
from dpviz.base.text_format import join_with_and, number_text, percent, release_frequency_text
from dpviz.charts.grammar import LIGHT, Chart, Figure, Look, Mark, design_identity, marks
from dpviz.charts.line_panels import Axis, Line, Panel, VerticalMarker, panel_figure
from dpviz.charts.topk.utility_curves import (
    MARKED,
    changing_epsilon_range,
    curve_line,
    curve_point_columns,
)
from dpviz.topk import EVENTS, FigureCurve
from dpviz.topk.shortfall_guarantees import ShortfallCurve

_HALF = 0.5
_FEW = 3  # designs that are called by their names in a sentence, more by their letters
_HEIGHT = 400.0
_ALIKE = 0.005  # of the height: so close that one line hides another


# A design without a curve yet is left out, and the others keep their identity.
@dataclass(frozen=True)
class NamedDesign:
    """Design of a curve: its number, which gives its identity, and its label."""

    number: int
    label: str

    def lettered_label(self, look: Look) -> str:
        return design_identity(self.number, look).lettered_label(self.label)


def epsilon_curves_chart(
    curves: Mapping[NamedDesign, FigureCurve],
    epsilon: float,
    *,
    guarantees: Mapping[NamedDesign, tuple[Floats, Floats]] | None = None,
    draws: int | None = None,
    span: tuple[float, float] | None = None,
    look: Look = LIGHT,
) -> Chart:
    """One figure of merit against ε, with the current ε marked.

    `draws` is the number of simulated releases of each point, `span` the range of ε (default: the
    moving part). `guarantees` holds (ε, probability promised by a theorem) by design.
    """
    event = EVENTS[next(iter(curves.values())).event].label
    low, high = _span(list(curves.values()), epsilon) if span is None else span
    high = max(
        [high, *(float(x[np.argmax(y >= MARKED[2])]) for x, y in (guarantees or {}).values())]
    )
    lines = [
        curve_line(who.lettered_label(look), who.number, curve, (low, high))
        for who, curve in curves.items()
    ]
    now = {who: float(curve.at(np.array([epsilon]))[0]) for who, curve in curves.items()}
    says = f"At ε = {number_text(epsilon)} the chance of {event} is " + join_with_and(
        f"{percent(p)} with {_short(who, curves, look)}"
        for who, p in sorted(now.items(), key=lambda pair: -pair[1])
    )
    error = max(curve.error for curve in curves.values())
    off = "0.01 %" if error <= 1e-4 else f"{np.ceil(1e4 * error) / 100:.2g} %"  # rounded up
    return Chart(
        figure=_figure(
            lines,
            Axis("ε, in steps of ten", low, high, log=True),
            Axis(f"chance of {event}", 0.0, 1.02, percent=True),
            VerticalMarker(epsilon, f"ε = {number_text(epsilon)}"),
            _HEIGHT,
            look,
            [_under(who, x, y, "least", look) for who, (x, y) in (guarantees or {}).items()],
        ),
        shows=(
            f"Curves of the chance of {event} against ε from {number_text(low)} to"
            f" {number_text(high)}."
        ),
        how_to_read=(
            "A curve further left is better, as it needs less ε for the same chance. Markers show"
            " 10 %, 50 % and 90 %. Between the computed points the estimated error is about"
            f" {off}."
            + _estimated(curves, draws, look)
            + (
                " Thin lines are the least chance that the theorems prove. The curves lie above."
                if guarantees
                else ""
            )
        ),
        says_now=says + ".",
        columns=[curve_point_columns(who.lettered_label(look), c) for who, c in curves.items()],
    )


def k_curves_chart(
    curves: Mapping[NamedDesign, FigureCurve],
    k: int,
    epsilon: float,
    *,
    draws: int | None = None,
    look: Look = LIGHT,
) -> Chart:
    """One figure of merit against k at one ε, with the current k marked."""
    first = next(iter(curves.values()))
    event = EVENTS[first.event].label
    lines = [
        Line(
            who.lettered_label(look),
            x,
            c.value,
            who.number,
            x,
            *((c.low, c.high) if c.method == "estimated" else ()),
        )
        for who, c in curves.items()
        for x in [c.x.astype(float)]
    ]
    low, high, k_last = float(first.x[0]), float(first.x[-1]), f"{first.x[-1]:,}"
    says = join_with_and(
        (f"k = {int(ks.max()):,}" if len(ks) else "none") + f" with {_short(who, curves, look)}"
        for who, ks in {who: c.x[c.value >= _HALF] for who, c in curves.items()}.items()
    )
    return Chart(
        figure=_figure(
            lines,
            Axis("k, the length of the list", low / 1.06, high * 1.06, log=True),
            Axis(f"chance of {event}", 0.0, 1.02, percent=True),
            VerticalMarker(float(k), f"k = {k:,}"),
            _HEIGHT * 0.9,
            look,
        ),
        shows=(
            f"Curves of the chance of {event} against k up to {k_last}, at ε ="
            f" {number_text(epsilon)}."
        ),
        how_to_read=(
            f"One release of k items uses the whole ε = {number_text(epsilon)}. Every marker is"
            " computed. If a curve falls slowly, a longer list costs little. Ups and downs come"
            " from the distances between the scores." + _estimated(curves, draws, look)
        ),
        says_now=(
            f"The longest of the lists computed, up to {k_last}, with {event} in half of the"
            f" releases: {says}."
        ),
        columns=[
            curve_point_columns(who.lettered_label(look), c, "k", event)
            for who, c in curves.items()
        ],
    )


def shortfall_chart(
    curves: Mapping[NamedDesign, ShortfallCurve], epsilon: float, *, look: Look = LIGHT
) -> Chart:
    """Shortfall of the worst choice below the k-th score, and the theorems' bounds on it."""
    first = next(iter(curves.values()))
    most = max(first.most, 1e-12)
    lines = [
        Line(who.lettered_label(look), c.epsilon, c.exact, who.number, c.epsilon[::6])
        for who, c in curves.items()
    ]
    low, high = _moving(list(curves.values()), epsilon)
    chance = f"{100 * first.probability:.10g} %"
    says = join_with_and(
        f"{number_text(float(np.interp(np.log(epsilon), np.log(c.epsilon), c.exact)), 3)} with"
        f" {_short(who, curves, look)}" + _bound_words(c, epsilon, most)
        for who, c in curves.items()
    )
    bounds = {
        who: (c.promised, c.promised <= 1.04 * most)
        for who, c in curves.items()
        if c.promised is not None
    }
    return Chart(
        figure=_figure(
            lines,
            Axis("ε, in steps of ten", low, high, log=True),
            Axis("points below the k-th score", 0.0, 1.04 * most),
            VerticalMarker(epsilon, f"ε = {number_text(epsilon)}"),
            _HEIGHT * 0.9,
            look,
            [
                _under(who, curves[who].epsilon[inside], bound[inside], "most", look)
                for who, (bound, inside) in bounds.items()
            ],
            most,
        ),
        shows=(
            f"Curves of the most that the worst item falls short in {chance} of releases, against"
            " ε."
        ),
        how_to_read=(
            f"In {chance} of releases every item in the list scores at most this far below the k-th"
            f" best. Lower is better; {number_text(most)} is the lowest score of all. "
            + (
                "Thin lines are the theorems' bounds. They hold for any data, so they lie above."
                if bounds
                else ""
            )
        ),
        says_now=(
            f"In {release_frequency_text(first.probability)} the worst item is at most this far"
            f" below the k-th score: {says}."
        ),
        columns=[
            {
                "design": who.lettered_label(look),
                "epsilon": c.epsilon,
                "shortfall": c.exact,
                "bound": np.nan if c.promised is None else c.promised,
                "probability": c.probability,
                "method": c.method,
            }
            for who, c in curves.items()
        ],
    )


def _bound_words(c: ShortfallCurve, epsilon: float, most: float) -> str:
    if c.promised is None:
        return ""
    bound = float(np.exp(np.interp(np.log(epsilon), np.log(c.epsilon), np.log(c.promised))))
    return f" (theorem: {number_text(bound, 3)}" + (
        ", which any list meets)" if bound >= most else ")"
    )


def _estimated(curves: Mapping[NamedDesign, FigureCurve], draws: int | None, look: Look) -> str:
    letters = [
        design_identity(who.number, look).letter
        for who, curve in curves.items()
        if curve.method == "estimated"
    ]
    if not letters:
        return ""
    rests = "" if draws is None else f" from {draws:,} simulated releases for each point"
    return (
        f" Bands are 95 % intervals: {join_with_and(letters)}"
        f" {'is' if len(letters) == 1 else 'are'}"
        f" estimated{rests}."
    )


def _short(who: NamedDesign, of: Mapping[NamedDesign, object], look: Look) -> str:
    return who.lettered_label(look) if len(of) <= _FEW else design_identity(who.number, look).letter


def _span(curves: Sequence[FigureCurve], epsilon: float) -> tuple[float, float]:
    low, high = changing_epsilon_range(curves, [float(curve.value.max()) for curve in curves])
    return min(low / 1.15, epsilon / 1.5), max(high * 1.15, epsilon * 1.5)


def _moving(curves: Sequence[ShortfallCurve], epsilon: float) -> tuple[float, float]:
    """Range from the first shortfall that falls to the last that ends, weak bounds included."""
    at, most = curves[0].epsilon, curves[0].most
    drawn = [values for c in curves for values in (c.exact, c.promised) if values is not None]
    all_in = np.all([values >= 0.98 * most for values in drawn], axis=0)
    low_in = np.all([values <= 0.04 * most for values in drawn], axis=0)
    start = at[max(int(np.argmin(all_in)) - 2, 0)] if not all_in.all() else at[0]
    end = at[int(np.argmax(low_in))] if low_in.any() else at[-1]
    return min(float(start), epsilon / 1.5), max(float(end), 2 * float(start), epsilon * 1.5)


def _under(who: NamedDesign, x: Floats, y: Floats, end: str, look: Look) -> Mark:
    design = design_identity(who.number, look)
    name = f"{design.letter} at {end}, by theorem"
    return marks.curve_mark(
        x.astype(np.float32),
        y.astype(np.float32),
        design.colour,
        1.2 * look.scale,
        "3px,2px",
        name=name,
        hover=f"{name}<br>ε = %{{x:,.4~r}}: <b>%{{y}}</b>",
    )


def _figure(
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    now: VerticalMarker,
    height: float,
    look: Look,
    more: Sequence[Mark] = (),
    top: float = 1.0,
) -> Figure:
    """Lines with the marker's text at its top if they are low, else at its foot."""
    lines = [
        replace(
            line,
            # one beneath a later one that hides it
            wide=any(
                float(np.abs(np.interp(line.x, over.x, over.y) - line.y).max()) < _ALIKE * top
                for over in lines[n + 1 :]
            ),
        )
        for n, line in enumerate(lines)
    ]
    highest = max(float(np.interp(now.x, line.x, line.y)) / top for line in lines)
    # of the height: words fit above
    return panel_figure(
        [Panel("", lines)],
        x,
        y,
        look=look,
        height=height,
        mark=replace(now, high=highest < 0.85),
        extra_marks=more,
    )
