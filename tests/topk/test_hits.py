"""How many of the chosen score at least the k-th largest: figures at size, mixtures, goals."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from dpviz import NOISES, Canonical, OneShot, ParameterError, Scores, Sweep, smallest_epsilon
from dpviz.numerics.hypergeometric import hypergeometric_mixture, hypergeometric_tail
from dpviz.topk.goal import Goal
from tests.meters import FALSE_ALARM

SKEWED = np.round(np.random.default_rng(3).pareto(1.1, 1200) * 30)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("kind", [OneShot, Canonical])
@pytest.mark.parametrize(("k", "epsilon"), [(40, 3.0), (600, 2.0)])
def test_figures_and_draws_at_size(kind: type, noise: str, k: int, epsilon: float) -> None:
    s = Scores(SKEWED, monotonic=True)
    m = kind(epsilon=epsilon * (0.05 if kind is Canonical else 1.0), k=k, noise=noise)
    dist, (_, best) = m.distribution(s), s.tie_counts(k)
    assert dist.hits.sum() == pytest.approx(1.0, abs=1e-9)
    mean = pytest.approx(dist.hits @ np.arange(k + 1), abs=1e-7)
    assert dist.expected_hits == mean
    assert dist.law.inclusion()[:best].sum() == mean
    assert dist.hits_at_least(k) == pytest.approx(dist.within(0, best), abs=1e-9)
    for least in (k // 3, k // 2, k - k // 10):
        assert dist.hits_at_least(least) == pytest.approx(dist.hits[least:].sum(), abs=1e-12)
    seen = (s.rank[m.sample(s, 3000, rng=np.random.default_rng(k))] < best).sum(1)
    p = np.cumsum(dist.hits[::-1])[::-1][1:].clip(0, 1)
    counts = (seen[:, None] >= np.arange(1, k + 1)).sum(0)
    tails = np.minimum(stats.binom.cdf(counts, 3000, p), stats.binom.sf(counts - 1, 3000, p))
    assert tails.min() > FALSE_ALARM / k


@pytest.mark.parametrize("kind", [OneShot, Canonical])
@pytest.mark.parametrize("tied", [20_000, 10_000])
def test_the_share_of_many_ties_loses_no_digits(kind: type, tied: int) -> None:
    dist = kind(epsilon=1.0, k=3).distribution(Scores(1.0 * (np.arange(20_000) < tied)))
    assert dist.share == pytest.approx(dist.hits @ np.arange(4) / 3, abs=dist.error)


def test_mixture_is_that_of_scipy() -> None:
    rng = np.random.default_rng(2)
    total = rng.integers(1, 4000, 200)
    marked, drawn = rng.integers(0, total + 1), rng.integers(0, total + 1)
    shift, weight = rng.integers(0, 50, 200), rng.dirichlet(np.ones(200))
    j = np.arange(4200)
    wanted = sum(
        w * stats.hypergeom.pmf(j - a, n, m, r)
        for n, m, r, a, w in zip(total, marked, drawn, shift, weight, strict=True)
    )
    laws = total, marked, drawn, shift, weight
    np.testing.assert_allclose(hypergeometric_mixture(*laws, 4199), wanted, atol=1e-12)
    for least in (0, 1, 40, 700, 1800, 4100):
        assert hypergeometric_tail(*laws, least) == pytest.approx(wanted[least:].sum(), abs=1e-12)
    one = np.array([1])
    tail = [
        hypergeometric_tail(4 * one, 2 * one, 2 * one, one, np.array([0.5]), least)
        for least in range(5)
    ]
    np.testing.assert_allclose(tail, [0.5, 0.5, 5 / 12, 1 / 12, 0.0], atol=1e-15)


THREE, ONE = Scores([3.0, 2.0, 1.0]), Canonical(epsilon=1.0, k=2)
NO_GOAL = "at_least must be a number for the figure hits"
NO_FIGURE = "at_least must be a number for the figure"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Goal(probability=0.5, event="hits"), NO_GOAL),
        (lambda: Goal(probability=0.5, at_least=2), NO_GOAL),
        (lambda: Goal(probability=0.5, event="hits", at_least=0), "a whole number of at least 1"),
        (
            lambda: smallest_epsilon(ONE, THREE, probability=0.5, figure="hits", at_least=3),
            "at_least must be a whole number from 1 to 2, not 3",
        ),
        (lambda: Sweep(scores={"a": THREE}, figures=["hits"]), NO_FIGURE),
        (lambda: Sweep(scores={"a": THREE}, at_least=1), NO_FIGURE),
        (lambda: ONE.distribution(THREE).hits_at_least(3), "a whole number from 0 to 2, not 3"),
    ],
)
def test_bad_goals(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        call()
