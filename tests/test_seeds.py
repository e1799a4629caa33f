"""Wherever a generator is asked for, a seed does: the same numbers as from `default_rng` of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    Canonical,
    JointExponential,
    OneShot,
    PercentileSparseVector,
    Scores,
    ThresholdSearch,
    estimate,
    worst_neighbour,
)
from dpviz.base.parameters import declared_parameters
from dpviz.gaps.gap_experiment import sparse_vector_experiment, top_k_experiment
from dpviz.topk.law_grid import inspect_class
from tests.candidate_contract import MIXED

S = Scores([9, 5, 5, 2, 0], monotonic=True, contributions=1)
CANONICAL = Canonical(epsilon=1.0, k=2)
LISTS = JointExponential(epsilon=1.0, k=2, over="sequences")
COUNTS = OneShot(epsilon=1.0, k=2, noise="laplace")
DRAWN = estimate(CANONICAL, S, samples=9)
REQUIRED = {"epsilon": 1.0, "k": 2, "threshold": 0.5}


def made(entry: Any) -> Any:
    asked = {"epsilon", "k"}  # optional where noise can be stated
    told = {
        p.name: REQUIRED[p.name]
        for p in declared_parameters(entry)
        if p.is_required or p.name in asked
    }
    if entry is TOP_ONE["instability"] or getattr(entry, "shorter", False):
        told["epsilon"] = 4.0  # else it may never answer
    return entry(**told)


def sample(m: Any, of: Any) -> Callable[[Any], Any]:
    return lambda rng: m.sample(of, 20, rng=rng)


def release(m: Any) -> Callable[[Any], Any]:
    return lambda rng: m.release(S, rng=rng)


CALLS: dict[str, Callable[[Any], Any]] = {
    **{f"sample {name}": sample(made(menu[name]), S) for menu in (TOP_K, TOP_ONE) for name in menu},
    **{f"sample {name}": sample(made(CANDIDATES[name]), MIXED) for name in CANDIDATES},
    **{f"release {name}": release(made(menu[name])) for menu in (GAPS, THRESHOLD) for name in menu},
    "replay": lambda rng: made(THRESHOLD["sparse_vector"]).replay(S, rng=rng),
    "percentile": sample(PercentileSparseVector(epsilon=1.0), [0.2, 0.6, 0.9]),
    "threshold": sample(ThresholdSearch(epsilon=9.0, samples=30), [0.01, 0.03, 0.9]),
    "ordered": lambda rng: LISTS.sample_ordered(S, 20, rng=rng),
    "with scores": lambda rng: COUNTS.sample_with_scores(S, 20, rng=rng),
    "estimate": lambda rng: estimate(CANONICAL, S, samples=50, rng=rng).inclusion,
    "worst": lambda rng: worst_neighbour(CANONICAL, S, tries=30, rng=rng)[0].values,
    "inspection": lambda rng: (
        inspect_class(DRAWN.mechanism, DRAWN.scores, DRAWN.law, 0, 5, members=2, rng=rng).members
    ),
    "top-k experiment": lambda rng: top_k_experiment(S, epsilon=2.0, k=2, runs=20, rng=rng),
    "sparse experiment": lambda rng: sparse_vector_experiment(
        S, epsilon=2.0, k=2, threshold=2.0, runs=20, rng=rng
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_seed_does_and_another_differs(call: Callable[[Any], Any]) -> None:
    assert repr(call(7)) == repr(call(np.int64(7))) == repr(call(np.random.default_rng(7)))
    if call is not CALLS["worst"]:  # which finds the same
        assert len({repr(call(seed)) for seed in range(9)}) > 1
