"""What gaps are worth: the published lead and the true error, by plain sums and simulation."""

import numpy as np
import pytest
from scipy import stats

from dpviz.gaps.gap_experiment import top_k_experiment
from dpviz.teaching.lessons import gaps_and_their_bias as lesson
from tests.teaching.asked import chosen, questions

NOISE = stats.laplace(scale=20.0)  # 2k/ε = 2·2/0.2 visitors


def short_by(amount: float, rivals: int) -> float:
    """P(the largest rival's noise exceeds the favourite's by more), by the midpoint rule."""
    step = 0.01
    own = np.arange(-1200.0, 1200.0, step) + step / 2
    return float(1 - (NOISE.pdf(own) * NOISE.cdf(own + amount) ** rivals).sum() * step)


@pytest.mark.parametrize("rivals", [1.0, *lesson.RIVALS])
def test_the_law_of_the_lead(rivals: float) -> None:
    above = [short_by(amount, int(rivals)) for amount in (100.0, 20.0, -20.0, -100.0)]
    assert lesson.law(rivals) == pytest.approx(np.diff([0.0, *above, 1.0]), abs=1e-7)


def moments_of_largest_of_1000() -> tuple[float, float]:
    """Mean and mean square of the largest of a thousand noises of size 1, by the midpoint rule."""
    grid = np.arange(-60.0, 80.0, 1e-3) + 5e-4
    mass = 1000 * stats.laplace.pdf(grid) * stats.laplace.cdf(grid) ** 999 * 1e-3
    return mass @ grid, mass @ grid**2


def test_the_largest_of_few_noises_is_known() -> None:
    for rivals, moments in (
        (1.0, (0.0, 2.0)),  # its variance
        (2.0, (0.75, 2.0)),  # ∫ 1 − F² less ∫ F², by hand
    ):
        assert lesson.largest_noise_mean_and_square(rivals) == pytest.approx(moments, abs=1e-12)
    of_many = lesson.largest_noise_mean_and_square(1000.0)
    assert of_many == pytest.approx(moments_of_largest_of_1000(), rel=1e-7)


def test_the_formula_is_right_before_selection_only() -> None:
    assert lesson.promised_variance_ratio() == 0.75  # (λk + 1)/((λ + 1)k) at λ = 1, k = 2
    assert lesson.true_ratio(1.0) == pytest.approx(0.75, abs=1e-12)
    assert lesson.true_ratio(2.0) == pytest.approx(0.75, abs=1e-12)


@pytest.mark.parametrize("rivals", [10.0, 100.0, 1000.0])
def test_the_true_error_is_that_of_the_simulated_experiment(rivals: float) -> None:
    found = top_k_experiment(lesson.visitor_scores(rivals), epsilon=0.2, k=2, runs=40_000, rng=3)
    assert found.formula == pytest.approx(lesson.promised_variance_ratio())
    half = found.ratio.high - found.ratio.value
    assert abs(found.ratio.value - lesson.true_ratio(rivals)) < 2 * half  # four standard errors
    assert (lesson.true_ratio(rivals) > 1) == (rivals > 10)


def test_the_runner_up_is_overestimated() -> None:
    """β2 as Theorem 3 has it, k = 2 and λ = 1, over simulated releases: what the last answer says."""
    rng = np.random.default_rng(8)
    first = rng.laplace(scale=20.0, size=20_000)
    rivals = NOISE.ppf(rng.random(20_000) ** (1 / 1000))  # the largest of a thousand
    alpha = rng.laplace(scale=20.0, size=(20_000, 2)) + np.array([900.0, 100.0])
    gap = 800.0 + first - rivals
    second = (alpha.sum(axis=1) + gap + 2 * alpha[:, 1] - 2 * gap) / 4
    assert second.mean() - 100.0 == pytest.approx(lesson.mean_lead_shortfall(1000) / 4, abs=0.5)


def test_the_answers() -> None:
    predicted, harm = questions("gaps_and_their_bias")
    assert short_by(20.0, 1000) > 0.9
    assert chosen(predicted) == "Mostly too small"
    assert chosen(harm).startswith("It grows")
