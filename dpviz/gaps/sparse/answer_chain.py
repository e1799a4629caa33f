"""The chain of a sparse vector, walked query by query for many values of the threshold noise at
once.

Symbols: z = threshold noise, one row of every state array; u = units of budget used, the state.
Invariants: units are whole numbers; the walk stops where the dearest answer cannot be paid any
more; mass is moved, never made: what is dropped as negligible is added up in `dropped`.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Progress
from dpviz.base.former_names import former_members

_NEGLIGIBLE = 1e-17
_BLOCK = 64
_TRIM_EVERY = 8
_MOST_ON = 0.9  # nodes are left once this share of them or less goes on: leaving copies the others

Chances = Callable[[int, int], tuple[Floats, Floats, Floats]]
"""chances(start, stop): for these queries P(answered by branch j | z), shape (branches, queries,
nodes); P(not answered | z), shape (queries, nodes); and any further chances whose mean over the
walks that reach the query is wanted, shape (marks, queries, nodes).
"""


@dataclass(frozen=True)
class AnswerBudget:
    """What an answer of each branch costs, in units, and the `budget` of units."""

    costs: tuple[int, ...]
    budget: int

    @property
    def continuation_limit(self) -> int:
        """The most units used with which a run goes on: the dearest answer can still be paid."""
        return self.budget - max(self.costs)


@dataclass(frozen=True)
class WalkTotals:
    """What walks over n queries give, integrated over the threshold noise."""

    reached: Floats
    answered: Floats
    marks: Floats
    final: Floats
    true: Floats
    dropped: float

    def __add__(self, other: "WalkTotals") -> "WalkTotals":
        """The walks for further values of the threshold noise."""
        return WalkTotals(
            self.reached + other.reached,
            self.answered + other.answered,
            self.marks + other.marks,
            self.final + other.final,
            self.true + other.true,
            self.dropped + other.dropped,
        )


def walk_queries(
    chain: AnswerBudget,
    chances: Chances,
    weight: Floats,
    above: Bools,
    *,
    moments: bool,
    progress: Progress,
) -> WalkTotals:
    """Walk all queries for every value of the threshold noise at once."""
    n = len(above)
    depth = 2 if moments and above.any() else 1
    walker = _Walker(chain, weight, depth)
    reached, answered, marks = np.zeros(n), np.zeros((len(chain.costs), n)), np.zeros((0, n))
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        chance, fail, extra = (values[..., walker.nodes] for values in chances(start, stop))
        if len(marks) < len(extra):
            marks = np.zeros((len(extra), n))
        live = np.empty(fail.shape)
        hit = walker.weight @ chance.sum(0).T
        for i in range(stop - start):
            live[i] = walker.running_probability()
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
    """The states of the nodes whose walks are going on, and the window of units in which they are.

    `state` has shape (nodes, depth, states): the probability, and at depth 2 the mean number of
    true answers with it. `ended` is its sum over the nodes that are left, with their weights.
    """

    def __init__(self, chain: AnswerBudget, weight: Floats, depth: int) -> None:
        self.chain, self.weight, self.depth = chain, weight, depth
        self.nodes = np.arange(len(weight))
        self.ended = np.zeros((depth, chain.budget + 1))
        self.state = np.zeros((len(weight), depth, chain.budget + 1))
        self.state[:, 0, 0] = 1.0
        self.scratch = np.empty((len(chain.costs), len(weight), depth, chain.budget + 1))
        self.low = self.top = self.steps = 0
        self.dropped = 0.0

    def running_probability(self) -> Floats:
        """P(the walk has not stopped | z), shape (nodes,)."""
        return np.asarray(1.0 - self.state[:, 0, self.chain.continuation_limit + 1 :].sum(1))

    def drop_stopped_nodes(self) -> None:
        """Leave the nodes whose walks have all but stopped: what they would still do is dropped."""
        left = self.weight * self.state[:, 0, self.low : self.top + 1].sum(
            1
        )  # 1 − the rest is rounded
        on = left >= _NEGLIGIBLE
        if on.sum() > _MOST_ON * len(on):
            return
        self.dropped += float(left[~on].sum())
        self.ended += np.tensordot(self.weight[~on], self.state[~on], 1)
        self.nodes, self.weight, self.state = self.nodes[on], self.weight[on], self.state[on]
        self.scratch = self.scratch[:, : len(self.nodes)]

    def advance(self, chance: Floats, fail: Floats, *, true: bool) -> None:
        """One query, answered by each branch with `chance` (branches, nodes)."""
        begin, end = self.low, self.top + 1
        here = self.state[:, :, begin:end]
        moving = self.scratch[..., : end - begin]
        np.multiply(here, chance[:, :, None, None], out=moving)
        if true and self.depth == 2:
            moving[:, :, 1] += moving[:, :, 0]
        here *= fail[:, None, None]
        for cost, moved in zip(self.chain.costs, moving, strict=True):
            self.state[:, :, begin + cost : end + cost] += moved
        self.top = min(self.top + max(self.chain.costs), self.chain.continuation_limit)
        self.steps += 1
        if self.steps % _TRIM_EVERY == 0:
            self._trim()

    def _trim(self) -> None:
        """Forget units, many and few, that are used with no more than a negligible chance."""
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


__getattr__ = former_members(__name__, Walk="WalkTotals")  # in stored pickles
