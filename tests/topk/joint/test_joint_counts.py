"""Counts of sets and of lists under growing limits, against lists of all of them and closed forms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.numerics.log_binomials import log_binomial
from dpviz.topk.joint import bounded_paths, ordered_choices


@st.composite
def reaches(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    """(d, reaches): one row, growing, with b_l ≥ l."""
    d = draw(st.integers(2, 7))
    k = draw(st.integers(1, d - 1))
    b = np.sort(draw(st.lists(st.integers(1, d), min_size=k, max_size=k)))
    return d, np.maximum(b, np.arange(1, k + 1))[None, :]


def sets(d: int, b: np.ndarray) -> list[tuple[int, ...]]:
    return [
        s
        for s in itertools.combinations(range(d), len(b))
        if all(r < limit for r, limit in zip(s, b, strict=True))
    ]


def lists(d: int, b: np.ndarray) -> list[tuple[int, ...]]:
    return [
        s
        for s in itertools.permutations(range(d), len(b))
        if all(r < limit for r, limit in zip(s, b, strict=True))
    ]


@given(reaches(), st.integers(0, 2**20))
def test_draws_keep_to_the_limits(case: tuple[int, np.ndarray], seed: int) -> None:
    d, b = case
    rng = np.random.default_rng(seed)
    assert set(
        map(tuple, bounded_paths.UniformSetSampler(b[0]).draw_rank_sets(20, rng).tolist())
    ) <= set(sets(d, b[0]))
    for size in (3, 20):
        assert set(
            map(tuple, ordered_choices.draw_ordered_choices(np.tile(b, (size, 1)), rng).tolist())
        ) <= set(lists(d, b[0]))


@pytest.mark.parametrize("k", [30, 700, 2500])
def test_catalan_numbers(k: int) -> None:
    """r_l ≤ 2l − 1 for all l: as many sets as balanced brackets, far beyond what a double holds."""
    b = 2 * np.arange(1, k + 1)[None, :] - 1
    expected = float(log_binomial(2 * k, k)) - math.log(k + 1)
    assert bounded_paths.log_bounded_set_count(b)[0] == pytest.approx(expected, rel=1e-13)


def test_rows_that_a_double_cannot_hold_are_redone_in_logs() -> None:
    """Halfway the usual offset has e^−1047 of the ways that offset 0 has."""
    k, d = 4000, 8000
    b = np.full((1, k), d)
    b[0, : k // 2] = d - k // 2 - 1
    beside_an_easy_one = np.append(b, np.arange(k)[None, :] + 1, axis=0)
    assert bounded_paths.log_bounded_set_count(beside_an_easy_one) == pytest.approx(
        [float(log_binomial(d, k)), 0.0], rel=1e-13
    )
    drawn = bounded_paths.UniformSetSampler(b[0]).draw_rank_sets(30, np.random.default_rng(1))
    assert (np.diff(drawn, axis=1) > 0).all()
    assert abs(drawn[:, k // 2].mean() - d / 2) < 6 * d / (2 * math.sqrt(k * 30)) + d / k


@pytest.mark.parametrize("safe", [-38.0, -math.inf])  # plain numbers, and always logs
def test_walks_count_what_enumeration_counts(safe: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_paths, "_SAFE", safe)
    reached = np.array([[2, 2, 4, 7, 7], [3, 5, 6, 6, 8], [5, 6, 7, 8, 9]])
    caps, weight, worst = (
        bounded_paths.caps_from_reaches(reached),
        np.array([0.5, 0.2, 0.3]),
        [5, 6, 9],
    )
    every = [np.array(sets(9, row)) for row in reached]
    for top in (0, 2, 5):
        counts = np.exp(bounded_paths.log_counts_up_to_worst(caps, top, np.array(worst)))
        for row, found in zip(counts, every, strict=True):
            begun = found[(found[:, :top] == np.arange(top)).all(1)]
            assert row == pytest.approx([(begun[:, -1] < least).sum() for least in worst])
    shares = [weight[i] / len(found) for i, found in enumerate(every)]
    inclusion, hits = np.zeros(9), np.zeros(6)
    for share, found in zip(shares, every, strict=True):
        np.add.at(inclusion, found.ravel(), share)
        np.add.at(hits, (found < 6).sum(1), share)
    assert bounded_paths.weighted_inclusion(caps, 9, weight) == pytest.approx(inclusion)
    assert bounded_paths.weighted_hit_distribution(caps, 6, weight) == pytest.approx(hits)
