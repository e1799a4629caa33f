"""What a plan costs: the total of all releases that one unit counts in, and how often a guesser can
be right then.

Symbols: n = releases that one unit counts in; an attacker at 50/50 knows everything else.
Invariants: every figure is a bound from above, by the best account that holds whatever earlier
releases showed; an ε that is affordable costs at most what is accepted.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, percent_upper_bound, round_down, round_up
from dpviz.privacy.composition import Composition, Total, compose, least_total, right_guess_bound
from dpviz.studies import Design
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

_SLACK = 0.005  # what rounding ε up may add to it
_DIGITS = (3, 4, 6)
_LOW, _HIGH = 1e-6, 1e5  # where an affordable ε is looked for
_HALVINGS = 40
_CHEAPER, _FEW_HALVINGS = 32.0, 12  # by their own loss noisy counts may have so many times the ε
_POINTS, _FEW = 61, 16  # of a curve of costs; where each is convolved, few
WEAK = 0.95
"""Of 100 guessers so many right or more: hardly any protection."""


@dataclass(frozen=True)
class Cost:
    """What all releases cost one unit."""

    total: Total | None
    guess: float

    def is_within_limit(self, question: Question) -> bool | None:
        """Whether it is at most what is accepted; None where nobody said what is."""
        if question.most_right is not None:
            return percent_upper_bound(self.guess) <= question.most_right
        if question.most_epsilon is not None:
            return self.total is not None and self.total.epsilon <= question.most_epsilon
        return None

    def is_acceptable(self, question: Question) -> bool:
        """Whether it is accepted; where nobody said what is, whether it protects."""
        accepted = self.is_within_limit(question)
        return not self.is_weak_protection if accepted is None else accepted

    @property
    def is_weak_protection(self) -> bool:
        """Whether hardly anybody is protected."""
        return self.guess >= WEAK

    @property
    def total_epsilon(self) -> float:
        """ε of the total; infinite where there is none."""
        return math.inf if self.total is None else self.total.epsilon

    def sort_key(self, question: Question) -> tuple[float, float]:
        """What plans are ordered by: what the limit is said in, which is the total unless it is
        right guesses.
        """
        return (
            (self.total_epsilon, self.guess)
            if question.most_right is None
            else (self.guess, self.total_epsilon)
        )


@dataclass(frozen=True)
class CostCurve:
    """What a plan costs as ε of one release moves: arrays of shape (points,), all rising."""

    epsilon: Floats
    total: Floats
    guess: Floats


def round_epsilon_up(epsilon: float) -> float:
    """ε as it is decided on: rounded up to three digits, or to more where that would add over half
    a percent to it.

    >>> round_epsilon_up(1.098), round_epsilon_up(1.3725), round_epsilon_up(0.40921)
    (1.1, 1.373, 0.41)
    """
    return next(
        (up for digits in _DIGITS if (up := round_up(epsilon, digits)) <= epsilon * (1 + _SLACK)),
        epsilon,
    )


def compose_question_releases(m: TopKMechanism, question: Question) -> Composition:
    """The total of all releases that one unit counts in, by every way."""
    data = question.data
    releases = [(m, question.releases_per_unit)]
    return compose(
        releases,
        delta=question.delta,
        contributions=data.contributions,
        monotonic=bool(data.monotonic),
    )


def releases_cost(
    m: TopKMechanism, releases: int, question: Question, *, convolved: bool = True
) -> Cost:
    """What so many releases of a mechanism cost one unit that counts in each.

    Examples
    --------
    >>> from dpviz import OneShot
    >>> priced = releases_cost(OneShot(epsilon=1.1, k=1000), 365, Question(k=1000))
    >>> print(priced.total, round(priced.guess, 3))
    ε = 1.553 at δ = 1e-06 0.583
    """
    data, plan = question.data, [(m, releases)]
    most, monotonic = data.contributions if convolved else None, bool(data.monotonic)
    return Cost(
        least_total(plan, delta=question.delta, contributions=most, monotonic=monotonic),
        right_guess_bound(plan, contributions=most, monotonic=monotonic),
    )


def plan_cost(
    design: Design, epsilon: float, question: Question, *, convolved: bool = True
) -> Cost:
    """What the question's releases cost one unit at this ε of one."""
    return releases_cost(
        design.build(epsilon, question.k), question.releases_per_unit, question, convolved=convolved
    )


def cost_curve(
    design: Design, ends: tuple[float, float], decided: float, question: Question
) -> CostCurve:
    """What the plan costs from one end of ε of one release to the other, and at the one decided on."""
    points = _FEW if _convolves(design, question) else _POINTS
    epsilons = np.union1d(np.geomspace(*ends, points), [decided] if math.isfinite(decided) else [])
    priced = [plan_cost(design, float(epsilon), question) for epsilon in epsilons]
    return CostCurve(
        epsilons,
        np.array([each.total_epsilon for each in priced]),
        np.array([each.guess for each in priced]),
    )


def _convolves(design: Design, question: Question) -> bool:
    """Whether its total may be one of noisy counts by their own loss, which is not worked out at
    every step.
    """
    data = question.data
    return (
        design.build(1.0, question.k).laplace_score_shifts(data.contributions, bool(data.monotonic))
        is not None
    )


def affordable_epsilon(design: Design, question: Question) -> float | None:
    """The largest ε of one release, rounded down, that costs at most what is accepted; None where
    none does.
    """

    def affords(epsilon: float, *, convolved: bool = False) -> bool:
        return bool(
            plan_cost(design, epsilon, question, convolved=convolved).is_within_limit(question)
        )

    low, high = _LOW, _HIGH
    if not affords(low):
        return None
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if affords(middle) else (low, middle)
    if _convolves(design, question):
        high = low * _CHEAPER
        for _ in range(_FEW_HALVINGS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if affords(middle, convolved=True) else (low, middle)
    epsilon = round_down(low)
    return epsilon if affords(epsilon, convolved=True) else low


def affordable_releases(m: TopKMechanism, question: Question) -> int:
    """How many releases at most cost what is accepted, where a unit counts in each; 0 where not
    even one does.
    """
    low, high = 0, question.releases_per_unit + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high)
            if releases_cost(m, middle, question).is_within_limit(question)
            else (low, middle)
        )
    return low
