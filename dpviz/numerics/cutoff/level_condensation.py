"""Few items in place of thousands: equal levels at once, and smooth functions of near ones.

Symbols: a cell holds items whose levels are at most `_WIDTH` apart; of its measure Σ count·δ(q −
level) the Gauss rule of p points has the same 2p moments, so that Σ count·g(level) is right to the
2p-th derivative of g over the cell.
Invariants: points lie between the cell's levels and counts are positive, so g need only be smooth.
log t is smooth but near y = −1, where a cell of more than `_FEW` items makes the product of all t
negligible.
Source: Golub & Welsch 1969, for a discrete measure (Lanczos).
"""

import math

import numpy as np

from dpviz.base import Bools, Floats, Ints, Noise, repeat_values

_WIDTH = 1.0  # of a cell, in units of the noise
_WIDE = 4.0  # of a cell below all cut-offs
_POINTS = 8
_FEW = 12  # levels of a cell up to which they stay as they are
_CHEBYSHEV = 16  # points of a cell where a function of the level is looked at

Rule = tuple[Floats, Floats]
"""Levels, and the number of items that each stands for."""


def group_equal_levels(levels: Floats, cuts: Ints | None = None) -> tuple[Ints, Floats, Floats]:
    """(start, level, count) of the runs of equal entries, cut at the positions `cuts` too."""
    n = len(levels)
    begins = np.append(True, levels[1:] != levels[:-1]) if n else np.empty(0, bool)
    if cuts is not None:
        begins[cuts[(cuts > 0) & (cuts < n)]] = True
    start = np.flatnonzero(begins)
    return start, levels[start], np.diff(np.append(start, n)).astype(float)


def has_kink_between(noise: Noise, level: Floats, low: float, high: float) -> Bools:
    """True where a kink of the noise at this level lies between low and high."""
    places = level + np.array(noise.kinks)[:, None]
    return np.asarray(((places >= low) & (places <= high)).any(0))


def condense_levels(
    level: Floats,
    count: Floats,
    cuts: Ints,
    wide_cell_level: float = -math.inf,
    rule_cache: dict[tuple[int, int], Rule] | None = None,
    kept_mask: Bools | None = None,
) -> tuple[Ints, Floats, Floats]:
    """(block, level, count) of fewer items, in the same blocks."""
    rule_cache = {} if rule_cache is None else rule_cache
    block = np.zeros(len(level), np.int64)
    block[cuts[cuts < len(level)]] = 1
    block = np.cumsum(block) - 1
    kept_mask = np.zeros(len(level), bool) if kept_mask is None else kept_mask
    begins = _cells(level, wide_cell_level, kept_mask, block)
    ends = np.append(begins[1:], len(level))
    item = np.append(0, np.rint(np.cumsum(count)).astype(np.int64))
    keys = list(zip(item[begins].tolist(), item[ends].tolist(), strict=True))
    new = np.array([key not in rule_cache for key in keys], bool)
    few = new & (kept_mask[begins] | (ends - begins <= _FEW))
    for cell in np.flatnonzero(few):
        part = slice(begins[cell], ends[cell])
        rule_cache[keys[cell]] = level[part], count[part]
    many = np.flatnonzero(new & ~few)
    if len(many):
        at = np.concatenate([np.arange(begins[cell], ends[cell]) for cell in many])
        rules = _gauss_rules(level[at], count[at], (ends - begins)[many])
        rule_cache.update((keys[cell], rule) for cell, rule in zip(many, rules, strict=True))
    parts = [rule_cache[key] for key in keys]
    levels, counts = (np.concatenate(side) for side in zip(*parts, strict=True))
    return repeat_values(block[begins], [len(points) for points, _ in parts]), levels, counts


def _cells(level: Floats, far: float, kept: Bools, block: Ints | None = None) -> Ints:
    """Beginnings of cells; adjacent `kept` levels share one, however wide."""
    near = level >= far
    step = np.diff(np.floor(level / np.where(near, _WIDTH, _WIDE))) != 0
    step |= np.diff(near)
    step &= ~(kept[1:] & kept[:-1])
    step |= np.diff(kept)
    if block is not None:
        step |= np.diff(block) != 0
    return np.flatnonzero(np.append(True, step)) if len(level) else np.empty(0, np.int64)


def _gauss_rules(level: Floats, count: Floats, sizes: Ints) -> list[Rule]:
    """Gauss rule of each cell, descending; the cells one after the other."""
    owner, begins = repeat_values(np.arange(len(sizes)), sizes), np.cumsum(sizes) - sizes
    high, low = level[begins], level[begins + sizes - 1]
    middle, half = 0.5 * (high + low), 0.5 * (high - low)
    x, total = (level - middle[owner]) / half[owner], np.add.reduceat(count, begins)
    jacobi = np.zeros((len(sizes), _POINTS, _POINTS))
    vectors = [np.sqrt(count / total[owner])]
    for i in range(_POINTS):
        step = x * vectors[i]
        jacobi[:, i, i] = np.add.reduceat(step * vectors[i], begins)
        if i + 1 == _POINTS:
            break
        for vector in 2 * vectors:  # twice is enough to stay orthogonal
            step -= np.add.reduceat(step * vector, begins)[owner] * vector
        beside = np.sqrt(np.add.reduceat(step * step, begins))
        jacobi[:, i + 1, i] = beside  # all that `eigh` reads beside the diagonal
        vectors.append(step / beside[owner])
    nodes, basis = np.linalg.eigh(jacobi)
    levels = (middle[:, None] + half[:, None] * nodes)[:, ::-1]
    return list(zip(levels, (total[:, None] * basis[:, 0] ** 2)[:, ::-1], strict=True))


class InterpolationLevels:
    """Points (`level`) at which to evaluate a smooth function that is wanted for many items."""

    def __init__(
        self, level: Floats, count: Floats, far: float | None, kept_mask: Bools | None = None
    ) -> None:
        kept_mask = np.full(len(level), far is None) if kept_mask is None else kept_mask
        begins = _cells(level, -math.inf if far is None else far, kept_mask)
        sizes = np.diff(np.append(begins, len(level)))
        many = (sizes > _CHEBYSHEV) & ~kept_mask[begins]
        self._count = count
        self._few = ~repeat_values(many, sizes)  # in cells whose levels are looked at one by one
        high, low = level[begins[many]], level[begins[many] + sizes[many] - 1]
        middle, half = 0.5 * (high + low), 0.5 * (high - low)
        self._owner = repeat_values(np.arange(len(middle)), sizes[many])
        self._x = (level[~self._few] - middle[self._owner]) / half[self._owner]
        self.level = np.concatenate(
            [level[self._few], (middle[:, None] + half[:, None] * _AT).ravel()]
        )

    def interpolate_items(self, values: Floats) -> Floats:
        """The function at each item, shape (Σ count,), from its values at `level`."""
        found = np.empty(len(self._few))
        few = len(found) - len(self._x)
        found[self._few] = values[:few]
        coefficients = values[few:].reshape(-1, _CHEBYSHEV) @ _TO_COEFFICIENTS.T
        found[~self._few] = np.einsum(
            "ij,ij->i",
            np.polynomial.chebyshev.chebvander(self._x, _CHEBYSHEV - 1),
            coefficients[self._owner],
        )
        return repeat_values(found, self._count)


_AT = np.cos(np.pi * (np.arange(_CHEBYSHEV) + 0.5) / _CHEBYSHEV)
_TO_COEFFICIENTS = np.linalg.inv(np.polynomial.chebyshev.chebvander(_AT, _CHEBYSHEV - 1))
