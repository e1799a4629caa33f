"""Cost of a plan: the total of all releases that one unit counts in, and the bound on an attacker.

The attacker starts at 50/50 and knows all else. Every figure is an upper bound, by the best account
that holds for releases chosen after earlier ones.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Floats, ValueEquality, percent_upper_bound, round_down, round_up
from dpviz.base.text_format import round_to_fifteen_digits
from dpviz.numerics.interval_search import bisect
from dpviz.privacy.composition import compose, right_guess_bound, smallest_total
from dpviz.privacy.composition_result import Composition, Total
from dpviz.studies import Design
from dpviz.studies.decision.question import Question
from dpviz.topk import TopKMechanism

_SLACK = 0.005  # what rounding ε up may add to it
_DIGITS = (3, 4, 6)
_LOW, _HIGH = 1e-6, 1e5  # where an affordable ε is looked for
_HALVINGS = 24  # leave 36 octaves of ε to within a few millionths
_CHEAPER, _FEW_HALVINGS = 32.0, 12  # by their own loss noisy counts may have so many times the ε
_POINTS, _FEW = 61, 16  # of a curve of costs; where each is convolved, few
WEAK = 0.95
"""From this share of right guesses on, hardly anybody is protected."""


@dataclass(frozen=True)
class Cost:
    """Cost of all releases to one unit: the total, and an attacker's chance to guess right."""

    total: Total | None
    guess: float

    def is_within_limit(self, question: Question) -> bool | None:
        """True if the cost is at most the accepted one; None where no limit was given."""
        if question.most_right is not None:
            return percent_upper_bound(self.guess) <= question.most_right
        if question.most_epsilon is None:
            return None
        return round_to_fifteen_digits(self.total_epsilon) <= round_to_fifteen_digits(
            question.most_epsilon
        )

    def is_acceptable(self, question: Question) -> bool:
        """True if within the limit; without a limit, if protection is not weak."""
        accepted = self.is_within_limit(question)
        return self.guess < WEAK if accepted is None else accepted

    @property
    def total_epsilon(self) -> float:
        return math.inf if self.total is None else self.total.epsilon

    def sort_key(self, question: Question) -> tuple[float, float]:
        """Sort key of plans: right guesses first where the limit is in guesses, else the total."""
        return (
            (self.total_epsilon, self.guess)
            if question.most_right is None
            else (self.guess, self.total_epsilon)
        )


@dataclass(frozen=True, eq=False)
class CostCurve(ValueEquality):
    """Cost against ε of one release: rising arrays of shape (points,)."""

    epsilon: Floats
    total: Floats
    guess: Floats


def round_epsilon_up(epsilon: float) -> float:
    """ε rounded up to three digits, or to more where three would add over half a percent.

    >>> round_epsilon_up(1.098), round_epsilon_up(1.3725), round_epsilon_up(0.40921)
    (1.1, 1.373, 0.41)
    """
    return next(
        (up for digits in _DIGITS if (up := round_up(epsilon, digits)) <= epsilon * (1 + _SLACK)),
        epsilon,
    )


def compose_question_releases(m: TopKMechanism, question: Question) -> Composition:
    data = question.data
    return compose(
        [(m, question.releases_per_unit), *question.other_lists],
        delta=question.delta,
        contributions=data.contributions,
        monotonic=bool(data.monotonic),
    )


def releases_cost(
    m: TopKMechanism, releases: int, question: Question, *, convolved: bool = True
) -> Cost:
    """Cost of this many releases, and of the question's other lists, to one unit in each.

    >>> from dpviz import OneShot
    >>> priced = releases_cost(OneShot(epsilon=1.1, k=1000), 365, Question(k=1000))
    >>> print(priced.total, round(priced.guess, 3))
    ε = 1.553 at δ = 1e-06 0.583
    """
    return _cost_of([(m, releases), *question.other_lists], question, convolved=convolved)


def other_lists_cost(question: Question) -> Cost:
    """Cost of the question's other lists alone, of which there is at least one."""
    return _cost_of(question.other_lists, question, convolved=True)


def _cost_of(plan: Sequence[tuple[Any, int]], question: Question, *, convolved: bool) -> Cost:
    most = question.data.contributions if convolved else None
    monotonic = bool(question.data.monotonic)
    return Cost(
        smallest_total(plan, delta=question.delta, contributions=most, monotonic=monotonic),
        right_guess_bound(plan, contributions=most, monotonic=monotonic),
    )


def plan_cost(
    design: Design, epsilon: float, question: Question, *, convolved: bool = True
) -> Cost:
    """Cost of the question's releases at this ε of one release."""
    return releases_cost(
        design.build(epsilon, question.k), question.releases_per_unit, question, convolved=convolved
    )


def cost_curve(
    design: Design, epsilon_range: tuple[float, float], decided_epsilon: float, question: Question
) -> CostCurve:
    """Cost from one end of ε to the other, and at the ε decided on."""
    mixed = question.also and design.build(1.0, question.k).gaussian_shift is not None
    points = _FEW if mixed or _convolves(design, question) else _POINTS
    epsilons = np.union1d(
        np.geomspace(*epsilon_range, points),
        [decided_epsilon] if math.isfinite(decided_epsilon) else [],
    )
    priced = [plan_cost(design, float(epsilon), question) for epsilon in epsilons]
    return CostCurve(
        epsilons,
        np.array([each.total_epsilon for each in priced]),
        np.array([each.guess for each in priced]),
    )


def _convolves(design: Design, question: Question) -> bool:
    """True where the total may come from convolving noise, which is too slow for every step."""
    data = question.data
    return (
        design.build(1.0, question.k).laplace_score_shifts(data.contributions, bool(data.monotonic))
        is not None
    )


def affordable_epsilon(design: Design, question: Question) -> float | None:
    """Largest ε of one release, rounded down, within the limit; None where there is none."""

    def affords(epsilon: float, *, convolved: bool = False) -> bool:
        cost = plan_cost(design, epsilon, question, convolved=convolved)
        return bool(cost.is_within_limit(question))

    if not affords(_LOW):
        return None
    ends = math.log(_LOW), math.log(_HIGH)
    low, _ = bisect(lambda at: not affords(math.exp(at)), *ends, rounds=_HALVINGS)
    if _convolves(design, question):
        ends = low, low + math.log(_CHEAPER)
        low, _ = bisect(
            lambda at: not affords(math.exp(at), convolved=True), *ends, rounds=_FEW_HALVINGS
        )
    epsilon = round_down(math.exp(low))
    return epsilon if affords(epsilon, convolved=True) else math.exp(low)


def affordable_release_count(m: TopKMechanism, question: Question) -> int:
    """Largest number of releases within the limit where a unit counts in each; may be 0."""

    def passes_limit(releases: int) -> bool:
        return not releases_cost(m, releases, question).is_within_limit(question)

    return bisect_left(range(1, question.releases_per_unit + 1), True, key=passes_limit)
