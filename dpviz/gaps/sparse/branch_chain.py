"""The law of the number of answers of an adaptive sparse vector, by its two branches.

Symbols: a = answers by the branch of one unit, b = by the branch of two; a run goes on while a + 2b
≤ last. States are [depth, b, a, node], and only a window of (b, a) is worked on; the diagonals
a + 2b = last + 1, last + 2, where runs stop, are emptied into `stopped` after every query.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithm 4.
"""

import numpy as np

from dpviz.base import Bools, Floats, Progress
from dpviz.gaps.sparse.answer_chain import Chances

_NEGLIGIBLE = 1e-15
_BLOCK = 256


def answer_count_law(
    budget: int,
    chances: Chances,
    weight: Floats,
    above: Bools,
    progress: Progress,
) -> tuple[Floats, Floats]:
    """The law of the number of answers of either branch, up to 1e-14 of mass a query."""
    states = _States(budget, weight, depth=2 if above.any() else 1)
    n = len(above)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        chance, fail, _ = chances(start, stop)
        hit = weight @ chance.sum(0).T
        for i in range(stop - start):
            if hit[i] < _NEGLIGIBLE:
                continue
            states.advance(chance[:, i], fail[i], true=bool(above[start + i]))
        progress(stop / n)
        if states.is_finished():
            break
    law = states.count_masses()
    return law[0], law[1] if len(law) == 2 else np.zeros_like(law[0])


class _States:
    def __init__(self, budget: int, weight: Floats, depth: int) -> None:
        self.budget, self.weight = budget, weight
        nodes = len(weight)
        self.columns = budget + 1
        self.grid = np.zeros((depth, budget // 2 + 1, self.columns, nodes))
        self.grid[0, 0, 0] = 1.0
        self.scratch = np.empty((2, self.grid.size))
        flat = self.grid.reshape(depth, -1, nodes)
        # cells with a + 2b = u lie (columns − 2) apart, from a = u, b = 0 on
        self.ends = [flat[:, u :: self.columns - 2][:, : u // 2 + 1] for u in (budget - 1, budget)]
        self.stopped = [np.zeros((depth, end.shape[1])) for end in self.ends]
        self.rows, self.cols = [0, 0], [0, 0]  # first and last of the window
        self.steps = 0

    def advance(self, chance: Floats, fail: Floats, *, true: bool) -> None:
        (b0, b1), (a0, a1) = self.rows, self.cols
        here = self.grid[:, b0 : b1 + 1, a0 : a1 + 1]
        one, two = (room[: here.size].reshape(here.shape) for room in self.scratch)
        np.multiply(here, chance[0], out=one)
        np.multiply(here, chance[1], out=two)
        if true and len(here) == 2:
            one[1] += one[0]
            two[1] += two[0]
        here *= fail
        self.grid[:, b0 : b1 + 1, a0 + 1 : a1 + 2] += one
        self.grid[:, b0 + 1 : b1 + 2, a0 : a1 + 1] += two
        last = self.budget - 2
        self.rows[1] = min(b1 + 1, last // 2)
        self.cols[1] = min(a1 + 1, last)
        if a1 + 2 * b1 >= last - 2:
            for which, end in enumerate(self.ends):
                self.stopped[which] += end @ self.weight
                end[...] = 0.0
        self.steps += 1
        if self.steps % 8 == 0:
            self._trim()

    def _trim(self) -> None:
        """Narrow the window to the states reached with more than a negligible chance."""
        (b0, b1), (a0, a1) = self.rows, self.cols
        mass = self.grid[0, b0 : b1 + 1, a0 : a1 + 1] @ self.weight
        self.rows = _window(b0, mass.sum(1))
        self.cols = _window(a0, mass.sum(0))
        kept = self.grid[:, self.rows[0] : self.rows[1] + 1, self.cols[0] : self.cols[1] + 1].copy()
        self.grid[:, b0 : b1 + 1, a0 : a1 + 1] = 0.0
        self.grid[:, self.rows[0] : self.rows[1] + 1, self.cols[0] : self.cols[1] + 1] = kept

    def is_finished(self) -> bool:
        (b0, b1), (a0, a1) = self.rows, self.cols
        return float((self.grid[0, b0 : b1 + 1, a0 : a1 + 1] @ self.weight).sum()) < _NEGLIGIBLE

    def count_masses(self) -> Floats:
        """Mass that goes on or has stopped, by a + b, shape (depth, budget)."""
        going = self.grid @ self.weight
        law = np.zeros((len(going), self.budget))
        for b in range(going.shape[1]):
            reach = min(self.budget - b, self.columns)
            law[:, b : b + reach] += going[:, b, :reach]
        for u, stopped in zip((self.budget - 1, self.budget), self.stopped, strict=True):
            for b in range(stopped.shape[1]):
                if u - b < self.budget:  # all of one unit cannot be: the last cannot be paid
                    law[:, u - b] += stopped[:, b]
        return law


def _window(first: int, mass: Floats) -> list[int]:
    reached = np.flatnonzero(mass >= _NEGLIGIBLE)
    return [first + int(reached[0]), first + int(reached[-1])] if len(reached) else [first, first]
