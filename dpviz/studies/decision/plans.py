"""Plans: the ε that each mechanism needs for the goal on all data, and its cost.

ε* = smallest ε of one release that meets the goal on all data; totals are at ε* rounded up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpviz.base import ParameterError, Progress, Scores, iterate_with_progress
from dpviz.privacy.composition_result import Total
from dpviz.studies import NAMES_NEEDED, Design, smallest_epsilon_or_reason
from dpviz.studies.decision.costs import Cost, CostCurve, cost_curve, plan_cost, round_epsilon_up
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import meets_goal_on_all, scale_scores
from dpviz.topk import (
    LARGEST_EPSILON,
    FigureCurve,
    Looked,
    TopKDistribution,
    TopKMechanism,
    exact_goal_curve,
    utility_curves,
)

_LARGE = 20_000  # items times k, from where a law that is sampled is not searched
_CHANCE = 1e-6  # the smallest ε that is looked at: what comes out is next to random there
_TOLERANCE = 5e-4
_FEW = 2000  # draws a node of an estimated curve
_LEFT_OUT = (
    "Left out of the search: on so many items its chances take minutes, or are only estimated from"
    " draws. Take it by hand to search it all the same."
)


_DELTA_NEEDED = "It has a δ of its own, so the δ of all releases must be larger than now."
_STATED_MISSES = "With its stated noise it misses the goal."
_STATED_COSTS = (
    "Its stated noise publishes new names more often than δ allows: state a higher threshold."
)
_CONTRIBUTIONS_NEEDED = "It needs a limit: in how many items may one person count?"


@dataclass(frozen=True)
class Plan:
    """Smallest ε and cost of one design; infinite ε with a `reason` where there is none."""

    design: Design
    label: str
    smallest: float
    epsilon: float
    reason: str
    cost: Cost | None
    looked: tuple[FigureCurve, ...] = field(kw_only=True, default=(), repr=False)

    @property
    def meets_goal(self) -> bool:
        return math.isfinite(self.smallest)

    @property
    def is_met_by_chance(self) -> bool:
        return self.smallest <= _CHANCE

    @property
    def total(self) -> Total | None:
        return None if self.cost is None else self.cost.total

    @property
    def guess_bound(self) -> float:
        """Bound on an attacker's right guesses after all releases; 1 where there is no cost."""
        return 1.0 if self.cost is None else self.cost.guess

    def sort_key(self, question: Question) -> tuple[float, float, float]:
        return (
            (math.inf, math.inf, math.inf)
            if self.cost is None
            else (*self.cost.sort_key(question), self.smallest)
        )


@dataclass(frozen=True)
class PlanCurves:
    curve: FigureCurve
    costs: CostCurve
    shape: CurveShape


@dataclass(frozen=True)
class PlanWithCurves(Plan):
    """A plan beside the others: its total in `multiple` of the smallest, and its curves."""

    multiple: float
    along: PlanCurves | None

    @property
    def method(self) -> str:
        """ "exact" or "estimated", as the curve is; "" where it was not searched."""
        return "" if self.along is None else self.along.curve.method

    @property
    def curve(self) -> FigureCurve:
        """Chance of the goal against ε, on the data where it is smallest."""
        return self._drawn.curve

    @property
    def costs(self) -> CostCurve:
        return self._drawn.costs

    @property
    def shape(self) -> CurveShape:
        return self._drawn.shape

    @property
    def _drawn(self) -> PlanCurves:
        if self.along is None:
            raise LookupError(f"{self.label} was left out of the search: it has no curve")
        return self.along


def find_plan(
    design: Design,
    question: Question,
    vectors: Sequence[Scores],
    progress: Progress,
    *,
    is_hand_picked: bool = False,
) -> Plan:
    label, m = question.label(design), design.build(1.0, question.k)
    if unfit := _unfit(m, question, vectors):
        return Plan(design, label, math.inf, math.inf, unfit, None)
    if m.states_noise:
        missed = "" if meets_goal_on_all(m, vectors, question) else _STATED_MISSES
        smallest = math.inf if missed else m.epsilon
        cost = None if missed and not is_hand_picked else plan_cost(design, m.epsilon, question)
        return Plan(design, label, smallest, m.epsilon, missed, cost)
    large = vectors[0].d * question.k >= _LARGE and not is_hand_picked
    if large and (m.heavy or not m.has_exact_law(vectors[0], progress)):
        return Plan(design, label, math.inf, math.inf, _LEFT_OUT, None)
    laws: list[list[TopKDistribution]] = [[] for _ in vectors]
    smallest, reason = worst_case_epsilon_or_reason(
        m, question, vectors, progress, lambda at, law: laws[at].append(law)
    )
    if reason:
        return Plan(design, label, math.inf, math.inf, reason, None)
    epsilon = rounded_goal_epsilon(m, smallest, question, vectors)
    return Plan(
        design,
        label,
        smallest,
        epsilon,
        "",
        plan_cost(design, epsilon, question),
        looked=tuple(exact_goal_curve(question.parsed_goal, some) for some in laws),
    )


def _unfit(m: TopKMechanism, question: Question, vectors: Sequence[Scores]) -> str:
    """Reason why the mechanism cannot be searched; "" where it can."""
    if not all(m.guarantee_holds(one.names_known) for one in vectors):
        return NAMES_NEEDED
    new_names = question.releases * m.zcdp_delta
    if m.states_noise and (m.epsilon == math.inf or new_names > question.delta):
        return _STATED_COSTS
    if max(m.delta_spent, new_names) > question.delta:
        return _DELTA_NEEDED
    try:
        m.check_scores(vectors[0])
    except ParameterError as err:
        if err.parameter == "contributions":
            return _CONTRIBUTIONS_NEEDED
        raise
    return ""


def cheapest_plan(
    designs: Sequence[Design], question: Question, vectors: Sequence[Scores], progress: Progress
) -> Plan | None:
    """The plan that costs least by the measure of the limit; None without any design."""
    plans = [
        find_plan(design, question, vectors, part)
        for design, part in iterate_with_progress(designs, progress)
    ]
    return min(plans, key=lambda one: one.sort_key(question), default=None)


def worst_case_epsilon_or_reason(
    m: TopKMechanism,
    question: Question,
    vectors: Sequence[Scores],
    progress: Progress,
    report_law: Looked = lambda at, law: None,
) -> tuple[float, str]:
    """Smallest ε for the goal on every vector and every allowed scaling of it, or a reason."""
    hardest = scale_scores(vectors, question.smaller)
    if (
        m.shorter and question.larger > 1
    ):  # a goal of shorter lists may be lost where scores are larger
        hardest += scale_scores(vectors, question.larger)

    def told(at: int, law: TopKDistribution) -> None:
        if at < len(vectors):
            report_law(at, law)

    smallest, reason = smallest_epsilon_or_reason(
        m, hardest, question.parsed_goal, LARGEST_EPSILON, progress, told
    )
    if not reason and not meets_goal_on_all(
        m.replace(epsilon=rounded_goal_epsilon(m, smallest, question, vectors)), vectors, question
    ):
        return math.inf, "The chance of the goal falls again where scores are larger."
    return smallest, reason


def rounded_goal_epsilon(
    m: TopKMechanism, smallest: float, question: Question, vectors: Sequence[Scores]
) -> float:
    """Smallest ε rounded up; unrounded where shorter lists miss the goal at the rounded one."""
    rounded = round_epsilon_up(smallest)
    return (
        smallest
        if m.shorter and not meets_goal_on_all(m.replace(epsilon=rounded), vectors, question)
        else rounded
    )


def is_exclusion_reason(reason: str) -> bool:
    return reason in {_LEFT_OUT, NAMES_NEEDED, _DELTA_NEEDED, _CONTRIBUTIONS_NEEDED}


def add_curves_to_plan(
    plan: Plan,
    smallest_total_epsilon: float,
    question: Question,
    vectors: Sequence[Scores],
    epsilon_range: tuple[float, float],
    progress: Progress,
    *,
    is_chosen: bool = False,
) -> PlanWithCurves:
    base = PlanWithCurves(
        **vars(plan),
        multiple=plan.total.epsilon / smallest_total_epsilon
        if plan.total is not None and smallest_total_epsilon > 0
        else math.nan,
        along=None,
    )
    if is_exclusion_reason(plan.reason) and not is_chosen:
        return base
    m = plan.design.build(1.0, question.k)
    curves = [
        _flat_curve(m, scores, question, epsilon_range)
        if m.states_noise
        else utility_curves(
            m,
            scores,
            events=(question.parsed_goal.event,),
            at_least=question.parsed_goal.at_least,
            low=epsilon_range[0],
            high=epsilon_range[1],
            tolerance=_TOLERANCE,
            samples=_FEW,
            progress=part,
            earlier_curves=(plan.looked[at],) if plan.looked else (),
        )[0]
        for (at, scores), part in iterate_with_progress(
            list(enumerate(scale_scores(vectors, question.smaller))), progress
        )
    ]
    curve = _lowest(curves)
    return replace(
        base,
        along=PlanCurves(
            curve,
            cost_curve(plan.design, epsilon_range, plan.epsilon, question),
            curve_shape(curve),
        ),
    )


def _flat_curve(
    m: TopKMechanism, scores: Scores, question: Question, ends: tuple[float, float]
) -> FigureCurve:
    law, goal = m.distribution(scores), question.parsed_goal
    return FigureCurve.from_constant(law, goal.event, goal.figure_value(law), ends)


def _lowest(curves: Sequence[FigureCurve]) -> FigureCurve:
    """Pointwise smallest of several curves, at every node of any."""
    if len(curves) == 1:
        return curves[0]
    x = np.unique(np.concatenate([curve.x for curve in curves]))
    x = x[(x >= max(curve.x[0] for curve in curves)) & (x <= min(curve.x[-1] for curve in curves))]
    value = np.stack([curve.at(x) for curve in curves])
    low, high = (
        np.stack([np.interp(np.log(x), np.log(curve.x), getattr(curve, end)) for curve in curves])
        for end in ("low", "high")
    )
    method = "estimated" if any(curve.method == "estimated" for curve in curves) else "exact"
    return FigureCurve(
        curves[0].event,
        x,
        value.min(0),
        low.min(0),
        high.min(0),
        max(curve.error for curve in curves),
        method,
    )
