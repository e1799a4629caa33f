"""Costs of rules: candidates with a δ1, Poisson repeats; the meters catch broken rules."""

import math

import numpy as np
import pytest

from dpviz.candidates import (
    KnownThreshold,
    RandomStopping,
    sufficient_limit_for_delta2,
    sufficient_limit_for_epsilon0,
)
from dpviz.candidates.run_counts import GeometricRuns
from tests.candidates.neighbours import outcomes, pools
from tests.meters import largest_loss, smallest_delta


def worst_loss(rule, epsilon, rounds=60, **shape):
    rng = np.random.default_rng(21)
    pairs = [pools(rng, epsilon, **shape) for _ in range(rounds)]
    return max(largest_loss(outcomes(rule, a), outcomes(rule, b)) for a, b in pairs)


def test_a_threshold_without_random_stops_is_caught():
    class OnlyALimit(KnownThreshold):
        def _runs(self, pool):
            return GeometricRuns(float(pool.mixture_tail(np.array(self.threshold))), self.limit)

    rule = OnlyALimit(threshold=5.0, stop=0.1, epsilon0=0.5)
    assert worst_loss(rule, 0.5) > rule.total_epsilon(0.5)[0] + 0.3


@pytest.mark.parametrize("epsilon", [0.05, 0.8])
@pytest.mark.parametrize("delta", [1e-6, 1e-3, 0.02])
def test_approximate_candidates(epsilon, delta):
    rules = [
        KnownThreshold(threshold=4.0, stop=0.2, epsilon0=0.5),
        RandomStopping(stop=0.2, limit=sufficient_limit_for_delta2(0.2, 1e-6)),
        RandomStopping(stop=0.02, limit=sufficient_limit_for_delta2(0.02, 1e-3)),
    ]
    rng = np.random.default_rng(22)
    for a, b in [pools(rng, epsilon, delta) for _ in range(40)]:
        for rule in rules:
            total, total_delta = rule.total_epsilon(epsilon, delta)
            worlds = outcomes(rule, a), outcomes(rule, b)
            assert smallest_delta(*worlds, total) <= total_delta + 1e-12


def test_totals_as_the_theorems_print_them():
    rule = KnownThreshold(threshold=0.0, stop=0.1, epsilon0=0.2)
    assert rule.total_epsilon(0.5) == pytest.approx((1.2, 0.0))
    _, delta = rule.total_epsilon(0.5, 1e-6)
    assert delta == pytest.approx(3 * math.exp(1.2) * 1e-6 / 0.1)
    assert KnownThreshold(threshold=0.0, stop=0.1).total_epsilon(0.5, 0.9)[1] == 1
    limit = sufficient_limit_for_epsilon0(0.05, 0.1)
    epsilon, _ = RandomStopping(stop=0.05, limit=limit).total_epsilon(0.5)
    assert 1.5 + 3 * 0.09 < epsilon <= 1.5 + 3 * 0.1
    limit = sufficient_limit_for_delta2(0.05, 1e-5)
    epsilon, delta = RandomStopping(stop=0.05, limit=limit).total_epsilon(0.5, 1e-8)
    assert epsilon == pytest.approx(1.5 + 3 * math.sqrt(2e-8))
    assert math.sqrt(2e-8) * limit < delta <= math.sqrt(2e-8) * limit + 1e-5
