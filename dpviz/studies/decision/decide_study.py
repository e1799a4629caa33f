"""The answer to a question, step by step: the cheapest plan that meets the goal on all data.

Symbols: ε* = smallest ε of one release that meets the goal on every data set; ε = the one decided
on: given, or ε* rounded up. Totals are those of all releases at δ, figures those of the law at ε.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpviz.base import (
    ParameterError,
    Progress,
    Scores,
    iterate_with_progress,
)
from dpviz.privacy.composition_result import Composition
from dpviz.studies import (
    Study,
    bounded_probability,
    smallest_epsilon_or_reason,
    step,
    steps_by_name,
)
from dpviz.studies.decision.costs import compose_question_releases
from dpviz.studies.decision.decided_plan import DecidedPlan
from dpviz.studies.decision.decision import Decision, Utility
from dpviz.studies.decision.plans import (
    Plan,
    PlanWithCurves,
    add_curves_to_plan,
    find_plan,
    is_exclusion_reason,
)
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import (
    ScaledGoalProbability,
    find_score_factor_losing_goal,
    goal_probabilities_by_factor,
)
from dpviz.studies.decision.suggestions import (
    AffordableOffer,
    CapOutcome,
    RecountableLog,
    Suggestion,
    best_affordable_offer,
    compute_cap_outcomes,
    suggest_changes,
    suggest_fixed_name_list,
)
from dpviz.studies.decision.verdict import DecisionVerdict, judge_plan, nearest_plan_within_limit
from dpviz.studies.decision.wrong_lists import WrongLists, likely_wrong_lists
from dpviz.topk import LARGEST_EPSILON, TopKDistribution
from dpviz.topk.epsilon_search import SMALLEST_EPSILON

_WORTH_TELLING = 1e-6  # of a wrong list
_AROUND = 32.0  # a curve goes from the smallest ε over this to the largest one times this
_SMALLEST, _LARGEST = 1e-6, 1e6


class GoalOutOfReach(ParameterError):
    """A goal that no allowed design reaches, with the reason as a second sentence."""

    def __init__(self, goal: str, label: str, why: str) -> None:
        super().__init__("The goal", goal, f"one that {label} on these data", "unreachable")
        self.args = (goal, label, why)  # so that it survives pickling

    def __str__(self) -> str:
        goal, label, why = self.args
        return f'On these data {label} the goal "{goal}". {why[:1].upper()}{why[1:]}'.strip()


@dataclass(frozen=True, kw_only=True, eq=False)
class DecideStudy(DecidedPlan, Study):
    """Plans, costs and risks of a question; steps from `law` on raise where no plan is enough."""

    question: Question
    scores: Scores
    past: tuple[Scores, ...] = ()
    log: RecountableLog | None = None
    digest: bool = False
    samples: int = 10_000

    @classmethod
    def from_question(
        cls,
        question: Question,
        scores: Scores | Sequence[Scores] | None = None,
        *,
        log: RecountableLog | None = None,
        digest: bool = False,
        samples: int = 10_000,
    ) -> Self:
        """Study of `scores`, or of the question's own data, under its neighbouring relation."""
        data = question.data
        if data.fall is not None and data.names_known:  # releases know one number
            data = replace(data, fall=None, sensitivity=data.fall_plus_rise_sensitivity)
        given = [scores] if isinstance(scores, Scores) else list(scores or ())
        first, *past = [data.with_person_metadata(one) for one in given] or [data.scores()]
        periods = tuple(past)
        # each item has its own: a release has noise for the largest
        if isinstance(first.sensitivities, np.ndarray):
            largest = max(one.sensitivity for one in (first, *past))
            question = question.replace(data=replace(question.data, sensitivity=largest))
        return cls(
            question=question.replace(periods=len(periods)),
            scores=first,
            past=periods,
            log=log,
            digest=digest,
            samples=samples,
        )

    @property
    def key(self) -> str:
        return " ".join([super().key, *(one.digest for one in self.past)])

    @property
    def change(self) -> str:
        """Sentence that says what one person can change, as the question says it."""
        said = self.question.data.with_person_metadata(self.scores)
        return said.change.replace("person", self.question.unit)

    def with_epsilon(self, epsilon: float) -> Self:
        """The same mechanism at another ε; what each mechanism needs for the goal stays."""
        names = [f"plans {of}" for of in self.plans]
        names += ["taken", "needs", "offer", "helps", "nearest"]
        known = {name: self.results[name] for name in names if name in self.results}
        return self.replace(
            question=self.question.replace(epsilon=epsilon, taken=self.taken), results=known
        )

    @property
    def score_vectors(self) -> tuple[Scores, ...]:
        return (self.scores, *self.past)

    @steps_by_name(
        list_names=lambda study: [f"{place}" for place, _ in enumerate(study.question.designs)]
    )
    def plans(self, design_index: str, progress: Progress) -> Plan:
        """Smallest ε of each design on all data, and its cost."""
        question, at = self.question, int(design_index)
        return find_plan(
            question.designs[at],
            question,
            self.score_vectors,
            progress,
            is_hand_picked=question.taken == at or len(question.designs) == 1,
        )

    @step
    def taken(self, progress: Progress) -> int:
        """Index of the design asked for, else of the cheapest."""
        order = [one.sort_key(self.question) for one in self.plans.values()]
        return order.index(min(order)) if self.question.taken is None else self.question.taken

    @property
    def chosen_plan(self) -> Plan:
        return self.plans[f"{self.taken}"]

    @property
    def has_no_acceptable_plan(self) -> bool:
        """True if no mechanism reaches the goal at an acceptable cost."""
        question = self.question
        return not any(
            one.cost is not None and one.cost.is_acceptable(question) for one in self.plans.values()
        )

    @step
    def offer(self, progress: Progress) -> AffordableOffer | None:
        """Best quality within the accepted cost, where no plan is acceptable."""
        designs = [one.design for one in self.plans.values() if not is_exclusion_reason(one.reason)]
        return (
            best_affordable_offer(self.question, designs, self.score_vectors, progress)
            if self.has_no_acceptable_plan
            else None
        )

    @step
    def helps(self, progress: Progress) -> tuple[Suggestion, ...]:
        """Suggestions: a list of names and, where no plan is acceptable, easier questions."""
        plans, vectors = list(self.plans.values()), self.score_vectors
        asked = self.question.replace(epsilon=None, taken=None)
        found = suggest_fixed_name_list(asked, plans, vectors, progress)
        return (
            found + suggest_changes(asked, plans, vectors, progress)
            if self.has_no_acceptable_plan
            else found
        )

    @step
    def nearest(self, progress: Progress) -> AffordableOffer | Suggestion | None:
        """The plan within the limit that is nearest to what was asked for."""
        asked = self.question.replace(epsilon=None, taken=None)
        return nearest_plan_within_limit(asked, self.plans.values(), self.offer, self.helps)

    @property
    def epsilon(self) -> float:  # type: ignore[override]
        """ε decided on; raises `GoalOutOfReach` where no plan meets the goal."""
        question, plans = self.question, list(self.plans.values())
        if not self.chosen_plan.design.build(1.0, question.k).guarantee_holds(
            self.scores.names_known
        ):
            allowed = "one that protects items of the data, such as limited domain"
            raise ParameterError("mechanism", self.chosen_plan.label, allowed, "choice")
        if self.chosen_plan.design.stated_scale:
            if self.chosen_plan.cost is None:
                allowed = "one that publishes new names less often than δ allows"
                raise ParameterError("the stated noise", self.chosen_plan.label, allowed)
            return self.chosen_plan.epsilon
        if question.epsilon is not None:
            return question.epsilon
        if not self.chosen_plan.meets_goal:
            label = "no mechanism that is allowed reaches"
            if question.taken is not None:
                label, plans = f"{self.chosen_plan.label} does not reach", [self.chosen_plan]
            first, *_ = [one for one in plans if not is_exclusion_reason(one.reason)] or plans
            raise GoalOutOfReach(question.goal_text, label, first.reason)
        return self.chosen_plan.epsilon

    @property
    def meets_goal(self) -> bool:
        """True if ε meets the goal; of lists that may be shorter it is seen on these data only."""
        return self.epsilon >= self.chosen_plan.smallest and (
            not self.mechanism.shorter or self.utility.low >= self.question.parsed_goal.probability
        )

    @property
    def verdict(self) -> DecisionVerdict:
        """Verdict on the plan."""
        return judge_plan(self.cost, self.question, self.nearest, meets_goal=self.meets_goal)

    @step
    def law(self, progress: Progress) -> TopKDistribution:
        return self.mechanism.distribution(self.scores, samples=self.samples, progress=progress)

    @step
    def utility(self, progress: Progress) -> Utility:
        law = self.law
        chance = bounded_probability(law, self.question.parsed_goal.figure_value(law))
        right = float(np.arange(law.k + 1) @ law.hits)
        missed = max(0.0, min(law.k, self.mechanism.largest_list_size(self.scores)) - right)
        length = tuple(law.length.tolist()) if self.mechanism.shorter else None
        hits, every = tuple(law.hits.tolist()), 1.0 if length is None else length[-1]
        return Utility(
            *chance,
            hits,
            missed,
            law.error,
            law.method,
            law.draws,
            length,
            bounded_probability(law, every),
        )

    @step
    def drift(self, progress: Progress) -> tuple[ScaledGoalProbability, ...]:
        return goal_probabilities_by_factor(
            self.mechanism, self.score_vectors, self.question, progress
        )

    @step
    def lost_below(self, progress: Progress) -> float | None:
        """Factor of the scores below which the goal is lost; 0 if there is none."""
        m, question = self.mechanism, self.question
        smallest = self.chosen_plan.smallest * question.smaller
        if not (m.delta_spent or m.states_noise) and not self.chosen_plan.meets_goal:
            smallest, _ = smallest_epsilon_or_reason(
                m, self.score_vectors, question.parsed_goal, LARGEST_EPSILON, progress
            )
        # at the smallest ε a search found the goal met wherever it looked
        if m.delta_spent or m.states_noise or smallest <= SMALLEST_EPSILON:
            return find_score_factor_losing_goal(m, self.score_vectors, question, progress)
        return smallest / self.epsilon if smallest <= self.epsilon else None

    @step
    def needs(self, progress: Progress) -> tuple[PlanWithCurves, ...]:
        """Curves of all designs over one range of ε that holds every smallest ε."""
        question, plans = self.question, list(self.plans.values())
        finite = [one.smallest for one in plans if one.meets_goal]
        inside = [*finite, self.epsilon]
        ends = max(min(inside) / _AROUND, _SMALLEST), min(max(inside) * _AROUND, _LARGEST)
        best = min(
            (one.cost.total_epsilon for one in plans if one.cost is not None), default=math.inf
        )
        return tuple(
            add_curves_to_plan(
                one, best, question, self.score_vectors, ends, part, is_chosen=at == self.taken
            )
            for (at, one), part in iterate_with_progress(list(enumerate(plans)), progress)
        )

    @step
    def account(self, progress: Progress) -> Composition:
        return compose_question_releases(self.mechanism, self.question)

    @step
    def misses(self, progress: Progress) -> WrongLists:
        return likely_wrong_lists(self.law, lowest_probability=_WORTH_TELLING, progress=progress)

    @step
    def caps(self, progress: Progress) -> tuple[CapOutcome, ...] | None:
        """Savings by caps; None without a log, or with past periods, which have no log."""
        return (
            None
            if self.log is None or self.past
            else compute_cap_outcomes(self.question, self.scores, self.log, progress)
        )

    @step
    def decision(self, progress: Progress) -> Decision:
        question, scores = self.question, self.scores
        return Decision(
            question=question,
            scenario=replace(
                question.to_scenario(self.epsilon), data=replace(question.data, d=scores.d)
            ),
            d=scores.d,
            needs=self.needs,
            taken=self.taken,
            epsilon=self.epsilon,
            utility=self.utility,
            drift=self.drift,
            lost_below=self.lost_below,
            misses=self.misses,
            labels={item: scores.label(item) for item in self.misses.item_indices},
            account=self.account,
            offer=self.offer,
            helps=self.helps,
            nearest=self.nearest,
            caps=self.caps,
            change=self.change,
            digest=scores.digest if self.digest else None,
        )
