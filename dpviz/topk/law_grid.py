"""The class law binned over (h,t) for a heatmap, and one class in detail.

Symbols: rows are bins of h, columns bins of t; bin i holds edge_i ≤ h < edge_{i+1}, edges whole.
The mass of a bin is a second difference of `within`, with the exact top-k set apart first.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    ReadOnlyArrays,
    Scores,
    ValueEquality,
    check_generator,
    check_integer,
)
from dpviz.numerics.log_binomials import log_subtract
from dpviz.topk.classes import (
    draw_class_members,
    draw_short_class_members,
    log_class_size,
    log_class_size_up_to_k,
    log_set_count_within,
    log_short_list_count,
    people_changes_to_top_k,
)
from dpviz.topk.law import RankLaw, SelectionMechanism

_ZOOM = 0.999
_COARSE = 128  # points of a marginal in one round of the zoom
_ROUNDS = 6
# e^16 sets: up to here the differences, right to 1e-8 of themselves, tell the whole number
_FEW = 16.0


@dataclass(frozen=True, eq=False, repr=False)
class Grid(ReadOnlyArrays, ValueEquality):
    """Masses of bins: bin (i,j) has h_edges[i] ≤ h < h_edges[i+1], and t likewise."""

    k: int
    h_edges: Ints
    t_edges: Ints
    mass: Floats
    log_sets: Floats

    @property
    def h_mass(self) -> Floats:
        return np.asarray(self.mass.sum(1))

    @property
    def t_mass(self) -> Floats:
        return np.asarray(self.mass.sum(0))

    def __repr__(self) -> str:
        return (
            f"Grid({self.mass.shape[0]} × {self.mass.shape[1]} bins, {self.covered_mass:.4g} of the"
            " mass)"
        )

    @property
    def covered_mass(self) -> float:
        return float(self.mass.sum())

    @property
    def has_binned_cells(self) -> bool:
        """True if a cell can hold more than one class."""
        return any(len(edges) - 1 < edges[-1] - edges[0] for edges in (self.h_edges, self.t_edges))


def class_grid(law: RankLaw, rows: int, columns: int) -> Grid:
    """The law binned for a heatmap, zoomed to `_ZOOM` of it."""
    beyond = (1 - _ZOOM) / 4
    for table in (law.rough_within_table, law.within_table):
        h, t = _span(table, law.k + law.shorter, law.k, max(law.k, law.d), beyond)
        grid = bin_on_edges(law, _edges(h.low, h.high, rows), _edges(t.low, t.high, columns))
        if grid.covered_mass >= _ZOOM:
            break
    return grid


def frame_edges(k: int, d: int, rows: int = 14, columns: int = 18) -> tuple[Ints, Ints]:
    """(h_edges, t_edges) that hold every class, with a row and a column for the exact top k."""
    # edges follow from k and d alone; bins of t widen from k on, those of h from both ends
    h_edges = np.arange(k + 2)
    if k + 1 > rows:
        below = _widening((k + 1) // 2, rows // 2)
        above = k + 1 - _widening(k + 1 - below[-1], rows - rows // 2)[::-1]
        h_edges = np.concatenate([below, above[1:]])
    return h_edges, k + _widening(max(d - k, 0) + 1, columns)


def _widening(length: int, most: int) -> Ints:
    """Edges 0..length of at most `most` bins, none narrower than the one before but the last."""
    ratio, bins = 1.0, np.arange(most)
    while (ends := np.cumsum(np.floor(ratio**bins)))[-1] < length and most > 1:
        ratio *= 1.005
    return np.unique([0, *np.minimum(ends, length), length]).astype(np.int64)


@dataclass
class _Span:
    """A narrowing range that keeps P(value < low) and P(value ≥ high) within the allowance."""

    low: int
    high: int
    low_fails: int
    high_fails: int

    @property
    def is_narrow_enough(self) -> bool:
        """True if both ends are known to a hundredth of the range."""
        fine = max(1, (self.high - self.low) // _COARSE)
        return self.low_fails - self.low <= fine and self.high - self.high_fails <= fine

    def next_points(self) -> Ints:
        lower = np.linspace(self.low, self.low_fails, _COARSE // 2)
        upper = np.linspace(self.high_fails, self.high, _COARSE // 2)
        return np.unique(np.concatenate([lower, upper]).astype(np.int64))

    def narrow(self, points: Ints, below: Floats, beyond: float) -> None:
        """Narrow the range by P(value < v) at ascending points v."""
        light = (below <= beyond) | (points <= self.low)
        kept = len(light) if light.all() else int(np.argmin(light))
        self.low = max(self.low, int(points[kept - 1]))
        if kept < len(points):
            self.low_fails = min(self.low_fails, int(points[kept]))
        light = (1 - below <= beyond) | (points >= self.high)
        first = len(light) - (len(light) if light.all() else int(np.argmin(light[::-1])))
        self.high = max(min(self.high, int(points[first])), self.low + 1)
        if first > 0:
            self.high_fails = max(self.high_fails, int(points[first - 1]))


def _span(
    table: Callable[[Ints, Ints], Floats], rows: int, k: int, d: int, beyond: float
) -> tuple[_Span, _Span]:
    """Ranges of h in [0, rows) and t in [k, d] that leave out at most `beyond` at each end."""
    h, t = _Span(0, rows, rows, 0), _Span(k, d + 1, d + 1, k)
    for _ in range(_ROUNDS):
        a, v = h.next_points(), t.next_points()
        within = table(np.append(0, np.minimum(a, k)), np.append(d, np.maximum(v - 1, k)))
        h.narrow(a, np.where(a < rows, 1 - within[1:, 0], 1.0), beyond)
        t.narrow(v, np.where(v > k, within[0, 1:], 0.0), beyond)
        if h.is_narrow_enough and t.is_narrow_enough:
            break
    return h, t


def _edges(low: int, high: int, most: int) -> Ints:
    """Bins of one width, except the last: two widths would show as stripes."""
    return np.append(np.arange(low, high, -(-(high - low) // most)), high)


def bin_on_edges(law: RankLaw, h_edges: Ints, t_edges: Ints) -> Grid:
    """The law binned on ascending whole edges: h_edges in 0..k+1, t_edges in k..d+1."""
    k, top = law.k, 0.0 if law.shorter else law.within(law.k, law.k)
    # with an edge above k the exact top k lies in the row of h = k, else it is (k−1, k)
    own_row = bool(h_edges[-1] > k)
    b = t_edges - 1  # t < edge means t ≤ edge − 1
    a, worst = np.minimum(h_edges, k), np.clip(b, k, max(k, law.d))
    inside = (h_edges < k + (law.shorter or own_row))[:, None] & (b >= k)[None, :]
    known = inside if law.shorter else (b > k)[None, :]
    other = np.where(known, law.within_table(a, worst) - top, 0.0)
    mass = np.maximum(np.diff(-np.diff(other, axis=1), axis=0), 0.0)
    if not law.shorter:
        row = np.searchsorted(h_edges, k - 1 + own_row, side="right") - 1
        column = np.searchsorted(t_edges, k, side="right") - 1
        if 0 <= row < len(h_edges) - 1 and 0 <= column < len(t_edges) - 1:
            mass[row, column] += top
    log_count = log_short_list_count if law.shorter else log_set_count_within
    count = log_count(a[:, None], np.minimum(worst, law.d)[None, :], k)
    count = np.where(inside, count, -np.inf)
    sets = log_subtract(
        log_subtract(count[:-1, 1:], count[:-1, :-1]), log_subtract(count[1:, 1:], count[1:, :-1])
    )
    few = np.isfinite(sets) & (sets < _FEW)
    # whole numbers of sets: one is 0
    sets = np.where(few, np.log(np.rint(np.exp(np.where(few, sets, 0.0)))), sets)
    return Grid(k, h_edges, t_edges, mass, sets)


# ---- one class ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ClassDetails(ReadOnlyArrays):
    h: int
    t: int
    log_size: float
    probability: float
    loss: float | None
    people: int | None  # that have to be different for it to be the true top k
    members: Ints
    log_member: Floats


def inspect_class(
    mechanism: SelectionMechanism,
    scores: Scores,
    law: RankLaw,
    h: int,
    t: int,
    *,
    members: int = 3,
    rng: Generator | int,
) -> ClassDetails:
    """Details of one class of a mechanism's law, with a few members drawn uniformly."""
    k, d, shorter = law.k, scores.d, law.shorter
    rng = check_generator(rng)
    h = check_integer("h", h, low=0, high=k if shorter else k - 1)
    t = check_integer("t", t, low=k, high=max(k, d))
    if t == k and h != k - 1 and not shorter:
        raise ParameterError(
            "t", t, f"at least {k + 1} unless h is {k - 1}: only the exact top {k} ends at rank {k}"
        )
    if t > k and h == k:
        raise ParameterError("h", h, f"at most {k - 1} where t is above {k}")
    at = np.array(h), np.array(t)
    size = float(log_class_size_up_to_k(*at, k, d) if shorter else log_class_size(*at, k))
    size_drawn = 1 if size < math.log(1.5) else members
    if shorter:
        drawn = draw_short_class_members(h, t, k, d, size_drawn, rng)
    else:
        drawn = draw_class_members(np.full(size_drawn, h), np.full(size_drawn, t), k, rng)
    ranks = np.unique(drawn, axis=0)
    items = np.where(ranks < 0, -1, scores.order[ranks])
    one_class = scores.ranked, np.array([h]), np.array([t])
    loss = mechanism.class_loss(*one_class)
    # γ·x would weigh the two items differently, so it is no number of people unless γ is ½
    counts_people = loss is not None and getattr(mechanism, "gamma", None) == 0.5
    return ClassDetails(
        h=h,
        t=t,
        log_size=size,
        probability=_class_probability(law, h, t),
        loss=None if loss is None else float(loss[0]),
        people=int(people_changes_to_top_k(*one_class)[0]) if counts_people else None,
        members=items,
        log_member=np.array([law.log_probability(row[row >= 0]) for row in ranks]),
    )


def _class_probability(law: RankLaw, h: int, t: int) -> float:
    k = law.k
    if t == k and (h == k or not law.shorter):
        return law.within(k, k)
    table = law.within_table(np.array([h, h + 1]), np.array([max(t - 1, k), t]))
    before = table[:, 0] if t > k else np.zeros(2)
    return float(np.clip((table[0, 1] - before[0]) - (table[1, 1] - before[1]), 0.0, 1.0))


def grid_class_losses(mechanism: SelectionMechanism, scores: Scores, grid: Grid) -> Floats | None:
    """The loss of the middle class of each grid cell, NaN in empty cells; None without a loss."""
    h, t = np.meshgrid(
        np.minimum((grid.h_edges[:-1] + grid.h_edges[1:] - 1) // 2, grid.k - 1),
        (grid.t_edges[:-1] + grid.t_edges[1:] - 1) // 2,
        indexing="ij",
    )
    loss = mechanism.class_loss(scores.ranked, h.ravel(), t.ravel())
    return (
        None
        if loss is None
        else np.where(np.isfinite(grid.log_sets), loss.reshape(h.shape), np.nan)
    )
