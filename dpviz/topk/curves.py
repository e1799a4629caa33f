"""Curves of a figure of merit against ε, computed at few points that lie where it moves.

Symbols: u = log ε.
Invariants: nodes are added until the spline between them misses no new one by more than twice `tolerance`, which
the new node then divides by more than that; `error` is half of the largest such miss, an estimate
of the error between nodes and no proof. At the nodes the figures are the law's own, with its bounds;
below the first one where all are under 1e-6 they are told as 0 and bounded by it, as none falls with ε.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.base import Bools, Floats, ParameterError, Progress, Scores, check_number, each, portion, silent
from dpviz.topk.budget import Goal
from dpviz.topk.figure_curve import Between, FigureCurve, Figures, figures_of_law, method_of
from dpviz.topk.mechanism import TopKMechanism

_FIRST = 17  # nodes to start from, evenly in log ε
_MOST = 400
_NOTHING = 1e-6  # figures up to here stay as small below: at smaller ε, where laws cost most, 0 is told for them
_GAIN = 2  # a node inside an interval makes a cubic better by more than this: 8 to 16 where it is smooth
_STEEP = 0.2  # a midpoint may fit by chance where the figure moves more than this
_INSIDE = 0.38  # where an interval is looked into: a cubic with slopes wrong at both ends is right halfway
_USUAL = 80  # nodes, for the fraction reported
_NARROW = 1e-7  # of log ε: a jump narrower than this is a jump


def utility_curve(
    m: TopKMechanism,
    s: Scores,
    *,
    event: str = "top",
    at_least: int | None = None,
    low: float = 0.01,
    high: float = 100.0,
    tolerance: float = 1e-4,
    samples: int = 10_000,
    progress: Progress = silent,
) -> FigureCurve:
    """One figure of merit against ε, computed where it moves and interpolated between.

    Where the law is estimated every node uses the same draws' seed, and the curve is not refined below what its
    intervals can tell.

    Parameters
    ----------
    m
        The mechanism; its own ε is ignored.
    s
        The scores it is run on.
    event
        "top", "optimal", "great", "good", "share" or "hits".
    at_least
        How many of the k have to score at least the k-th largest score, with "hits" alone.
    low, high
        The range of ε, both above 0.
    tolerance
        The largest error between nodes to aim at, as a probability.
    samples
        How many draws an estimated law takes.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    FigureCurve
        The curve, its nodes ascending in ε.

    Raises
    ------
    ParameterError
        For a range that is none, or a figure that is not known.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> curve = utility_curve(Canonical(epsilon=1.0, k=1), Scores([2.0, 0.0]), low=0.1, high=50.0)
    >>> bool(abs(curve.at(np.array([4.0]))[0] - 1 / (1 + np.exp(-2.0))) < 1e-4)
    True
    """
    search = {"low": low, "high": high, "tolerance": tolerance}
    return utility_curves(m, s, events=(event,), at_least=at_least, samples=samples, progress=progress, **search)[0]


def utility_curves(
    m: TopKMechanism,
    s: Scores,
    *,
    events: Sequence[str] = ("top", "great", "good"),
    at_least: int | None = None,
    low: float = 0.01,
    high: float = 100.0,
    tolerance: float = 1e-4,
    samples: int = 10_000,
    progress: Progress = silent,
) -> tuple[FigureCurve, ...]:
    """Several figures of merit against ε at common nodes: one law serves them all.

    Parameters
    ----------
    m
        The mechanism; its own ε is ignored.
    s
        The scores it is run on.
    events
        Figures as for `utility_curve`.
    at_least
        How many of the k have to score at least the k-th largest score, with "hits" alone.
    low, high
        The range of ε, both above 0.
    tolerance
        The largest error between nodes to aim at, as a probability.
    samples
        How many draws an estimated law takes.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    tuple[FigureCurve, ...]
        A curve for each of `events`, in their order.

    Raises
    ------
    ParameterError
        For a range that is none, or a figure that is not known.
    """
    goals = [Goal.of(event, at_least=at_least) for event in events]
    low = check_number("low", low, low=0.0, above=True)
    high = check_number("high", high, low=0.0, above=True)
    if high <= low:
        raise ParameterError("high", high, f"above low, which is {low:g}")
    tolerance = check_number("tolerance", tolerance, low=1e-9, high=1.0)
    m.check_scores(s)
    nodes = _Nodes(m, s, goals, samples)
    nodes.add(np.linspace(np.log(high), np.log(low), _FIRST), portion(progress, 0.0, _FIRST / _USUAL))
    moving = np.ones(_FIRST - 1, bool)  # intervals still to be looked into
    error = np.zeros(len(goals))
    while moving.any() and len(nodes.u) < _MOST:
        left, right = nodes.u[:-1], nodes.u[1:]
        change = np.abs(np.diff(nodes.value, axis=0)).max(1)
        tight = nodes.slack[:-1] + nodes.slack[1:]
        moving &= (change > np.maximum(tolerance, tight)) & (right - left > _NARROW)
        at = np.flatnonzero(moving)
        if len(at) == 0:
            break
        middle = left[at] + _INSIDE * (right[at] - left[at])
        guess = np.stack([Between(nodes.u, column)(middle) for column in nodes.value.T], axis=1)
        nodes.add(middle, portion(progress, _done(len(nodes.u)), _done(len(nodes.u) + len(middle))))
        truth = nodes.value[np.searchsorted(nodes.u, middle)]
        miss = np.abs(guess - truth)
        settled: Bools = np.all(miss <= _GAIN * tolerance, axis=1) & (change[at] <= _STEEP)
        error = np.maximum(error, miss[settled].max(0, initial=0.0) / _GAIN)
        moving[at] = ~settled
        moving = np.insert(moving, at + 1, ~settled)  # both halves go on unless settled
    progress(1.0)
    return tuple(nodes.curve(i, goal.name, float(error[i])) for i, goal in enumerate(goals))


def _done(nodes: int) -> float:
    return min(0.95, nodes / _USUAL)


class _Nodes:
    """The figures at the nodes computed so far, in order of u = log ε."""

    def __init__(self, m: TopKMechanism, s: Scores, goals: Sequence[Goal], samples: int) -> None:
        self._m, self._s, self._goals, self._samples = m, s, goals, samples
        self.u = np.empty(0)
        self.value, self.low, self.high = (np.empty((0, len(goals))) for _ in range(3))
        self.slack = np.empty(0)  # what an estimate cannot tell apart; 0 for exact laws
        self.method = "exact"

    def add(self, u: Floats, progress: Progress) -> None:
        """Compute the figures at more nodes; those that are given after one where nothing is left lie below it."""
        rows: list[Figures] = []
        for number, part in each(range(len(u)), progress):
            falling = number > 0 and u[number] < u[number - 1]
            if falling and rows[-1].high.max() <= _NOTHING:
                rows.append(Figures(0.0 * rows[-1].value, 0.0 * rows[-1].low, rows[-1].high, 0.0, rows[-1].method))
            else:
                m = self._m.replace(epsilon=float(np.exp(u[number])))
                rows.append(figures_of_law(m, self._s, self._goals, self._samples, part))
        order = np.argsort(np.append(self.u, u), kind="stable")
        self.u = np.append(self.u, u)[order]
        self.value, self.low, self.high = (
            np.concatenate([old, [row[i] for row in rows]])[order]
            for i, old in enumerate((self.value, self.low, self.high))
        )
        self.slack = np.append(self.slack, [row.slack for row in rows])[order]
        self.method = method_of([self.method, *(row.method for row in rows)])

    def curve(self, column: int, event: str, error: float) -> FigureCurve:
        """One figure as a curve."""
        value, low, high = (table[:, column].copy() for table in (self.value, self.low, self.high))
        return FigureCurve(event, np.exp(self.u), value, low, high, error, self.method)
