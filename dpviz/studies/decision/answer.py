"""The answer to a question: the smallest ε by mechanism, and what the one decided on means.

Symbols: ε* = smallest ε that meets the goal; ε = the one decided on: one given, else ε* rounded up to three digits.
Invariants: a `Decision` holds figures and names of items, never a score; an ε that was not given meets the goal; every
figure is that of the law at ε, and says whether it is exact.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, each, portion, rising, silent
from dpviz.base.rounding import rounded_up
from dpviz.base.scores import Scores
from dpviz.privacy.composition import Composition, compose
from dpviz.studies.decision.curve_shape import CurveShape, curve_shape
from dpviz.studies.decision.misses import Misses, likely_misses
from dpviz.studies.decision.promises import Cap, Odds, caps, odds
from dpviz.studies.decision.question import Question
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import needed_epsilon
from dpviz.studies.scenario import Scenario
from dpviz.topk.budget import LARGEST_EPSILON
from dpviz.topk.curves import FigureCurve, utility_curve
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.mechanism import TopKMechanism

__all__ = ["Decision", "Need", "Utility", "decide", "protected", "utility"]

_AROUND = 32.0  # a curve goes from the smallest ε over this to the largest one times this
_TOLERANCE = 5e-4
_SMALLEST, _LARGEST = 1e-6, 1e6
_FEW = 2000  # draws a node of an estimated curve


@dataclass(frozen=True)
class Need:
    """What one design needs: its smallest ε for the goal (inf and a `reason` where none does), and the curve.

    `multiple` is ε over that of the best design, NaN where it has none. `method` is that of the law at this ε.
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
    """How good the lists are at the ε decided on: the chance of the goal with its bounds, and how many are right.

    `hits[j]` is P(exactly j of the k are right); `missed` how many of the true k are missing on average. As k come out,
    the drop rate (true ones missing) and the spurious rate (published ones that do not belong) are both `missed`/k.
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
    """A question with its answer. `needs` are in the order of the question's designs, `taken` is one of them.

    `total` is what all releases cost one who counts in each of them; `odds` are those of one release, `total_odds`
    those of the total by basic composition. `labels` names the items that `misses` tells of; `change` says what one
    unit can change. `digest` is there only where it was asked for: that of small counts can be guessed.
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


def decide(
    question: Question,
    scores: Scores | None = None,
    *,
    digest: bool = False,
    samples: int = 10_000,
    progress: Progress = silent,
) -> Decision:
    """The decision on `question`, from `scores` where the data are uploaded.

    Raises `ParameterError` for uploaded data without their scores, and where no design allowed reaches the goal.

    >>> from dpviz.studies.data_spec import DataSpec
    >>> decision = decide(Question(k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip")))
    >>> decision.need.label, decision.epsilon, round(decision.utility.chance, 4)
    ('Canonical · exponential', 1.6, 0.9001)
    """
    scores, progress = protected(question, scores), rising(progress)  # a law tells of its figures when they are read
    found = list(_needed(question, scores, portion(progress, 0.0, 0.35)))
    taken = _taken(question, [epsilon for epsilon, _ in found])
    epsilon = rounded_up(found[taken][0]) if question.epsilon is None else question.epsilon
    needs = _needs(question, scores, found, samples, portion(progress, 0.35, 0.8))
    mechanism = question.designs[taken].build(epsilon, question.k)
    dist = mechanism.distribution(scores, samples=samples, progress=portion(progress, 0.8, 0.9))
    misses = likely_misses(dist, progress=portion(progress, 0.9, 1.0))
    total = compose([mechanism] * question.releases, delta=question.delta)
    reached = [(need.design, need.epsilon) for need in needs if math.isfinite(need.epsilon)]
    return Decision(
        question=question,
        scenario=replace(question.scenario(epsilon), scores=_uploaded(question, scores)).to_circulate(),
        d=scores.d,
        needs=needs,
        taken=taken,
        epsilon=epsilon,
        mechanism=mechanism,
        utility=utility(question, dist),
        misses=misses,
        labels={item: scores.label(item) for item in _told(misses)},
        odds=odds(epsilon),
        total=total,
        total_odds=odds(epsilon * question.releases),
        caps=caps(reached, scores, question.k),
        change=scores.change.replace("person", question.unit),
        digest=scores.digest if digest else None,
    )


def protected(question: Question, scores: Scores | None) -> Scores:
    """The scores with what the question says that one unit can change; its data's own where none are given."""
    data = question.data
    if scores is None:
        return data.scores()
    person = {name: getattr(data, name) for name in ("sensitivity", "monotonic", "contributions")}
    return replace(scores, **person)


def _uploaded(question: Question, scores: Scores) -> Scores | None:
    return scores if question.data.source == "uploaded" else None


def _needed(question: Question, scores: Scores, progress: Progress) -> "list[tuple[float, str]]":
    found = []
    for design, part in each(question.designs, progress):
        found.append(needed_epsilon(design.build(1.0, question.k), scores, question.target, LARGEST_EPSILON, part))
    return found


def _taken(question: Question, epsilons: list[float]) -> int:
    """The design asked for, else the one with the smallest ε, the first of equals."""
    best = min(range(len(epsilons)), key=epsilons.__getitem__) if question.taken is None else question.taken
    if question.epsilon is None and not math.isfinite(epsilons[best]):
        label = question.designs[best].label
        allowed = f"one that {'some design allowed' if question.taken is None else label} reaches on these data"
        raise ParameterError("goal", question.goal_text, allowed)
    return best


def _needs(
    question: Question, scores: Scores, found: list[tuple[float, str]], samples: int, progress: Progress
) -> tuple[Need, ...]:
    """The curves of all designs over one range of ε, which holds every smallest ε well inside."""
    finite = [epsilon for epsilon, _ in found if math.isfinite(epsilon)] or [question.epsilon or 1.0]
    if question.epsilon is not None:
        finite.append(question.epsilon)
    low, high = max(min(finite) / _AROUND, _SMALLEST), min(max(finite) * _AROUND, _LARGEST)
    least = min(epsilon for epsilon, _ in found)
    needs = []
    goal, k = question.target, question.k
    for (design, (epsilon, reason)), part in each(list(zip(question.designs, found, strict=True)), progress):
        curve = utility_curve(
            design.build(1.0, k),
            scores,
            event=goal.event,
            at_least=goal.at_least,
            low=low,
            high=high,
            tolerance=_TOLERANCE,
            samples=min(samples, _FEW),
            progress=part,
        )
        label = design.label_for(k, scores.contributions)
        multiple = epsilon / least if math.isfinite(epsilon) else math.nan
        needs.append(Need(design, label, epsilon, multiple, reason, curve.method, curve, curve_shape(curve)))
    return tuple(needs)


def utility(question: Question, dist: TopKDistribution) -> Utility:
    """How good the lists of a distribution are by the question's goal."""
    chance = question.target.figure(dist)
    low, high = dist.bounds(np.array(chance))
    missed = max(0.0, dist.k - float(np.arange(dist.k + 1) @ dist.hits))
    hits = tuple(float(p) for p in dist.hits)
    return Utility(chance, float(low), float(high), hits, missed, dist.error, dist.method, dist.draws)


def _told(misses: Misses) -> set[int]:
    listed = {item for miss in misses.lists for item in (*miss.missing, *miss.instead)}
    return listed | {often.item for often in (*misses.missing, *misses.instead)}
