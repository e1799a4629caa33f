"""Universes that nobody can list: laws keep to closed forms and bounds, and state their error."""

import math

import numpy as np
import pytest

from dpviz import LargeMargin, ParameterError, Scores
from dpviz.data import EXAMPLES
from dpviz.margin import large_margin
from dpviz.margin.baselines import COMPARED, NoisyMax
from dpviz.margin.universe_curve import huge_universe_curve

OPENINGS = EXAMPLES["chat_openings"].scores()
SIZES = (250, 274, 275, 300, 400, 1000)


@pytest.mark.parametrize("digits", SIZES)
def test_the_exponential_mechanism_has_its_closed_form(digits: int) -> None:
    law = NoisyMax(epsilon=0.5).distribution(OPENINGS, zeros=10**digits)
    log_weight = 0.5 * OPENINGS.values  # counts: ε/2·x with x = f/(Δ/2)
    log_weights = np.append(log_weight, digits * math.log(10))
    truth = np.exp(log_weights - np.logaddexp.reduce(log_weights))
    found = [*law.inclusion, law.zero_mass]
    np.testing.assert_allclose(found, truth, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("name", COMPARED)
@pytest.mark.parametrize("digits", SIZES)
def test_everything_adds_up(name: str, digits: int) -> None:
    law = COMPARED[name].replace(epsilon=0.5).distribution(OPENINGS, zeros=10**digits)
    assert law.inclusion.sum() + law.zero_mass + law.fail == pytest.approx(1, abs=3e-12)
    assert law.error < 1e-11


@pytest.mark.parametrize("values", [[1262, 1257, 1249, 96, 3], [700, 3], [30, 20, 4]])
@pytest.mark.parametrize("digits", [8, 50, 400])
def test_large_margin_lies_between_the_bounds_from_a_universe_that_was_walked(
    values: list[float], digits: int
) -> None:
    scores, mechanism = Scores(values, monotonic=True), LargeMargin(epsilon=0.5)
    near = mechanism.distribution(scores, zeros=20_000)
    bounds = huge_universe_curve(mechanism, near, 20.0, np.array([float(digits)]))
    law = mechanism.distribution(scores, zeros=10**digits)
    assert bounds.low[0] - 1e-11 <= law.near_best_probability(20.0) <= bounds.high[0] + 1e-11


@pytest.mark.parametrize("best", [12.0, 15.0, 17.0, 20.0])
def test_what_fewer_tests_leave_out_is_within_the_error(
    best: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, mechanism = Scores([best, best - 1, 0.0]), LargeMargin(epsilon=5.0, delta=0.5)
    monkeypatch.setattr(large_margin, "_TESTED", (400_000,))
    walked = mechanism.distribution(scores, zeros=400_000)
    monkeypatch.setattr(large_margin, "_TESTED", (30,))
    short = mechanism.distribution(scores, zeros=400_000)
    off = [*(short.inclusion - walked.inclusion), short.zero_mass - walked.zero_mass]
    assert 1e-10 < np.abs(off).max() <= short.error, "there is something to leave out"
    assert short.error < 0.02


def test_more_than_can_be_told_apart_is_not_drawn_from() -> None:
    with pytest.raises(ParameterError, match=r"zeros must be .* 0 to 100,000,000, not 1000000000"):
        NoisyMax(epsilon=1.0).sample(OPENINGS, 3, rng=np.random.default_rng(0), zeros=10**9)
    with pytest.raises(ParameterError, match=r"from 0 to 10\^1000"):
        NoisyMax(epsilon=1.0).distribution(OPENINGS, zeros=10**1001)
