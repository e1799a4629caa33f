"""The class law binned for a heatmap over (h,t).

Symbols: rows are bins of h, columns bins of t; edges are whole numbers, bin i holds edge_i ≤ h < edge_{i+1}.
Only `within` of a law is used: the mass of a bin is a second difference of it, the exact top-k, which
counts for every (a,b), being set apart first.
Invariants: at most the number of rows and columns asked for; the zoom keeps at least 99.9 % of the mass.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.arrays import Bools, Floats, Ints
from dpviz.classes import log_set_count
from dpviz.kernels.combinatorics import log_subtract
from dpviz.law import Law

__all__ = ["Grid", "class_grid"]

_COARSE = 128  # points at which a marginal is looked at in one round of the zoom


@dataclass(frozen=True)
class Grid:
    """Masses of bins over (h,t).

    `h_edges` (rows+1,), `t_edges` (columns+1,): bin (i,j) holds h_edges[i] ≤ h < h_edges[i+1] and
    t_edges[j] ≤ t < t_edges[j+1]. `mass` (rows, columns); `log_sets` the log of how many k-subsets a
    bin holds (−inf for none); `h_mass`, `t_mass` the marginals over the bins shown; `covered` the
    mass that they hold together.
    """

    k: int
    h_edges: Ints
    t_edges: Ints
    mass: Floats
    log_sets: Floats

    @property
    def h_mass(self) -> Floats:
        """Mass by row."""
        return self.mass.sum(1)  # type: ignore[no-any-return]

    @property
    def t_mass(self) -> Floats:
        """Mass by column."""
        return self.mass.sum(0)  # type: ignore[no-any-return]

    @property
    def covered(self) -> float:
        """The mass shown."""
        return float(self.mass.sum())

    @property
    def binned(self) -> bool:
        """Whether a cell can hold more than one class."""
        return any(len(edges) - 1 < edges[-1] - edges[0] for edges in (self.h_edges, self.t_edges))


def class_grid(law: Law, rows: int, columns: int, mass: float = 0.999) -> Grid:
    """The law binned into at most rows × columns cells, zoomed to at least `mass` of it."""
    k, d = law.k, law.d
    beyond = (1 - mass) / 4

    def h_below(a: Ints) -> Floats:
        return 1 - law.within_table(a, np.array([d]))[:, 0]

    def t_below(t: Ints) -> Floats:
        return np.where(t > k, law.within_table(np.array([0]), np.maximum(t - 1, k))[0], 0.0)

    h_low, h_high = _zoom(h_below, 0, k, beyond)
    t_low, t_high = _zoom(t_below, k, d + 1, beyond)
    return _binned(law, _edges(h_low, h_high, rows), _edges(t_low, t_high, columns))


def _zoom(below: Callable[[Ints], Floats], low: int, high: int, beyond: float) -> tuple[int, int]:
    """Whole low' < high' with P(value < low') ≤ beyond and P(value ≥ high') ≤ beyond.

    `below(v)` gives P(value < v) for whole v in [low, high); values lie in [low, high).
    """
    start = _last(lambda v: (below(v) <= beyond) | (v <= low), low, high - 1)
    reflected = _last(lambda v: (1 - below(-v) <= beyond) | (-v >= high), -high, -start - 1)
    return start, -reflected


def _last(holds: Callable[[Ints], Bools], first: int, stop: int) -> int:
    """The last whole v in [first, stop] at which `holds`: it does at `first` and, once lost, stays lost."""
    while first < stop:
        points = np.unique(np.linspace(first, stop, _COARSE).astype(np.int64))
        held = holds(points[1:])
        kept = len(held) if held.all() else int(np.argmin(held))  # points[kept] is the last that holds
        first = int(points[kept])
        if kept == len(held) or points[kept + 1] == first + 1:
            break
        stop = int(points[kept + 1]) - 1
    return first


def _edges(low: int, high: int, most: int) -> Ints:
    if high - low <= most:
        return np.arange(low, high + 1)
    return np.unique(np.round(np.linspace(low, high, most + 1)).astype(np.int64))


def _binned(law: Law, h_edges: Ints, t_edges: Ints) -> Grid:
    """Second differences of within, with the exact top-k put into its own cell (k−1, k)."""
    k = law.k
    b = t_edges - 1  # t < edge means t ≤ edge − 1
    table = law.within_table(h_edges, np.maximum(b, k))
    top = law.within(k, k)
    other = np.where((b > k)[None, :], table - top, 0.0)
    mass = np.maximum(np.diff(-np.diff(other, axis=1), axis=0), 0.0)
    log_sets = _log_sets(law, h_edges, b)
    row, column = np.searchsorted(h_edges, k - 1, side="right") - 1, np.searchsorted(t_edges, k, side="right") - 1
    if 0 <= row < len(h_edges) - 1 and 0 <= column < len(t_edges) - 1:
        mass[row, column] += top
    return Grid(k, h_edges, t_edges, mass, log_sets)


def _log_sets(law: Law, h_edges: Ints, b: Ints) -> Floats:
    """log of how many sets a bin holds: the same differences of binom(b−a, k−a), in logs."""
    count = np.where(
        (b >= law.k)[None, :], log_set_count(h_edges[:, None], np.maximum(b, law.k)[None, :], law.k), -np.inf
    )
    last = h_edges == law.k  # h never is k: the exact top-k is written (k−1, k)
    count[last] = -np.inf
    return log_subtract(log_subtract(count[:-1, 1:], count[:-1, :-1]), log_subtract(count[1:, 1:], count[1:, :-1]))
