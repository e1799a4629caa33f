"""The law of the number of answers of an adaptive sparse vector, by its branches.

Symbols: a = answers, b = units used beyond one for each; a run goes on while a + b ≤ last. States
are [depth, b, a, node], and only a window of (b, a) is worked on; the diagonals a + b > last, where
runs stop, are emptied into `stopped` after every query.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithm 4.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.base import Bools, Floats, Progress
from dpviz.gaps.sparse.answer_chain import Chances

_NEGLIGIBLE = 1e-15
_BLOCK = 256


def answer_count_law(
    costs: Sequence[int],
    budget: int,
    chances: Chances,
    weight: Floats,
    above: Bools,
    progress: Progress,
) -> tuple[Floats, Floats]:
    """The law of the number of answers of either branch, up to 1e-14 of mass a query."""
    states = _States(costs, budget, weight, depth=2 if above.any() else 1)
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
    def __init__(self, costs: Sequence[int], budget: int, weight: Floats, depth: int) -> None:
        self.costs, self.budget, self.weight = costs, budget, weight
        self.last, nodes = budget - max(costs), len(weight)
        self.columns = budget + 1
        self.beyond = self.last - self.last // max(costs)  # b where all answers are the dearest
        self.grid = np.zeros((depth, self.beyond + max(costs), self.columns, nodes))
        self.grid[0, 0, 0] = 1.0
        self.scratch = np.empty((len(costs), self.grid.size))
        flat = self.grid.reshape(depth, -1, nodes)
        # cells with a + b = u lie (columns − 1) apart, from a = u, b = 0 on
        self.ends = [
            flat[:, u : u * self.columns + 1 : self.columns - 1]
            for u in range(self.last + 1, budget + 1)
        ]
        self.stopped = [np.zeros((depth, end.shape[1])) for end in self.ends]
        self.rows, self.cols = [0, 0], [0, 0]  # first and last of the window
        self.steps = 0

    def advance(self, chance: Floats, fail: Floats, *, true: bool) -> None:
        (b0, b1), (a0, a1) = self.rows, self.cols
        here = self.grid[:, b0 : b1 + 1, a0 : a1 + 1]
        moved = [room[: here.size].reshape(here.shape) for room in self.scratch]
        for room, passes in zip(moved, chance, strict=True):
            np.multiply(here, passes, out=room)
            if true and len(here) == 2:
                room[1] += room[0]
        here *= fail
        for room, cost in zip(moved, self.costs, strict=True):
            self.grid[:, b0 + cost - 1 : b1 + cost, a0 + 1 : a1 + 2] += room
        self.rows[1] = min(b1 + max(self.costs) - 1, self.beyond)
        self.cols[1] = min(a1 + 1, self.last)
        if self.rows[1] + self.cols[1] >= self.last - max(self.costs):
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
        """Mass that goes on or has stopped, by a, shape (depth, most answers + 1)."""
        law = (self.grid @ self.weight).sum(1)
        for u, stopped in zip(range(self.last + 1, self.budget + 1), self.stopped, strict=True):
            for b in range(stopped.shape[1]):
                law[:, u - b] += stopped[:, b]
        return np.asarray(
            law[:, : self.last + 2]
        )  # one more answer than units with which a run goes on


def _window(first: int, mass: Floats) -> list[int]:
    reached = np.flatnonzero(mass >= _NEGLIGIBLE)
    return [first + int(reached[0]), first + int(reached[-1])] if len(reached) else [first, first]
