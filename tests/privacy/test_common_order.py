"""Canonical between neighbours of one order: class tables against every set."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import Canonical, Scores, privacy_loss
from dpviz.privacy.common_order import class_member_output, common_order
from dpviz.topk.classes import classes_of_rank_sets
from tests.meters import random_neighbour
from tests.privacy.oracle import both_ways, corners, delta, log_laws, renyi


@settings(max_examples=60)
@given(
    values=st.lists(st.integers(0, 5), min_size=3, max_size=7),
    k=st.integers(1, 4),
    gamma=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    epsilon=st.sampled_from([0.3, 1.0, 4.0]),
    corner=st.booleans(),
    seed=st.integers(0, 2**20),
)
def test_class_tables_hold_the_whole_loss(
    values: list[int], k: int, gamma: float, epsilon: float, corner: bool, seed: int
) -> None:
    s = Scores(values, monotonic=True)
    other = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    m = Canonical(epsilon=epsilon, k=min(k, s.d - 1), gamma=gamma)
    if common_order(s, other) is None:
        return
    loss = privacy_loss(m, s, other)
    p, q = log_laws(m, s, other)
    assert loss.method == "exact"
    assert loss.largest == pytest.approx(float(np.abs(p - q).max()), abs=1e-8)
    for way, a, b in both_ways(loss, p, q):
        assert way.renyi(math.inf) == pytest.approx(float((a - b).max()), abs=1e-8)
        for at in (0.0, 0.1 * epsilon, 0.5 * epsilon, epsilon):
            assert way.delta(at) == pytest.approx(delta(a, b, at), abs=1e-9)
        for order in (1, 1.5, 2, 10):
            assert way.renyi(order) == pytest.approx(renyi(a, b, order), abs=1e-7)
    dist, there = m.distribution(s), m.distribution(other)
    shown = dist.log_probability(loss.output.items) - there.log_probability(loss.output.items)
    assert abs(shown) == pytest.approx(loss.largest, abs=1e-8)


def test_the_largest_loss_needs_no_listed_class() -> None:
    """Far below, one item moves: no class with it is ever listed, and it alone shows the loss."""
    values = [3000.0] * 4 + [0.0] * 299
    pair = [Scores([*values, last], monotonic=True) for last in (0.0, 1.0)]
    loss = privacy_loss(Canonical(epsilon=1.0, k=2), *pair)
    assert loss.largest == pytest.approx(0.5, abs=1e-9)  # γ·ε, as Z does not feel it
    assert loss.values.tolist() == pytest.approx([0.0], abs=1e-9)
    assert 303 in loss.output.items


def test_common_order_breaks_ties_by_the_neighbour() -> None:
    s = Scores([2, 2, 5, 2], monotonic=True)
    for other in corners(s):
        order = common_order(s, other)
        assert (np.diff(s.values[order]) <= 0).all()
        assert (np.diff(other.values[order]) <= 0).all()
    assert common_order(Scores([1.0, 0.5]), Scores([0.4, 0.5])) is None


def test_a_class_has_the_member_that_is_told() -> None:
    s = Scores(np.arange(9.0)[::-1])
    for k in range(1, 8):
        for h, t in [(k - 1, k)] + [(h, t) for h in range(k) for t in range(k + 1, 10)]:
            items = class_member_output(s, s.order, k, h, t).items
            got = classes_of_rank_sets(np.array([items]), k)
            assert (int(got[0][0]), int(got[1][0])) == (h, t)
