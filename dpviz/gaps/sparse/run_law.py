"""The exact law of a sparse vector: one integral over the threshold noise of a chain over the
queries.

Symbols: m_i = (f_i − T)/Δ; η = z the threshold noise; given z the queries are independent, and the
run is a chain whose state is the units used (and, for the law of the number of answers, the answers
by branch).
Invariants: every figure is integrated with two sets of nodes; `error` is their difference, an
estimate of what the quadrature misses, with bounds on the noise beyond the nodes, mass dropped and
rounding added.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    ExactLaw,
    Floats,
    Ints,
    OutcomeComparison,
    Progress,
    RevealingOutput,
    Scores,
    check_generator,
    check_integer,
    ignore_progress,
    iterate_with_progress,
    notebook_table,
    portion,
    state_without_progress,
)
from dpviz.base.caching import cached_property
from dpviz.gaps.sparse.answer_chain import AnswerBudget, Chances, WalkTotals, walk_queries
from dpviz.gaps.sparse.answer_strings import answer_string_count, answer_strings
from dpviz.gaps.sparse.branch_chain import answer_count_law
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, Coverage
from dpviz.gaps.sparse.noise_nodes import ThresholdNodes, exceedance_probabilities, threshold_nodes
from dpviz.gaps.sparse.run_plan import RunPlan
from dpviz.gaps.sparse.run_replay import simulate_run

_FEW = 200
_MOST_STRINGS = 5_000  # that a privacy loss is made of
_RELATIVE = 1e-11
_SEEN = "the answers, without their gaps"
_CELLS = 10_000  # state cells walked at once
_NODES_COUNTED = 36  # nodes counted at once
_STATES_COUNTED = 4_000_000  # where there are many states, fewer nodes: this many cells at once
_STEP_ROUNDING = (
    2.0**-50
)  # of a query: its chance, 1 minus it, two products and a sum, relative or by P(it is asked)
_SUM_ROUNDING = 2.0**-53  # of a node: the sums over nodes are of positive terms
T = TypeVar("T")


class AnswerCounts(NamedTuple):
    """P(c answers), and E[number of true answers; c answers]."""

    law: Floats
    true: Floats


class ThresholdDistribution(ExactLaw):
    """What comes out when a sparse vector runs on n queries: exact figures, each within `error`.

    Made by `mechanism.distribution(scores)`. Arrays are in the order of the queries.
    """

    _made_of = "plan", "scores", "_margins"

    def __init__(self, plan: RunPlan, scores: Scores, margins: Floats, progress: Progress) -> None:
        self.plan = plan
        self.scores = scores
        self._margins = margins
        self.progress = progress
        self._walk, self.error = _walked_twice(plan, margins, (), progress)

    def __getstate__(self) -> dict[str, Any]:
        return state_without_progress(self)

    def _repr_html_(self) -> str:
        """How many queries are answered, what that spends, and how many of them are right."""
        precision = "none is answered" if self.precision is None else f"{self.precision:.4f}"
        rows = [
            ("answers, on average", f"{self.expected_answers:.4g} of {self.scores.d:,} queries"),
            ("ε spent, on average", f"{self.expected_epsilon_spent:.4g} of {self.plan.epsilon:g}"),
            ("truly above, of the answers", precision),
        ]
        return notebook_table(
            "Sparse vector", rows, f"{self.method}, error at most {self.error:.1g}"
        )

    @property
    def names(self) -> Sequence[str]:
        """What the queries are called."""
        return self.scores.names

    @property
    def chances(self) -> Floats:
        """`answer_probabilities`."""
        return self.answer_probabilities

    @property
    def requested_count(self) -> int:
        """How many names are asked for."""
        return self.plan.k

    @property
    def incomplete_list_probability(self) -> float:
        """P(fewer than k queries are answered)."""
        return float(self.answer_count_probabilities[: self.requested_count].sum())

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """Which queries are answered in `size` runs, shape (size, most answers), filled up with −1."""
        rng, unbounded = check_generator(rng), np.zeros(len(self.plan.branches))
        answers = np.full(
            (check_integer("size", size, low=0), min(self.plan.most_answers, self.scores.d)), -1
        )
        for row in answers:
            items = simulate_run(
                self.plan, self.scores, self._margins, unbounded, rng
            ).release.items
            row[: len(items)] = items
        return answers

    @cached_property
    def string_probabilities(self) -> dict[str, float]:
        """P(answer string) for few queries: see `ThresholdMechanism.answer_strings`."""
        return answer_strings(self.plan, self._margins)

    def log_probability(self, answer: Iterable[int]) -> float:
        """log P(just these queries are answered), for few queries: all their answer strings
        together.
        """
        chosen = sorted(answer)
        same = [
            p
            for text, p in self.string_probabilities.items()
            if [i for i, letter in enumerate(text) if letter != "_"] == chosen
        ]
        return math.log(math.fsum(same)) if same else -math.inf

    def compare_outcomes(
        self, other: "ThresholdDistribution", progress: Progress = ignore_progress
    ) -> OutcomeComparison:
        """Every answer string, to a relative accuracy, while these are few; else what single
        queries show.
        """
        if answer_string_count(self.plan, self.scores.d) > _MOST_STRINGS:
            return self._single_answers(other)
        strings, both = (
            list(self.string_probabilities),
            (self.string_probabilities, other.string_probabilities),
        )
        progress(1.0)
        p, q = (np.array([law[text] for text in strings]) for law in both)
        return OutcomeComparison(
            p,
            q,
            _RELATIVE * p,
            _RELATIVE * q,
            lambda at: RevealingOutput(f"the answers {strings[at]}"),
            _SEEN,
        )

    def _single_answers(self, other: "ThresholdDistribution") -> OutcomeComparison:
        p, q = (
            np.concatenate(
                [law.answer_probabilities, law.reach_probabilities, np.cumsum(law.used_units_law)]
            )
            for law in (self, other)
        )

        def output(at: int) -> RevealingOutput:
            if at >= 2 * self.scores.d:
                return RevealingOutput(
                    f"at most {at - 2 * self.scores.d} of {self.plan.units} units used"
                )
            way, item = divmod(at, self.scores.d)
            return RevealingOutput(
                f"{self.scores.label(item)} is {('answered', 'asked')[way]}", (item,)
            )

        return OutcomeComparison(p, q, self.error, other.error, output, _SEEN, events=True)

    @property
    def answer_probabilities(self) -> Floats:
        """P(query i is answered above), shape (n,)."""
        return np.asarray(np.minimum(self._walk.answered.sum(0), 1.0))

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
        """Expected ε spent, the threshold's ε0 included; the guarantee is the whole ε all the same."""
        law = self._walk.final
        return self.plan.epsilon0 + self.plan.unit * float(law @ np.arange(len(law)))

    @cached_property
    def _counted(self) -> AnswerCounts:
        return _counted(self.plan, self._margins, self.progress)

    @property
    def answer_count_probabilities(self) -> Floats:
        """Law of the number answered, shape (most answers + 1,): entry c is P(c answers)."""
        return np.asarray(np.clip(self._counted.law, 0.0, 1.0))

    @property
    def precision(self) -> float | None:
        """E[answers whose true score is at least T / answers | there is an answer]; None if there
        never is.

        Runs without an answer have no precision and are left out.
        """
        law, true = self._counted
        some = float(law[1:].sum())
        if some <= self.error:
            return None
        share = float(true[1:] @ (1 / np.arange(1.0, len(true)))) / some
        return min(1.0, max(0.0, share))


def mean_answers_by_branch(plan: RunPlan, margins: Floats) -> Floats:
    """The mean number of answers of each branch, shape (branches,), at half the cost of a law: its
    error is not asked.
    """
    return np.asarray(_walked(plan, margins, _orders(margins)[1]).answered.sum(1))


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
    """The walk on the finer of two sets of nodes, and how far the other's figures are from it."""
    rough, fine = (
        _walked(plan, margins, order, t=t, progress=part)
        for order, part in iterate_with_progress(_orders(margins), progress)
    )
    nodes = sum(_nodes(plan, margins, order, t).size for order in _orders(margins))
    return fine, _difference(rough, fine) + _STEP_ROUNDING * len(margins) + _SUM_ROUNDING * nodes


def _difference(rough: WalkTotals, fine: WalkTotals) -> float:
    """The most that the two walks differ in any figure, with the mass that both leave out."""
    pairs = [
        (rough.answered, fine.answered),
        (rough.reached, fine.reached),
        (rough.final, fine.final),
    ]
    pairs += [(rough.marks, fine.marks), (np.cumsum(rough.final), np.cumsum(fine.final))]
    apart = max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)
    return apart + (1.0 - float(fine.final.sum()) + fine.dropped if fine.final.sum() < 1 else 0.0)


def _walked(
    plan: RunPlan,
    margins: Floats,
    order: int,
    *,
    moments: bool = False,
    t: tuple[float, ...] = (),
    progress: Progress = ignore_progress,
) -> WalkTotals:
    """The walk by units over all nodes, some panels at a time; with `t`, marks for answers whose
    bound fails.
    """
    chain = AnswerBudget(tuple(branch.cost for branch in plan.branches), plan.units)
    nodes = _nodes(plan, margins, order, t)

    def walked(part: ThresholdNodes, part_progress: Progress) -> WalkTotals:
        chances = _chances(plan, margins, t, part)
        return walk_queries(
            chain, chances, part.weight, margins >= 0, moments=moments, progress=part_progress
        )

    return functools.reduce(
        operator.add, _by_part(nodes, _CELLS // (chain.budget + 1), walked, progress)
    )


def _counted(plan: RunPlan, margins: Floats, progress: Progress) -> AnswerCounts:
    """The law of the number of answers. Where all cost the same the units tell it."""
    order = _orders(margins)[0]
    if len(plan.branches) == 1:
        whole = _walked(plan, margins, order, moments=True, progress=progress)
        return AnswerCounts(whole.final, whole.true)

    def counted(part: ThresholdNodes, part_progress: Progress) -> Floats:
        chances = _chances(plan, margins, (), part)
        return np.stack(
            answer_count_law(plan.units, chances, part.weight, margins >= 0, part_progress)
        )

    nodes = _nodes(plan, margins, order)
    law, true = functools.reduce(
        operator.add,
        _by_part(nodes, min(_NODES_COUNTED, _STATES_COUNTED // plan.units**2), counted, progress),
    )
    return AnswerCounts(law, true)


def _nodes(plan: RunPlan, margins: Floats, order: int, t: tuple[float, ...] = ()) -> ThresholdNodes:
    kinks = np.unique(np.append(plan.kinks(margins), -np.array(t)))
    sharpness = math.sqrt(1 + plan.k / 25)  # the more answers, the steeper their number falls in z
    return threshold_nodes(plan.epsilon0, kinks, plan.largest_rate, order, sharpness)


def _by_part(
    nodes: ThresholdNodes,
    size: int,
    work: Callable[[ThresholdNodes, Progress], T],
    progress: Progress,
) -> Iterator[T]:
    """`work` on about `size` nodes at a time."""
    panels = len(nodes.edges) - 1
    step = max(1, size // nodes.order)
    for first in range(0, panels, step):
        last = min(first + step, panels)
        yield work(
            nodes.select_panels(first, last), portion(progress, first / panels, last / panels)
        )


def _orders(margins: Floats) -> tuple[int, int]:
    """Nodes a panel, to compare: many where few queries make them cheap."""
    return (10, 14) if len(margins) <= _FEW else (6, 8)


def _chances(
    plan: RunPlan, margins: Floats, t: tuple[float, ...], nodes: ThresholdNodes
) -> Chances:
    def chances(start: int, stop: int) -> tuple[Floats, Floats, Floats]:
        here = margins[start:stop]
        fail = np.ones((len(here), nodes.size))
        chance, fails = np.empty((len(plan.branches), *fail.shape)), np.empty((len(t), *fail.shape))
        for j, branch in enumerate(plan.branches):
            passes, misses = exceedance_probabilities(here - branch.offset, branch.rate, nodes)
            chance[j] = fail * passes
            if t:
                beyond = exceedance_probabilities(
                    np.minimum(here - branch.offset, -t[j]), branch.rate, nodes
                )[0]
                fails[j] = fail * beyond
            fail = fail * misses
        return chance, fail, fails

    return chances
