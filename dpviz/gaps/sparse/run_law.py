"""The exact law of a sparse vector: one integral over the threshold noise of a chain of queries.

Symbols: m_i = (f_i − T)/Δ; η = z the threshold noise, given which the queries are independent.
Invariants: every figure is integrated with two sets of nodes. `error` is their difference, with
bounds on the noise beyond the nodes, mass dropped and rounding added.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

import functools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    ExactLaw,
    Floats,
    Ints,
    OutcomeComparison,
    Plottable,
    Progress,
    RevealingOutput,
    Scores,
    cached_property,
    check_generator,
    check_integer,
    check_item_indices,
    ignore_progress,
    iterate_with_progress,
    notebook_table,
    portion,
    state_without_progress,
)
from dpviz.base.notebook import method_and_error_text
from dpviz.gaps.sparse.answer_chain import Chances, WalkTotals, walk_queries
from dpviz.gaps.sparse.answer_strings import answer_string_count, answer_string_probabilities
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, Coverage
from dpviz.gaps.sparse.noise_nodes import (
    ThresholdNodes,
    answer_and_reach_probabilities,
    exceedance_and_complement_probabilities,
    threshold_nodes,
)
from dpviz.gaps.sparse.run_plan import RunPlan
from dpviz.gaps.sparse.run_replay import simulate_run

_MOST_STRINGS = 5_000  # that a privacy loss is made of
_SEEN = "the answers, without their gaps"
T = TypeVar("T")


class ThresholdDistribution(ExactLaw, Plottable):
    """Exact figures of a sparse vector's run on n queries, in their order, each within `error`.

    Parameters
    ----------
    plan
        The budget of the run, by branch.
    scores
        The queries.
    margins
        How far each query lies above the threshold, shape (n,).
    progress
        Told the fraction done; may raise `Cancelled`.
    """

    _made_of = "plan", "scores", "_margins"

    def __init__(self, plan: RunPlan, scores: Scores, margins: Floats, progress: Progress) -> None:
        self.plan, self.scores = plan, scores
        self._margins = margins
        self.progress = progress
        self._walk, self.error = _walked_twice(plan, margins, (), progress)

    def __getstate__(self) -> dict[str, Any]:
        return state_without_progress(self)

    def _repr_html_(self) -> str:
        precision = "none is answered" if self.precision is None else f"{self.precision:.4f}"
        rows = [
            ("answers, on average", f"{self.expected_answers:.4g} of {self.scores.d:,} queries"),
            ("ε spent, on average", f"{self.expected_epsilon_spent:.4g} of {self.plan.epsilon:g}"),
            ("truly above, of the answers", precision),
        ]
        return notebook_table("Sparse vector", rows, method_and_error_text(self.method, self.error))

    @property
    def names(self) -> Sequence[str]:
        return self.scores.names

    @property
    def requested_count(self) -> int:
        return self.plan.k

    @property
    def incomplete_list_probability(self) -> float:
        """P(fewer than k queries are answered)."""
        return float(self.answer_count_probabilities[: self.requested_count].sum())

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """Queries answered in independent runs.

        Parameters
        ----------
        size
            Number of answers.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Query indices of shape (size, most answers), filled up with −1.
        """
        rng, unbounded = check_generator(rng), np.zeros(len(self.plan.branches))
        # as many of the cheapest as a run goes on with, and one more
        most = min(
            self.plan.largest_continuing_units // int(self.plan.costs.min()) + 1, self.scores.d
        )
        answers = np.full((check_integer("size", size, low=0), most), -1)
        for row in answers:
            run = simulate_run(self.plan, self.scores, self._margins, unbounded, rng)
            row[: len(run.release.items)] = run.release.items
        return answers

    @cached_property
    def string_probabilities(self) -> dict[str, float]:
        """P(answer string) for few queries: see `ThresholdMechanism.answer_strings`."""
        return answer_string_probabilities(self.plan, self._margins)

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P(just these queries are answered), for few queries: a sum over answer strings."""
        chosen = sorted(check_item_indices("answer", answer, self.scores.d))
        same = [
            p
            for text, p in self.string_probabilities.items()
            if [i for i, letter in enumerate(text) if letter != "_"] == chosen
        ]
        chance = math.fsum(same)
        return math.log(chance) if chance > 0 else -math.inf

    def compare_outcomes(
        self, other: "ThresholdDistribution", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """Compare every answer string while these are few, else single queries.

        Parameters
        ----------
        other
            The law of the same mechanism on a neighbour's data.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        OutcomeComparison
            The same outcomes with their chances in both worlds.
        """
        if answer_string_count(self.plan, self.scores.d) > _MOST_STRINGS:
            return self._single_answers(other)
        strings = list(self.string_probabilities)
        p, q = (
            np.array([law.string_probabilities[text] for text in strings]) for law in (self, other)
        )
        progress(1.0)

        def output(at: int) -> RevealingOutput:
            return RevealingOutput(f"the answers {strings[at]}")

        # below the smallest double all digits are lost
        error, other_error = (1e-11 * chance + sys.float_info.min for chance in (p, q))
        return OutcomeComparison(p, q, error, other_error, output, _SEEN)

    def _single_answers(self, other: "ThresholdDistribution") -> OutcomeComparison:
        p, q = (
            np.concatenate(
                [law.answer_probabilities, law.reach_probabilities, np.cumsum(law.used_units_law)]
            )
            for law in (self, other)
        )

        def output(at: int) -> RevealingOutput:
            way, item = divmod(at, self.scores.d)
            if way > 1:
                used = at - 2 * self.scores.d
                return RevealingOutput(f"at most {used} of {self.plan.units} units used")
            seen = f"{self.scores.label(item)} is {('answered', 'asked')[way]}"
            return RevealingOutput(seen, (item,))

        return OutcomeComparison(p, q, self.error, other.error, output, _SEEN, events=True)

    @property
    def answer_probabilities(self) -> Floats:
        """P(query i is answered above), shape (n,)."""
        return np.asarray(np.minimum(self._walk.answered.sum(0), 1.0))

    chances = answer_probabilities

    @property
    def reach_probabilities(self) -> Floats:
        """P(query i is asked before the budget runs out), shape (n,)."""
        return np.asarray(np.minimum(self._walk.reached, 1.0))

    def branch_probabilities(self, name: str) -> Floats:
        """P(query i is answered by the branch of that name), shape (n,)."""
        return np.asarray(self._walk.answered[self.plan.names.index(name)])

    @property
    def expected_answers(self) -> float:
        """The mean number of answers."""
        return float(self._walk.answered.sum())

    @cached_property
    def used_units_law(self) -> Floats:
        """Law of the units used, shape (budget + 1,)."""
        return np.clip(self._walk.final, 0.0, 1.0)

    @property
    def expected_epsilon_spent(self) -> float:
        """Mean ε spent, ε0 included; the guarantee is the whole ε all the same."""
        law = self._walk.final
        return self.plan.epsilon0 + self.plan.unit * float(law @ np.arange(len(law)))

    @cached_property
    def _counted(self) -> tuple[Floats, Floats]:
        """P(c answers), and E[number of true answers; c answers]."""
        plan, margins = self.plan, self._margins
        order = _orders(margins)[0]
        walk = _walked(plan, margins, order, tracks_answer_count=True, progress=self.progress)
        return walk.final, walk.true

    @property
    def answer_count_probabilities(self) -> Floats:
        """Law of the number answered, shape (most answers + 1,): entry c is P(c answers)."""
        return np.asarray(np.clip(self._counted[0], 0.0, 1.0))

    @property
    def precision(self) -> float | None:
        """E[share of answers with a true score of at least T | any answer]; None without any."""
        law, true = self._counted
        if (some := float(law[1:].sum())) <= self.error:
            return None
        share = float(true[1:] @ (1 / np.arange(1.0, len(true)))) / some
        return min(1.0, max(0.0, share))


def bound_coverage(
    plan: RunPlan, margins: Floats, bounds: Sequence[ConfidenceBound], progress: Progress
) -> Coverage:
    """Chances that queries are answered, and that they are answered with a bound that fails."""
    t = tuple(bound.t for bound in bounds)
    fine, error = _walked_twice(plan, margins, t, progress)
    return Coverage(bounds[0].confidence, t, fine.answered, fine.marks, error)


def _walked_twice(
    plan: RunPlan, margins: Floats, t: tuple[float, ...], progress: Progress
) -> tuple[WalkTotals, float]:
    """The walk on the finer of two sets of nodes, and a bound on its error."""
    rough, fine = (
        _walked(plan, margins, order, t=t, progress=part)
        for order, part in iterate_with_progress(_orders(margins), progress)
    )
    nodes = sum(_nodes(plan, margins, order, t).size for order in _orders(margins))
    pairs = [(rough.answered, fine.answered), (rough.reached, fine.reached)]
    pairs += [(rough.final, fine.final), (rough.marks, fine.marks)]
    pairs += [(np.cumsum(rough.final), np.cumsum(fine.final))]
    apart = max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)
    left_out = 1.0 - float(fine.final.sum()) + fine.dropped if fine.final.sum() < 1 else 0.0
    # of a query: its chance, 1 minus it, two products and a sum; of a node: one positive term
    rounding = 2.0**-50 * len(margins) + 2.0**-53 * nodes
    return fine, apart + left_out + rounding


def _walked(
    plan: RunPlan,
    margins: Floats,
    order: int,
    *,
    tracks_answer_count: bool = False,
    t: tuple[float, ...] = (),
    progress: Progress = ignore_progress,
) -> WalkTotals:
    """Walk all nodes, some panels at a time; with `t`, mark answers whose bound fails."""

    def walked(part: ThresholdNodes, part_progress: Progress) -> WalkTotals:
        return walk_queries(
            plan.costs.tolist(),
            plan.units,
            _chances(plan, margins, t, part),
            part.weight,
            margins >= 0,
            tracks_answer_count=tracks_answer_count,
            progress=part_progress,
        )

    # nodes at once, of a bounded number of states
    step = 10_000 // (plan.units + 1)
    if tracks_answer_count and len(plan.branches) > 1:
        step = min(36, 4_000_000 // plan.units**2)
    return _by_part(_nodes(plan, margins, order, t), step, walked, progress)


def _nodes(plan: RunPlan, margins: Floats, order: int, t: tuple[float, ...] = ()) -> ThresholdNodes:
    kinks = np.unique(np.append(plan.kinks(margins), -np.array(t)))
    sharpness = math.sqrt(1 + plan.k / 25)  # the more answers, the steeper their number falls in z
    return threshold_nodes(plan.epsilon0, kinks, plan.largest_rate, order, sharpness)


def _by_part(
    nodes: ThresholdNodes,
    size: int,
    work: Callable[[ThresholdNodes, Progress], T],
    progress: Progress,
) -> T:
    """Σ of `work` on about `size` nodes at a time."""
    panels = len(nodes.edges) - 1
    step = max(1, size // nodes.order)
    ends = [(first, min(first + step, panels)) for first in range(0, panels, step)]
    return functools.reduce(
        operator.add,
        (
            work(nodes.select_panels(*end), portion(progress, end[0] / panels, end[1] / panels))
            for end in ends
        ),
    )


def _orders(margins: Floats) -> tuple[int, int]:
    """Nodes a panel, to compare: many where few queries make them cheap."""
    return (10, 14) if len(margins) <= 200 else (6, 8)


def _chances(
    plan: RunPlan, margins: Floats, t: tuple[float, ...], nodes: ThresholdNodes
) -> Chances:
    def chances(start: int, stop: int) -> tuple[Floats, Floats, Floats]:
        here = margins[start:stop]
        chance, reach = answer_and_reach_probabilities(plan, here, nodes)
        fails = np.empty((len(t), *reach.shape[1:]))
        for j, (branch, bound) in enumerate(zip(plan.branches, t, strict=False)):
            missed = np.minimum(here - branch.offset, -bound)
            fails[j] = (
                reach[j] * exceedance_and_complement_probabilities(missed, branch.rate, nodes)[0]
            )
        return chance, reach[-1], fails

    return chances
