"""A good item over the size of the universe, by items listed one by one and by closed forms."""

import numpy as np
import pytest

from dpviz import LargeMargin, ParameterError, Scores
from dpviz.margin.baselines import COMPARED
from dpviz.margin.universe_curve import (
    MOST_UNLISTED,
    half_chance_log10_zeros,
    huge_universe_curve,
    universe_curve,
)

COUNTS = [60, 52, 20, 5, 5, 1]
SCORES = Scores(COUNTS, monotonic=True)
EPSILON, DELTA, DISTANCE = 0.2, 1e-3, 10.0
AT = {name: mechanism.replace(epsilon=EPSILON, delta=DELTA) for name, mechanism in COMPARED.items()}


@pytest.mark.parametrize("rule", list(COMPARED))
def test_unlisted_items_count_as_listed_ones_of_score_zero(rule: str) -> None:
    sizes = np.array([6, 7, 40])
    curve, _ = universe_curve(AT[rule], SCORES, DISTANCE, sizes)
    for size, low, high in zip(sizes.tolist(), curve.low, curve.high, strict=True):
        listed = Scores([*COUNTS, *[0] * (size - 6)], monotonic=True)
        assert low == high
        law = AT[rule].distribution(listed)
        assert low == pytest.approx(law.near_best_probability(DISTANCE), abs=1e-9)


def test_far_off_the_exponential_mechanism_has_its_closed_form() -> None:
    law = AT["gumbel"].distribution(SCORES, zeros=MOST_UNLISTED)
    digits = np.array([7.5, 9.0, 12.0, 200.0])
    weight = np.exp(EPSILON * np.array(COUNTS))
    expected = weight[:2].sum() / (weight.sum() + 10.0**digits)
    told = huge_universe_curve(AT["gumbel"], law, DISTANCE, digits).low
    np.testing.assert_allclose(told, expected, rtol=1e-9)


@pytest.mark.parametrize("counts", [COUNTS, [3000, 2990, 100, 4], [1300, 1295, 1100, 60], [40] * 9])
@pytest.mark.parametrize("start", [1, 20, 3000])
def test_large_margin_stays_between_its_bounds_as_the_universe_grows(
    counts: list[int], start: int
) -> None:
    scores, m = Scores(counts, monotonic=True), AT["large_margin"]
    zeros = [z for z in (1, 2, 20, 21, 100, 1000, 50_000) if z >= start]
    law = m.distribution(scores, zeros=start)
    bounds = huge_universe_curve(m, law, DISTANCE, np.log10(zeros))
    for z, low, high in zip(zeros, bounds.low, bounds.high, strict=True):
        there = m.distribution(scores, zeros=z).near_best_probability(DISTANCE)
        assert low - 1e-9 <= there <= high + 1e-9


@pytest.mark.parametrize("counts", [COUNTS, [90, 85, 76], [40] * 30 + [25] * 200])
def test_half_way_is_where_the_exponential_mechanism_is_at_one_half(counts: list[int]) -> None:
    scores = Scores(counts, monotonic=True)
    half = half_chance_log10_zeros(scores, EPSILON, DISTANCE)
    law = AT["gumbel"].distribution(scores)
    assert half is not None
    there = huge_universe_curve(AT["gumbel"], law, DISTANCE, np.array([half])).low[0]
    assert there == pytest.approx(0.5, abs=1e-9)


def test_half_way_is_nowhere_if_it_is_less_to_begin_with_or_zero_is_good() -> None:
    assert half_chance_log10_zeros(Scores([30.0, *[29.0] * 50], monotonic=True), 0.1, 0.5) is None
    assert half_chance_log10_zeros(SCORES, 1.0, 60.0) is None


def test_scores_below_zero_have_no_unlisted_items_under_them() -> None:
    with pytest.raises(ParameterError, match="at least 0"):
        universe_curve(AT["gumbel"], Scores([3.0, -1.0]), 0.0, np.array([2, 5]))


def test_the_bounds_reckon_with_tests_that_still_pass_and_not_with_many_more() -> None:
    """Scores below the margins: later tests pass seldom, and the curve has to tell how seldom."""
    scores = Scores([12.0] + [0.0] * 7)
    zeros = [100, 50_000]
    m = LargeMargin(epsilon=2.0, delta=0.9)
    bounds = huge_universe_curve(m, m.distribution(scores, zeros=1), 0.0, np.log10(zeros))
    for z, low, high in zip(zeros, bounds.low, bounds.high, strict=True):
        there = m.distribution(scores, zeros=z).near_best_probability(0.0)
        assert there - 0.004 <= low <= there <= high <= there + 0.01
