"""Thousands of items as a few, for smooth functions of their levels: sums by Gauss rules, values by interpolation.

Symbols: a cell holds items whose levels are at most `_WIDTH` apart; of its measure Σ count·δ(q − level) the Gauss rule
of p points has the same 2p moments, so that Σ count·g(level) is right to the 2p-th derivative of g over the cell.
Invariants: points lie between the cell's levels and counts are positive, so nothing but smoothness of g is asked for.
Source: Golub & Welsch 1969, for a discrete measure (Lanczos).
"""

import numpy as np
from numpy.polynomial.chebyshev import chebval, chebvander

from dpviz.base import Floats, Ints

_WIDTH = 0.25  # of a cell, in units of the noise
_POINTS = 6
_CHEBYSHEV = 10  # points of a cell where a function of the level is looked at


Rule = tuple[Floats, Floats]
"""Levels, and how many items each stands for."""


def condensed(
    level: Floats, count: Floats, cuts: Ints, known: dict[bytes, Rule] | None = None
) -> tuple[Ints, Floats, Floats]:
    """(block, level, count) of fewer items, in the same blocks.

    Parameters
    ----------
    level
        Distinct levels within a block, descending, shape (n,).
    count
        How many items share each, shape (n,).
    cuts
        Where blocks begin, ascending from 0, shape (blocks,).
    known
        Rules of cells that were made before, which is added to.

    Returns
    -------
    tuple[Ints, Floats, Floats]
        The block of each point, its level and its count, which need be no whole number.

    Examples
    --------
    >>> level = np.linspace(1.0, 0.8, 1000)
    >>> block, points, weight = condensed(level, np.ones(1000), np.array([0]))
    >>> len(points) <= 12, bool(abs(np.exp(level).sum() - weight @ np.exp(points)) < 1e-9)
    (True, True)
    """
    known = {} if known is None else known
    block = np.zeros(len(level), np.int64)
    block[cuts[cuts < len(level)]] = 1
    block = np.cumsum(block) - 1
    cell = np.floor(level / _WIDTH).astype(np.int64)
    begins = np.flatnonzero(np.append(True, (np.diff(cell) != 0) | (np.diff(block) != 0)))
    ends = np.append(begins[1:], len(level))
    parts = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        key = level[[begin, end - 1]].tobytes()
        if key not in known:
            known[key] = _cell(level[begin:end], count[begin:end])
        parts.append(known[key])
    sizes = [len(points) for points, _ in parts]
    levels, counts = (np.concatenate(side) for side in zip(*parts, strict=True))
    return np.repeat(block[begins], sizes), levels, counts


def _cell(level: Floats, count: Floats) -> Rule:
    """The Gauss rule of one cell, descending; the cell itself where it holds no more levels than the rule."""
    if len(level) <= _POINTS:
        return level, count
    middle, half = 0.5 * (level[0] + level[-1]), 0.5 * (level[0] - level[-1])
    x, total = (level - middle) / half, float(count.sum())
    diagonal, beside = np.zeros(_POINTS), np.zeros(_POINTS)
    vectors = np.zeros((_POINTS + 1, len(x)))
    vectors[0] = np.sqrt(count / total)
    for i in range(_POINTS):
        step = x * vectors[i]
        diagonal[i] = step @ vectors[i]
        for _ in range(2):  # twice is enough to stay orthogonal
            step -= (vectors[: i + 1] @ step) @ vectors[: i + 1]
        beside[i] = np.linalg.norm(step)
        if i + 1 < _POINTS:
            vectors[i + 1] = step / beside[i]
    nodes, basis = np.linalg.eigh(np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1))
    return (middle + half * nodes)[::-1], (total * basis[0] ** 2)[::-1]


class LevelPoints:
    """Levels at which to look at a smooth function that is wanted at many: `level`, shape (points,).

    Parameters
    ----------
    level
        Where it is wanted, descending, shape (n,).

    Examples
    --------
    >>> level = np.linspace(1.0, 0.0, 1000)
    >>> points = LevelPoints(level)
    >>> len(points.level), bool(np.allclose(points.at_levels(np.exp(points.level)), np.exp(level), rtol=1e-12))
    (41, True)
    """

    def __init__(self, level: Floats) -> None:
        cell = np.floor(level / _WIDTH)
        begins = np.flatnonzero(np.append(True, np.diff(cell) != 0)) if len(level) else np.empty(0, np.int64)
        self._parts = [(_ends(part) if len(part) > _CHEBYSHEV else None, part) for part in np.split(level, begins[1:])]
        self.level = np.concatenate([part if ends is None else _nodes(*ends) for ends, part in self._parts])

    def at_levels(self, values: Floats) -> Floats:
        """The function where it is wanted, shape (n,), from its values at `level`."""
        found, at = [], 0
        for ends, part in self._parts:
            size = len(part) if ends is None else _CHEBYSHEV
            here = values[at : at + size]
            if ends is not None:
                x = (2 * part - ends[0] - ends[1]) / (ends[0] - ends[1])
                here = np.asarray(chebval(x, _TO_COEFFICIENTS @ here), float)
            found.append(here)
            at += size
        return np.concatenate(found)


_AT = np.cos(np.pi * (np.arange(_CHEBYSHEV) + 0.5) / _CHEBYSHEV)
_TO_COEFFICIENTS = np.linalg.inv(chebvander(_AT, _CHEBYSHEV - 1))


def _ends(part: Floats) -> tuple[float, float]:
    return float(part[0]), float(part[-1])


def _nodes(high: float, low: float) -> Floats:
    return 0.5 * (high + low) + 0.5 * (high - low) * _AT
