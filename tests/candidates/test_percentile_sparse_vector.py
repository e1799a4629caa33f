"""Percentile sparse vector: simulation, a plain integral, privacy by enumeration, Thm 4.1."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.base.errors import ParameterError
from dpviz.candidates import PercentileSparseVector, percentile_sparse_vector
from tests.meters import largest_loss, smallest_delta

ORACLE = PercentileSparseVector(percentile=0.5, epsilon=2.0, candidate_epsilon=0.2)
GIVEN = {"percentile": 0.4, "candidate_epsilon": 0.3, "queries": 6, "delta": 0.05}
SAMPLED = PercentileSparseVector(epsilon=3.0, samples=400, epsilon0=0.7, **GIVEN)
QUERIES = [0.2, 0.55, 0.0, 0.9, 1.0, 0.3]


@pytest.mark.parametrize("mechanism", [ORACLE, SAMPLED], ids=["oracle", "sampled"])
def test_sampler_follows_the_law(mechanism):
    size = 20_000
    law = mechanism.distribution(QUERIES)
    assert law.error < 1e-6
    found = mechanism.sample(QUERIES, size, rng=np.random.default_rng(5))
    counts, chances = np.bincount(found + 1, minlength=7), [law.none, *law.stop]
    for count, chance in zip(counts, chances, strict=True):
        low, high = stats.binomtest(int(count), size).proportion_ci(1 - 1e-6)
        assert low - 1e-12 <= chance <= high + 1e-12


def pairs(rng, epsilon, queries):
    """Chances that ε1-DP queries may have on neighbours, the extreme ones included."""
    low = 1 / (1 + math.exp(epsilon))
    for _ in range(30):
        p = np.where(rng.random(queries) < 0.6, low, rng.uniform(0, 1, queries))
        up = np.minimum(np.exp(epsilon) * p, 1 - np.exp(-epsilon) * (1 - p))
        down = np.maximum(np.exp(-epsilon) * p, 1 - np.exp(epsilon) * (1 - p))
        yield p, np.where(rng.random(queries) < 0.5, up, down)
    lowest = np.append(np.full(queries - 1, low), 1 - low)
    yield lowest, 1 - lowest


def stops(law):
    """Where the search ends, −1 for nowhere."""
    return {-1: law.none, **dict(enumerate(law.stop.tolist()))}


def worst(mechanism, queries=6):
    rng = np.random.default_rng(6)
    laws = [
        [stops(law) for law in map(mechanism.distribution, pair)]
        for pair in pairs(rng, mechanism.candidate_epsilon, queries)
    ]
    if mechanism.samples is None:
        return max(largest_loss(p, q) for p, q in laws)
    return max(smallest_delta(p, q, mechanism.epsilon) for p, q in laws)


@pytest.mark.parametrize(("epsilon", "candidate"), [(0.3, 0.5), (2.0, 0.2), (1.0, 2.0)])
def test_oracle_privacy(epsilon, candidate):
    mechanism = PercentileSparseVector(epsilon=epsilon, candidate_epsilon=candidate)
    assert worst(mechanism) <= epsilon + 1e-9


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_sampled_privacy(epsilon):
    mechanism = PercentileSparseVector(epsilon=epsilon, samples=100, epsilon0=0.3, **GIVEN)
    assert worst(mechanism) <= 0.05


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"candidate_epsilon": 1.0, "samples": 10}, "candidate_epsilon must be a"),
        ({"samples": 0}, "samples must be a whole number of at least 1"),
        ([], "the number of queries must be at least 1"),
        ([1.2], r"percentiles\[0\] must be a number from 0 to 1"),
        ([0.5] * 7, "the number of queries must be at most queries"),
    ],
)
def test_what_does_not_fit_is_refused(given, says):
    with pytest.raises(ParameterError, match=says):
        PercentileSparseVector(**given) if isinstance(given, dict) else SAMPLED.distribution(given)


def test_offset_is_that_of_theorem_4_4():
    """R = 2, δ = 16e^(−10), ε0 = ε1 = log 2: log(8R/δ) = 10 and e^(ε0+ε1) = 4."""
    two = math.log(2)
    given = {"percentile": 0.3, "samples": 50, "queries": 2, "delta": 16 * math.exp(-10)}
    mechanism = PercentileSparseVector(candidate_epsilon=two, epsilon0=two, **given)
    d = 20 * (5 + math.sqrt(2)) / (3 * two)
    assert mechanism.offset == pytest.approx(d, rel=1e-12)
    odds = [math.log(d / (50 + d)), math.log((20 + d) / (30 + d))]
    assert mechanism.log_odds(np.array([0.0, 0.4])) == pytest.approx(odds, rel=1e-12)
    assert ORACLE.offset == 0


def test_the_error_of_the_sampled_law_is_what_halving_the_panels_changes(monkeypatch):
    fine = SAMPLED.distribution(QUERIES)
    monkeypatch.setattr(percentile_sparse_vector, "_STRIDE", 4.0)
    rough = SAMPLED.distribution(QUERIES)
    missed = np.abs(fine.stop - rough.stop).sum() + abs(fine.none - rough.none)
    assert 1e-4 < missed <= rough.error < 0.1
