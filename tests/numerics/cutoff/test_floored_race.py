"""A race against a floor, too large to enumerate, against items one by one and no floor."""

import numpy as np
import pytest

from dpviz import LimitedDomain, OneShot, Scores, ThresholdCounts
from dpviz.numerics.cutoff import window


def power_law(most: float, d: int) -> Scores:
    counts = np.floor(most / np.arange(1, d + 1) ** 0.7)
    return Scores(counts, monotonic=True, contributions=20, names_known=False)


COUNTS = power_law(20_000, 3000)


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_items_condensed_are_the_items_one_by_one(
    epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    m = LimitedDomain(epsilon=epsilon, k=100, delta=1e-6)
    few, as_few = m.distribution(COUNTS), figures(m)
    monkeypatch.setattr(window, "_MANY", 10**9)
    assert 1 < few.expected_length < 99
    for one, other in zip(as_few, figures(m), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-11)
    assert as_few[2].sum() == pytest.approx(few.expected_length, abs=1e-9)
    assert as_few[1] @ np.arange(101) == pytest.approx(few.expected_hits, abs=1e-9)


def figures(m: LimitedDomain) -> list[np.ndarray]:
    dist = m.distribution(COUNTS)
    return [dist.length, dist.hits, dist.inclusion, dist.grid(20, 20).mass]


def test_hits_add_up_where_few_of_the_rest_pass() -> None:
    """The best pass in any number while the rest hardly do: each side asks for angles of its own."""
    dist = LimitedDomain(epsilon=8.0, k=1000, delta=1e-6).distribution(power_law(2e5, 17_770))
    assert dist.hits.sum() == pytest.approx(1.0, abs=dist.error)
    assert dist.hits @ np.arange(1001) == pytest.approx(dist.expected_hits, abs=1000 * dist.error)


def test_a_tie_cut_at_one_rank_is_not_the_tie_cut_at_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = np.linspace(9000, 5100, 600), np.full(30, 5000), np.linspace(4990, 100, 1000)
    counts = np.floor(np.concatenate(parts))
    scores = Scores(counts, monotonic=True, contributions=20, names_known=False)
    m = LimitedDomain(epsilon=4.0, k=600, delta=1e-6, candidates=1500)
    a, b = np.array([0, 300]), np.array([601, 615, 630, 700])
    few = m.distribution(scores).law.within_table(a, b)
    monkeypatch.setattr(window, "_MANY", 10**9)
    assert (np.diff(few) > 1e-8).all()
    every = m.distribution(scores).law.within_table(a, b)
    np.testing.assert_allclose(few, every, rtol=0, atol=1e-11)


def test_exact_prefixes_are_lists_of_the_best() -> None:
    law = LimitedDomain(epsilon=1.0, k=100, delta=1e-6).distribution(COUNTS).law
    right = law.best_list_probabilities()[10:35]
    assert right.max() > 0.02
    alone = np.exp([law.log_probability(np.arange(length)) for length in range(10, 35)])
    np.testing.assert_allclose(right, alone, rtol=1e-6, atol=1e-12)
    few = LimitedDomain(epsilon=8.0, k=3, delta=1e-6).distribution(COUNTS).law
    best = np.exp(few.log_probability(np.arange(3)))
    assert few.best_list_probabilities()[3] >= best - few.error > 0.5


def test_far_above_the_floor_it_is_one_shot() -> None:
    floored = LimitedDomain(epsilon=60.0, k=100, delta=1e-6).distribution(COUNTS)
    free = OneShot(epsilon=60.0, k=100).distribution(COUNTS)
    assert floored.length[100] == pytest.approx(1.0, abs=1e-9)
    for figure in ("top", "great", "good", "inclusion", "hits"):
        one, other = getattr(floored, figure), getattr(free, figure)
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-10)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_sums_agree_where_threshold_and_k_both_cut(noise: str) -> None:
    m = ThresholdCounts(epsilon=4.0, k=60, delta=1e-6, noise=noise)
    low, high = 1e-3, 1e3
    for _ in range(14):  # an ε at which lists are whole about half of the time
        middle = (low * high) ** 0.5
        whole = m.replace(epsilon=middle).distribution(COUNTS).length[60]
        low, high = (middle, high) if whole < 0.5 else (low, middle)
    dist = m.replace(epsilon=high).distribution(COUNTS)
    assert dist.length[60] == pytest.approx(0.5, abs=0.05)
    assert dist.length.sum() == pytest.approx(1.0, abs=1e-9)
    assert dist.inclusion.sum() == pytest.approx(dist.expected_length, abs=1e-8)
    assert dist.hits @ np.arange(61) == pytest.approx(dist.expected_hits, abs=1e-8)
    assert dist.within(0, COUNTS.d) == pytest.approx(1.0, abs=1e-9)
