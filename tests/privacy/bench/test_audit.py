"""`audit` finds what is broken, each in its own way, and lets pass what is right."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy import stats

from dpviz import (
    Canonical,
    OneShot,
    ParameterError,
    Peeling,
    Scores,
    SparseVector,
    ThresholdCounts,
    audit,
    privacy_loss,
)
from dpviz.base import Floats, Ints
from dpviz.privacy.bench.audit import _rho

S, T = (Scores([best, 3, 1], labels=["a", "b", "c"], monotonic=True) for best in (3, 4))
TIE, LEAD = Scores([1, 1], monotonic=True), Scores([2, 1], monotonic=True)
UNLISTED = {"monotonic": True, "contributions": 1, "names_known": False}
HERS = Scores({"a": 9, "b": 8, "x": 1}, **UNLISTED)
WITHOUT = Scores({"a": 9, "b": 8}, **UNLISTED)
NEXT = Scores([3, 4, 1], labels=["a", "b", "c"], monotonic=True)
QUERIES = Scores([1, 2, 3]), Scores([2, 1, 2])
NINE_IN_TEN = {"samples": 1_000, "confidence": 0.9}
PURE, WITH_DELTA = {"epsilon": 1.0}, {"epsilon": 1.0, "delta": 0.01}


def noisy_max(scores: Scores, size: int, rng: Generator, scale: float) -> Ints:
    """Report noisy max with exponential noise: ε is 1/scale for counts."""
    return np.argmax(scores.values + rng.exponential(scale, (size, scores.d)), axis=1)


def in_order(scores: Scores, size: int, rng: Generator) -> Ints:
    """The right sets, each written with the better item first, by the true scores."""
    rows = Canonical(epsilon=1.0, k=2).sample(scores, size, rng=rng)
    return scores.order[np.sort(scores.rank[rows], axis=1)]


def off_by_one(scores: Scores, size: int, rng: Generator, lower: float) -> Ints:
    """Noisy counts above a threshold, which is lower than it should be."""
    mechanism = ThresholdCounts(epsilon=1.0, k=2, delta=0.01)
    level = mechanism.threshold(HERS) - lower
    noisy = scores.values + rng.laplace(0.0, mechanism.scale(HERS), (size, scores.d))
    shown = np.where((scores.values > 0) & (noisy > level), np.arange(scores.d), -1)
    return -np.sort(-shown, axis=1)


def svt(scores: Scores, size: int, rng: Generator, reuse: bool) -> Ints:
    """Answers of a sparse vector; `reuse` adds one noise to every query."""
    level = 2.0 + rng.laplace(0.0, 2.0, (size, 1))
    noise = rng.laplace(0.0, 4.0, (size, 1 if reuse else scores.d))
    above = scores.values + noise > level
    first = np.cumsum(np.cumsum(above, axis=1), axis=1) <= 1  # up to the first that is above
    return np.where(first, above, -1)


HONEST = partial(noisy_max, scale=1.0)
BROKEN: dict[str, tuple[Callable[..., Any], Scores, Scores, dict[str, float]]] = {
    "half the noise": (partial(noisy_max, scale=0.5), S, T, PURE),
    "tells the order": (in_order, S, NEXT, PURE),
    "threshold off by one": (partial(off_by_one, lower=1.0), HERS, WITHOUT, WITH_DELTA),
    "noise used again": (partial(svt, reuse=True), *QUERIES, PURE),
}
RIGHT: dict[str, tuple[Any, Scores, Scores, dict[str, float]]] = {
    "noisy max": (HONEST, S, T, PURE),
    "a set": (Canonical(epsilon=1.0, k=2), S, T, {"epsilon": 1.0, "rho": 0.125}),
    "threshold": (partial(off_by_one, lower=0.0), HERS, WITHOUT, WITH_DELTA),
    "sparse vector": (partial(svt, reuse=False), *QUERIES, PURE),
    "our sparse vector": (SparseVector(epsilon=1.0, k=1, threshold=2.0), S, T, PURE),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mechanism_is_found(name: str) -> None:
    draw, scores, neighbour, claim = BROKEN[name]
    found = audit(draw, scores, neighbour, **claim, samples=60_000)
    assert not found.holds
    assert found.at_least > claim["epsilon"]
    assert found.event in found.frame()["event"].to_list()


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_mechanism_passes(name: str) -> None:
    draw, scores, neighbour, claim = RIGHT[name]
    found = audit(draw, scores, neighbour, **claim, samples=4_000 if "our" in name else 60_000)
    assert found.holds
    assert (found.confidence, found.at_least <= claim["epsilon"]) == (0.99, True)
    assert (found.rho_at_least is not None) == ("rho" in claim)


def test_a_claim_is_refuted_where_it_is_below_the_bound_and_nowhere_else() -> None:
    bound = audit(HONEST, S, T, epsilon=1.0).at_least
    assert audit(HONEST, S, T, epsilon=bound).holds
    assert not audit(HONEST, S, T, epsilon=0.999 * bound).holds


def binary_rho(p: float, q: float) -> float:
    """max D_α/α of two coins, by brute force."""
    grid = np.linspace(1.0005, 64, 40_000)
    moments = p**grid * q ** (1 - grid) + (1 - p) ** grid * (1 - q) ** (1 - grid)
    return float((np.log(moments) / (grid - 1) / grid).max())


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.2), (0.9, 0.1), (0.02, 0.0004), (0.3, 0.3)])
def test_rho_of_a_coin_is_never_above_the_truth_and_close_to_it(p: float, q: float) -> None:
    found, truth = float(_rho(np.array([p]), np.array([q]))[0]), binary_rho(p, q)
    assert 0.99 * truth - 1e-12 <= found <= truth * (1 + 1e-3) + 1e-12


@pytest.mark.parametrize("runs", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_bounds_fail_no_more_often_than_they_say(runs: int) -> None:
    """Permute-and-flip on a tie loses all of its ε on a common output: the bound is tight."""
    loss = privacy_loss(OneShot(epsilon=1.0, k=1, noise="exponential"), TIE, LEAD)
    assert loss.largest == pytest.approx(1.0)
    claim = {"epsilon": loss.largest, "rho": binary_rho(0.5, 0.5 / math.e), **NINE_IN_TEN}
    found = [audit(HONEST, TIE, LEAD, rng=seed, **claim) for seed in range(runs)]
    assert sum(not one.holds for one in found) <= stats.binom.ppf(1 - 1e-6, runs, 0.1)
    assert np.mean([one.at_least for one in found]) > 0.6  # and it says something


def test_many_events_are_looked_at_and_one_is_judged() -> None:
    """The worlds are alike; the best of hundreds of events looks like a loss."""

    def same(scores: Any, size: int, rng: Generator) -> Ints:
        return rng.integers(30, size=(size, 3))

    found = [audit(same, 0, 1, epsilon=0.0, rng=seed, **NINE_IN_TEN) for seed in range(40)]
    assert sum(not one.holds for one in found) <= stats.binom.ppf(1 - 1e-4, 40, 0.1)


def test_many_items_in_a_row_are_added_up() -> None:
    """Peeling of 8 of 30 at a tenth of the noise: no single answer comes twice, yet it is found."""
    scores = Scores(np.linspace(0, 3, 30), monotonic=True)
    other = Scores(scores.values + 1.0 * (np.arange(30) % 2), monotonic=True)
    found = audit(Peeling(epsilon=12.0, k=8), scores, other, epsilon=1.0, samples=20_000)
    assert not found.holds


def test_real_numbers_and_texts_are_outputs_too() -> None:
    def noisy(scores: Any, size: int, rng: Generator) -> Floats:
        return scores[0] + rng.laplace(0.0, 1.0, (size, 2))

    def word(scores: Any, size: int, rng: Generator) -> list[str]:
        return ["high" if scores[0] else "low"] * size

    assert audit(noisy, [0.0], [1.0], epsilon=2.0).holds
    assert not audit(noisy, [0.0], [1.0], epsilon=0.8).holds
    assert "high" in audit(word, [1], [0], epsilon=1.0, samples=1_000).event


@pytest.mark.parametrize(
    ("draw", "changes", "says"),
    [
        ("no function", {}, "draw must be a function"),
        (lambda s, n, rng: np.zeros((n + 1, 1), int), {}, "rows of plain values"),
        (lambda s, n, rng: [[0] * (i % 2) for i in range(n)], {}, "rows of one length"),
        (lambda s, n, rng: np.zeros((n, int(s.values[0])), int), {}, "the same length"),
        (HONEST, {"neighbour": Scores([9, 9, 9], monotonic=True)}, "neighbour must be"),
        (HONEST, {"samples": 10}, "samples must be"),
        (HONEST, {"rho": math.nan}, "rho must be"),
    ],
)
def test_bad_input(draw: Any, changes: dict[str, Any], says: str) -> None:
    asked: dict[str, Any] = {"scores": S, "neighbour": T, "epsilon": 1.0, "samples": 200} | changes
    with pytest.raises(ParameterError, match=says):
        audit(draw, **asked)
