"""A bound that does not hold: two items in closed form, and many releases by convolution."""

import math

import numpy as np
import pytest

from dpviz.teaching.lessons import a_bound_that_does_not_hold as lesson
from tests.teaching.asked import chosen, questions


def chances(noise: str, epsilon: float) -> tuple[float, float]:
    """A and B with her in the data, scores 1 and −1 of sensitivity 1: q_A − q_B = ε."""
    coin = math.exp(-epsilon)
    b = coin / 2 if noise == "exponential" else coin / (1 + coin)
    return 1 - b, b


@pytest.mark.parametrize("epsilon", lesson.EPSILONS)
@pytest.mark.parametrize("noise", [lesson.FLIPPED, lesson.EXPONENTIAL])
def test_chances_losses_and_divergence(noise: str, epsilon: float) -> None:
    a, b = chances(noise, epsilon)
    assert lesson.law(epsilon, noise) == pytest.approx([a, b], abs=1e-12)
    assert lesson.without_her(epsilon) == pytest.approx([0.5, 0.5], abs=1e-12)
    assert lesson.reach(noise, epsilon) == pytest.approx(math.log(a / b), abs=1e-9)
    assert lesson.divergence(noise, epsilon) == pytest.approx(math.log(0.25 / a + 0.25 / b), abs=1e-9)
    assert (lesson.divergence(noise, epsilon) <= epsilon**2 / 4) == (noise == "gumbel")
    assert (math.log(a / b) <= epsilon + 1e-12) == (noise == "gumbel")


def test_the_figures_that_are_known() -> None:
    assert lesson.divergence(lesson.FLIPPED, 2.0) == pytest.approx(1.3769, abs=5e-5)
    assert lesson.claimed(2.0) == 1.0


def total(rho: float) -> float:
    """The ε of ρ-zCDP at δ = 1e-6: the smallest over a fine grid of orders."""
    above = np.geomspace(1e-3, 1e4, 400_001)  # α − 1
    return float(np.min(rho * (1 + above) - np.log1p(1 / above) - (math.log(1e-6) + np.log1p(above)) / above))


def test_many_releases() -> None:
    assert lesson.claimed_epsilon() == pytest.approx(total(50 * 0.2**2 / 8), abs=1e-6)
    assert lesson.right_epsilon() == pytest.approx(total(50 * 0.2**2 / 2), abs=1e-6)
    a, b = chances("exponential", 0.2)
    seen = {0: (1.0, 1.0)}  # how often B won → the chance without her and with her
    for _ in range(50):
        grown: dict[int, tuple[float, float]] = {}
        for bs, (p, q) in seen.items():
            for more, here, there in ((0, 0.5, a), (1, 0.5, b)):
                before = grown.get(bs + more, (0.0, 0.0))
                grown[bs + more] = (before[0] + p * here, before[1] + q * there)
        seen = grown
    delta = sum(max(0.0, p - math.exp(lesson.claimed_epsilon()) * q) for p, q in seen.values())
    assert lesson.true_delta() == pytest.approx(delta, rel=1e-9)
    assert delta > 5000 * lesson.DELTA
    above = sum(p for p, q in seen.values() if p > math.exp(lesson.claimed_epsilon()) * q)
    assert lesson.chance_above() == pytest.approx(above, rel=1e-9)
    assert above > delta  # "even more often"


def test_the_answers() -> None:
    predicted, which = questions("a_bound_that_does_not_hold")
    a, b = chances("exponential", 2.0)
    assert math.log(0.25 / a + 0.25 / b) > 1.0
    assert chosen(predicted) == "It does not hold"
    assert chosen(which) == "The exponential mechanism only"


def test_the_reasons_against_other_answers() -> None:
    a, b = chances("exponential", 2.0)
    _, which = questions("a_bound_that_does_not_hold")
    _, flipped, both = which.mistakes()
    assert f"reach over {math.log(a / b) / 2:.2f}ε," in flipped
    assert f"a divergence of {math.log(0.25 / a + 0.25 / b):.4f}, and ρ = ε²/8 allows 1." in both
