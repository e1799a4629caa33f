"""The two pictures of a sheet as SVG: curves of the chance of the goal against ε, and an array of 100 people.

Invariants: no script and no outside file; colour is never the only sign (lines differ in dash, people in fill) and
judges no ε.
"""

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.studies.decision import Decision
from dpviz.topk.curves import FigureCurve

__all__ = ["Line", "curve_lines", "curves_svg", "people_svg"]

_WIDTH, _HEIGHT = 460, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 20, 34
_POINTS = 161
_Place = Callable[[float], float]
_INK, _BLUE, _GREY, _RULE = "#222", "#1f5fa8", "#8a939c", "#d9dee3"


@dataclass(frozen=True)
class Line:
    """One curve: its name, whether it is the one decided on, a dash pattern for the others."""

    name: str
    curve: FigureCurve
    strong: bool
    dash: str = ""


_DASHES = ("6 3", "2 2", "8 2 2 2", "1 3", "10 4", "4 1")


def curve_lines(decision: Decision, beside: Decision | None) -> tuple[Line, ...]:
    """All designs of a decision; beside another, the one taken of each."""
    if beside is not None:
        pair = (("A", decision), ("B", beside))
        return tuple(
            Line(f"{letter}: {each.need.label}", each.need.curve, letter == "A", "" if letter == "A" else "6 3")
            for letter, each in pair
        )
    others = (need for i, need in enumerate(decision.needs) if i != decision.taken)
    thin = (Line(need.label, need.curve, False, _DASHES[i % len(_DASHES)]) for i, need in enumerate(others))
    return (Line(decision.need.label, decision.need.curve, True), *thin)


def curves_svg(decision: Decision, beside: Decision | None = None) -> str:
    """The chance of the goal against ε (logarithmic), with the goal, ε, and where the curve turns and levels off."""
    lines = curve_lines(decision, beside)
    low, high = _range(decision, beside, lines)
    u = np.linspace(math.log(low), math.log(high), _POINTS)

    def x(epsilon: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(epsilon / low) / math.log(high / low)

    def y(p: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - p)

    drawn = [_axes(x, y, low, high)]
    goal = decision.question.target.probability
    drawn.append(
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(goal):.1f}" y2="{y(goal):.1f}" stroke="{_GREY}" '
        'stroke-dasharray="1 2"/>' + _text(_WIDTH - _RIGHT, y(goal) + 9, "goal", "end")
    )
    for line in lines:
        points = " ".join(
            f"{x(math.exp(at)):.1f},{y(p):.1f}" for at, p in zip(u, line.curve.at(np.exp(u)), strict=True)
        )
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        style = f'stroke="{_BLUE}" stroke-width="2"' if line.strong else f'stroke="{_INK}" stroke-width="1"'
        drawn.append(f'<polyline fill="none" {style}{dash} points="{points}"/>')
    marks = [(decision.epsilon, "ε" if beside is None else "ε of A", True)]
    if beside is not None:
        marks.append((beside.epsilon, "ε of B", True))
    shape = decision.need.shape
    marks += [(at, name, False) for at, name in ((shape.turning, "turns"), (shape.levels_off, "levels off")) if at]
    for epsilon, name, tall in marks:
        if low <= epsilon <= high:
            p = float(decision.need.curve.at(np.array([epsilon]))[0])
            drawn.append(_mark(x(epsilon), _TOP - 4 if tall else y(p), y(0), y(p), name, tall))
    alt = f"The chance of the goal against ε, for {', '.join(line.name for line in lines)}."
    body = "".join(drawn)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(alt, quote=True)}">{body}</svg>'
        f'<ul class="key">{"".join(_key(line) for line in lines)}</ul>'
    )


def _range(decision: Decision, beside: Decision | None, lines: Sequence[Line]) -> tuple[float, float]:
    """Where any of the lines moves, and every ε decided on."""
    moving = []
    for line in lines:
        value = np.asarray(line.curve.value)
        inside = np.flatnonzero((value > 0.02 * value.max()) & (value < 0.995 * value.max()))
        moving += [float(line.curve.x[i]) for i in (inside[:1].tolist() + inside[-1:].tolist())]
    moving += [decision.epsilon] if beside is None else [decision.epsilon, beside.epsilon]
    if decision.need.shape.levels_off is not None:
        moving.append(decision.need.shape.levels_off)
    return min(moving) / 1.3, max(moving) * 1.5


def _axes(x: _Place, y: _Place, low: float, high: float) -> str:
    parts = [
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(p):.1f}" y2="{y(p):.1f}" stroke="{_RULE}"/>'
        + _text(_LEFT - 5, y(p) + 3, f"{100 * p:.0f} %", "end")
        for p in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for digit in (1, 2, 5):
            epsilon = digit * 10.0**power
            if low <= epsilon <= high:
                parts.append(_text(x(epsilon), _HEIGHT - _BOTTOM + 12, f"{epsilon:g}", "middle"))
    parts.append(
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, "ε of one release (each step the same factor)", "middle")
    )
    return "".join(parts)


def _mark(x: float, top: float, bottom: float, at: float, name: str, tall: bool) -> str:
    line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}" stroke="{_INK}"'
    line += ' stroke-width="1.2"/>' if tall else ' stroke-dasharray="2 2"/>'
    if tall:
        return line + _text(x, top - 3, name, "middle")
    left = name == "turns"
    label = _text(x - 4 if left else x + 4, bottom - 4, name, "end" if left else "start")
    return f'{line}<circle cx="{x:.1f}" cy="{at:.1f}" r="2.6" fill="#fff" stroke="{_INK}"/>{label}'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _key(line: Line) -> str:
    dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    style = f'stroke="{_BLUE}" stroke-width="2.5"' if line.strong else f'stroke="{_INK}"'
    sample = f'<line x1="0" x2="26" y1="4" y2="4" {style}{dash}/>'
    return f'<li><svg viewBox="0 0 26 8" aria-hidden="true">{sample}</svg> {html.escape(line.name)}</li>'


def people_svg(right: int, alt: str) -> str:
    """100 people: those a blind guess gets right, those that the release adds at most, and the others."""
    people = []
    for i in range(100):
        x, y = 8 + 14 * (i % 20), 8 + 17 * (i // 20)
        fill, edge = (_GREY, _GREY) if i < 50 else (_BLUE, _BLUE) if i < right else ("#fff", _GREY)
        people.append(
            f'<g fill="{fill}" stroke="{edge}"><circle cx="{x}" cy="{y - 3}" r="2.4"/>'
            f'<path d="M{x - 4} {y + 7}v-3a4 4 0 0 1 8 0v3z"/></g>'
        )
    return f'<svg viewBox="0 0 284 88" role="img" aria-label="{html.escape(alt, quote=True)}">{"".join(people)}</svg>'
