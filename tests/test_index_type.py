"""The library where indexes have 32 bits, as in a browser: repeat and bincount refuse 64 bits."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpviz import (
    NOISES,
    TOP_K,
    CandidatePool,
    KnownThreshold,
    PoissonRepeats,
    Scores,
    TopKMechanism,
    naive_best,
)
from dpviz.base import arrays
from dpviz.candidates.utility import score_bins
from tests.contract import PURE

WIDE = Scores(np.round(np.random.default_rng(4).pareto(1.2, 60) * 9), monotonic=True)


@pytest.fixture(autouse=True)
def _indexes_of_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    def under_the_rule(function: Callable[..., Any], position: int) -> Callable[..., Any]:
        def checked(*args: Any, **kwargs: Any) -> Any:
            counts = np.asarray(args[position])
            if counts.ndim and not np.can_cast(counts.dtype, np.int32, "safe"):
                raise TypeError(f"Cannot cast {counts.dtype!r} to int32 by the rule 'safe'")
            return function(*args, **kwargs)

        return checked

    monkeypatch.setattr(np, "repeat", under_the_rule(np.repeat, 1))
    monkeypatch.setattr(np, "bincount", under_the_rule(np.bincount, 0))
    # in dpviz alone: compiled code of others keeps its own index type
    monkeypatch.setattr(arrays, "np", SimpleNamespace(**vars(np) | {"intp": np.int32}))


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


def _every_figure(m: TopKMechanism, s: Scores) -> None:
    dist = m.distribution(s, samples=50)
    assert dist.inclusion.sum() == pytest.approx(m.k, abs=1e-8)
    assert dist.grid().covered_mass > 0.99
    assert dist.hits.sum() == pytest.approx(1.0, abs=1e-8)
    assert dist.probability.sum() == pytest.approx(1.0, abs=1e-8)
    assert 0 <= dist.good <= 1
    assert np.isfinite(dist.log_probability(range(m.k))) or dist.draws
    assert m.sample(s, 9, rng=np.random.default_rng(1)).shape == (9, m.k)


def test_candidates() -> None:
    runs = CandidatePool([[0.3, 0.3, 0.6, 1.2], ([0.6, 0.9], [0.5, 0.5])])
    for rule in (KnownThreshold(threshold=0.5, stop=0.1), PoissonRepeats(mean=4.0)):
        law = rule.distribution(runs)
        assert law.candidate.sum() > 0.1
        assert score_bins(law).out.sum() == pytest.approx(1 - law.bottom)
        assert len(rule.sample(runs, 5, rng=np.random.default_rng(2)).candidate) == 5
    assert naive_best(runs).candidate.sum() == pytest.approx(1.0)
