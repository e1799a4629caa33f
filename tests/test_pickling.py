"""The distribution of every mechanism goes to another process and says there what it says here."""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    CandidatePool,
    Canonical,
    PercentileSparseVector,
    Scores,
    TopKDistribution,
    estimate,
    privacy_loss,
)
from dpviz.candidates.rules import SelectionLaw
from dpviz.gaps.gap_experiment import seeded_top_k_experiment
from dpviz.privacy.worst_case_search import neighbouring_pool
from tests.test_seeds import S, made

POOL = CandidatePool([[0.2, 0.4, 0.4], stats.norm(0.3, 0.1)])
WIDE = Scores(np.linspace(0.0, 30.0, 60), contributions=2)
MECHANISMS: dict[str, tuple[Any, Any]] = {
    **{f"{name} of {s.d}": (made(TOP_K[name]), s) for name in TOP_K for s in (S, WIDE)},
    **{
        f"{name} of {k}": (made(TOP_K[name]).replace(k=k), S)
        for name in TOP_K
        for k in (1, S.d - 1)
    },
    **{name: (made(menu[name]), S) for menu in (TOP_ONE, THRESHOLD) for name in menu},
    **{name: (made(CANDIDATES[name]), POOL) for name in CANDIDATES},
    "joint over sequences": (TOP_K["joint"](epsilon=1.0, k=2, over="sequences"), S),
    "threshold with gaussian": (TOP_K["threshold_counts"](epsilon=1.0, k=2, noise="gaussian"), S),
}


def figures(dist: Any) -> list[str]:
    """Every number, text and array that it has, but its error, which grows as figures are read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # former names are attributes too
        held = [getattr(dist, name) for name in dir(dist) if name[0] != "_" and name != "error"]
    found = [value for value in held if isinstance(value, int | float | str | np.ndarray)]
    if isinstance(dist, TopKDistribution):
        d, k = dist.scores.d, dist.k
        lists = (range(k), range(d - k, d))
        found += [dist.within(1, k + 1), *(dist.log_probability(items) for items in lists)]
    if isinstance(dist, SelectionLaw):
        found.append(dist.score_law.tail(np.array([0.1, 0.35])))
    return [repr(value) for value in found]


@pytest.mark.parametrize(("mechanism", "of"), MECHANISMS.values(), ids=MECHANISMS)
def test_a_distribution_says_the_same_elsewhere(mechanism: Any, of: Any) -> None:
    dist = mechanism.distribution(of, progress=lambda fraction: None)  # which no process hears
    sent = pickle.dumps(dist)  # before any figure is read
    here = figures(dist)
    assert len(here) > 3
    assert figures(pickle.loads(sent)) == here
    assert figures(pickle.loads(pickle.dumps(dist))) == here


OTHER = Scores([10, 5, 5, 2, 0], monotonic=True, contributions=1)
Ask = Callable[[Any], Any]
ASKED: list[tuple[str, Any, Ask]] = [
    ("loss", (TOP_K, TOP_ONE, GAPS, THRESHOLD), lambda m: privacy_loss(m, S, OTHER)),
    ("loss", (CANDIDATES,), lambda m: privacy_loss(m, POOL, neighbouring_pool(POOL, [0], 0.5))),
    ("law in a universe", (TOP_ONE,), lambda m: m.distribution(S, zeros=10**9)),
    ("release", (GAPS, THRESHOLD), lambda m: m.release(S, rng=1)),
    ("coverage", (THRESHOLD,), lambda m: m.coverage(S, 0.9)),
    ("releases", (CANDIDATES,), lambda m: m.sample(POOL, 20, rng=1)),
]
SEARCH = PercentileSparseVector(percentile=0.6, epsilon=1.0)
RESULTS: dict[str, tuple[Any, Ask]] = {
    **{
        f"{what} of {name}": (made(menu[name]), ask)
        for what, menus, ask in ASKED
        for menu in menus
        for name in menu
    },
    "search": (SEARCH, lambda m: m.distribution([0.5, 0.7])),
    "gaps measured": (S, lambda s: seeded_top_k_experiment(s, epsilon=1.0, k=2)),
    "estimate": (Canonical(epsilon=1.0, k=2), lambda m: estimate(m, S, samples=300)),
}


@pytest.mark.parametrize(("of", "ask"), RESULTS.values(), ids=RESULTS)
def test_what_else_is_asked_of_every_menu_says_the_same_elsewhere(of: Any, ask: Ask) -> None:
    result = ask(of)
    sent = pickle.dumps(result)  # before any figure is read
    here = [*figures(result), repr(result)]
    there = pickle.loads(sent)
    assert [*figures(there), repr(there)] == here
