"""Front groups, closeness and limits, by the formulas written out again and by the laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import LargeMargin, ParameterError, Scores
from dpviz.margin.baselines import COMPARED, NoisyMax
from dpviz.margin.front_group import (
    distance_from_best_cdf,
    distance_lower_bounds,
    front_group,
    utility_guarantee_curve,
)

COUNTS = st.lists(st.integers(0, 3000), min_size=2, max_size=12)


def margin(r: int, epsilon: float, delta: float) -> float:
    """T_r as the paper prints it."""
    log = math.log
    fixed = 3 * log(3 / (2 * delta)) + 6 * log(3 / delta)
    return 6 + (fixed + 12 * log(3 * r * (r + 1) / delta) + 6 * log(3 * r / delta)) / epsilon


@given(
    counts=COUNTS,
    zeros=st.sampled_from([0, 1, 50]),
    epsilon=st.sampled_from([0.5, 1.0, 4.0]),
    sensitivity=st.sampled_from([1.0, 2.5]),
)
@settings(deadline=None, max_examples=60)
def test_the_front_group_is_found_by_hand(
    counts: list[int], zeros: int, epsilon: float, sensitivity: float
) -> None:
    mechanism = LargeMargin(epsilon=epsilon, delta=1e-4)
    found = front_group(mechanism, Scores(counts, sensitivity=sensitivity), zeros=zeros)
    every = sorted([*counts, *[0] * zeros], reverse=True)
    asked = [sensitivity * margin(r, epsilon, 1e-4) for r in range(1, len(every))]
    drops = [every[0] - value for value in every[1:]]
    passed = zip(drops, asked, strict=True)
    clear = [r for r, (drop, m) in enumerate(passed, 1) if drop > m * (1 + 1e-12)]
    assert found.rank == (clear[0] if clear else None)
    assert found.drop == pytest.approx(drops[: len(found.drop)], abs=0)
    assert found.margin == pytest.approx(asked[: len(found.margin)], rel=1e-12)


@given(COUNTS, st.sampled_from([0, 100]), st.sampled_from([0.5, 2.0]))
@settings(deadline=None, max_examples=40)
def test_what_is_promised_is_kept(counts: list[int], zeros: int, epsilon: float) -> None:
    mechanism, scores = LargeMargin(epsilon=epsilon, delta=1e-3), Scores(counts)
    law = mechanism.distribution(scores, zeros=zeros)
    promised = utility_guarantee_curve(mechanism, scores, zeros=zeros)
    for distance, probability in zip(*promised, strict=True):
        assert law.near_best_probability(float(distance)) >= probability - 1e-9


@given(COUNTS, st.sampled_from([0, 3, 1000]), st.sampled_from(list(COMPARED)))
@settings(deadline=None, max_examples=60)
def test_closeness_is_near_best_at_every_distance(counts: list[int], zeros: int, rule: str) -> None:
    law = (
        COMPARED[rule]
        .replace(epsilon=0.3, delta=1e-3)
        .distribution(Scores(counts, monotonic=True), zeros=zeros)
    )
    distance, probability = distance_from_best_cdf(law)
    assert distance[0] == 0
    assert (np.diff(distance) > 0).all()
    for x, p in zip(distance, probability, strict=True):
        assert p == pytest.approx(law.near_best_probability(float(x)), abs=1e-12)
    assert probability[-1] == pytest.approx(1 - law.fail, abs=1e-9)


def test_limits_follow_the_theorems() -> None:
    epsilon, delta = 0.5, 1e-6
    found = distance_lower_bounds(epsilon, delta, 1_000_000, 4000)
    pure = np.floor(np.maximum(0.0, np.log((found.near - 1) / 2) / epsilon))
    assert found.pure.tolist() == pure.tolist()
    valid = delta <= (1 - math.exp(-epsilon)) / (2 * (found.near - 1))
    assert valid.tolist() == (np.arange(len(valid)) < found.valid_point_count).tolist()
    assert found.approximate.tolist() == found.pure[: found.valid_point_count].tolist()
    promise = 6 / epsilon * np.log(2 * found.near / 0.5)
    np.testing.assert_allclose(found.promise, promise, rtol=1e-12)
    assert (found.promise > found.pure).all()
    assert distance_lower_bounds(epsilon, delta, 1_000_000, 10).pure.max() == 5


@pytest.mark.parametrize(
    ("epsilon", "delta", "universe"), [(1.0, 1e-6, 10), (0.5, 1.0, 10), (0.5, 1e-6, 2)]
)
def test_limits_refuse_what_no_theorem_covers(epsilon: float, delta: float, universe: int) -> None:
    with pytest.raises(ParameterError):
        distance_lower_bounds(epsilon, delta, universe, 100)


def test_a_drop_as_large_as_its_margin_does_not_pass_it() -> None:
    """The test asks for more than the margin: a front group stands clear from the next number on."""
    mechanism = LargeMargin(epsilon=1.0, delta=1e-3)
    margin = float(mechanism.required_margins(2)[0])
    assert front_group(mechanism, Scores([margin, 0.0])).rank is None
    assert front_group(mechanism, Scores([np.nextafter(margin, np.inf), 0.0])).rank == 1


def test_closeness_is_a_chance_however_many_items_are_summed() -> None:
    laws = [NoisyMax(epsilon=0.05).distribution(Scores(np.arange(float(n)))) for n in range(2, 30)]
    assert max(np.cumsum(law.inclusion[::-1])[-1] for law in laws) > 1, "by rounding"
    assert max(distance_from_best_cdf(law)[1].max() for law in laws) == 1
