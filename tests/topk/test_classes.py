"""Utility classes: their sizes, members, events, and the search for the heaviest."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError
from dpviz.topk.classes import (
    EVENTS,
    classes_of_rank_sets,
    draw_class_members,
    event_bounds,
    heaviest_classes,
    log_class_size,
    log_short_list_count,
)
from tests.menus import Contract


def all_classes(d: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    h, t = (v.ravel() for v in np.meshgrid(np.arange(k), np.arange(k + 1, d + 1), indexing="ij"))
    return np.append(h, k - 1), np.append(t, k)


@given(st.integers(2, 60), st.data())
def test_sizes_add_up_to_the_number_of_subsets(d: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, d - 1))
    h, t = all_classes(d, k)
    assert np.exp(log_class_size(h, t, k)).sum() == pytest.approx(math.comb(d, k), rel=1e-11)


@given(st.lists(st.integers(0, 3), min_size=3, max_size=9), st.data())
def test_optimal_is_any_set_of_the_best_scores(values: list[int], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(values) - 1))
    x = np.sort(np.array(values, float))[::-1]
    a, b = event_bounds("optimal", x, k)
    for ranks in itertools.combinations(range(1, len(x) + 1), k):
        inside = all(r in ranks for r in range(1, a + 1)) and max(ranks) <= b
        assert inside == (sorted(x[np.array(ranks) - 1]) == sorted(x[:k]))


@pytest.mark.parametrize("name", list(EVENTS))
class TestEvents(Contract):
    menu = EVENTS
    names = frozenset(EVENTS)

    @given(values=st.lists(st.integers(0, 3), min_size=2, max_size=60), data=st.data())
    def test_it_holds_where_the_true_top_k_comes_out(
        self, name: str, values: list[int], data: st.DataObject
    ) -> None:
        k = data.draw(st.integers(1, len(values) - 1))
        a, b = event_bounds(name, np.sort(np.array(values, float))[::-1], k)
        assert 0 <= a <= k <= b <= len(values)


def test_event_bounds_of_the_paper() -> None:
    x = np.arange(100.0)[::-1]
    told = [event_bounds(event, x, 20) for event in ("top", "great", "good")]
    assert told == [(20, 20), (2, 22), (1, 30)]
    assert event_bounds("great", x, 1) == (1, 1), "k = 1: great is top"
    assert event_bounds("good", x, 90) == (1, 100), "clipped to d"
    says = "event must be one of top, optimal, great, good, not 'best'"
    with pytest.raises(ParameterError, match=says):
        event_bounds("best", x, 3)


def test_members_are_uniform() -> None:
    rng = np.random.default_rng(6)
    rows = draw_class_members(np.full(6000, 1), np.full(6000, 7), 4, rng)
    h, t = classes_of_rank_sets(rows, 4)
    assert (h == 1).all()
    assert (t == 7).all()
    assert (np.diff(rows, axis=1) > 0).all()
    _, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(counts) == math.comb(4, 2)
    assert (np.abs(counts - 1000) < 5 * math.sqrt(1000)).all()


@given(
    values=st.lists(st.floats(-50, 50), min_size=3, max_size=40),
    data=st.data(),
    gamma=st.floats(0.0, 1.0),
    epsilon=st.floats(0.01, 3.0),
)
def test_what_is_dropped_is_bounded(
    values: list[float], data: st.DataObject, gamma: float, epsilon: float
) -> None:
    x = np.sort(np.array(values))[::-1]
    k = data.draw(st.integers(1, len(x) - 1))
    margin = data.draw(st.sampled_from([1e-11, 1e-3, 0.3]))

    def score(x: np.ndarray, h: np.ndarray, t: np.ndarray) -> np.ndarray:
        return -epsilon * ((1 - gamma) * x[h] - gamma * x[t - 1])

    kept = heaviest_classes(x, k, score, log_margin=math.log(margin))
    h, t = all_classes(len(x), k)
    weight = log_class_size(h, t, k) + score(x, h, t)
    codes = set(zip(kept.h.tolist(), kept.t.tolist(), strict=True))
    assert len(codes) == len(kept.h), "each class once"
    assert (k - 1, k) in codes
    every = zip(h.tolist(), t.tolist(), strict=True)
    lost = [w for code, w in zip(every, weight, strict=True) if code not in codes]
    if lost:
        assert np.logaddexp.reduce(lost) <= kept.log_dropped + 1e-9
    assert kept.log_dropped <= np.logaddexp.reduce(weight) + math.log(margin) + 1e-9


@pytest.mark.parametrize(
    ("n", "k"),
    [(0, 0), (1, 5), (9, 3), (9, 4), (9, 5), (60, 30), (700, 300), (700, 690), (5000, 90)],
)
def test_sizes_of_classes_of_shorter_lists_are_sums_of_binomials(n: int, k: int) -> None:
    want = math.log(sum(math.comb(n, j) for j in range(min(n, k) + 1)))
    told = float(log_short_list_count(np.array(0), np.array(n), k))
    assert told == pytest.approx(want, rel=1e-13, abs=1e-15)
