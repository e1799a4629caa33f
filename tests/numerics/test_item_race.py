"""The largest of many: brute force, another kernel, and the bound on groups left out."""

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.numerics.item_race import item_win_probabilities
from tests.gaps.sparse.oracle import one_shot_sets


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    "q", [[0.0, 0.0], [2.0, 1.9, 0.0, -7.0], [5.0, -5.0, -40.0], [0.0, -1e306]]
)
def test_the_law_equals_brute_force(noise: str, q: list[float]) -> None:
    probability, error = item_win_probabilities(NOISES[noise], np.array(q))
    sets = one_shot_sets(np.maximum(q, -600.0), 1, noise)
    np.testing.assert_allclose(probability, [sets[(i,)] for i in range(len(q))], atol=1e-12 + error)
    assert error < 1e-11


@pytest.mark.parametrize("noise", NOISES)
def test_power_sums_agree_with_items_one_by_one(noise: str) -> None:
    q = np.sort(np.round(np.random.default_rng(6).normal(0, 2, 400), 2))[::-1]
    one_by_one = group_win_probabilities(NOISES[noise], q, np.zeros(400)).probability
    np.testing.assert_allclose(item_win_probabilities(NOISES[noise], q)[0], one_by_one, atol=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_the_error_covers_what_the_chances_lack_to_one(noise: str) -> None:
    for n in (2, 30, 3000):
        level = np.sort(np.random.default_rng(n).normal(0, 4, n))[::-1]
        probability, error = item_win_probabilities(NOISES[noise], level)
        assert max(abs(probability.sum() - 1), 1e-12) <= error < 1e-10  # with all rounding


LEVEL, LOG_SIZE = np.array([3.0, 1.0, 0.0]), np.log([1.0, 5.0, 40.0])


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("log_weight", [-25.0, -12.0, -3.0])
def test_a_group_left_out_wins_no_more_often_than_its_bound(noise: str, log_weight: float) -> None:
    level, log_size = np.append(LEVEL, -2.0), np.append(LOG_SIZE, log_weight + 2.0)
    wins = group_win_probabilities(NOISES[noise], level, log_size).probability[-1]
    without = group_win_probabilities(NOISES[noise], LEVEL, LOG_SIZE)
    assert wins <= without.omitted_win_bound(log_weight)
