"""Distance to instability: closed form, tight privacy, and a twin with the wrong gap sensitivity."""

import math

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.margin.instability import DistanceToInstability


@pytest.mark.parametrize("monotonic", [False, True])
def test_release_probability_is_the_tail_of_a_laplace(monotonic):
    mechanism = DistanceToInstability(epsilon=0.8, delta=1e-3)
    sensitivity = 0.5
    change = sensitivity if monotonic else 2 * sensitivity
    noise = np.random.default_rng(2).laplace(0, change / 0.8, 400_000)
    for gap in (0.0, 4.0, 9.0, 20.0):
        law = mechanism.distribution(Scores([gap, 0.0], sensitivity=sensitivity, monotonic=monotonic))
        released = np.mean(gap + noise > change + change / 0.8 * math.log(1 / (2 * 1e-3)))
        assert law.inclusion[0] == pytest.approx(released, abs=5e-3)


def worst(mechanism, *, monotonic):
    """The largest hockey stick − δ over neighbours, whose gap moves by up to Δ or 2Δ."""
    excess = -math.inf
    moves = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] if monotonic else [(1.0, -1.0), (-1.0, 1.0), (0.3, -1.0)]
    for gap in np.linspace(0, 60, 121):
        for up, down in moves:
            pair = [Scores([gap, 0.0], monotonic=monotonic), Scores([gap + up, down], monotonic=monotonic)]
            p, q = (np.append(law.inclusion, law.fail) for law in map(mechanism.distribution, pair))
            for a, b in ((p, q), (q, p)):
                stick = np.maximum(a - math.exp(mechanism.epsilon) * b, 0).sum()
                excess = max(excess, stick - mechanism.delta)
    return excess


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-6), (0.2, 0.1), (3.0, 0.4)])
def test_privacy_and_tightness(epsilon, delta, monotonic):
    mechanism = DistanceToInstability(epsilon=epsilon, delta=delta)
    assert worst(mechanism, monotonic=monotonic) <= 1e-12
    at_sensitivity = Scores([1.0 if monotonic else 2.0, 0.0], monotonic=monotonic)
    assert mechanism.distribution(at_sensitivity).inclusion[0] == pytest.approx(delta, rel=1e-12)


def test_twin_with_half_the_gap_sensitivity_is_caught():
    class Halved(DistanceToInstability):
        def gap_sensitivity(self, scores):
            return scores.sensitivity

    assert worst(Halved(epsilon=1.0, delta=1e-3), monotonic=False) > 1e-3


def test_delta_of_a_half_is_refused():
    with pytest.raises(ParameterError, match=r"delta must be a number above 0 and below 0.5, not 0.5\."):
        DistanceToInstability(epsilon=1.0, delta=0.5)
