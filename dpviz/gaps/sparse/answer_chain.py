"""The chain of a sparse vector, walked by query for many values of the threshold noise at once.

Symbols: z = threshold noise, one row of every state array; u = units of budget used, the state.
Invariants: units are whole numbers; a walk stops where the dearest answer is too dear. Mass is
moved, never made: `dropped` adds up what was left out as negligible.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Progress

_NEGLIGIBLE = 1e-17
_BLOCK = 64

Chances = Callable[[int, int], tuple[Floats, Floats, Floats]]
"""chances(start, stop): for these queries P(answered by branch j | z), shape (branches, queries,
nodes); P(not answered | z), shape (queries, nodes); and any further chances whose mean over the
walks that reach the query is wanted, shape (marks, queries, nodes).
"""


@dataclass(frozen=True)
class WalkTotals:
    """Totals of walks over n queries, integrated over the threshold noise."""

    reached: Floats
    answered: Floats
    marks: Floats
    final: Floats
    true: Floats
    dropped: float

    def __add__(self, other: "WalkTotals") -> "WalkTotals":
        return WalkTotals(
            self.reached + other.reached,
            self.answered + other.answered,
            self.marks + other.marks,
            self.final + other.final,
            self.true + other.true,
            self.dropped + other.dropped,
        )


def walk_queries(
    costs: Sequence[int],
    budget: int,
    chances: Chances,
    weight: Floats,
    above: Bools,
    *,
    moments: bool,
    progress: Progress,
) -> WalkTotals:
    """Walk all queries for every value of the threshold noise at once."""
    n = len(above)
    walker = _Walker(costs, budget, weight, depth=2 if moments and above.any() else 1)
    reached, answered, marks = np.zeros(n), np.zeros((len(costs), n)), np.zeros((0, n))
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        chance, fail, extra = (values[..., walker.nodes] for values in chances(start, stop))
        if len(marks) < len(extra):
            marks = np.zeros((len(extra), n))
        live = np.empty(fail.shape)
        hit = walker.weight @ chance.sum(0).T
        for i in range(stop - start):
            live[i] = 1.0 - walker.state[:, 0, walker.last + 1 :].sum(1)  # P(it still runs | z)
            if hit[i] < _NEGLIGIBLE:
                walker.dropped += float(hit[i])
            else:
                walker.advance(chance[:, i], fail[i], true=bool(above[start + i]))
        live = np.clip(live, 0.0, 1.0) * walker.weight
        reached[start:stop] = live.sum(1)
        answered[:, start:stop] = np.einsum("ij,bij->bi", live, chance)
        marks[:, start:stop] = np.einsum("ij,bij->bi", live, extra)
        progress(stop / n)
        walker.drop_stopped_nodes()
        if not len(walker.nodes):
            break
    final, *true = walker.ended + np.tensordot(walker.weight, walker.state, 1)
    return WalkTotals(
        reached, answered, marks, final, true[0] if true else np.zeros(len(final)), walker.dropped
    )


class _Walker:
    """The states of the nodes whose walks go on: probabilities, at depth 2 mean true answers."""

    def __init__(self, costs: Sequence[int], budget: int, weight: Floats, *, depth: int) -> None:
        self.costs, self.weight, self.depth = costs, weight, depth
        self.last = budget - max(costs)  # the most units used with which a run goes on
        self.nodes = np.arange(len(weight))
        self.ended = np.zeros((depth, budget + 1))
        self.state = np.zeros((len(weight), depth, budget + 1))
        self.state[:, 0, 0] = 1.0
        self.scratch = np.empty((len(costs), len(weight), depth, budget + 1))
        self.low = self.top = self.steps = 0
        self.dropped = 0.0

    def drop_stopped_nodes(self) -> None:
        """Leave the nodes whose walks have all but stopped, and drop what still goes on there."""
        # not 1 − the rest, which is rounded
        left = self.weight * self.state[:, 0, self.low : self.top + 1].sum(1)
        on = left >= _NEGLIGIBLE
        if on.sum() > 0.9 * len(on):  # leaving a few copies all others
            return
        self.dropped += float(left[~on].sum())
        self.ended += np.tensordot(self.weight[~on], self.state[~on], 1)
        self.nodes, self.weight, self.state = self.nodes[on], self.weight[on], self.state[on]
        self.scratch = self.scratch[:, : len(self.nodes)]

    def advance(self, chance: Floats, fail: Floats, *, true: bool) -> None:
        """Ask one query, answered by each branch with `chance` (branches, nodes)."""
        begin, end = self.low, self.top + 1
        here = self.state[:, :, begin:end]
        moving = self.scratch[..., : end - begin]
        np.multiply(here, chance[:, :, None, None], out=moving)
        if true and self.depth == 2:
            moving[:, :, 1] += moving[:, :, 0]
        here *= fail[:, None, None]
        for cost, moved in zip(self.costs, moving, strict=True):
            self.state[:, :, begin + cost : end + cost] += moved
        self.top = min(self.top + max(self.costs), self.last)
        self.steps += 1
        if self.steps % 8:
            return
        while self.low < self.top and self._forget(self.top):
            self.top -= 1
        while self.low < self.top and self._forget(self.low):
            self.low += 1

    def _forget(self, units: int) -> bool:
        mass = float(self.weight @ self.state[:, 0, units])
        if mass >= _NEGLIGIBLE:
            return False
        self.state[:, :, units] = 0.0
        self.dropped += mass
        return True


Walk = WalkTotals  # the former name, in stored pickles
