"""The library on a platform whose index type has 32 bits, such as WebAssembly in a browser.

There numpy refuses counts and indexes of 64 bits for `repeat` and `bincount` ("cannot cast
safely"). Here these two are put under that rule, with `np.intp` of 32 bits where the library asks
for it; everything that goes through them is then run.
"""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpviz import (
    NOISES,
    TOP_K,
    CandidatePool,
    JointExponential,
    KnownThreshold,
    Peeling,
    PoissonRepeats,
    RandomStopping,
    Scores,
    TopKMechanism,
    estimate,
    naive_best,
)
from dpviz.base import arrays
from dpviz.candidates.utility import score_bins
from dpviz.data.counting import count_people
from dpviz.data.reading.delimited_text import read_delimited
from dpviz.gaps.gap_experiment import sparse_vector_experiment, top_k_experiment
from dpviz.gaps.noisy_top_draws import draw_noisy_top
from dpviz.margin.baselines import NoisyMax
from dpviz.margin.front_group import distance_from_best_cdf
from dpviz.margin.large_margin import LargeMargin
from tests.contract import PURE

WIDE = Scores(np.round(np.random.default_rng(4).pareto(1.2, 60) * 9), monotonic=True)


@pytest.fixture(autouse=True)
def _indexes_of_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    def under_the_rule(function: Callable[..., Any], position: int) -> Callable[..., Any]:
        def checked(*args: Any, **kwargs: Any) -> Any:
            counts = np.asarray(args[position])
            if counts.ndim and not np.can_cast(counts.dtype, np.int32, "safe"):
                raise TypeError(
                    f"Cannot cast array data from {counts.dtype!r} to dtype('int32') by the rule"
                    " 'safe'"
                )
            return function(*args, **kwargs)

        return checked

    monkeypatch.setattr(np, "repeat", under_the_rule(np.repeat, 1))
    monkeypatch.setattr(np, "bincount", under_the_rule(np.bincount, 0))
    elsewhere = SimpleNamespace(**vars(np) | {"intp": np.int32})
    monkeypatch.setattr(
        arrays, "np", elsewhere
    )  # in dpviz alone: compiled code of others keeps its own index type


def test_the_rule_refuses_what_such_a_platform_refuses() -> None:
    with pytest.raises(TypeError, match="Cannot cast"):
        np.repeat(np.zeros(2), np.array([1, 2], np.int64))
    with pytest.raises(TypeError, match="Cannot cast"):
        np.bincount(np.array([1, 2], np.int64))
    assert len(np.repeat(np.zeros(2), 3)) == 6


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("name", PURE)
def test_top_k(name: str, noise: str) -> None:
    told = {"noise": noise} if name != "joint" else {}
    for k in (1, 4):
        m: TopKMechanism = TOP_K[name](epsilon=3.0, k=k, **told)
        _every_figure(m, WIDE)


@pytest.mark.parametrize("name", sorted({*TOP_K} - {*PURE}))
def test_top_k_with_a_delta(name: str) -> None:
    for k in (1, 4):
        dist = TOP_K[name](epsilon=3.0, k=k).distribution(replace(WIDE, contributions=2))
        assert dist.length @ np.arange(k + 1) == pytest.approx(dist.inclusion.sum(), abs=1e-8)
        assert dist.hits.sum() == pytest.approx(1.0, abs=1e-8)
        assert dist.table()["probability"].sum() == pytest.approx(1.0, abs=1e-8)
        assert dist.grid(20, 20).covered_mass > 0.998


def test_ordered_lists_short_chains_and_estimates() -> None:
    _every_figure(JointExponential(epsilon=3.0, k=4, over="sequences"), WIDE)
    _every_figure(Peeling(epsilon=3.0, k=2, noise="laplace"), Scores([5.0, 4.0, 4.0, 1.0]))
    long = Scores(np.arange(900.0) % 7)
    told = estimate(Peeling(epsilon=1.0, k=2, noise="laplace"), long, samples=50)
    assert told.inclusion.sum() == pytest.approx(2)


def _every_figure(m: TopKMechanism, s: Scores) -> None:
    dist = m.distribution(s, samples=50)
    assert dist.inclusion.sum() == pytest.approx(m.k, abs=1e-8)
    assert dist.grid().covered_mass > 0.99
    assert dist.hits.sum() == pytest.approx(1.0, abs=1e-8)
    assert dist.probability.sum() == pytest.approx(1.0, abs=1e-8)
    assert 0 <= dist.good <= 1
    assert np.isfinite(dist.log_probability(range(m.k))) or dist.draws
    assert m.sample(s, 9, rng=np.random.default_rng(1)).shape == (9, m.k)


def test_gaps() -> None:
    rng = np.random.default_rng(1)
    assert top_k_experiment(WIDE, k=2, epsilon=2.0, runs=20, rng=rng).ratio.value > 0
    items, _ = draw_noisy_top(np.append(WIDE.values, np.zeros(900)), 9.0, 2, 20, rng)
    assert items.shape == (20, 2)
    assert (
        sparse_vector_experiment(
            WIDE, k=2, epsilon=9.0, threshold=20.0, runs=20, rng=rng
        ).ratio.value
        > 0
    )


def test_margin() -> None:
    far = Scores([100.0, 90.0, 30.0, 20.0, 5.0])
    for law in (
        LargeMargin(epsilon=2.0, delta=0.1).distribution(far, zeros=5),
        NoisyMax(epsilon=1.0, noise="laplace").distribution(far),
    ):
        _, probability = distance_from_best_cdf(law)
        assert probability[-1] == pytest.approx(1.0)


def test_candidates() -> None:
    runs = CandidatePool([[0.3, 0.3, 0.6, 1.2], ([0.6, 0.9], [0.5, 0.5])])
    for pool in (runs, CandidatePool([[0.3, 0.6], stats.norm(0.2, 0.5)])):
        for rule in (
            KnownThreshold(threshold=0.5, stop=0.1),
            RandomStopping(stop=0.1),
            PoissonRepeats(mean=4.0),
        ):
            assert rule.distribution(pool).candidate.sum() > 0.1
            assert len(rule.sample(pool, 5, rng=np.random.default_rng(2)).candidate) == 5
    assert naive_best(runs).candidate.sum() == pytest.approx(1.0)
    assert score_bins(RandomStopping(stop=0.1).distribution(runs)).out.sum() == pytest.approx(1.0)


def test_counting_people() -> None:
    table = read_delimited("typed", "person,item\na,x\nb,x\na,x\nb,y\n")
    assert count_people(table, "person", "item").values.tolist() == [2.0, 1.0]
