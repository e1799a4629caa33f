"""A race against a floor at sizes that nobody enumerates: against itself item by item, and against no floor at all."""

import numpy as np
import pytest

from dpviz import LimitedDomain, OneShot, Scores, ThresholdCounts
from dpviz.numerics.cutoff import floor

COUNTS = Scores(np.floor(20_000 / np.arange(1, 3001) ** 0.7), monotonic=True, contributions=20, names_known=False)


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_items_condensed_are_the_items_one_by_one(epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    m = LimitedDomain(epsilon=epsilon, k=100, delta=1e-6)
    few = m.distribution(COUNTS)
    monkeypatch.setattr(floor, "_MANY", 10**9)
    all_ = m.distribution(COUNTS)
    assert 1 < few.expected_length < 99
    np.testing.assert_allclose(few.length, all_.length, rtol=0, atol=1e-11)
    np.testing.assert_allclose(few.hits, all_.hits, rtol=0, atol=1e-11)
    np.testing.assert_allclose(few.inclusion, all_.inclusion, rtol=0, atol=1e-11)
    np.testing.assert_allclose(few.grid(20, 20).mass, all_.grid(20, 20).mass, rtol=0, atol=1e-11)
    assert few.inclusion.sum() == pytest.approx(few.expected_length, abs=1e-9)
    assert few.hits @ np.arange(101) == pytest.approx(few.expected_hits, abs=1e-9)


def test_far_above_the_floor_it_is_one_shot() -> None:
    floored = LimitedDomain(epsilon=60.0, k=100, delta=1e-6).distribution(COUNTS)
    free = OneShot(epsilon=60.0, k=100).distribution(COUNTS)
    assert floored.length[100] == pytest.approx(1.0, abs=1e-9)
    for event in ("top", "great", "good"):
        assert floored.event(event) == pytest.approx(free.event(event), abs=1e-10)
    np.testing.assert_allclose(floored.inclusion, free.inclusion, rtol=0, atol=1e-10)
    np.testing.assert_allclose(floored.hits, free.hits, rtol=0, atol=1e-10)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_sums_agree_where_threshold_and_k_both_cut(noise: str) -> None:
    m = ThresholdCounts(epsilon=4.0, k=60, delta=1e-6, noise=noise)
    low, high = 1e-3, 1e3
    for _ in range(40):  # an ε at which lists are whole about half of the time
        middle = (low * high) ** 0.5
        whole = m.replace(epsilon=middle).distribution(COUNTS).length[60]
        low, high = (middle, high) if whole < 0.5 else (low, middle)
    dist = m.replace(epsilon=high).distribution(COUNTS)
    assert dist.length[60] == pytest.approx(0.5, abs=1e-3)
    assert dist.length.sum() == pytest.approx(1.0, abs=1e-9)
    assert dist.inclusion.sum() == pytest.approx(dist.expected_length, abs=1e-8)
    assert dist.hits @ np.arange(61) == pytest.approx(dist.expected_hits, abs=1e-8)
    assert dist.within(0, COUNTS.d) == pytest.approx(1.0, abs=1e-9)
