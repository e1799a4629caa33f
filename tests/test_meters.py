"""The meters themselves: closed forms, scipy's intervals, and draws whose law is known."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import Scores
from dpviz.privacy.neighbours import neighbouring
from tests import meters


def test_loss_and_delta_of_laws() -> None:
    p, q = {"a": 0.5, "b": 0.5}, {"a": 0.1, "b": 0.9}
    assert meters.largest_loss(p, q) == meters.largest_loss(q, p) == pytest.approx(math.log(5))
    assert meters.largest_loss(p, {"a": 1.0}) == math.inf
    assert meters.largest_loss(p, {**p, "c": 0.0}) == 0.0
    assert meters.smallest_delta(p, q, 0.0) == pytest.approx(0.4)
    assert (
        meters.smallest_delta(p, q, math.log(2))
        == meters.smallest_delta(q, p, math.log(2))
        == pytest.approx(0.3)
    )
    assert meters.smallest_delta(p, q, math.log(5)) == pytest.approx(0.0)


def test_intervals_are_scipys() -> None:
    for count in (0, 1, 17, 50):
        low, high = meters.interval(np.array(count), 50, looks=4)
        around = stats.binomtest(count, 50).proportion_ci(
            1 - meters.FALSE_ALARM / 4, method="exact"
        )
        assert (float(low), float(high)) == pytest.approx((around.low, around.high), rel=1e-6)


def test_draws_show_less_than_there_is_and_enough() -> None:
    rng = np.random.default_rng(1)
    here, there = (rng.choice(["a", "b"], 20_000, p=p).tolist() for p in ([0.5, 0.5], [0.1, 0.9]))
    assert 1.4 < meters.loss_seen(here, there) < math.log(5)
    assert 0.26 < meters.delta_seen(here, there, math.log(2)) < 0.3
    assert meters.loss_seen(["a"] * 2000, ["b"] * 2000) > 4
    assert meters.delta_seen(["a"] * 2000, ["b"] * 2000, 0.0) > 0.98
    assert meters.loss_seen(here, here[::-1]) < 0


def test_disagreement_tells_what_a_law_does_not_allow() -> None:
    rng = np.random.default_rng(2)
    law = dict.fromkeys(range(40), 1 / 40)
    drawn = rng.integers(0, 40, 20_000).tolist()
    assert not meters.disagreement(drawn, law)
    assert "impossible: {40: 1}" in meters.disagreement([*drawn, 40], law)
    tilted = np.where(np.arange(40) % 2, 0.92, 1.08) / 40  # each by itself is nothing to notice
    assert "χ²" in meters.disagreement(rng.choice(40, 20_000, p=tilted).tolist(), law)
    rare = {0: 1 - 1e-5, 1: 5e-6, 2: 5e-6}  # too few of each for a χ² test
    assert "1: 8 of 20000" in meters.disagreement([0] * 19_992 + [1] * 8, rare)


@pytest.mark.parametrize("monotonic", [False, True])
def test_neighbours_at_the_corners(monotonic: bool) -> None:
    s = Scores([3.0, 1.0, 2.0], sensitivity=0.5, monotonic=monotonic)
    found = set(meters.corner_neighbours(s))
    assert len(found) == 8
    assert all(neighbouring(s, other) for other in found)
