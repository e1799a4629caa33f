"""Draws of k rounds, each the largest of what is left plus fresh noise, as ranks.

Symbols: S(z) = chance that an item shows more than z; U uniform is the survival probability of a noise value.
In a round only items above a cut are looked at, about _SURVIVORS a row: those likely to be above it one by one, the
many that hardly ever are through a Poisson process of intensity −log(1 − S), which hits an item with chance S. Values u
are compared as e^u, which needs no logs. A row where nothing is above the cut is drawn below it. The cut, and with it
all S, stay for as many rounds as enough of what is left is above it: a cut decides the time, not the law.
Invariants: exact, but for items passed over because they win a round with a chance below 1e-17 each.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Ints, Noise

_AT_ONCE = 1000  # rows of a game: a round costs some fifty calls, whatever their number
_CELLS = 20_000_000  # of the table that says what is left
_CELLS_BELOW = 1_000_000  # of the table of rows that have nothing above the cut
_TINY = 1e-300
_UNLIKELY = 1e-17
_SURVIVORS, _FEWEST = 9.0, 7.0  # above a new cut, and where it is lowered again
_OFTEN = 0.05  # chance from which items are looked at one by one
_HALVINGS = 22
_AHEAD = 5.0  # how much farther down than the best item asks for


@dataclass(frozen=True)
class DrawByRounds:
    """draw(size, rng): the ranks taken in k rounds, ascending along each row, shape (size, k).

    Parameters
    ----------
    noise
        The family of the noise, at scale 1.
    level
        q in descending order, shape (d,).
    k
        How many rounds.
    """

    noise: Noise
    level: Floats
    k: int
    at_once: ClassVar[int] = _AT_ONCE

    def __call__(self, size: int, rng: Generator) -> Ints:
        ranks = np.empty((size, self.k), np.int64)
        rows = max(1, min(_AT_ONCE, _CELLS // len(self.level)))
        for start in range(0, size, rows):
            part = ranks[start : start + rows]
            game = _Game(self.noise, self.level, len(part), rng)
            for turn in range(self.k):
                part[:, turn] = game.round()
            part.sort(axis=1)
        return ranks


class _Game:
    """What is left of every row while the rounds go on; `first`..`last`−1 are the items looked at."""

    def __init__(self, noise: Noise, level: Floats, rows: int, rng: Generator) -> None:
        self.noise, self.level, self.rng = noise, level, rng
        self.free = np.ones((rows, len(level)), bool)
        self.left = np.full(len(level), float(rows))  # in how many rows an item is left
        self.best = np.zeros(rows, np.int64)  # the best item left of each row
        lowest = float(noise.quantile(np.array(np.log(_UNLIKELY)), np.array(-_UNLIKELY)))
        self.reach = float(np.log(noise.tail / _UNLIKELY)) - max(lowest, noise.start)
        self.row = self.column = np.empty(0, np.int64)  # of each cell of the table of those looked at one by one
        self._cut_again(self._first_cut())

    def round(self) -> Ints:
        """The winner of each row, taken out."""
        if self.above < _FEWEST or self._down_to(0.0) > self.last:
            self._cut_again(self.cut)
        won = self._above()
        empty = np.flatnonzero(won < 0)
        together = max(1, _CELLS_BELOW // len(self.survival))
        for start in range(0, len(empty), together):
            some = empty[start : start + together]
            won[some] = self._below(self.free[some, self.first : self.last])
        self.above -= float(self.survival[won].sum()) / len(won)
        won += self.first
        self._take(won)
        return won

    def _down_to(self, farther: float) -> int:
        """How many items are so high that they may win where the best one left is lowest."""
        lowest = float(self.level[min(int(self.best.max()), len(self.level) - 1)])
        return int(np.searchsorted(-self.level, self.reach + farther - lowest, side="right"))

    def _first_cut(self) -> float:
        """About where _SURVIVORS of all are above, by halving."""
        low, high = float(self.level[-1]) - self.reach, float(self.level[0]) + self.reach
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if float(self.noise.tails(middle - self.level)[0].sum()) > _SURVIVORS:
                low = middle
            else:
                high = middle
        return low

    def _cut_again(self, cut: float) -> None:
        """Lower the cut until enough of what is left is above it: log S is 1-Lipschitz, so log(wanted/there) at least.

        Which items are above is told by their chances S at the cut; seldom ones come by intensity, summed up.
        """
        self.first, self.last = int(self.best.min()), self._down_to(_AHEAD)
        level, left = self.level[self.first : self.last], self.left[self.first : self.last] / len(self.best)
        lowest, faster = float(level[-1]) - self.reach, 1.0
        while True:
            survival = self.noise.tails(cut - level)[0]
            above = float((survival * left).sum())
            if above >= _FEWEST + 0.5 * (_SURVIVORS - _FEWEST) or cut <= lowest:
                break
            step = faster * math.log(_SURVIVORS / max(above, _TINY))
            cut, faster = max(cut - step, lowest), 2 * faster
        self.cut, self.survival, self.above = cut, survival, above
        self.often = int(np.searchsorted(-survival, -_OFTEN, side="right"))
        self.reached = np.cumsum(-np.log1p(-survival[self.often :]))
        self.weight = np.exp(level - level[0])
        if len(self.row) != self.often * len(self.best):
            self.row, self.column = (cells.ravel() for cells in np.indices((len(self.best), self.often)))

    def _above(self) -> Ints:
        """The winner of each row among what is left above the cut, −1 where nothing is; columns count from `first`."""
        often, rows = self.often, len(self.best)
        uniform = self.rng.random((rows, often))
        above = uniform < self.survival[:often]
        above &= self.free[:, self.first : self.first + often]
        cell = np.flatnonzero(above)
        row, column = self.row[cell], self.column[cell]
        value = self.weight[column] * self.noise.lifted(np.maximum(uniform.ravel()[cell], _TINY))
        largest, won = np.zeros(rows), np.full(rows, -1)
        start = np.flatnonzero(np.diff(row, prepend=-1))  # of each row that has some
        largest[row[start]] = np.maximum.reduceat(value, start) if len(start) else 0.0
        best = np.flatnonzero(value == largest[row])
        won[row[best]] = column[best]
        row, column, u = self._hits()
        value = self.weight[column] * self.noise.lifted(u)
        np.maximum.at(largest, row, value)
        best = np.flatnonzero(value == largest[row])
        won[row[best]] = column[best]
        return won

    def _hits(self) -> tuple[Ints, Ints, Floats]:
        """(row, column, U): each seldom column that is left is hit in each row with its own small chance."""
        reached = self.reached
        if not len(reached) or reached[-1] <= 0:
            return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        count = self.rng.poisson(reached[-1] * len(self.best))  # of all rows together
        row = self.rng.integers(len(self.best), size=count)
        column = np.searchsorted(reached, self.rng.random(count) * reached[-1], side="right")
        code = np.unique(row * len(reached) + np.minimum(column, len(reached) - 1))  # twice is once
        row, column = code // len(reached), self.often + code % len(reached)
        left = self.free[row, self.first + column]
        row, column = row[left], column[left]
        return row, column, np.maximum(self.survival[column] * self.rng.random(len(column)), _TINY)

    def _below(self, free: Bools) -> Ints:
        """The winners of rows that have nothing above the cut, from what they have left, shape (rows, items)."""
        u = self.survival + (1 - self.survival) * self.rng.random(free.shape)
        value = self.weight * self.noise.lifted(np.minimum(u, 1 - 1e-16))
        return np.asarray(np.where(free, value, -1.0).argmax(axis=1))

    def _take(self, won: Ints) -> None:
        rows = np.arange(len(won))
        self.free[rows, won] = False
        np.subtract.at(self.left, won, 1.0)
        moving = np.flatnonzero(won == self.best)
        while len(moving):
            self.best[moving] += 1
            moving = moving[~self.free[moving, np.minimum(self.best[moving], len(self.level) - 1)]]
