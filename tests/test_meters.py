"""The meters themselves: closed forms, scipy's intervals, and draws whose law is known."""

import math

import numpy as np
import pytest
from scipy import stats

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
