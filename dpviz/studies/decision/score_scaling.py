"""Scores that are larger or smaller than those decided on, and what happens to the goal there.

Without a δ a law depends on ε times the scores, so a plan on f·scores is that plan at f·ε. With a
δ thresholds move by ε alone, and scores are scaled.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.base import Progress, Scores, iterate_with_progress
from dpviz.numerics.interval_search import bisect
from dpviz.studies import bounded_probability
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

STRIP = (0.8, 1.2)
"""Factors that the drift chart reaches at least."""
_POINTS = 21
_NEAR = (0.99, 1.0, 1.01)  # where a cliff would show
# between factors at which it is looked whether a goal is lost, and where it may be met again below
_STEP, _FINE_STEP = 4.0, 2**0.25
_CLOSE, _ROUNDS = 1e-4, 60  # of a factor, and halvings towards it
_ALIKE = 1e-9  # of the noise: scores that differ by no more are as good as equal to it
_FEW = 2000  # draws where a law is estimated


@dataclass(frozen=True)
class ScaledGoalProbability:
    factor: float
    chance: float
    low: float
    high: float


def meets_goal_on_all(m: TopKMechanism, vectors: Sequence[Scores], question: Question) -> bool:
    """True if every vector meets the goal at both ends of the allowed scaling."""
    return all(
        question.parsed_goal.certain_surplus(m.distribution(scores)) >= 0
        for factor in dict.fromkeys((question.smaller, question.larger))
        for scores in scale_scores(vectors, factor)
    )


def scale_scores(vectors: Sequence[Scores], factor: float) -> list[Scores]:
    return [one if factor == 1 else replace(one, values=one.values * factor) for one in vectors]


def find_score_factor_losing_goal(
    m: TopKMechanism, vectors: Sequence[Scores], question: Question, progress: Progress
) -> float | None:
    """Factor below which the goal is first lost; None where the data miss it, 0 for none."""

    def met(factor: float) -> bool:
        return all(
            question.parsed_goal.certain_surplus(m.distribution(one)) >= 0
            for one in scale_scores(vectors, factor)
        )

    if not met(1.0):
        return None
    largest = max(float(np.ptp(one.values)) / one.sensitivity for one in vectors)
    least = min(0.5, _ALIKE / max(m.epsilon * largest, _ALIKE))
    if not m.shorter and met(least):
        return 0.0
    step = _FINE_STEP if m.shorter else _STEP
    factors = np.geomspace(1.0, least, 2 + math.ceil(-math.log(least) / math.log(step)))[
        1:
    ].tolist()
    low, high = 0.0, 1.0
    for factor, _ in iterate_with_progress(factors, progress):
        if not met(factor):
            low = factor
            break
        high = factor
    if not low:
        return 0.0
    ends = math.log(low), math.log(high)
    _, log_high = bisect(lambda at: met(math.exp(at)), *ends, rounds=_ROUNDS, tolerance=_CLOSE)
    return math.exp(log_high)


def goal_probabilities_by_factor(
    m: TopKMechanism, vectors: Sequence[Scores], question: Question, progress: Progress
) -> tuple[ScaledGoalProbability, ...]:
    """Smallest chance of the goal as all scores shrink and grow, beyond the range asked for too."""
    low, high = min(STRIP[0], question.smaller), max(STRIP[1], question.larger)
    factors = {
        *np.geomspace(low, high, _POINTS).round(3).tolist(),
        *_NEAR,
        question.smaller,
        question.larger,
    }
    found = []
    for factor, _ in iterate_with_progress(sorted(factors), progress):
        laws = [m.distribution(one, samples=_FEW) for one in scale_scores(vectors, factor)]
        chances = (bounded_probability(law, question.parsed_goal.figure_value(law)) for law in laws)
        found.append(ScaledGoalProbability(factor, *min(chances, key=lambda chance: chance.low)))
    return tuple(found)
