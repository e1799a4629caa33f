"""The chain of a sparse vector, walked by query for many values of the threshold noise at once.

Symbols: z = threshold noise, one row of every state array; u = units of budget used, the state. By
answers a state also has its surplus u − a, a = the number of answers.
Invariants: units are whole numbers; a walk stops where the dearest answer is too dear. Mass is
moved, never made: `dropped` adds up what was left out as negligible.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Bools, Floats, Ints, Progress, tally

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
    branch_chances: Chances,
    node_weight: Floats,
    truly_above: Bools,
    *,
    tracks_answer_count: bool,
    progress: Progress,
) -> WalkTotals:
    n = len(truly_above)
    walker = _Walker(
        costs,
        budget,
        node_weight,
        tracks_answer_count=tracks_answer_count,
        any_above=bool(truly_above.any()),
    )
    reached, answered, marks = np.zeros(n), np.zeros((len(costs), n)), np.zeros((0, n))
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        chance, fail, extra = (values[..., walker.nodes] for values in branch_chances(start, stop))
        if len(marks) < len(extra):
            marks = np.zeros((len(extra), n))
        live, running = np.empty(fail.shape), walker.running_chance()
        hit = walker.weight @ chance.sum(0).T
        for i in range(stop - start):
            live[i] = running
            if hit[i] < _NEGLIGIBLE:
                walker.dropped += float(hit[i])
            else:
                walker.advance(chance[:, i], fail[i], true=bool(truly_above[start + i]))
                running = walker.running_chance()
        live = np.clip(live, 0.0, 1.0) * walker.weight
        reached[start:stop] = live.sum(1)
        answered[:, start:stop] = np.einsum("ij,bij->bi", live, chance)
        marks[:, start:stop] = np.einsum("ij,bij->bi", live, extra)
        progress(stop / n)
        walker.drop_stopped_nodes()
        if not len(walker.nodes):
            break
    final, *true = walker.final_masses()
    return WalkTotals(
        reached, answered, marks, final, true[0] if true else np.zeros(len(final)), walker.dropped
    )


class _Walker:
    """The states of the nodes whose walks go on: probabilities, at depth 2 mean true answers."""

    def __init__(
        self,
        costs: Sequence[int],
        budget: int,
        weight: Floats,
        *,
        tracks_answer_count: bool,
        any_above: bool,
    ) -> None:
        self.costs, self.weight, self.dearest = costs, weight, max(costs)
        self.surplus = [cost - 1 if tracks_answer_count else 0 for cost in costs]
        self.last = budget - self.dearest  # the most units used with which a run goes on
        # the largest surplus with which it goes on: all answers are the dearest
        self.most = self.last - self.last // self.dearest if tracks_answer_count else 0
        depth = 2 if tracks_answer_count and any_above else 1
        self.ended = np.zeros((depth, budget + 1, self.most + max(self.surplus) + 1))
        self.state = np.zeros((*self.ended.shape, len(weight)))
        self.state[0, 0, 0] = 1.0
        self.scratch = np.empty((len(costs), self.state.size))
        self.nodes = np.arange(len(weight))
        self.units, self.surpluses = slice(0, 1), slice(0, 1)  # the window of states that matter
        self.steps = 0
        self.dropped = 0.0

    @property
    def window(self) -> Floats:
        return self.state[:, self.units, self.surpluses]

    def running_chance(self) -> Floats:
        return np.asarray(1.0 - self.state[0, self.last + 1 :].sum((0, 1)))

    def drop_stopped_nodes(self) -> None:
        """Leave the nodes whose walks have all but stopped, and drop what still goes on there."""
        left = self.weight * self.window[0].sum((0, 1))  # not 1 − the rest, which is rounded
        on = left >= _NEGLIGIBLE
        if on.sum() > 0.9 * len(on):  # leaving a few copies all others
            return
        self.dropped += float(left[~on].sum())
        self.ended += self.state[..., ~on] @ self.weight[~on]
        self.nodes, self.weight, self.state = self.nodes[on], self.weight[on], self.state[..., on]

    def advance(self, chance: Floats, fail: Floats, *, true: bool) -> None:
        """Ask one query, answered by each branch with `chance` (branches, nodes)."""
        here, units, surpluses = self.window, self.units, self.surpluses
        moving = [room[: here.size].reshape(here.shape) for room in self.scratch]
        for moved, passes in zip(moving, chance, strict=True):
            np.multiply(here, passes, out=moved)
            if true and len(here) == 2:
                moved[1] += moved[0]
        here *= fail
        for moved, cost, more in zip(moving, self.costs, self.surplus, strict=True):
            self.state[:, _moved(units, cost), _moved(surpluses, more)] += moved
        self.units = slice(units.start, min(units.stop + self.dearest, self.last + 1))
        self.surpluses = slice(
            surpluses.start, min(surpluses.stop + max(self.surplus), self.most + 1)
        )
        self.steps += 1
        if self.steps % 8 == 0:
            self._narrow_window()

    def _narrow_window(self) -> None:
        """Leave the outer states that are reached with no more than a negligible chance."""
        window = self.window
        mass = window[0] @ self.weight
        units, surpluses = (_reached(mass.sum(axis)) for axis in (1, 0))
        kept = window[:, units, surpluses].copy()
        mass[units, surpluses] = 0.0
        self.dropped += float(mass.sum())
        window[...] = 0.0
        window[:, units, surpluses] = kept
        self.units = _moved(units, self.units.start)
        self.surpluses = _moved(surpluses, self.surpluses.start)

    def final_masses(self) -> Floats:
        """Mass by units used, or by answers, with the mean true answers."""
        ended = self.ended + self.state @ self.weight
        if ended.shape[2] == 1:
            return np.asarray(ended[..., 0])
        answers: Ints = np.subtract(*np.indices(ended.shape[1:]))
        possible = answers >= 0
        law = [tally(answers[possible], part[possible]) for part in ended]
        return np.stack(law)[:, : self.last + 2]  # one more than units with which a run goes on


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def _reached(mass: Floats) -> slice:
    reached = np.flatnonzero(mass >= _NEGLIGIBLE)
    return slice(int(reached[0]), int(reached[-1]) + 1) if len(reached) else slice(0, 1)


Walk = WalkTotals  # the former name, in stored pickles
