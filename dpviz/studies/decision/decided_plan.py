"""The plan decided on: its mechanism, its cost, and the odds that it promises one person."""

from dataclasses import dataclass

from dpviz.base import cached_property
from dpviz.privacy.composition_result import Total
from dpviz.privacy.odds import posterior_bound
from dpviz.studies.decision.costs import Cost, plan_cost, releases_cost
from dpviz.studies.decision.plans import PlanWithCurves
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

PRIORS = (0.01, 0.1, 0.5)


@dataclass(frozen=True)
class AttackerOdds:
    """Bound on right guesses from 50/50, and on each prior belief; no beliefs with a δ."""

    epsilon: float
    guess: float
    beliefs: tuple[tuple[float, float], ...]


def attacker_odds(epsilon: float, right_guess_bound: float, *, pure: bool = True) -> AttackerOdds:
    """Odds at this ε and guess bound; with a δ no bound on beliefs holds for every output."""
    beliefs = ((p, posterior_bound(p, epsilon)) for p in PRIORS)
    return AttackerOdds(epsilon, right_guess_bound, tuple(beliefs) if pure else ())


# costs are kept, as some are convolved and each is asked for by many sentences
class DecidedPlan:
    """Base of a study and of its decision: what follows from the question, the plan taken and ε."""

    question: Question
    needs: tuple[PlanWithCurves, ...]
    taken: int
    epsilon: float

    @property
    def chosen_plan_with_curves(self) -> PlanWithCurves:
        """Plan that is published with, and its curves."""
        return self.needs[self.taken]

    @property
    def mechanism(self) -> TopKMechanism:
        """The mechanism taken at the ε decided on."""
        return self.question.designs[self.taken].build(self.epsilon, self.question.k)

    @cached_property
    def cost(self) -> Cost:
        """Smallest total of all releases, chosen one after another, and the bound on an attacker."""
        return plan_cost(self.question.designs[self.taken], self.epsilon, self.question)

    @property
    def total(self) -> Total | None:
        """Smallest total of all releases at δ that holds for releases chosen after earlier ones."""
        return self.cost.total

    @cached_property
    def one(self) -> Cost:
        """Cost of a single release."""
        return releases_cost(self.mechanism, 1, self.question.replace(also=""))

    @cached_property
    def everyone(self) -> Cost | None:
        """Cost to a person who is in every release, where one unit cannot be; else None."""
        question = self.question
        if question.releases_per_unit == question.releases:
            return None
        return releases_cost(self.mechanism, question.releases, question)

    @property
    def odds(self) -> AttackerOdds:
        """Odds of one release for one person."""
        return attacker_odds(self.epsilon, self.one.guess, pure=not self.mechanism.delta_spent)

    @property
    def total_odds(self) -> AttackerOdds:
        """Odds of all releases; beliefs by the sum of ε, which holds for every output."""
        others = self.question.other_lists
        return attacker_odds(
            self.epsilon * self.question.releases_per_unit
            + sum(one.each[0] * one.times for one in others),
            self.cost.guess,
            pure=not self.mechanism.delta_spent and not any(one.delta for one in others),
        )
