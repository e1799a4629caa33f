"""The answer to a question: the smallest ε by mechanism, and what the one decided on means.

Symbols: ε* = smallest ε that meets the goal; ε = the one decided on: one given, else ε* rounded up to three digits.
`DecideStudy` computes it step by step; its last step is the `Decision`, which everything that leaves is made of.
Invariants: a `Decision` holds figures and names of items, never a score; an ε that was not given meets the goal; every
figure is that of the law at ε, and says whether it is exact.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dpviz.base import ParameterError, Progress, Scores, each, rising, rounded_up, silent
from dpviz.privacy.composition import Composition, compose
from dpviz.studies import Design, Scenario, Study, needed_epsilon, step
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.misses import Misses, likely_misses
from dpviz.studies.decision.promises import Cap, Odds, caps, odds
from dpviz.studies.decision.question import Question
from dpviz.topk import LARGEST_EPSILON, FigureCurve, TopKDistribution, TopKMechanism, utility_curve

_AROUND = 32.0  # a curve goes from the smallest ε over this to the largest one times this
_TOLERANCE = 5e-4
_SMALLEST, _LARGEST = 1e-6, 1e6
_FEW = 2000  # draws a node of an estimated curve


@dataclass(frozen=True)
class Need:
    """What one design needs: its smallest ε for the goal, and the curve.

    Parameters
    ----------
    design
        The design.
    label
        What people call it.
    epsilon
        The smallest ε; infinite where none meets the goal.
    multiple
        ε over that of the best design; NaN where there is none.
    reason
        Why no ε meets the goal, else "".
    method
        "exact" or "estimated": that of the law at this ε.
    curve
        The chance of the goal against ε.
    shape
        Where the curve turns and levels off.
    """

    design: Design
    label: str
    epsilon: float
    multiple: float
    reason: str
    method: str
    curve: FigureCurve
    shape: CurveShape


@dataclass(frozen=True)
class Utility:
    """How good the lists are at the ε decided on.

    As k come out, the drop rate (true ones missing) and the spurious rate (published ones that do not belong) are both
    `missed`/k.

    Parameters
    ----------
    chance
        That of the goal.
    low, high
        Its bounds: the error of an exact law, the 95 % interval of an estimated one.
    hits
        P(exactly j of the k are right) for j = 0..k.
    missed
        How many of the true k are missing on average.
    error
        A bound on the error of any figure.
    method
        "exact" or "estimated".
    draws
        How many draws it rests on; 0 where exact.
    """

    chance: float
    low: float
    high: float
    hits: tuple[float, ...]
    missed: float
    error: float
    method: str
    draws: int

    @property
    def drop_rate(self) -> float:
        """The share of the true top k that is missing, on average."""
        return self.missed / (len(self.hits) - 1)

    @property
    def spurious_rate(self) -> float:
        """The share of what is published that does not belong there, on average."""
        return self.missed / (len(self.hits) - 1)


@dataclass(frozen=True)
class Decision:
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
        What each design of the question needs, in their order.
    taken
        The index of the one that is published with.
    epsilon
        The ε decided on, of one release.
    mechanism
        The mechanism taken at this ε.
    utility
        How good the lists are.
    misses
        What a wrong list looks like.
    labels
        The names of the items that `misses` is about, by index.
    odds
        What one release means for a person, in odds.
    total
        What all releases cost one who counts in each of them.
    total_odds
        The odds of that total by basic composition.
    caps
        The ε if each person counted in fewer items.
    change
        What one unit can change, in a sentence.
    digest
        That of the scores, only where it was asked for: that of small counts can be guessed.
    """

    question: Question
    scenario: Scenario
    d: int
    needs: tuple[Need, ...]
    taken: int
    epsilon: float
    mechanism: TopKMechanism
    utility: Utility
    misses: Misses
    labels: dict[int, str]
    odds: Odds
    total: Composition
    total_odds: Odds
    caps: tuple[Cap, ...]
    change: str
    digest: str | None = None

    @property
    def need(self) -> Need:
        """That of the design taken."""
        return self.needs[self.taken]

    @property
    def meets(self) -> bool:
        """Whether the ε decided on meets the goal; one that was given may not."""
        return self.epsilon >= self.need.epsilon


@dataclass(frozen=True, kw_only=True, eq=False)
class DecideStudy(Study):
    """What answers a question: what each mechanism needs, and what the ε decided on gives, costs and risks.

    Its steps from `taken` on raise `ParameterError` where no design allowed reaches the goal and no ε was given.

    Parameters
    ----------
    question : Question
        What is asked.
    scores : Scores
        The data that it is answered on, with what the question says that one unit can change.
    digest : bool, optional
        Whether the decision holds the digest of the data.
    samples : int, optional
        Draws where a law is estimated.
    results, beside, keep : optional
        As every `Study` has them.
    """

    question: Question
    scores: Scores
    digest: bool = False
    samples: int = 10_000

    @classmethod
    def of(
        cls, question: Question, scores: Scores | None = None, *, digest: bool = False, samples: int = 10_000
    ) -> Self:
        """On `scores`, with what the question says that one unit can change; on its data's own where none are given.

        Parameters
        ----------
        question : Question
            What is asked.
        scores : Scores, optional
            Those of uploaded data.
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
        known = data.scores() if scores is None else replace(scores, **data.person)
        return cls(question=question, scores=known, digest=digest, samples=samples)

    def at(self, epsilon: float) -> Self:
        """The same mechanism at another ε; what each mechanism needs for the goal stays."""
        known = {name: getattr(self, name) for name in ("smallest", "taken", "needs")}
        return self.replace(question=self.question.replace(epsilon=epsilon, taken=self.taken), results=known)

    @step
    def smallest(self, progress: Progress) -> list[tuple[float, str]]:
        """The smallest ε of each design; inf, with the reason, where none reaches the goal."""
        k, goal = self.question.k, self.question.target
        return [
            needed_epsilon(design.build(1.0, k), self.scores, goal, LARGEST_EPSILON, part)
            for design, part in each(self.question.designs, progress)
        ]

    @step
    def taken(self, progress: Progress) -> int:
        """The design asked for, else the one with the smallest ε, the first of equals."""
        question, epsilons = self.question, [epsilon for epsilon, _ in self.smallest]
        best = epsilons.index(min(epsilons)) if question.taken is None else question.taken
        if question.epsilon is None and not math.isfinite(epsilons[best]):
            label = "some design allowed" if question.taken is None else question.designs[best].label
            raise ParameterError("goal", question.goal_text, f"one that {label} reaches on these data")
        return best

    @property
    def epsilon(self) -> float:
        """The ε decided on."""
        given = self.question.epsilon
        return rounded_up(self.smallest[self.taken][0]) if given is None else given

    @property
    def mechanism(self) -> TopKMechanism:
        """What is published with."""
        return self.question.designs[self.taken].build(self.epsilon, self.question.k)

    @step
    def needs(self, progress: Progress) -> tuple[Need, ...]:
        """The curves of all designs over one range of ε, which holds every smallest ε well inside."""
        question, given = self.question, self.question.epsilon
        finite = [epsilon for epsilon, _ in self.smallest if math.isfinite(epsilon)]
        inside = [*finite, given] if given is not None else finite
        low, high = max(min(inside) / _AROUND, _SMALLEST), min(max(inside) * _AROUND, _LARGEST)
        needs = []
        for (design, (epsilon, reason)), part in each(
            list(zip(question.designs, self.smallest, strict=True)), progress
        ):
            curve = utility_curve(
                design.build(1.0, question.k),
                self.scores,
                event=question.target.event,
                at_least=question.target.at_least,
                low=low,
                high=high,
                tolerance=_TOLERANCE,
                samples=min(self.samples, _FEW),
                progress=part,
            )
            label = design.label_for(question.k, self.scores.contributions)
            multiple = epsilon / min(finite) if math.isfinite(epsilon) else math.nan
            needs.append(Need(design, label, epsilon, multiple, reason, curve.method, curve, curve_shape(curve)))
        return tuple(needs)

    @property
    def need(self) -> Need:
        """That of the design taken."""
        return self.needs[self.taken]

    @step
    def law(self, progress: Progress) -> TopKDistribution:
        """What comes out at the ε decided on."""
        return self.mechanism.distribution(self.scores, samples=self.samples, progress=progress)

    @step
    def utility(self, progress: Progress) -> Utility:
        """How good the lists are."""
        law, chance = self.law, self.question.target.figure(self.law)
        low, high = map(float, law.bounds(np.array(chance)))
        missed = max(0.0, law.k - float(np.arange(law.k + 1) @ law.hits))
        return Utility(chance, low, high, tuple(law.hits.tolist()), missed, law.error, law.method, law.draws)

    @step
    def total(self, progress: Progress) -> Composition:
        """What all releases cost one who counts in each of them."""
        return compose([self.mechanism] * self.question.releases, delta=self.question.delta)

    @property
    def odds(self) -> Odds:
        """What one release promises one person."""
        return odds(self.epsilon)

    @property
    def total_odds(self) -> Odds:
        """What all releases promise, by basic composition."""
        return odds(self.epsilon * self.question.releases)

    @step
    def misses(self, progress: Progress) -> Misses:
        """What goes wrong when it does."""
        return likely_misses(self.law, progress=progress)

    @step
    def decision(self, progress: Progress) -> Decision:
        """All of it, without a score."""
        question, scores, needs = self.question, self.scores, self.needs
        uploaded = scores if question.data.source == "uploaded" else None
        reached = [(need.design, need.epsilon) for need in needs if math.isfinite(need.epsilon)]
        return Decision(
            question=question,
            scenario=replace(question.scenario(self.epsilon), scores=uploaded).to_circulate(),
            d=scores.d,
            needs=needs,
            taken=self.taken,
            epsilon=self.epsilon,
            mechanism=self.mechanism,
            utility=self.utility,
            misses=self.misses,
            labels={item: scores.label(item) for item in self.misses.items},
            odds=self.odds,
            total=self.total,
            total_odds=self.total_odds,
            caps=caps(reached, scores, question.k),
            change=scores.change.replace("person", question.unit),
            digest=scores.digest if self.digest else None,
        )


def decide(
    question: Question,
    scores: Scores | None = None,
    *,
    digest: bool = False,
    samples: int = 10_000,
    progress: Progress = silent,
) -> Decision:
    """The decision on a question: the smallest ε by mechanism, and what the one decided on means.

    Parameters
    ----------
    question
        What is published, about whom, how good it must be.
    scores
        The scores where the data are uploaded; else None.
    digest
        Whether the decision holds the scores' digest.
    samples
        How many draws an estimated law takes.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Decision
        The answer, which holds figures and names of items, never a score.

    Raises
    ------
    ParameterError
        For uploaded data without their scores, and where no design allowed reaches the goal.

    Examples
    --------
    >>> from dpviz.studies.data_spec import DataSpec
    >>> decision = decide(Question(k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip")))
    >>> decision.need.label, decision.epsilon, round(decision.utility.chance, 4)
    ('Canonical · exponential', 1.6, 0.9001)
    """
    study = DecideStudy.of(question, scores, digest=digest, samples=samples)
    return study.compute(rising(progress)).decision  # a law tells of its figures when they are read
