"""The price of many releases: two items in closed form, and records of winners by convolution."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.teaching.lessons import a_bound_that_does_not_hold as lesson
from tests.teaching.asked import chosen, questions


def chances(noise: str, epsilon: float = lesson.EPSILON) -> tuple[float, float]:
    """A and B with her in the data, scores 1 and −1 of sensitivity 1: q_A − q_B = ε."""
    coin = math.exp(-epsilon)
    b = coin / 2 if noise == "exponential" else coin / (1 + coin)
    return 1 - b, b


def records(noise: str, many: int) -> list[tuple[float, float]]:
    """By how often B won: the chance without her and with her, one release after the other."""
    a, b = chances(noise)
    here, there = np.ones(1), np.ones(1)
    for _ in range(many):
        here, there = np.convolve(here, [0.5, 0.5]), np.convolve(there, [a, b])
    return list(zip(here.tolist(), there.tolist(), strict=True))


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("noise", [lesson.FLIPPED, lesson.EXPONENTIAL])
def test_how_far_losses_reach(noise: str, epsilon: float) -> None:
    a, b = chances(noise, epsilon)
    assert lesson.loss_range_width(noise, epsilon) == pytest.approx(math.log(a / b), abs=1e-9)
    assert (math.log(a / b) <= epsilon + 1e-12) == (noise == "gumbel")


@pytest.mark.parametrize("noise", [lesson.FLIPPED, lesson.EXPONENTIAL])
@pytest.mark.parametrize("many", lesson.MANY)
def test_the_law_of_records(many: float, noise: str) -> None:
    expected = np.zeros(len(lesson.TIMES) + 1)
    for p, q in records(noise, int(many)):
        times = p / q
        expected[sum(times > end * (1 + 1e-8) for end in lesson.TIMES)] += p
    assert lesson.law(many, noise) == pytest.approx(expected, abs=1e-9)


def total(rho: float) -> float:
    """The ε of ρ-zCDP at δ = 1e-6: the smallest over a fine grid of orders."""
    above = np.geomspace(1e-3, 1e4, 400_001)  # α − 1
    of_delta = (math.log(1e-6) + np.log1p(above)) / above
    return float(np.min(rho * (1 + above) - np.log1p(1 / above) - of_delta))


def test_fifty_releases() -> None:
    assert lesson.claimed_epsilon() == pytest.approx(total(50 * 0.2**2 / 8), abs=1e-6)
    most = math.exp(lesson.claimed_epsilon())
    seen = records(lesson.FLIPPED, 50)
    delta = sum(max(0.0, p - most * q) for p, q in seen)
    assert lesson.true_delta() == pytest.approx(delta, rel=1e-9)
    assert delta > 5000 * lesson.DELTA
    exponential = sum(max(0.0, p - most * q) for p, q in records(lesson.EXPONENTIAL, 50))
    assert lesson.true_delta(lesson.EXPONENTIAL) == pytest.approx(exponential, rel=1e-6, abs=1e-15)
    assert exponential < lesson.DELTA  # for it the price holds


@pytest.mark.parametrize("lists", [52, 12])
def test_what_each_list_of_a_year_may_have(lists: int) -> None:
    """By ρ = ε²/8, and for any mechanism of ε by the two answers that are furthest apart."""

    def leeway(epsilon: float) -> float:
        chances = stats.binom.pmf(range(lists + 1), lists, 1 / (1 + math.exp(-epsilon)))
        lost = (2 * np.arange(lists + 1) - lists) * epsilon
        return float(chances @ np.maximum(0, -np.expm1(2 - lost)))

    each = lesson.per_list_epsilon_when_composed(lesson.EXPONENTIAL, lists)
    assert total(lists * each**2 / 8) <= 2 < total(lists * (each + 0.001) ** 2 / 8)
    each = lesson.per_list_epsilon_when_composed(lesson.FLIPPED, lists)
    assert leeway(each) <= lesson.DELTA < leeway(each + 0.001)


def test_the_answers() -> None:
    predicted, which = questions("a_bound_that_does_not_hold")
    clear = {
        noise: sum(p for p, q in records(noise, 50) if p > 20 * q)
        for noise in ("exponential", "gumbel")
    }
    assert clear["exponential"] > 100 * clear["gumbel"]
    assert chosen(predicted) == "That of permute-and-flip"
    year, months = (lesson.per_list_epsilon_when_composed(lesson.EXPONENTIAL, n) for n in (52, 12))
    assert math.sqrt(2) < months / year < math.sqrt(8)  # between the geometric means
    assert chosen(which) == "About twice as much"
