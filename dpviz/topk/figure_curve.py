"""A figure of merit over ε or k: points, and a cubic spline of log(p/(1−p)) in u = log ε."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import scipy

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    ParameterError,
    Plottable,
    Progress,
    ReadOnlyArrays,
    Scores,
    TabularResult,
    ValueEquality,
    cached_property,
    check_choice,
    check_several,
    ignore_progress,
    iterate_with_progress,
    pd,
)
from dpviz.base.former_names import former_arguments
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.goal import Goal, goal_figures
from dpviz.topk.mechanism import TopKMechanism, check_top_k_mechanism

_REACH = 20.0  # of logit p: beyond it p is 0 or 1 to 2e-9
_FEWEST = 4  # points of a spline
# times nearer than a cubic through the four nearest points, where it is 9 times for even ones
_SPLINE = 2.0


@dataclass(frozen=True, eq=False, repr=False)
class FigureCurve(ReadOnlyArrays, ValueEquality, TabularResult, Plottable):
    """A figure of merit over ε or k: points with their values and bounds, and a curve between.

    Parameters
    ----------
    event
        The figure's name.
    x
        ε or k of each point, shape (points,).
    value, low, high
        The figure at each point with its bounds, shape (points,).
    error
        Estimated error of the curve between points.
    method
        "exact" or "estimated".
    """

    event: str
    x: Floats | Ints
    value: Floats
    low: Floats
    high: Floats
    error: float
    method: str

    @classmethod
    def from_constant(
        cls, law: TopKDistribution, event: str, value: float, ends: tuple[float, float]
    ) -> Self:
        """A figure of a law that no ε changes, as its noise is stated.

        Parameters
        ----------
        law, event, value
            The law, the figure's name and its value.
        ends
            The least and the largest ε of the curve.

        Returns
        -------
        FigureCurve
            The same value at both ends.
        """
        values = np.full(2, value)
        return cls(event, np.array(ends), values, *law.bounds(values), law.error, law.method)

    def __repr__(self) -> str:
        ends = f"{self.value[0]:.4g} at {self.x[0]:g} … {self.value[-1]:.4g} at {self.x[-1]:g}"
        return f"FigureCurve({self.event}, {len(self.x)} points: {ends}, {self.method})"

    def frame(self) -> Frame:
        """A row for each point: x, value, low, high, method."""
        columns = {name: getattr(self, name) for name in ("x", "value", "low", "high")}
        return pd.DataFrame({**columns, "method": self.method})

    @cached_property
    def _between(self) -> "FigureInterpolator":
        return FigureInterpolator(np.log(self.x), self.value)

    def covers(self, x: float) -> bool:
        """True within the curve's range: beyond it the curve stays at its end."""
        return bool(self.x[0] <= x <= self.x[-1])

    def at(self, x: Floats) -> Floats:
        """The figure at any ε between the first and the last point."""
        return self._between(np.clip(np.log(x), *np.log(self.x[[0, -1]])))


class FigureCurves(TabularResult, Plottable, tuple[FigureCurve, ...]):
    """Curves of several figures over the same points, by position or by the figure's name.

    Parameters
    ----------
    iterable
        The curves.

    Examples
    --------
    >>> from dpviz import Canonical, figures_by_epsilon
    >>> m, s = Canonical(epsilon=1.0, k=1), Scores([4.0, 0.0])
    >>> curves = figures_by_epsilon(m, s, [0.5, 1.0], figures=["top", "good"])
    >>> curves["good"].value.round(3).tolist(), len(curves.frame())
    ([0.622, 0.731], 4)
    """

    over: Literal["epsilon", "k"] = "epsilon"

    def __getitem__(self, figure: Any) -> Any:
        if not isinstance(figure, str):
            return super().__getitem__(figure)
        names = [curve.event for curve in self]
        return super().__getitem__(names.index(check_choice("figure", figure, names)))

    def __repr__(self) -> str:
        told = (f"{c.event} {c.value[0]:.4g} … {c.value[-1]:.4g}" for c in self)
        return f"{type(self).__name__}({', '.join(told)} over {self.over})"

    def frame(self) -> Frame:
        """A row per figure and point: figure, epsilon (or k), value, low, high, method."""
        return pd.DataFrame(
            {
                "figure": [curve.event for curve in self for _ in curve.x],
                self.over: np.concatenate([curve.x for curve in self]),
                **{
                    name: np.concatenate([getattr(curve, name) for curve in self])
                    for name in ("value", "low", "high")
                },
                "method": [curve.method for curve in self for _ in curve.x],
            }
        )


class FigureCurvesOverK(FigureCurves):
    over: Literal["epsilon", "k"] = "k"


class FigureInterpolator:
    """The figure between nodes: a spline through logit p, straight lines where p is 0 or 1."""

    def __init__(self, u: Floats, value: Floats) -> None:
        self._u, self._value = u, value
        logit = scipy.special.logit(value)
        moving = np.flatnonzero(np.abs(logit) < _REACH)
        rise = np.sign(np.diff(value))
        turning = rise[1:] * rise[:-1] < 0
        # intervals beside an extremum
        self._turns = np.append(turning, False) | np.append(False, turning)
        self._spline = None
        if len(moving) >= _FEWEST:
            part = slice(moving[0], moving[-1] + 1)
            self._range = u[moving[0]], u[moving[-1]]
            self._spline = scipy.interpolate.CubicSpline(
                u[part], np.clip(logit[part], -_REACH, _REACH)
            )

    def __call__(self, u: Floats) -> Floats:
        straight: Floats = np.interp(u, self._u, self._value)
        if self._spline is None:
            return straight
        inside = (u >= self._range[0]) & (u <= self._range[1])
        curved = scipy.special.expit(np.clip(self._spline(u), -2 * _REACH, 2 * _REACH))
        right = np.clip(np.searchsorted(self._u, u), 1, len(self._u) - 1)
        ends = self._value[right - 1], self._value[right]
        held = np.clip(curved, np.minimum(*ends), np.maximum(*ends))
        return np.where(inside, np.where(self._turns[right - 1], curved, held), straight)


def interpolation_error(u: Floats, value: Floats) -> Floats:
    """Estimated error between each two points, shape (points − 1,); infinite if few move."""
    logit = scipy.special.logit(value)
    moving = np.flatnonzero(np.abs(logit) < _REACH)
    off = np.zeros(len(u) - 1)
    if not len(moving):
        return off
    first, last = int(moving[0]), int(moving[-1])
    off[max(first - 1, 0) : last + 1] = np.inf
    if last - first < _FEWEST:
        return off
    x, p = u[first : last + 1], value[first : last + 1]
    fourth = np.clip(logit[first : last + 1], -_REACH, _REACH)
    # the fourth divided differences of logit p
    for order in range(1, _FEWEST + 1):
        fourth = np.diff(fourth) / (x[order:] - x[:-order])
    middle = 0.5 * (x[:-1] + x[1:])
    at = np.arange(len(middle))
    # of five points each, that hold both ends
    windows = np.clip(at[:, None] + np.arange(1 - _FEWEST, 1), 0, len(fourth) - 1)
    beside = np.clip(at - 1, 0, len(x) - _FEWEST)[:, None] + np.arange(_FEWEST)
    missed = np.abs(fourth)[windows].max(1) * np.abs(np.prod(middle[:, None] - x[beside], axis=1))
    steep = np.where(
        (p[:-1] - 0.5) * (p[1:] - 0.5) <= 0,
        0.25,
        np.maximum(p[:-1] * (1 - p[:-1]), p[1:] * (1 - p[1:])),
    )
    inside = (at > 1) & (at < len(at) - 2)  # at the ends two intervals are one cubic
    off[first:last] = missed * steep / np.where(inside, _SPLINE, 1.0)
    return off


class FigureValues(NamedTuple):
    value: Floats
    low: Floats
    high: Floats
    slack: float
    method: str


def compute_law_figures(
    m: TopKMechanism, s: Scores, goals: Sequence[Goal], samples: int, progress: Progress
) -> FigureValues:
    dist = m.distribution(s, samples=samples, progress=progress)
    value = goal_figures(dist, goals)
    low, high = dist.bounds(value)
    return FigureValues(
        value, low, high, float((high - low).max()) if dist.draws else 0.0, dist.method
    )


def exact_goal_curve(goal: Goal, laws: Sequence[TopKDistribution]) -> FigureCurve:
    """The figure of a goal over ε, from those laws of one mechanism that are exact."""
    exact = sorted((law for law in laws if not law.draws), key=lambda law: law.mechanism.epsilon)
    x = np.array([law.mechanism.epsilon for law in exact], float)
    value = np.array([goal.figure_value(law) for law in exact], float)
    bounds = [law.bounds(one) for law, one in zip(exact, value, strict=True)]
    low, high = np.array(bounds, float).reshape(-1, 2).T
    return FigureCurve(goal.name, x, value, low, high, 0.0, "exact")


def combined_method(methods: Iterable[str]) -> str:
    """ "estimated" if one of the methods is, otherwise "exact"."""
    return "estimated" if "estimated" in methods else "exact"


def k_grid(d: int, k: int, points: int = 20) -> list[int]:
    """Values of k from 1 to well past `k`, evenly in proportion, with `k` among them."""
    highest = max(min(d - 1, max(3 * k, 10)), 1)
    spread = np.round(np.geomspace(1, highest, points)).astype(int).tolist()
    return sorted({*spread, min(k, d - 1)})


@former_arguments(events="figures")
def figures_by_k(
    m: TopKMechanism,
    s: Scores,
    ks: Sequence[int] | Ints,
    *,
    figures: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> FigureCurves:
    """Several figures of merit against k, each point from its own law."""
    if not len(ks):
        raise ParameterError("ks", [], "at least one k")
    points = [m.replace(k=k) for k in ks]
    return FigureCurvesOverK(
        _curves(np.array(ks, np.int64), points, s, figures, at_least, samples, progress)
    )


@former_arguments(events="figures")
def figures_by_epsilon(
    m: TopKMechanism,
    s: Scores,
    epsilons: Sequence[float] | Floats,
    *,
    figures: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> FigureCurves:
    """Several figures of merit at given ε, each point from its own law.

    Parameters
    ----------
    m
        The mechanism; its own ε is ignored.
    s
        The scores to choose from.
    epsilons
        Values of ε above 0, shape (points,), at least one, in any order.
    figures
        "top", "optimal", "great", "good", "share" or "hits".
    at_least
        Number of hits required, with "hits" alone.
    samples
        Number of draws for an estimated law.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    FigureCurves
        A curve for each of `figures`, by position or name. Its `x`, `value`, `low` and `high`
        have shape (points,), in the order given.

    Raises
    ------
    ParameterError
        If there is no ε, one is out of range, or a figure is not known.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> m, s = Canonical(epsilon=1.0, k=2), Scores([4.0, 2.0, 0.0])
    >>> figures_by_epsilon(m, s, [0.5, 1.0, 2.0])["top"].value.round(3).tolist()
    [0.419, 0.506, 0.665]
    """
    allowed = "a list of at least one ε"
    given = check_several("epsilons", epsilons, allowed)
    if not given or np.ndim(given[0]):
        raise ParameterError("epsilons", epsilons, allowed)
    points = [check_top_k_mechanism(m).replace(epsilon=epsilon) for epsilon in given]
    x = np.array([point.epsilon for point in points])
    return FigureCurves(_curves(x, points, s, figures, at_least, samples, progress))


def _curves(
    at: Floats | Ints,
    points: Sequence[TopKMechanism],
    s: Scores,
    events: Sequence[str],
    at_least: int | None,
    samples: int,
    progress: Progress,
) -> tuple[FigureCurve, ...]:
    names = check_several("figures", events, "a list of figures of merit")
    goals = [Goal.for_event(name, at_least=at_least) for name in names]
    rows = [
        compute_law_figures(m, s, goals, samples, part)
        for m, part in iterate_with_progress(points, progress)
    ]
    value, low, high = (np.stack(column) for column in list(zip(*rows, strict=True))[:3])
    method = combined_method([row.method for row in rows])
    return tuple(
        FigureCurve(goal.name, at, value[:, i], low[:, i], high[:, i], 0.0, method)
        for i, goal in enumerate(goals)
    )
