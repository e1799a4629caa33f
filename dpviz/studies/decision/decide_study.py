"""The answer to a question: the plan that costs least and meets the goal on all data, and what it
means.

Symbols: ε* = smallest ε of one release that meets the goal on every data set; ε = the one decided
on: one given, else ε* rounded up; a plan is a mechanism at its ε; its total is that of all releases
at δ. `DecideStudy` computes it step by step; its last step is the `Decision`, which everything that
leaves is made of.
Invariants: an ε that was not given meets the goal on each of the data; every figure is that of the
law at ε.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpviz.base import ParameterError, Progress, Scores, each
from dpviz.privacy.composition import Composition, Total
from dpviz.studies import Study, needed_epsilon, step, steps
from dpviz.studies.decision.contribution_caps import Cap, Log, caps
from dpviz.studies.decision.costs import Cost, account, cost, plan_cost
from dpviz.studies.decision.decision import Decision, Utility
from dpviz.studies.decision.odds import Odds, odds
from dpviz.studies.decision.plans import Need, Plan, left_out, need, plan
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.score_scaling import Drift, lost_below, strip
from dpviz.studies.decision.suggestions import Help, Offer, best_offer, names_beforehand, what_helps
from dpviz.studies.decision.wrong_lists import Misses, likely_misses
from dpviz.topk import LARGEST_EPSILON, TopKDistribution, TopKMechanism
from dpviz.topk.epsilon_search import SMALLEST_EPSILON

_WORTH_TELLING = 1e-6  # of a wrong list
_AROUND = 32.0  # a curve goes from the smallest ε over this to the largest one times this
_SMALLEST, _LARGEST = 1e-6, 1e6


class OutOfReach(ParameterError):
    """A goal that no design allowed reaches, and in a second sentence why."""

    def __init__(self, goal: str, label: str, why: str) -> None:
        super().__init__("The goal", goal, f"one that {label} reaches on these data", "unreachable")
        self.why = why
        self.args = (goal, label, why)  # so that it survives pickling

    def __str__(self) -> str:
        return f"{super().__str__()} {self.why[:1].upper()}{self.why[1:]}".strip()


@dataclass(frozen=True, kw_only=True, eq=False)
class DecideStudy(Study):
    """What answers a question: what each plan needs and costs, and what the one taken gives and
    risks.

    Its steps from `law` on raise `ParameterError` where no design allowed reaches the goal and no ε
    was given.

    Parameters
    ----------
    question : Question
        What is asked.
    scores : Scores
        The data that it is answered on, with what the question says that one unit can change.
    past : tuple of Scores, optional
        Score vectors of past periods, on which the goal has to be met too.
    log : Log, optional
        The event log that the scores were counted from, to say what a cap would save.
    digest : bool, optional
        Whether the decision holds the digest of the data.
    samples : int, optional
        Draws where a law is estimated.
    results, beside, keep : optional
        As every `Study` has them.
    """

    question: Question
    scores: Scores
    past: tuple[Scores, ...] = ()
    log: Log | None = None
    digest: bool = False
    samples: int = 10_000

    @classmethod
    def of(
        cls,
        question: Question,
        scores: Scores | Sequence[Scores] | None = None,
        *,
        log: Log | None = None,
        digest: bool = False,
        samples: int = 10_000,
    ) -> Self:
        """On `scores`, with what the question says that one unit can change; on its data's own
        where none are given.

        Parameters
        ----------
        question : Question
            What is asked.
        scores : Scores or sequence of Scores, optional
            Those of uploaded data; or several vectors, the first of them the one decided on, the
            others of past periods.
        log : Log, optional
            The event log that the first were counted from.
        digest : bool, optional
            Whether the decision holds the digest of the data.
        samples : int, optional
            Draws where a law is estimated.

        Returns
        -------
        DecideStudy
            With nothing computed yet.

        Raises
        ------
        ParameterError
            For uploaded data without their scores.
        """
        data = question.data
        given = [scores] if isinstance(scores, Scores) else list(scores or ())
        first, *past = [replace(one, **data.person) for one in given] or [data.scores()]
        periods = tuple(past)
        asked = question.replace(periods=len(periods))
        return cls(
            question=asked, scores=first, past=periods, log=log, digest=digest, samples=samples
        )

    @property
    def key(self) -> str:
        """What tells it from other studies."""
        return " ".join([super().key, *(one.digest for one in self.past)])

    def at(self, epsilon: float) -> Self:
        """The same mechanism at another ε; what each mechanism needs for the goal stays."""
        names = [f"plans {of}" for of in self.plans] + ["taken", "needs"]
        known = {name: self.results[name] for name in names if name in self.results}
        return self.replace(
            question=self.question.replace(epsilon=epsilon, taken=self.taken), results=known
        )

    @property
    def vectors(self) -> tuple[Scores, ...]:
        """The data decided on and those of past periods, as they are."""
        return (self.scores, *self.past)

    @steps(over=lambda study: [f"{place}" for place, _ in enumerate(study.question.designs)])
    def plans(self, of: str, progress: Progress) -> Plan:
        """The smallest ε of each design on all data, and what the plan costs."""
        question, at = self.question, int(of)
        by_hand = question.taken == at or len(question.designs) == 1
        return plan(question.designs[at], question, self.vectors, progress, by_hand=by_hand)

    @step
    def taken(self, progress: Progress) -> int:
        """The design asked for, else the one that costs least by what the limit is said in."""
        order = [one.order(self.question) for one in self.plans.values()]
        return order.index(min(order)) if self.question.taken is None else self.question.taken

    @property
    def plan(self) -> Plan:
        """The plan taken."""
        return self.plans[f"{self.taken}"]

    @property
    def wanting(self) -> bool:
        """Whether no plan will do: none reaches the goal at an accepted cost, or the best hardly
        protects anybody.
        """
        question = self.question
        chosen = question.taken is not None or question.epsilon is not None
        priced = (
            [self.cost]
            if question.epsilon
            else [self.plan.cost]
            if chosen
            else [p.cost for p in self.plans.values()]
        )
        return not any(cost is not None and cost.will_do(question) for cost in priced)

    @step
    def offer(self, progress: Progress) -> Offer | None:
        """Where no plan will do, the best quality that the accepted cost buys."""
        designs = [one.design for one in self.plans.values() if not left_out(one.reason)]
        return best_offer(self.question, designs, self.vectors, progress) if self.wanting else None

    @step
    def beforehand(self, progress: Progress) -> tuple[Help, ...]:
        """What a list of names known beforehand would save, where there is none."""
        best = min(self.plans.values(), key=lambda one: one.order(self.question))
        if self.scores.names_known or best.cost is None:
            return ()
        return names_beforehand(self.question, self.vectors, best.cost, progress)

    @step
    def helps(self, progress: Progress) -> tuple[Help, ...]:
        """What a list of names would save and, where no plan will do, what would help."""
        beforehand = self.beforehand
        if not self.wanting:
            return beforehand
        searched = [one for one in self.plans.values() if not left_out(one.reason)]
        best = min(searched, key=lambda one: one.order(self.question), default=None)
        if best is None:
            return beforehand
        return beforehand + what_helps(
            self.question, best.design, best.epsilon, self.vectors, progress
        )

    @property
    def epsilon(self) -> float:
        """The ε decided on."""
        question, plans = self.question, list(self.plans.values())
        if not self.plan.design.build(1.0, question.k).holds(self.scores.names_known):
            raise ParameterError(
                "names", "unknown", "known beforehand for each mechanism that is allowed", "choice"
            )
        if question.epsilon is not None:
            return question.epsilon
        if not self.plan.found:
            label = "some design allowed" if question.taken is None else self.plan.label
            reasons = [one.reason for one in plans if not left_out(one.reason)]
            raise OutOfReach(question.goal_text, label, reasons[0] if reasons else "")
        return self.plan.epsilon

    @property
    def mechanism(self) -> TopKMechanism:
        """What is published with."""
        return self.question.designs[self.taken].build(self.epsilon, self.question.k)

    @property
    def cost(self) -> Cost:
        """What all releases cost one unit, at the ε decided on."""
        return plan_cost(self.question.designs[self.taken], self.epsilon, self.question)

    @property
    def total(self) -> Total | None:
        """Its total."""
        return self.cost.total

    @property
    def fits(self) -> bool | None:
        """Whether it costs at most what is accepted; None where nobody said what is."""
        return self.cost.accepted(self.question)

    @property
    def do_not_publish(self) -> bool:
        """Whether the answer is not to publish this: it costs more than accepted, or hardly
        protects anybody.
        """
        return not self.cost.will_do(self.question)

    @property
    def one(self) -> Cost:
        """What a single release costs."""
        return cost(self.mechanism, 1, self.question)

    @property
    def everyone(self) -> Cost | None:
        """What all releases cost whoever counts in each of them, where one unit does not."""
        question = self.question
        return (
            cost(self.mechanism, question.releases, question)
            if question.each < question.releases
            else None
        )

    @property
    def odds(self) -> Odds:
        """What one release promises one person."""
        return odds(self.epsilon, self.one.guess, pure=not self.mechanism.delta_spent)

    @property
    def total_odds(self) -> Odds:
        """What all releases promise whoever counts in them: of beliefs what the sum of ε does, for
        every output.
        """
        return odds(
            self.epsilon * self.question.each, self.cost.guess, pure=not self.mechanism.delta_spent
        )

    @step
    def law(self, progress: Progress) -> TopKDistribution:
        """What comes out at the ε decided on."""
        return self.mechanism.distribution(self.scores, samples=self.samples, progress=progress)

    @step
    def utility(self, progress: Progress) -> Utility:
        """How good the lists are."""
        law, chance = self.law, self.question.target.figure(self.law)
        low, high = map(float, law.bounds(np.array(chance)))
        right = float(np.arange(law.k + 1) @ law.hits)
        missed = max(0.0, min(law.k, self.mechanism.reach(self.scores)) - right)
        length = tuple(law.length.tolist()) if self.mechanism.shorter else None
        hits, every = tuple(law.hits.tolist()), 1.0 if length is None else length[-1]
        least, most = map(float, law.bounds(np.array(every)))
        return Utility(
            chance,
            low,
            high,
            hits,
            missed,
            law.error,
            law.method,
            law.draws,
            length,
            (every, least, most),
        )

    @step
    def drift(self, progress: Progress) -> tuple[Drift, ...]:
        """The chance of the goal as all scores shrink and grow."""
        return strip(self.mechanism, self.vectors, self.question, progress)

    @step
    def lost_below(self, progress: Progress) -> float | None:
        """The factor below which the goal is lost, 0 if none: without a δ a law depends on ε times
        the scores.
        """
        if self.mechanism.delta_spent:
            return lost_below(self.mechanism, self.vectors, self.question, progress)
        goal, smallest = self.question.target, self.plan.smallest * self.question.smaller
        if not self.plan.found:
            smallest, _ = needed_epsilon(
                self.mechanism, self.vectors, goal, LARGEST_EPSILON, progress
            )
        if smallest <= SMALLEST_EPSILON:  # of a search that found it met wherever it looked
            return lost_below(self.mechanism, self.vectors, self.question, progress)
        return smallest / self.epsilon if smallest <= self.epsilon else None

    @step
    def needs(self, progress: Progress) -> tuple[Need, ...]:
        """The curves of all designs over one range of ε, which holds every smallest ε well inside."""
        question, plans = self.question, list(self.plans.values())
        finite = [one.smallest for one in plans if one.found]
        inside = [*finite, self.epsilon]
        ends = max(min(inside) / _AROUND, _SMALLEST), min(max(inside) * _AROUND, _LARGEST)
        best = min((one.cost.rank for one in plans if one.cost is not None), default=math.inf)
        return tuple(
            need(one, best, question, self.vectors, ends, part, taken=at == self.taken)
            for (at, one), part in each(list(enumerate(plans)), progress)
        )

    @property
    def need(self) -> Need:
        """That of the design taken."""
        return self.needs[self.taken]

    @step
    def account(self, progress: Progress) -> Composition:
        """The total of all releases that one unit counts in, by every way."""
        return account(self.mechanism, self.question)

    @step
    def misses(self, progress: Progress) -> Misses:
        """What goes wrong when it does."""
        return likely_misses(self.law, rarest=_WORTH_TELLING, progress=progress)

    @step
    def caps(self, progress: Progress) -> tuple[Cap, ...] | None:
        """What a cap would save; None without a log at hand, or with past periods, which are none."""
        if self.log is None or self.past:
            return None
        return caps(self.question, self.scores, self.log, progress)

    @step
    def decision(self, progress: Progress) -> Decision:
        """All of it, without a score."""
        question, scores = self.question, self.scores
        uploaded = scores if question.data.source == "uploaded" else None
        return Decision(
            question=question,
            scenario=replace(question.scenario(self.epsilon), scores=uploaded).to_circulate(),
            d=scores.d,
            needs=self.needs,
            taken=self.taken,
            epsilon=self.epsilon,
            mechanism=self.mechanism,
            utility=self.utility,
            drift=self.drift,
            lost_below=self.lost_below,
            misses=self.misses,
            labels={item: scores.label(item) for item in self.misses.items},
            odds=self.odds,
            account=self.account,
            one=self.one,
            cost=self.cost,
            total_odds=self.total_odds,
            everyone=self.everyone,
            offer=self.offer,
            helps=self.helps,
            caps=self.caps,
            change=scores.change.replace("person", question.unit),
            digest=scores.digest if self.digest else None,
        )
