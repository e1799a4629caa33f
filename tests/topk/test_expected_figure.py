"""Figures of merit of one's own: exact against sums by hand, estimated with intervals that cover."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dpviz import Canonical, ParameterError, Scores, ThresholdCounts, estimate, expected

S = Scores({"a": 6, "b": 4, "c": 3, "d": 1, "e": 0}, monotonic=True, contributions=1)
LAW = Canonical(epsilon=1.0, k=3).distribution(S)


def ndcg(chosen: tuple[int, ...]) -> float:
    """Gains by score, discounted by the place among the chosen, over those of the best three."""
    gains = -np.sort(-S.values[list(chosen)])
    discount = 1 / np.log2(np.arange(2, 5))
    return float(gains @ discount[: len(gains)] / (np.array([6, 4, 3]) @ discount))


def none_of_these(chosen: tuple[int, ...]) -> bool:
    return not {3, 4} & set(chosen)


@pytest.mark.parametrize("figure", [ndcg, none_of_these])
def test_it_is_the_sum_over_all_sets(figure: Any) -> None:
    sets = combinations(range(5), 3)
    by_hand = math.fsum(math.exp(LAW.log_probability(items)) * figure(items) for items in sets)
    found = expected(LAW, figure)
    assert (found.method, found.value) == ("exact", pytest.approx(by_hand, abs=1e-12))
    assert found.low <= by_hand <= found.high <= found.low + 1e-6


def test_a_list_that_may_be_shorter_has_all_its_sizes() -> None:
    law = ThresholdCounts(epsilon=1.0, k=2, delta=0.05).distribution(S)
    assert expected(law, lambda chosen: not chosen).value == pytest.approx(law.length[0])
    assert expected(law, len, between=(0, 2)).value == pytest.approx(law.expected_length)


def test_weights_are_added_up_exactly_at_any_size() -> None:
    assert expected(LAW, {"a": 0.5, "d": -0.5}).value == pytest.approx(
        0.5 * (LAW.inclusion[0] - LAW.inclusion[3])
    )
    large = Canonical(epsilon=1.0, k=50).distribution(Scores(np.arange(400.0)))
    found = expected(large, np.where(np.arange(400) >= 350, 1 / 50, 0.0))
    assert (found.method, found.value) == ("exact", pytest.approx(large.share))
    assert found.low <= large.share <= found.high


@pytest.mark.parametrize("figure", [ndcg, none_of_these, [0.5, 0.3, 0.2, 0.0, 0.0]])
def test_intervals_from_draws_cover(figure: Any) -> None:
    truth, covered = expected(LAW, figure).value, 0
    for seed in range(60):
        drawn = estimate(LAW.mechanism, S, samples=400, rng=seed)
        found = expected(drawn, figure, samples=400, rng=seed)
        assert found.method == "estimated"
        covered += found.low <= truth <= found.high
    assert covered >= 50


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        ({"x": 1.0}, "an item of figure must be"),
        ([1.0], "a weight for each of 5 items"),
        (lambda chosen: 2.0, "a number from 0 to 1"),
        (lambda chosen: math.nan, "a number from 0 to 1"),
    ],
)
def test_bad_figures(figure: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        expected(LAW, figure)
