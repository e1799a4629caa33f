"""Large margin: the exponential mechanism in closed form, and Algorithm 1 step by step."""

import math

import numpy as np
import pytest

from dpviz.base.arrays import Floats
from dpviz.teaching.lessons import large_margin as lesson
from tests.teaching.asked import chosen, questions

OTHERS = (12.0, 7.0, 3.0)


def exponential(digits: float, people: float = 600.0) -> list[float]:
    """Weights e^(εf), relative to the favourite's."""
    listed = sum(math.exp(f - people) for f in OTHERS)
    unlisted = math.exp(min(700.0, digits * math.log(10) - people))
    total = 1 + listed + unlisted
    return [1 / total, listed / total, unlisted / total]


@pytest.mark.parametrize("digits", lesson.DIGITS)
def test_the_exponential_mechanism(digits: float) -> None:
    law = lesson.winner_kind_law(lesson.EXPONENTIAL, digits)
    assert law == pytest.approx(exponential(digits), abs=1e-9)
    people = lesson.people_for_even_odds(digits)
    assert [exponential(digits, float(n))[0] >= 0.5 for n in (people - 1, people)] == [False, True]


def margins(r: Floats) -> Floats:
    """Leads that tests ask for, without their noise, by Algorithm 1 with ε = 1 and δ = 1e-6."""
    delta = 1e-6
    fixed = 3 * math.log(3 / (2 * delta)) + 6 * math.log(3 / delta)
    return fixed + 12 * np.log(3 * r * (r + 1) / delta) + 6 * (1 + np.log(3 * r / delta))


def favourite_by_steps(people: float, digits: float, runs: int) -> float:
    """How often Algorithm 1 names the favourite, with its first 3,000 tests."""
    rng, many = np.random.default_rng(4), 3000
    margin = margins(np.arange(1.0, many + 1))
    after = np.zeros(many)
    after[:3] = OTHERS
    named = 0
    for _ in range(runs):
        best = people + rng.laplace(scale=3.0) - rng.laplace(scale=6.0)
        passed = best - after > rng.laplace(scale=12.0, size=many) + margin
        front = float(np.argmax(passed)) + 1 if passed.any() else 10.0**digits
        weights = [1.0, *(math.exp((f - people) / 6) for f in OTHERS[: int(min(front, 4)) - 1])]
        rest = math.exp(min(700.0, math.log(max(front - 4, 1e-300)) - people / 6))
        named += rng.random() < 1 / (sum(weights) + rest)
    return named / runs


@pytest.mark.parametrize("people", [400.0, 430.0])  # ends are asked below
def test_large_margin_by_its_steps(people: float) -> None:
    law = lesson.winner_kind_law(lesson.LARGE, 100.0, people)
    assert favourite_by_steps(people, 100.0, 2500) == pytest.approx(float(law[0]), abs=0.03)


def test_the_lead_that_the_first_test_asks_for() -> None:
    assert lesson.first_test_required_lead() == pytest.approx(
        float(margins(np.array(1.0))), abs=1e-9
    )


def test_the_answers() -> None:
    predicted, fewer = questions("large_margin")
    assert exponential(400.0)[0] < 0.5 < favourite_by_steps(600.0, 400.0, 200)
    assert chosen(predicted) == "Large margin only"
    assert exponential(100.0, 300.0)[0] > 0.5 > favourite_by_steps(300.0, 100.0, 200)
    assert chosen(fewer) == "The exponential mechanism only"
