"""Lower bounds: on the data sets of the proof no mechanism of ours beats them."""

import numpy as np
import pytest

from dpviz import LargeMargin, ParameterError, Scores
from dpviz.margin.baselines import NoisyMax
from dpviz.margin.front_group import (
    largest_valid_delta,
    least_distance_from_best,
    pure_least_distance_from_best,
)


@pytest.mark.parametrize("near", [5, 100, 20_000])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9])
def test_no_mechanism_beats_the_bound_on_the_packing(near, epsilon):
    """One item m above ℓ − 1 others: found with probability below ½."""
    people = 1000
    m = pure_least_distance_from_best(near, epsilon, people)
    scores = Scores(np.append(m + 500.0, np.full(near - 1, 500.0)))
    delta = largest_valid_delta(near, epsilon)
    noisy = [NoisyMax(epsilon=epsilon, noise=noise) for noise in ("gumbel", "exponential")]
    for mechanism in (*noisy, LargeMargin(epsilon=epsilon, delta=delta)):
        law = mechanism.distribution(scores)
        assert not m or law.near_best_probability(max(m - 1e-9, 0.0)) < 0.5
    assert least_distance_from_best(near, epsilon, delta, people) == m


@pytest.mark.parametrize("told", [(1, 0.5, 0.0, 10), (10, 1.0, 0.0, 10), (10, 0.5, 0.1, 10)])
def test_conditions(told):
    with pytest.raises(ParameterError):
        least_distance_from_best(*told)
