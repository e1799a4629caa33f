"""A figure of merit over ε or k: points of laws with their bounds, and what lies between them.

Symbols: u = log ε, p = the figure, logit p = log(p/(1−p)); between points a cubic spline in (u, logit p).
Invariants: at the points the figures are the law's own, with its bounds; between them they are interpolated.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from dpviz.base import Floats, Ints, Progress, ReadOnly, Scores
from dpviz.base.cached import cached_property
from dpviz.topk.budget import Goal, figures_of
from dpviz.topk.mechanism import TopKMechanism

_REACH = 20.0  # of logit p: beyond it p is 0 or 1 to 2e-9
_FEWEST = 4  # points of a spline


@dataclass(frozen=True)
class FigureCurve(ReadOnly):
    """A figure of merit over ε or k: points with their values and bounds, and what lies between.

    Parameters
    ----------
    event
        The figure's name.
    x
        ε or k of each point, shape (points,).
    value
        The figure at each, shape (points,).
    low, high
        Its bounds: the error of an exact law, the 95 % interval of an estimated one; shape (points,).
    error
        An estimate of the error between points of ε; 0 where nothing is interpolated.
    method
        "exact", or "estimated" where some point is.
    """

    event: str
    x: Floats | Ints
    value: Floats
    low: Floats
    high: Floats
    error: float
    method: str

    @cached_property
    def _between(self) -> "Between":
        return Between(np.log(self.x), self.value)

    def at(self, x: Floats) -> Floats:
        """The figure at any ε between the first and the last point."""
        inside = np.clip(np.log(x), *np.log(self.x[[0, -1]]))
        return self._between(inside)


class Between:
    """The figure between nodes: a spline through logit p where p is neither 0 nor 1, straight lines elsewhere."""

    def __init__(self, u: Floats, value: Floats) -> None:
        self._u, self._value = u, value
        with np.errstate(divide="ignore"):
            logit = np.log(value) - np.log1p(-value)
        moving = np.flatnonzero(np.abs(logit) < _REACH)
        self._spline = None
        if len(moving) >= _FEWEST:
            part = slice(moving[0], moving[-1] + 1)
            self._range = u[moving[0]], u[moving[-1]]
            self._spline = scipy.interpolate.CubicSpline(u[part], np.clip(logit[part], -_REACH, _REACH))

    def __call__(self, u: Floats) -> Floats:
        straight: Floats = np.interp(u, self._u, self._value)
        if self._spline is None:
            return straight
        inside = (u >= self._range[0]) & (u <= self._range[1])
        logit = np.clip(self._spline(u), -2 * _REACH, 2 * _REACH)
        return np.where(inside, 1.0 / (1.0 + np.exp(-logit)), straight)


class Figures(NamedTuple):
    """Several figures of one law.

    Parameters
    ----------
    value
        The figures, shape (goals,).
    low, high
        Their bounds, of that shape.
    slack
        How wide the widest bounds are where the law is estimated; 0 where it is exact.
    method
        "exact" or "estimated".
    """

    value: Floats
    low: Floats
    high: Floats
    slack: float
    method: str


def figures_of_law(m: TopKMechanism, s: Scores, goals: Sequence[Goal], samples: int, progress: Progress) -> Figures:
    """The figures of a mechanism's law.

    Parameters
    ----------
    m
        The mechanism.
    s
        The scores it is run on.
    goals
        The figures that are wanted.
    samples
        How many draws an estimated law takes.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Figures
        One for each of `goals`, with their bounds.
    """
    dist = m.distribution(s, samples=samples, progress=progress)
    value = figures_of(dist, goals)
    low, high = dist.bounds(value)
    return Figures(value, low, high, float((high - low).max()) if dist.draws else 0.0, dist.method)


def method_of(methods: Iterable[str]) -> str:
    """How several figures are known together: "estimated" where one of them is."""
    return "estimated" if "estimated" in methods else "exact"
