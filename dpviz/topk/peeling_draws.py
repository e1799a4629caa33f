"""Draws of k rounds, each the largest of what is left plus fresh noise, as ranks.

Symbols: S(z) = chance that an item shows more than z; U uniform is the survival probability of a noise value.
In a round only items above a cut are looked at, about _SURVIVORS a row: those likely to be above it one by
one, the many that hardly ever are through a Poisson process of intensity −log(1 − S), which hits an item with
chance S. A row where nothing is above the cut is drawn below it.
Invariants: exact, but for items passed over because they win a round with a chance below 1e-17 each.
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Ints, Noise, repeated
from dpviz.topk.law import Draw

_CELLS = 10_000_000  # of the table that says what is left
_TINY = 1e-300
_UNLIKELY = 1e-17
_SURVIVORS = 7.0
_OFTEN = 0.05  # chance from which items are looked at one by one
_HALVINGS = 22


def draw_by_rounds(noise: Noise, level: Floats, k: int) -> Draw:
    """draw(size, rng): the ranks taken in k rounds, ascending along each row, shape (size, k)."""

    def draw(size: int, rng: Generator) -> Ints:
        ranks = np.empty((size, k), np.int64)
        rows = max(1, _CELLS // len(level))
        for start in range(0, size, rows):
            part = ranks[start : start + rows]
            game = _Game(noise, level, len(part), rng)
            for turn in range(k):
                part[:, turn] = game.round()
            part.sort(axis=1)
        return ranks

    return draw


class _Game:
    """What is left of every row while the rounds go on."""

    def __init__(self, noise: Noise, level: Floats, rows: int, rng: Generator) -> None:
        self.noise, self.level, self.rng = noise, level, rng
        self.free = np.ones((rows, len(level)), bool)
        self.left = np.full(len(level), float(rows))  # in how many rows an item is left
        self.best = np.zeros(rows, np.int64)  # the best item left of each row
        lowest = float(noise.quantile(np.array(np.log(_UNLIKELY)), np.array(-_UNLIKELY)))
        self.reach = float(np.log(noise.tail / _UNLIKELY)) - max(lowest, noise.start)

    def round(self) -> Ints:
        """The winner of each row, taken out."""
        first = int(self.best.min())
        last = int(np.searchsorted(-self.level, self.reach - self.level[int(self.best.max())], side="right"))
        level = self.level[first:last]
        cut = self._cut(level, self.left[first:last] / len(self.best))
        survival = np.exp(self.noise.log_sf(cut - level))
        won = np.full(len(self.best), -1)
        row, column, u = self._survivors(survival, first)
        ascending = np.argsort(self._values(level[column], u))
        won[row[ascending]] = column[ascending]  # the largest is assigned last
        for empty in np.flatnonzero(won < 0):
            won[empty] = self._below(level, survival, self.free[empty, first:last])
        won += first
        self._take(won)
        return won

    def _cut(self, level: Floats, left: Floats) -> float:
        """Where about _SURVIVORS of what is left are above, by halving; a wrong cut only costs time."""
        low, high = float(level[-1]) - self.reach, float(level[0]) + self.reach
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if float(np.exp(self.noise.log_sf(middle - level)) @ left) > _SURVIVORS:
                low = middle
            else:
                high = middle
        return low

    def _survivors(self, survival: Floats, first: int) -> tuple[Ints, Ints, Floats]:
        """(row, column, U) of every item left that is above the cut; columns count from `first`."""
        often = int(np.searchsorted(-survival, -_OFTEN, side="right"))
        uniform = self.rng.random((len(self.best), often))
        above = uniform < survival[:often]
        above &= self.free[:, first : first + often]
        row, column = np.nonzero(above)
        u = uniform[row, column]
        seldom_row, seldom = self._hits(survival[often:])
        seldom += often
        open_ = self.free[seldom_row, first + seldom]
        seldom_row, seldom = seldom_row[open_], seldom[open_]
        below = survival[seldom] * self.rng.random(len(seldom))
        return np.append(row, seldom_row), np.append(column, seldom), np.append(u, below)

    def _hits(self, chance: Floats) -> tuple[Ints, Ints]:
        """(row, column): each column is hit in each row with its own small chance, independently."""
        reached = np.cumsum(-np.log1p(-chance))
        if not len(reached) or reached[-1] <= 0:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        count = self.rng.poisson(reached[-1], len(self.best))
        row = repeated(np.arange(len(count)), count)
        column = np.searchsorted(reached, self.rng.random(len(row)) * reached[-1], side="right")
        code = np.unique(row * len(chance) + np.minimum(column, len(chance) - 1))  # twice is once
        return code // len(chance), code % len(chance)

    def _values(self, level: Floats, u: Floats) -> Floats:
        u = np.maximum(u, _TINY)
        return level + self.noise.quantile(np.log1p(-u), np.log(u))

    def _below(self, level: Floats, survival: Floats, free: Bools) -> int:
        """The winner of a row that has nothing above the cut."""
        u = survival + (1 - survival) * self.rng.random(len(level))
        value = self._values(level, np.minimum(u, 1 - 1e-16))
        value[~free] = -np.inf
        return int(np.argmax(value))

    def _take(self, won: Ints) -> None:
        rows = np.arange(len(won))
        self.free[rows, won] = False
        np.subtract.at(self.left, won, 1.0)
        taken = won == self.best
        while taken.any():
            self.best[taken] += 1
            taken &= ~self.free[rows, np.minimum(self.best, len(self.level) - 1)]
