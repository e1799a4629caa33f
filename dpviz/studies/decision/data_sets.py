"""The data that a plan has to be good on: those decided on, as different as the real ones may be, and past periods.

Symbols: f = factor that all scores are multiplied by. A law depends on ε times the scores over Δ, so a plan on scores
×f is that plan at f·ε on the scores themselves: where the goal holds from a certain ε on, it holds from a certain f on.
Invariant: the chance at a factor is the smallest on any of the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Progress, Scores, each
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

STRIP = (0.8, 1.2)
"""The factors that the strip reaches at least."""
_POINTS = 21
_NEAR = (0.99, 1.0, 1.01)  # where a cliff would show
_FEW = 2000  # draws where a law is estimated


@dataclass(frozen=True)
class Drift:
    """The chance of the goal where all scores are so many times as large.

    Parameters
    ----------
    factor
        How many times.
    chance
        That of the goal, on the data where it is smallest.
    low, high
        Its bounds.
    """

    factor: float
    chance: float
    low: float
    high: float


def drifted(m: TopKMechanism, vectors: Sequence[Scores], question: Question, factor: float) -> Drift:
    """The chance of the goal on all vectors times a factor, where it is smallest.

    Parameters
    ----------
    m
        What is published with.
    vectors
        The data decided on and those of past periods.
    question
        What was asked.
    factor
        What all scores are multiplied by.

    Returns
    -------
    Drift
        The chance, with its bounds.
    """
    at, points = m.replace(epsilon=m.epsilon * factor), []
    for scores in vectors:
        law = at.distribution(scores, samples=_FEW)
        chance = question.target.figure(law)
        low, high = law.bounds(np.array(chance))
        points.append(Drift(factor, chance, float(low), float(high)))
    return min(points, key=lambda point: point.low)


def holds(m: TopKMechanism, vectors: Sequence[Scores], question: Question) -> bool:
    """Whether the goal is met on every vector at both ends of how different the data may be."""
    ends = dict.fromkeys((question.smaller, question.larger))
    return all(
        question.target.surplus(m.replace(epsilon=m.epsilon * factor).distribution(scores)) >= 0
        for factor in ends
        for scores in vectors
    )


def strip(m: TopKMechanism, vectors: Sequence[Scores], question: Question, progress: Progress) -> tuple[Drift, ...]:
    """The chance of the goal as all scores shrink and grow, beyond what was asked too.

    Parameters
    ----------
    m
        What is published with.
    vectors
        The data decided on and those of past periods.
    question
        What was asked.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    tuple of Drift
        By rising factor.
    """
    low, high = min(STRIP[0], question.smaller), max(STRIP[1], question.larger)
    factors = sorted({*np.geomspace(low, high, _POINTS).round(3).tolist(), *_NEAR, question.smaller, question.larger})
    return tuple(drifted(m, vectors, question, factor) for factor, _ in each(factors, progress))
