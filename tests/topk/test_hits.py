"""How many of the chosen score at least the k-th largest: brute force at size, goals, curves,
sweeps.
"""

import numpy as np
import pytest
from scipy import stats

from dpviz import (
    NOISES,
    Canonical,
    JointExponential,
    OneShot,
    ParameterError,
    Scores,
    smallest_epsilon,
)
from dpviz.numerics.hypergeometric import hypergeometric_mixture, hypergeometric_tail
from dpviz.studies import Sweep
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import epsilon_table
from dpviz.topk import figures_by_k, utility_curve
from dpviz.topk.goal import Goal
from tests.meters import FALSE_ALARM

SKEWED = np.round(np.random.default_rng(3).pareto(1.1, 3000) * 30)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("kind", [OneShot, Canonical])
@pytest.mark.parametrize(("k", "epsilon"), [(40, 3.0), (40, 30.0), (300, 8.0), (1500, 2.0)])
def test_figures_and_draws_at_size(kind: type, noise: str, k: int, epsilon: float) -> None:
    """Expected hits are the inclusion of all that count; the whole law against 3,000 draws."""
    s = Scores(SKEWED, monotonic=True)
    m = kind(epsilon=epsilon * (0.05 if kind is Canonical else 1.0), k=k, noise=noise)
    dist = m.distribution(s)
    _, best = s.tie_counts(k)
    assert dist.hits.sum() == pytest.approx(1.0, abs=1e-9)
    assert dist.hits @ np.arange(k + 1) == pytest.approx(
        dist.law.inclusion()[:best].sum(), abs=1e-7
    )
    assert dist.expected_hits == pytest.approx(dist.hits @ np.arange(k + 1), abs=1e-7)
    assert dist.hits_at_least(k) == pytest.approx(dist.within(0, best), abs=1e-9)
    for least in (k // 3, k // 2, k - k // 10):
        assert dist.hits_at_least(least) == pytest.approx(dist.hits[least:].sum(), abs=1e-12)
    seen = (s.rank[m.sample(s, 3000, rng=np.random.default_rng(k))] < best).sum(1)
    at = np.arange(1, k + 1)
    p = np.cumsum(dist.hits[::-1])[::-1][1:].clip(0, 1)
    counts = (seen[:, None] >= at).sum(0)
    tails = np.minimum(stats.binom.cdf(counts, 3000, p), stats.binom.sf(counts - 1, 3000, p))
    assert tails.min() > FALSE_ALARM / k


@pytest.mark.parametrize(("k", "epsilon"), [(20, 2.0), (60, 0.02)])
@pytest.mark.parametrize("over", ["sets", "sequences"])
def test_joint_at_size(over: str, k: int, epsilon: float) -> None:
    s = Scores(np.round(np.random.default_rng(3).pareto(1.1, 200) * 30))
    m = JointExponential(epsilon=epsilon, k=k, over=over)
    dist = m.distribution(s)
    assert dist.method == "exact"
    _, best = s.tie_counts(k)
    assert dist.hits.sum() == pytest.approx(1.0, abs=1e-9)
    assert dist.hits @ np.arange(k + 1) == pytest.approx(
        dist.law.inclusion()[:best].sum(), abs=1e-9
    )
    assert dist.expected_hits == pytest.approx(dist.hits @ np.arange(k + 1), abs=1e-9)
    assert dist.hits_at_least(k) == pytest.approx(dist.within(0, best), abs=1e-9)


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


@pytest.mark.parametrize(
    "m", [Canonical(epsilon=1.0, k=10), OneShot(epsilon=1.0, k=10, noise="exponential")]
)
def test_goal(m: Canonical | OneShot) -> None:
    s = Scores(SKEWED[:300], monotonic=True)
    epsilon = smallest_epsilon(m, s, probability=0.9, event="hits", at_least=9)
    assert m.replace(epsilon=epsilon).distribution(s).hits_at_least(9) >= 0.9
    assert m.replace(epsilon=epsilon * (1 - 1e-4)).distribution(s).hits_at_least(9) < 0.9
    assert epsilon < smallest_epsilon(m, s, probability=0.9, event="top")
    table = epsilon_table(
        [Design()], s, 10, events=["top", "hits"], probabilities=[0.9], at_least=9
    )
    assert table["event"].tolist() == ["top", "hits_at_least_9"]
    if isinstance(m, Canonical):
        assert table["epsilon"][1] == pytest.approx(epsilon, rel=1e-5)


def test_curves() -> None:
    s = Scores([9.0, 7.0, 5.0, 2.0, 1.0, 0.0])
    m = Canonical(epsilon=1.0, k=3)
    curve = utility_curve(m, s, event="hits", at_least=2, low=0.1, high=50.0)
    assert curve.event == "hits_at_least_2"
    for epsilon in (0.5, 3.0):
        wanted = m.replace(epsilon=epsilon).distribution(s).hits_at_least(2)
        assert curve.at(np.array([epsilon]))[0] == pytest.approx(wanted, abs=1e-3)
    (by_k,) = figures_by_k(m, s, [2, 4], events=["hits"], at_least=2)
    assert by_k.value[1] == pytest.approx(
        m.replace(k=4).distribution(s).hits_at_least(2), abs=1e-12
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: Goal(probability=0.5, event="hits"),
            "at_least must be a number for the event hits",
        ),
        (lambda: Goal(probability=0.5, at_least=2), "at_least must be a number for the event hits"),
        (
            lambda: Goal(probability=0.5, event="hits", at_least=0),
            "at_least must be a whole number of at least 1",
        ),
        (
            lambda: smallest_epsilon(
                Canonical(epsilon=1.0, k=2),
                Scores([3.0, 2.0, 1.0]),
                probability=0.5,
                event="hits",
                at_least=3,
            ),
            "at_least must be a whole number from 1 to 2, not 3",
        ),
        (
            lambda: Sweep(scores={"a": Scores([1.0, 2.0])}, figures=["hits"]),
            "at_least must be a number for the figure",
        ),
        (
            lambda: Sweep(scores={"a": Scores([1.0, 2.0])}, at_least=1),
            "at_least must be a number for the figure",
        ),
        (
            lambda: (
                Canonical(epsilon=1.0, k=2).distribution(Scores([3.0, 2.0, 1.0])).hits_at_least(3)
            ),
            "at_least must be a whole number from 0 to 2, not 3",
        ),
    ],
)
def test_bad_goals(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match=message):
        call()
