"""The two pictures of a sheet as SVG: curves of the chance of the goal against ε, and an array of 100 people.

Invariants: no script and no outside file; colour is never the only sign (lines differ in dash, people in fill) and
judges no ε.
"""

import math
from dataclasses import dataclass
from itertools import chain, cycle

import numpy as np

from dpviz.base import Markup
from dpviz.charts.decision.goal_curves import goal_range
from dpviz.reports.document import piece
from dpviz.studies.decision import Decision
from dpviz.topk import FigureCurve

_WIDTH, _HEIGHT = 460, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 20, 34
_POINTS = 161
_DASHES = ("6 3", "2 2", "8 2 2 2", "1 3", "10 4", "4 1")
_INK, _BLUE, _GREY, _RULE = "#222", "#1f5fa8", "#8a939c", "#d9dee3"


@dataclass(frozen=True)
class _Line:
    """One curve: its name, and a dash pattern where it is not the one decided on."""

    name: str
    curve: FigureCurve
    dash: str

    @property
    def strong(self) -> bool:
        """Whether it is the one decided on."""
        return not self.dash


@dataclass(frozen=True)
class _Mark:
    """A named upright at an ε, from `top` down; a tall one stands for an ε decided on."""

    x: float
    top: float
    name: str
    tall: bool


def curves_svg(decision: Decision, beside: Decision | None = None) -> Markup:
    """The chance of the goal against ε (logarithmic), with the goal, ε, and where the curve turns and levels off.

    All designs of a decision; beside another, the one taken of each.
    """
    others = [need for need in decision.needs if need is not decision.need and need.along is not None]
    named, decided = {need.label: need for need in (decision.need, *others)}, {"ε": decision.epsilon}
    if beside is not None:
        named = {f"A: {decision.need.label}": decision.need, f"B: {beside.need.label}": beside.need}
        decided = {"ε of A": decision.epsilon, "ε of B": beside.epsilon}
    low, high = goal_range(list(named.values()), list(decided.values()))
    u = np.linspace(math.log(low), math.log(high), _POINTS)

    def x(epsilon: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(epsilon / low) / math.log(high / low)

    def y(p: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - p)

    def points(line: _Line) -> str:
        return " ".join(f"{x(math.exp(at)):.1f},{y(p):.1f}" for at, p in zip(u, line.curve.at(np.exp(u)), strict=True))

    def mark(name: str, epsilon: float) -> _Mark:
        tall = name in decided
        return _Mark(
            x(epsilon), _TOP - 4 if tall else y(float(decision.need.curve.at(np.array([epsilon]))[0])), name, tall
        )

    shape = decision.need.shape
    uprights = decided | {"turns": shape.turning, "levels off": shape.levels_off or math.inf}
    return piece(
        "curves",
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_WIDTH - _RIGHT,
        bottom=_HEIGHT - _BOTTOM,
        ink=_INK,
        blue=_BLUE,
        grey=_GREY,
        rule=_RULE,
        levels=[(y(p), f"{100 * p:.0f} %") for p in (0.0, 0.25, 0.5, 0.75, 1.0)],
        ticks=[(x(epsilon), f"{epsilon:g}") for epsilon in _round_values(low, high)],
        goal=y(decision.question.target.probability),
        lines=[
            _Line(name, need.curve, dash)
            for (name, need), dash in zip(named.items(), chain([""], cycle(_DASHES)), strict=False)
        ],
        points=points,
        marks=[mark(name, epsilon) for name, epsilon in uprights.items() if low <= epsilon <= high],
    )


def _round_values(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = (digit * 10.0**power for power in powers for digit in (1, 2, 5))
    return [epsilon for epsilon in values if low <= epsilon <= high]


def people_svg(right: int, alt: str) -> Markup:
    """100 people: those a blind guess gets right, those that the release adds at most, and the others."""
    fills = [(_GREY, _GREY) if i < 50 else (_BLUE, _BLUE) if i < right else ("#fff", _GREY) for i in range(100)]
    return piece("people", alt=alt, people=fills)
