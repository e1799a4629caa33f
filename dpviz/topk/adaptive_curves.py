"""Curves of a figure of merit against ε, from few nodes placed where the figure moves.

Symbols: u = log ε, p = a figure, tolerance = the error between nodes to aim at.
Invariants: at the nodes the figures are the law's own. `error` estimates the error between nodes;
it is no proof.
"""

from collections.abc import Sequence

import numpy as np
import scipy

from dpviz.base import (
    Bools,
    Floats,
    ParameterError,
    Progress,
    Scores,
    check_number,
    ignore_progress,
    iterate_with_progress,
    portion,
)
from dpviz.topk.figure_curve import (
    FigureCurve,
    FigureInterpolator,
    FigureValues,
    combined_method,
    compute_law_figures,
    interpolation_error,
)
from dpviz.topk.goal import Goal
from dpviz.topk.mechanism import TopKMechanism

# the first nodes, from low (0) to high (1)
_FIRST = (0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875, 1.0, 0.0)
_FIRST_SHORTER = tuple(np.linspace(0.0, 1.0, 17).tolist())

# of log odds: known points that are nearer to each other say much the same
_FAR, _APART = 16.0, 0.3
_MOST = 400
# figures up to here stay as small below; what is missing of 1 up to here stays as small above
_NOTHING = 1e-6
# a node inside an interval makes a cubic better by more than this: 8 to 16 where it is smooth
_GAIN = 2.0
_STEEP = 0.2  # a larger move between two nodes always asks for another node
_FOOT = 0.1  # of the tolerance: a figure, or 1 less it, at which a curve is almost flat
_USUAL = 40  # nodes, for the fraction reported
_EDGE = 0.1  # of an interval: no node lies nearer to its ends
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
    progress: Progress = ignore_progress,
    earlier_curve: FigureCurve | None = None,
) -> FigureCurve:
    """One figure of merit against ε, computed where it moves and interpolated between."""
    (curve,) = utility_curves(
        m,
        s,
        events=(event,),
        at_least=at_least,
        low=low,
        high=high,
        tolerance=tolerance,
        samples=samples,
        progress=progress,
        earlier_curves=() if earlier_curve is None else (earlier_curve,),
    )
    return curve


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
    progress: Progress = ignore_progress,
    earlier_curves: Sequence[FigureCurve] = (),
) -> tuple[FigureCurve, ...]:
    """Several figures of merit against ε at common nodes: one law serves them all."""
    goals = [Goal.for_event(event, at_least=at_least) for event in events]
    low = check_number("low", low, low=0.0, above=True)
    high = check_number("high", high, low=0.0, above=True)
    if high <= low:
        raise ParameterError("high", high, f"above low, which is {low:g}")
    tolerance = check_number("tolerance", tolerance, low=1e-9, high=1.0)
    m.check_scores(s)
    nodes = _Nodes(m, s, goals, samples)
    start, stop = np.log(low), np.log(high)
    first = nodes.adopt_known_points(earlier_curves, start, stop)
    nodes.compute_nodes(
        start + (stop - start) * np.array(first), portion(progress, 0.0, len(first) / _USUAL)
    )
    while len(nodes.u) < _MOST:
        wanted, error = _wanted(nodes, tolerance)
        if not len(wanted):
            break
        nodes.compute_nodes(
            wanted, portion(progress, _done(len(nodes.u)), _done(len(nodes.u) + len(wanted)))
        )
    progress(1.0)
    return tuple(nodes.curve(i, goal.name, float(error[i])) for i, goal in enumerate(goals))


def _done(nodes: int) -> float:
    return min(0.95, nodes / _USUAL)


def _wanted(nodes: "_Nodes", tolerance: float) -> tuple[Floats, Floats]:
    """Places for further nodes, never in neighbouring intervals at once, and each curve's error."""
    tight = nodes.slack[:-1] + nodes.slack[1:]
    wide = np.diff(nodes.u) > _NARROW
    need = np.zeros((len(wide), nodes.value.shape[1]))
    error = np.zeros(nodes.value.shape[1])
    for column, value in enumerate(nodes.value.T):
        change = np.abs(np.diff(value))
        # settled: fourth differences show the spline right, the curve before missed one of the ends
        # by at most `_GAIN` times the tolerance, and the figure moves by at most `_STEEP`
        seen = np.minimum(nodes.missed[:-1, column], nodes.missed[1:, column])
        off = np.maximum(interpolation_error(nodes.u, value), seen / _GAIN)
        moving = wide & (change > np.maximum(tolerance, tight))
        if nodes.may_fall:  # a peak between two nodes of the same height
            moving |= wide & (off > tolerance) & np.isfinite(off) & (tight == 0)
        need[:, column] = np.where(
            moving & ((off > tolerance) | (change > _STEEP)), change + np.minimum(off, 1.0), 0.0
        )
        error[column] = off[(off <= tolerance) & ((change > tolerance) | nodes.may_fall)].max(
            initial=0.0
        )
    worst = need.max(1)
    taken: Bools = np.zeros(len(worst), bool)
    for at in np.argsort(-worst):
        taken[at] = worst[at] > 0 and not taken[max(at - 1, 0) : at + 2].any()
    wanted = [
        _between(nodes.u, nodes.value[:, need[at].argmax()], int(at), tolerance)
        for at in np.flatnonzero(taken)
    ]
    return np.array(wanted), error


def _between(u: Floats, value: Floats, at: int, tolerance: float) -> float:
    """A point between nodes `at` and `at` + 1: halfway in log odds, or where the curve flattens."""
    foot = _FOOT * tolerance
    odds = scipy.special.logit(value)
    moves = (value > foot) & (value < 1 - foot)
    left, right = float(u[at]), float(u[at + 1])
    flat, near, beyond = (at, at + 1, at + 2) if moves[at + 1] else (at + 1, at, at - 1)
    if moves[at] and moves[at + 1]:
        aim = 0.5 * (odds[at] + odds[at + 1])
        fine = np.linspace(left, right, 33)[1:-1]
        guess = float(
            fine[np.argmin(np.abs(scipy.special.logit(FigureInterpolator(u, value)(fine)) - aim))]
        )
    elif moves[near] and 0 <= beyond < len(u) and moves[beyond] and odds[beyond] != odds[near]:
        rise = (odds[beyond] - odds[near]) / (u[beyond] - u[near])
        aim = np.copysign(np.log(foot), value[flat] - 0.5)
        guess = float(u[near] + (aim - odds[near]) / rise)
    else:
        guess = 0.5 * (left + right)
    margin = _EDGE * (right - left)
    return min(max(guess, left + margin), right - margin)


class _Nodes:
    """The figures at the nodes computed so far, in order of u = log ε."""

    def __init__(self, m: TopKMechanism, s: Scores, goals: Sequence[Goal], samples: int) -> None:
        self._m, self._s, self._goals, self._samples = m, s, goals, samples
        self.may_fall = m.shorter
        self.u = np.empty(0)
        self.value, self.low, self.high = (np.empty((0, len(goals))) for _ in range(3))
        self.missed = np.empty((0, len(goals)))  # error of the curve before each node was known
        self.slack = np.empty(0)  # what an estimate cannot tell apart; 0 for exact laws
        self.method = "exact"

    def adopt_known_points(
        self, known: Sequence[FigureCurve], start: float, stop: float
    ) -> tuple[float, ...]:
        """Take known points in the range that differ enough; return places of the first nodes."""
        if not known:
            return _FIRST_SHORTER if self.may_fall else _FIRST
        names = [goal.name for goal in self._goals]
        if [curve.event for curve in known] != names:
            raise ParameterError(
                "known", [curve.event for curve in known], f"points of {', '.join(names)}"
            )
        u = np.log(known[0].x)
        value, low, high = (
            np.stack([getattr(c, name) for c in known], 1) for name in ("value", "low", "high")
        )
        odds = np.clip(scipy.special.logit(value), -_FAR, _FAR)
        taken: list[int] = []
        for at in np.flatnonzero((u > start) & (u < stop)):
            if not taken or np.abs(odds[at] - odds[taken[-1]]).max() > _APART:
                taken.append(int(at))
            elif odds[at].max() == -_FAR:
                taken[-1] = int(at)
        self.u, self.value, self.low, self.high = u[taken], value[taken], low[taken], high[taken]
        self.missed, self.slack = np.full(self.value.shape, np.inf), np.zeros(len(taken))
        return _FIRST_SHORTER if self.may_fall else (1.0, 0.0) if taken else _FIRST

    def compute_nodes(self, u: Floats, progress: Progress) -> None:
        """Compute the figures at more nodes, except where all of them are almost 0 or almost 1."""
        expected = np.full((len(u), len(self._goals)), np.inf)
        if len(self.u):
            expected = np.stack(
                [FigureInterpolator(self.u, column)(u) for column in self.value.T], axis=1
            )
        for number, (at, part) in enumerate(iterate_with_progress(u.tolist(), progress)):
            row = self._told(at) or compute_law_figures(
                self._m.replace(epsilon=float(np.exp(at))),
                self._s,
                self._goals,
                self._samples,
                part,
            )
            place = int(np.searchsorted(self.u, at))
            missed = np.abs(row.value - expected[number])
            entries = {"u": at, "missed": missed, **row._asdict()}
            for name in ("u", "missed", "value", "low", "high", "slack"):
                setattr(self, name, np.insert(getattr(self, name), place, entries[name], axis=0))
            self.method = combined_method([self.method, row.method])

    def _told(self, u: float) -> FigureValues | None:
        """The figures that other nodes imply without a law, or None."""
        if self.may_fall:
            return None
        # figures of lists of exactly k never fall with ε: beyond such nodes they count as 0 or 1
        flat = np.flatnonzero((self.high.max(1) <= _NOTHING) & (self.u > u))
        if len(flat):
            high = self.high[flat[0]]
            return FigureValues(0.0 * high, 0.0 * high, high, 0.0, self.method)
        flat = np.flatnonzero((self.low.min(1) >= 1 - _NOTHING) & (self.u < u))
        if len(flat):
            low = self.low[flat[-1]]
            return FigureValues(0.0 * low + 1.0, low, 0.0 * low + 1.0, 0.0, self.method)
        return None

    def curve(self, column: int, event: str, error: float) -> FigureCurve:
        value, low, high = (table[:, column].copy() for table in (self.value, self.low, self.high))
        return FigureCurve(event, np.exp(self.u), value, low, high, error, self.method)
