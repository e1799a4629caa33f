"""A question with its answer: figures and item names, never a score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.base import (
    Frame,
    Plottable,
    Progress,
    Scores,
    TabularResult,
    ValueEquality,
    ignore_progress,
    pd,
)
from dpviz.base.former_names import former_names
from dpviz.base.live_figure import LiveFigure, draw_live_figure
from dpviz.privacy.composition_result import Composition
from dpviz.studies import Scenario
from dpviz.studies.decision.decided_plan import DecidedPlan
from dpviz.studies.decision.plans import Plan, PlanWithCurves
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import ScaledGoalProbability
from dpviz.studies.decision.suggestions import AffordableOffer, CapOutcome, Suggestion
from dpviz.studies.decision.verdict import DecisionVerdict, judge_plan
from dpviz.studies.decision.wrong_lists import WrongLists


@dataclass(frozen=True)
class Utility:
    """Quality of the lists at the ε decided on; `missed` true items are missing on average."""

    chance: float
    low: float
    high: float
    hits: tuple[float, ...]
    missed: float
    error: float
    method: str
    draws: int
    length: tuple[float, ...] | None = None
    whole: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def drop_rate(self) -> float:
        """Average share of the true items that is missing; there may be fewer than k of them."""
        right = sum(j * chance for j, chance in enumerate(self.hits))
        return self.missed / (self.missed + right)

    @property
    def spurious_rate(self) -> float:
        """Average share of the k places filled by an item that does not belong there."""
        if self.length is None:
            return self.missed / self.k
        out, right = (
            sum(j * chance for j, chance in enumerate(law)) for law in (self.length, self.hits)
        )
        return max(0.0, out - right) / self.k

    @property
    def k(self) -> int:
        return len(self.hits) - 1


@former_names(fits="is_within_limit", meets="meets_goal", need="chosen_plan_with_curves")
@dataclass(frozen=True, repr=False, eq=False)
class Decision(DecidedPlan, ValueEquality, TabularResult, Plottable):
    """A question with its answer.

    Parameters
    ----------
    question
        The question.
    scenario
        Data, designs and ε, without scores.
    d
        Number of items.
    needs
        ε and cost of each design of the question, in their order.
    taken
        Index of the design that is published with.
    epsilon
        The ε decided on, of one release.
    utility
        Quality of the lists on the data decided on.
    drift
        Chance of the goal as all scores shrink and grow.
    lost_below
        Factor of the scores below which the goal is lost; None where the data miss it.
    misses
        Likeliest wrong lists.
    labels
        Names of the items in `misses`, by index.
    account
        Total of all releases that one unit counts in, by every way.
    offer
        Best quality within the accepted cost, where no plan is acceptable.
    helps
        Changes of the question that would help.
    nearest
        Plan within the limit that is nearest to what was asked for; None where there is none.
    caps
        Savings by caps on the items of a person; None without a log.
    change
        Change that one unit can make, in a sentence.
    digest
        Digest of the scores if asked for: that of small counts can be guessed.
    """

    question: Question
    scenario: Scenario
    d: int
    needs: tuple[PlanWithCurves, ...]
    taken: int
    epsilon: float
    utility: Utility
    drift: tuple[ScaledGoalProbability, ...]
    lost_below: float | None
    misses: WrongLists
    labels: dict[int, str]
    account: Composition
    offer: AffordableOffer | None
    helps: tuple[Suggestion, ...]
    nearest: AffordableOffer | Suggestion | None
    caps: tuple[CapOutcome, ...] | None
    change: str
    digest: str | None = None

    def live(
        self,
        scores: Scores | Sequence[Scores] | None = None,
        *,
        own_plotly: bool = True,
        progress: Progress = ignore_progress,
    ) -> LiveFigure:
        """A figure of the answer with a slider of ε, for a notebook, a page or a file.

        Parameters
        ----------
        scores
            The scores that were given to `decide`, as a decision holds none; else None.
        own_plotly
            False if the figure takes plotly's script from another live figure on the same page.
        progress
            Called with the fraction done; may raise `Cancelled`.

        Returns
        -------
        LiveFigure
            The figure; see its `save` and `html`.

        Raises
        ------
        ParameterError
            For uploaded data without their scores.
        """
        return draw_live_figure(self, scores, own_plotly=own_plotly, progress=progress)

    @property
    def chosen_plan(self) -> Plan:
        """Plan that is published with."""
        return self.needs[self.taken]

    @property
    def meets_goal(self) -> bool:
        """True if the ε decided on meets the goal; a given one may not."""
        # more ε may lose a goal of shorter lists
        falls = self.mechanism.shorter and any(
            one.low < self.question.parsed_goal.probability
            for one in self.drift
            if self.question.smaller <= one.factor <= self.question.larger
        )
        return self.epsilon >= self.chosen_plan_with_curves.smallest and not falls

    @property
    def verdict(self) -> DecisionVerdict:
        """Yes, no, or that no limit was set."""
        return judge_plan(self.cost, self.question, self.nearest, meets_goal=self.meets_goal)

    @property
    def is_within_limit(self) -> bool | None:
        """True if the cost is within the limit; None where no limit was given."""
        return self.cost.is_within_limit(self.question)

    def frame(self) -> Frame:
        """Need and cost of each mechanism, a row each, the cheapest first."""
        rows = [
            {
                "goal": self.question.goal_text,
                "design": need.label,
                "mechanism": need.design.mechanism,
                "parameters": need.design.parameter_text,
                "k": self.question.k,
                "total": math.nan if need.total is None else need.total.epsilon,
                "delta": math.nan if need.total is None else need.total.delta,
                "way": "" if need.total is None else need.total.way,
                "multiple": need.multiple,
                "guess": need.guess_bound,
                "smallest_epsilon": need.smallest,
                "turning_point": None if need.along is None else need.shape.turning,
                "levels_off": None if need.along is None else need.shape.levels_off,
                "method": need.method,
                "taken": need is self.chosen_plan_with_curves,
                "reason": need.reason,
            }
            for need in sorted(self.needs, key=lambda need: need.sort_key(self.question))
        ]
        return pd.DataFrame(rows).astype({"turning_point": float, "levels_off": float})

    def __repr__(self) -> str:
        fits = {True: "within the limit", False: "not within the limit", None: "no limit was set"}
        goal = "meets" if self.meets_goal else "misses"
        return (
            f"Decision({self.chosen_plan.label} at ε = {self.epsilon:g} {goal}"
            f" {self.question.goal_text!r}, in total {self.total}, {fits[self.is_within_limit]})"
        )

    @property
    def do_not_publish(self) -> bool:
        """True if the cost passes the limit, or protection is weak without a limit."""
        return not self.cost.is_acceptable(self.question)
