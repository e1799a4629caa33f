"""The smallest ε for a goal, curves over ε and where they turn, beside laws enumerated at each ε."""

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz import ParameterError, smallest_epsilon
from dpviz.studies.decision.curve_shape import CLOSE, SMALL, curve_shape
from dpviz.topk import adaptive_curves
from dpviz.topk.figure_curve import FigureCurve
from tests.audit.figures import case_of, true_figure
from tests.audit.pairs import described
from tests.audit.runner import Family, Finding, about, between, says

SLACK = 1e-7  # of a figure, beside the error that a law states
_FURTHER = 4.0  # an error between nodes is an estimate: beyond so many times it is a wrong one
_LEAST = 1e-6  # the smallest ε that is looked at


def _smallest(rng: Generator, *, shorter: bool, points: int) -> Iterator[Finding]:
    m, s, figure = case_of(rng, shorter=shorter)
    event, at_least, item = figure
    probability = float(np.round(rng.choice([0.1, 0.5, 0.9, 0.99]) * rng.uniform(0.7, 1), 4))
    true = true_figure(m, s, figure)
    case = f"{described(m, s)}, {figure}, probability={probability}"
    # Of one item the first crossing seen on a curve is promised.
    narrow = 2e-3 if event == "inclusion" else SLACK
    goal = {"probability": probability, "event": event, "at_least": at_least, "item": item}
    try:
        told = smallest_epsilon(m, s, **goal, limit=300.0)
    except ParameterError:
        best = max(np.geomspace(1e-4, 300.0, points).tolist(), key=true)
        figure_at = f"refused; the figure at {best!r}"
        yield between(case, figure_at, true(best), 0.0, probability, narrow)
        return
    yield between(case, f"the figure at {told!r}", true(told), probability, 1.0, SLACK)
    if told <= _LEAST * 1.0001:
        return
    grid = np.geomspace(max(_LEAST, told * 1e-3), told * (1 - 1e-4), points)
    best = max([*grid.tolist(), told * (1 - 3e-6)], key=true)
    figure_at = f"{told!r} is told; the figure at {best!r}"
    yield between(case, figure_at, true(best), 0.0, probability, narrow)


def smallest_of_full_lists(rng: Generator) -> Iterator[Finding]:
    """Mechanisms whose lists are never shorter: it meets the goal, and no smaller one does."""
    yield from _smallest(rng, shorter=False, points=30)


def smallest_of_shorter_lists(rng: Generator) -> Iterator[Finding]:
    """Shorter lists, whose figures may fall as ε grows: no smaller one on a fine grid does."""
    yield from _smallest(rng, shorter=True, points=200)


def _curve(rng: Generator, *, shorter: bool) -> tuple[str, FigureCurve, Any, float, float, float]:
    m, s, figure = case_of(rng, shorter=shorter)
    if figure[0] == "inclusion":
        figure = ("share", None, None)
    low, high = (10 ** rng.uniform((-3, 0), (0, 2))).tolist()
    high = max(high, 4 * low)
    tolerance = float(rng.choice([1e-4, 1e-3]))
    made = adaptive_curves.utility_curve(
        m, s, event=figure[0], at_least=figure[1], low=low, high=high, tolerance=tolerance
    )
    case = f"{described(m, s)}, {figure}, low={low!r}, high={high!r}, tolerance={tolerance}"
    return case, made, true_figure(m, s, figure), low, high, tolerance


def _points(rng: Generator, *, shorter: bool) -> Iterator[Finding]:
    case, made, true, low, high, tolerance = _curve(rng, shorter=shorter)
    if made.method != "exact":
        yield says(case, "method", made.method, "estimated")
        return
    nodes = rng.choice(len(made.x), min(4, len(made.x)), replace=False)
    for node in nodes.tolist():
        at = float(made.x[node])
        yield between(case, f"low at the node {at!r}", made.low[node], 0.0, true(at), SLACK)
        yield between(case, f"high at the node {at!r}", made.high[node], true(at), 1.0, SLACK)
    steep = made.x[np.argsort(-np.abs(np.diff(made.value)))[:3]]
    after = made.x[np.minimum(np.searchsorted(made.x, steep) + 1, len(made.x) - 1)]
    middles = np.sqrt(steep * after)
    between_nodes = np.concatenate([middles, np.exp(rng.uniform(math.log(low), math.log(high), 5))])
    for at in between_nodes.tolist():
        told = float(made.at(np.array([at]))[0])
        error = _FURTHER * (made.error + tolerance) + SLACK
        yield about(case, f"the curve at {at!r}, error {made.error!r}", told, true(at), error)


def curves_of_full_lists(rng: Generator) -> Iterator[Finding]:
    """A curve is what it says at its nodes, and between them within what it tells and aims at."""
    yield from _points(rng, shorter=False)


def curves_of_shorter_lists(rng: Generator) -> Iterator[Finding]:
    """The same where figures may fall as ε grows."""
    yield from _points(rng, shorter=True)


def turning_points(rng: Generator) -> Iterator[Finding]:
    """Doubling ε at the turning point buys what is told, nowhere more; past `levels_off` little."""
    case, made, true, low, high, tolerance = _curve(rng, shorter=bool(rng.random() < 0.3))
    if made.method != "exact" or high < 4 * low:
        yield says(case, "method", made.method, made.method)
        return
    shape, half = curve_shape(made), math.sqrt(2)

    def gain(epsilon: float) -> float:
        return true(epsilon * half) - true(epsilon / half)

    error = 2 * (made.error + tolerance) + SLACK
    grid = np.geomspace(low * half, high / half, 60).tolist()
    most = max(map(gain, grid))
    if shape.turning is None:
        yield between(case, "gain, though it turns nowhere", most, -1.0, SMALL, error)
    else:
        there = gain(shape.turning)
        yield about(case, f"gain at {shape.turning!r}", shape.gain, there, CLOSE + error)
    yield between(case, "gain, the largest", shape.gain, most, 1.0, error)
    if shape.levels_off is not None:
        beyond = [one for one in grid if one > shape.levels_off * half * 1.001]
        most = max(map(gain, beyond), default=0.0)
        yield between(case, f"gain beyond {shape.levels_off!r}", most, -1.0, SMALL, error)


def _told(*shares: float) -> list[tuple[Any, str, Any]]:
    def wrong(share: float) -> Any:
        return lambda smallest: lambda *given, **goal: share * smallest(*given, **goal)

    return [(sys.modules[__name__], "smallest_epsilon", wrong(share)) for share in shares]


def _late(at: Any) -> Any:
    return lambda curve, x: np.clip(at(curve, x * 1.02), 0.0, 1.0)


def _wide(at: Any) -> Any:
    return lambda curve, x: at(curve, curve.x[:1] * (x / curve.x[0]) ** 0.8)


FAMILIES = [
    Family(smallest_of_full_lists, 20, 150, _told(0.99, 1.01)),
    Family(smallest_of_shorter_lists, 8, 150, _told(0.98, 1.05)),
    Family(curves_of_full_lists, 10, 90, [(FigureCurve, "at", _late)]),
    Family(curves_of_shorter_lists, 5, 60, [(FigureCurve, "at", _late)]),
    Family(turning_points, 6, 60, [(FigureCurve, "at", _wide)]),
]
