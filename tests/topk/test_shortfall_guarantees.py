"""Promises of the papers never pass the exact law, and the exact shortfall is its quantile."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import Canonical, OneShot, Peeling, Scores, TopKMechanism
from dpviz.data import EXAMPLES
from dpviz.topk.shortfall_guarantees import (
    guaranteed_top_probability,
    shortfall_curve,
    shortfall_guarantee,
    shortfall_quantile,
)

PROVED = [
    Canonical(epsilon=1.0, k=3),
    Canonical(epsilon=1.0, k=3, gamma=1.0),
    Canonical(epsilon=1.0, k=3, gamma=0.2),
    Peeling(epsilon=1.0, k=3),
    OneShot(epsilon=1.0, k=3),
]


def shortfall_chance(scores: Scores, m: TopKMechanism, below: float) -> float:
    """P(x_[T] > x_[k] − below), summed over every class."""
    dist, x = m.distribution(scores), scores.ranked
    return float(dist.probability[x[m.k - 1] - x[dist.t - 1] < below].sum())


@pytest.mark.parametrize("m", PROVED, ids=lambda m: m.key)
@given(
    values=st.lists(st.integers(0, 60), min_size=5, max_size=12),
    epsilon=st.floats(0.1, 60.0),
    alpha=st.floats(0.01, 0.9),
)
@settings(max_examples=25, deadline=None)
def test_the_law_keeps_what_is_promised(
    m: TopKMechanism, values: list[int], epsilon: float, alpha: float
) -> None:
    scores, m = Scores(values, monotonic=True), m.replace(epsilon=epsilon)
    found = shortfall_guarantee(m, scores.d)
    assert found is not None
    below = found.shortfall_bound(1 - alpha)
    assert shortfall_chance(scores, m, below) >= 1 - alpha - 1e-9
    assert shortfall_quantile(m.distribution(scores), 1 - alpha - 1e-9) <= below
    promised = guaranteed_top_probability(m, scores.ranked)
    assert promised is not None
    if scores.tie_counts(m.k)[1] == m.k:
        assert promised <= m.distribution(scores).top + 1e-9
    else:
        assert promised == 0.0


def test_it_is_the_bound_of_the_papers() -> None:
    found: Any = shortfall_guarantee(Canonical(epsilon=2.0, k=10, gamma=0.5), 100)
    bound = 2 / (0.5 * 2.0) * (10 * math.log(10) + math.log(20) + 10)
    assert found.shortfall_bound(0.95) == pytest.approx(bound)
    assert found.guaranteed_probability(found.shortfall_bound(0.7)) == pytest.approx(0.7)
    peeled: Any = shortfall_guarantee(Peeling(epsilon=2.0, k=10), 100)
    assert peeled.shortfall_bound(0.95) == pytest.approx(10 * math.log(1000) + 10 * math.log(20))


def test_the_curve_is_in_raw_scores() -> None:
    scores = EXAMPLES["canteen_ratings"].scores()
    m = Canonical(epsilon=1.0, k=5)
    curve = shortfall_curve(m, scores, [0.5, 2.0, 50.0], probability=0.9)
    values = np.sort(scores.values)[::-1]
    assert curve.most == pytest.approx(values[4] - values[-1])
    for epsilon, shortfall in zip(curve.epsilon, curve.exact, strict=True):
        dist = m.replace(epsilon=float(epsilon)).distribution(scores)
        reach = values[4] - values
        assert dist.within(0, int((reach <= shortfall + 1e-9).sum())) >= 0.9 - 1e-12
        if shortfall > 0:
            assert dist.within(0, int((reach < shortfall - 1e-9).sum())) < 0.9
    assert curve.promised is not None
    assert (curve.promised >= curve.exact).all()
