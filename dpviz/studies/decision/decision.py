"""A question with its answer: what everything that leaves is made of.

Invariants: it holds figures and names of items, never a score; every figure says whether it is
exact.
"""

from dataclasses import dataclass

from dpviz.base import Plottable
from dpviz.base.former_names import former_names
from dpviz.privacy.composition import Composition, Total
from dpviz.studies import Scenario
from dpviz.studies.decision.contribution_caps import CapOutcome
from dpviz.studies.decision.costs import Cost
from dpviz.studies.decision.odds import AttackerOdds
from dpviz.studies.decision.plans import PlanWithCurves
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import ScaledGoalProbability
from dpviz.studies.decision.suggestions import AffordableOffer, Suggestion
from dpviz.studies.decision.wrong_lists import WrongLists
from dpviz.topk import TopKMechanism


@dataclass(frozen=True)
class Utility:
    """How good the lists are at the ε decided on.

    As k come out, the drop rate (true ones missing) and the spurious rate (published ones that do
    not belong) are both `missed`/k; where fewer may come out, fewer stand in the places of those
    missing.
    """

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
        """The share of the true top k that is missing, on average."""
        return self.missed / self.k

    @property
    def spurious_rate(self) -> float:
        """The share of the k places with something in them that does not belong there, on average."""
        if self.length is None:
            return self.missed / self.k
        out, right = (
            sum(j * chance for j, chance in enumerate(law)) for law in (self.length, self.hits)
        )
        return max(0.0, out - right) / self.k

    @property
    def k(self) -> int:
        """How many places a list has."""
        return len(self.hits) - 1


@former_names(fits="is_within_limit", meets="meets_goal", need="chosen_plan_with_curves")
@dataclass(frozen=True)
class Decision(Plottable):
    """A question with its answer.

    Parameters
    ----------
    question
        What was asked.
    scenario
        Data, designs and ε, without scores.
    d
        How many items there are.
    needs
        What each design of the question needs and costs, in their order.
    taken
        The index of the one that is published with.
    epsilon
        The ε decided on, of one release.
    mechanism
        The mechanism taken at this ε.
    utility
        How good the lists are on the data decided on.
    drift
        The chance of the goal as all scores shrink and grow.
    lost_below
        The factor below which the goal is lost; None where it is not met on the data themselves.
    misses
        What a wrong list looks like.
    labels
        The names of the items that `misses` is about, by index.
    odds
        What one release means for a person, in odds.
    account
        The total of all releases that one unit counts in, by every way.
    one
        What a single release costs.
    cost
        The smallest total that holds whatever earlier releases showed, and how often a guesser is
        right after it.
    total_odds
        What all of them mean for a person, in odds: beliefs by the sum of ε, which holds for every
        output.
    everyone
        What all releases cost whoever counts in each of them, where one unit does not; else None.
    offer
        Where the accepted cost is passed, the best quality that it buys.
    helps
        What a list of names would save, and where no plan will do, what would help.
    caps
        What a cap would save, counted again from the log; None where none is at hand.
    change
        What one unit can change, in a sentence.
    digest
        That of the scores, only where it was asked for: that of small counts can be guessed.
    """

    question: Question
    scenario: Scenario
    d: int
    needs: tuple[PlanWithCurves, ...]
    taken: int
    epsilon: float
    mechanism: TopKMechanism
    utility: Utility
    drift: tuple[ScaledGoalProbability, ...]
    lost_below: float | None
    misses: WrongLists
    labels: dict[int, str]
    odds: AttackerOdds
    account: Composition
    one: Cost
    cost: Cost
    total_odds: AttackerOdds
    everyone: Cost | None
    offer: AffordableOffer | None
    helps: tuple[Suggestion, ...]
    caps: tuple[CapOutcome, ...] | None
    change: str
    digest: str | None = None

    @property
    def chosen_plan_with_curves(self) -> PlanWithCurves:
        """That of the design taken."""
        return self.needs[self.taken]

    @property
    def total(self) -> Total | None:
        """The smallest total of all releases at δ that holds whatever earlier ones showed, with its
        way.
        """
        return self.cost.total

    @property
    def meets_goal(self) -> bool:
        """Whether the ε decided on meets the goal; one that was given may not."""
        held = [
            one for one in self.drift if self.question.smaller <= one.factor <= self.question.larger
        ]
        falls = self.mechanism.shorter and any(
            one.low < self.question.parsed_goal.probability for one in held
        )
        return (
            self.epsilon >= self.chosen_plan_with_curves.smallest and not falls
        )  # more ε may lose a goal of shorter lists

    @property
    def is_within_limit(self) -> bool | None:
        """Whether it costs at most what is accepted; None where nobody said what is."""
        return self.cost.is_within_limit(self.question)

    @property
    def do_not_publish(self) -> bool:
        """Whether the answer is not to publish this: it costs more than accepted, or hardly
        protects anybody.
        """
        return not self.cost.is_acceptable(self.question)
