"""Sampler of k rounds, each the largest of the remaining values plus fresh noise.

Symbols: S(z) = chance that an item's value exceeds z, H = −log(1 − S). A round searches in layers:
above a first cut, down to a second cut, then below both. Items that often lie in a layer are drawn
one by one. The others come as a Poisson process of intensity dH, whose highest point is an item's
value. Values u are compared as e^u. Cuts stay for several rounds; they decide the time, not the
law.
Invariants: exact, except for skipped items that win a round with a chance below 1e-17 each; after j
rounds the best remaining item of any row is among the first j + 1.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, Noise
from dpviz.topk.law import row_chunks

_AT_ONCE = 2500  # rows of a game: a round costs some forty calls, whatever their number
_CELLS = 20_000_000  # of the table that says what is left
_SOME_CELLS = 1_000_000  # of a part of it that is read at once
_TINY, _NEARLY = 1e-300, 1 - 1e-16
_UNLIKELY = 1e-17
_ENOUGH = 5.5  # Σ H of what is left above a new cut
_MOST = 3.0  # that an item counts for in it
_FARTHER = 3.0  # from the first cut to the second
_OFTEN = 0.12  # chance from which items are drawn one by one
_MOST_EMPTY = 0.03  # share of the rows that have nothing above the cut where it is lowered
_AHEAD = 5.0  # how much farther down than the best item asks for


@dataclass(frozen=True)
class PeelingSampler:
    """draw(size, rng): the ranks taken in k rounds, ascending along each row, shape (size, k)."""

    noise: Noise
    level: Floats
    k: int
    at_once: ClassVar[int] = _AT_ONCE

    def __call__(self, size: int, rng: Generator) -> Ints:
        ranks = np.empty((size, self.k), np.int64)
        noise = self.noise
        lowest = float(noise.quantile(np.array(np.log(_UNLIKELY)), np.array(-_UNLIKELY)))
        # an item farther below the best one left rarely wins
        reach = float(np.log(noise.tail / _UNLIKELY)) - max(lowest, noise.start)
        level = self.level[: _down_to(self.level, float(self.level[self.k - 1]) - reach)]
        for rows in row_chunks(size, max(len(level), _CELLS // _AT_ONCE), _CELLS):
            part = ranks[rows]
            game = _Game(noise, level, reach, len(part), rng)
            for _ in range(self.k):
                game.play_round()
            game.write_taken_ranks(part)
        return ranks


def _down_to(level: Floats, lowest: float) -> int:
    return int(np.searchsorted(-level, -lowest, side="right"))


def _tails(noise: Noise, u: Floats) -> tuple[Floats, Floats]:
    """S, and H as far as it is finite, at distances u = cut − level."""
    survival = np.minimum(noise.tails(u)[0], _NEARLY)
    return survival, -np.log1p(-survival)


class _Layer:
    """Values of items between two cuts, given that they are not above the upper one."""

    def __init__(self, survival: Floats, upper: Floats, lower: Floats, least: float) -> None:
        chance = -np.expm1(upper - lower)  # from the H of both cuts
        self.above, self.least = survival, least
        self.often = int(np.flatnonzero(chance >= _OFTEN)[-1]) + 1 if chance.max() >= _OFTEN else 0
        self.start = upper[self.often :]
        self.length = lower[self.often :] - self.start
        self.reached = np.cumsum(self.length)


class _Game:
    """The remaining items of every row, a row per item and a column per draw."""

    def __init__(
        self, noise: Noise, level: Floats, reach: float, rows: int, rng: Generator
    ) -> None:
        self.noise, self.level, self.reach, self.rng = noise, level, reach, rng
        self.rows = np.arange(rows)
        self.free = np.ones((len(level), rows), bool)
        self.left = np.full(len(level), float(rows))  # in how many rows an item is left
        self.turn = self.first = self.empty = 0
        self.cut = float(level[0]) + reach
        self._cut_again()

    def play_round(self) -> None:
        """Take the winner of each row out."""
        best = float(self.level[self.turn])  # or a better one is left, in every row
        if (
            self.empty > _MOST_EMPTY * len(self.rows)
            or _down_to(self.level, best - self.reach) > self.last
        ):
            self._cut_again()
        won, rest = self._look(self.layers[0], self.rows, self.lift)
        self.empty = len(rest)
        for layer in self.layers[1:]:
            open_, rest = rest, rest[:0]
            for rows in row_chunks(len(open_), layer.often, _SOME_CELLS):
                some = open_[rows]
                won[some], left = self._look(layer, some, self._lifted(layer.often, some))
                rest = np.append(rest, left)
        self.free[won, self.rows] = False
        self.lift[np.minimum(won - self.begin, len(self.lift) - 1), self.rows] = 0.0
        np.subtract.at(self.left, won, 1.0)
        while self.first < len(self.left) and not self.left[self.first]:
            self.first += 1
        self.turn += 1

    def write_taken_ranks(self, ranks: Ints) -> None:
        for rows in row_chunks(len(ranks), len(self.level), _SOME_CELLS):
            ranks[rows] = np.nonzero(~self.free[:, rows].T)[1].reshape(-1, ranks.shape[1])

    def _cut_again(self) -> None:
        """Lower the cut until enough items are above it, by log(wanted/there)."""
        self.begin = self.first
        self.last = _down_to(self.level, float(self.level[self.turn]) - self.reach - _AHEAD)
        level = self.level[self.begin : self.last]
        left = self.left[self.begin : self.last] / len(self.rows)
        lowest, faster = float(level[-1]) - self.reach, 1.0
        while True:
            survival, hazard = _tails(self.noise, self.cut - level)
            above = float(np.minimum(hazard, _MOST) @ left)
            if above >= 0.9 * _ENOUGH or self.cut <= lowest:
                break
            step = faster * math.log(_ENOUGH / max(above, _TINY))
            self.cut, faster = max(self.cut - step, lowest), 2 * faster
        second = _tails(self.noise, self.cut - _FARTHER - level)
        nothing, all_ = (np.full(len(level), value) for value in (0.0, math.inf))
        least = math.exp(self.cut - level[0])
        self.layers = (
            _Layer(nothing, nothing, hazard, least),
            _Layer(survival, hazard, second[1], least * math.exp(-_FARTHER)),
            _Layer(*second, all_, -1.0),
        )
        self.weight = np.exp(level - level[0])
        self.lift = self._lifted(self.layers[0].often, self.rows)
        self.empty = 0

    def _lifted(self, often: int, rows: Ints) -> Floats:
        """e^level of the remaining first columns in these rows, 0 for taken; a last row of 0."""
        lift = np.zeros((often + 1, len(rows)))
        free = self.free[self.begin : self.begin + often]
        np.multiply(
            self.weight[:often, None], free if rows is self.rows else free[:, rows], out=lift[:-1]
        )
        return lift

    def _look(self, layer: _Layer, rows: Ints, lift: Floats) -> tuple[Ints, Ints]:
        """(winner of each row, the rows whose largest value is below the layer)."""
        skip = min(self.first - self.begin, layer.often)
        value = self.rng.random((layer.often - skip, len(rows)))
        if layer is not self.layers[0]:
            above = layer.above[skip : layer.often, None]
            value = np.minimum(above + (1 - above) * value, _NEARLY)
        value = self.noise.exp_upper_quantile(np.maximum(value, _TINY, out=value))
        value *= lift[skip:-1]
        largest = value.max(axis=0, initial=0.0)
        won = self.begin + skip + _last_of(value == largest)
        row, column, value = self._hits(layer, rows)
        np.maximum.at(largest, row, value)
        best = value == largest[row]
        won[row[best]] = column[best]
        return won, rows[largest <= layer.least]

    def _hits(self, layer: _Layer, rows: Ints) -> tuple[Ints, Ints, Floats]:
        """(row, column, e^u) of the points of all rare columns, 0 for a taken item."""
        reached = layer.reached
        if not len(reached) or reached[-1] <= 0:
            return rows[:0], rows[:0], np.empty(0)
        count = self.rng.poisson(reached[-1] * len(rows))
        row = self.rng.integers(len(rows), size=count)
        at = np.minimum(
            np.searchsorted(reached, self.rng.random(count) * reached[-1], side="right"),
            len(reached) - 1,
        )
        u = -np.expm1(-(layer.start[at] + self.rng.random(count) * layer.length[at]))
        column = layer.often + at
        value = self.weight[column] * self.noise.exp_upper_quantile(np.clip(u, _TINY, _NEARLY))
        column += self.begin
        return row, column, value * self.free[column, rows[row]]


def _last_of(true: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> Ints:
    """The last row of each column that is true."""
    number = np.arange(len(true), dtype=np.min_scalar_type(max(len(true) - 1, 0)))
    return np.asarray(np.max(true * number[:, None], axis=0, initial=0), np.int64)
