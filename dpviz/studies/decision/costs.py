"""What a plan costs: the total of all releases that one unit counts in, and how often a guesser can be right then.

Symbols: n = releases that one unit counts in; TV = total variation between what comes out with and without one unit; a
guesser at 50/50 who knows everything else is right with at most (1 + TV)/2.
Invariants: every figure is a bound from above, by the best account that holds whatever earlier releases showed; an ε
that is affordable costs at most what is accepted.
Sources: TV ≤ δ(0) of any account (Kairouz, Oh & Viswanath 2015); ρ-zCDP bounds the divergence by ρ, so TV ≤ √(ρ/2)
(Pinsker) and √(1 − e^(−ρ)) (Bretagnolle & Huber).
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, rounded_down, rounded_up
from dpviz.privacy.composition import Composition, Total, compose, least_total
from dpviz.privacy.odds import guess_bound
from dpviz.privacy.prices import zcdp_of_pure
from dpviz.privacy.pure import pure_delta
from dpviz.studies import Design
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

_SLACK = 0.005  # what rounding ε up may add to it
_DIGITS = (3, 4, 6)
_LOW, _HIGH = 1e-6, 1e5  # where an affordable ε is looked for
_HALVINGS = 40
WEAK = 0.95
"""Of 100 guessers so many right or more: hardly any protection."""


@dataclass(frozen=True)
class Cost:
    """What all releases cost one unit.

    Parameters
    ----------
    total
        The smallest valid total; None where their own δ exceed that of all.
    guess
        How often a guesser can be right about one unit at most, from ½ to 1.
    """

    total: Total | None
    guess: float

    def accepted(self, question: Question) -> bool | None:
        """Whether it is at most what is accepted; None where nobody said what is."""
        if question.most_right is not None:
            return self.guess <= question.most_right / 100
        if question.most_epsilon is not None:
            return self.total is not None and self.total.epsilon <= question.most_epsilon
        return None

    def will_do(self, question: Question) -> bool:
        """Whether it is accepted; where nobody said what is, whether it protects."""
        accepted = self.accepted(question)
        return not self.weak if accepted is None else accepted

    @property
    def weak(self) -> bool:
        """Whether hardly anybody is protected."""
        return self.guess >= WEAK

    @property
    def rank(self) -> float:
        """What plans are ordered by: ε of the total; infinite where there is none."""
        return math.inf if self.total is None else self.total.epsilon


@dataclass(frozen=True)
class Costs:
    """What a plan costs as ε of one release moves: arrays of shape (points,), all rising."""

    epsilon: Floats
    total: Floats
    guess: Floats


def tidy_epsilon(epsilon: float) -> float:
    """ε as it is decided on: rounded up to three digits, or to more where that would add over half a percent to it.

    >>> tidy_epsilon(1.098), tidy_epsilon(1.3725), tidy_epsilon(0.40921)
    (1.1, 1.373, 0.41)
    """
    return next((up for digits in _DIGITS if (up := rounded_up(epsilon, digits)) <= epsilon * (1 + _SLACK)), epsilon)


def account(m: TopKMechanism, question: Question) -> Composition:
    """The total of all releases that one unit counts in, by every way."""
    return compose([(m, question.each)], delta=question.delta)


def cost(m: TopKMechanism, releases: int, delta: float) -> Cost:
    """What so many releases of a mechanism cost one unit that counts in each.

    >>> from dpviz import OneShot
    >>> priced = cost(OneShot(epsilon=1.1, k=1000), 365, 1e-6)
    >>> print(priced.total, round(priced.guess, 3))
    ε = 1.553 at δ = 1e-06 0.583
    """
    total, spent = least_total([(m, releases)], delta=delta), releases * m.delta_spent
    rho = releases * (zcdp_of_pure(m.epsilon) if m.zcdp is None else m.zcdp)
    apart = min(math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)), pure_delta(0.0, {m.epsilon: releases}))
    guesses = [1.0, (1 + apart + spent) / 2]
    if total is not None:
        guesses.append(guess_bound(total.epsilon, total.delta))
    return Cost(total, min(guesses))


def plan_cost(design: Design, epsilon: float, question: Question) -> Cost:
    """What the question's releases cost one unit at this ε of one."""
    return cost(design.build(epsilon, question.k), question.each, question.delta)


def costs(design: Design, epsilons: Floats, question: Question) -> Costs:
    """What the plan costs at each ε of one release, shape (points,)."""
    priced = [plan_cost(design, float(epsilon), question) for epsilon in epsilons]
    return Costs(epsilons, np.array([each.rank for each in priced]), np.array([each.guess for each in priced]))


def affordable_epsilon(design: Design, question: Question) -> float | None:
    """The largest ε of one release, rounded down, that costs at most what is accepted; None where none does."""

    def affords(epsilon: float) -> bool:
        return bool(plan_cost(design, epsilon, question).accepted(question))

    low, high = _LOW, _HIGH
    if not affords(low):
        return None
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if affords(middle) else (low, middle)
    epsilon = rounded_down(low)
    return epsilon if affords(epsilon) else low


def affordable_releases(m: TopKMechanism, question: Question) -> int:
    """How many releases at most cost what is accepted, where a unit counts in each; 0 where not even one does."""
    low, high = 0, question.each + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if cost(m, middle, question.delta).accepted(question) else (low, middle)
    return low
