"""Lemma 7 and what it does not say: coverage before and after the answer is seen."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import AdaptiveSparseVector, Scores, SparseVector
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, Coverage
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from tests.meters import FALSE_ALARM


@pytest.mark.parametrize(("e0", "e1"), [(0.5, 0.25), (0.25, 0.5), (0.3, 0.3), (0.01, 3.0)])
def test_t_is_that_of_lemma_7(e0: float, e1: float) -> None:
    t = ConfidenceBound(0.95, e0, e1).t
    if e0 == e1:
        failing = (2 + e0 * t) / 4 * math.exp(-e0 * t)
    else:
        failing = (e0**2 * math.exp(-e1 * t) - e1**2 * math.exp(-e0 * t)) / (2 * (e0**2 - e1**2))
    assert failing == pytest.approx(0.05, rel=1e-9)


def test_coverage_after_can_be_far_lower() -> None:
    """Five below the threshold, ε0 = 0.5, ε1 = 0.25, α = 0.05: 0.72, not 0.95."""
    bound = SparseVector(epsilon=1.0, k=1, threshold=0.0, split=(0.5, 0.25)).confidence_bound(0.95)
    assert float(bound) == bound.t
    assert bound.coverage_before_answer == 0.95
    assert float(bound.coverage_after_answer(-5.0)) == pytest.approx(0.7180, abs=5e-5)
    assert float(bound.coverage_after_answer(1e6)) == pytest.approx(0.95)
    assert float(bound.coverage_after_answer(-1e6)) == 0.0


@pytest.mark.parametrize("cls", [SparseVector, AdaptiveSparseVector])
def test_coverage_in_whole_runs_by_simulation(cls: type[ThresholdMechanism]) -> None:
    m = cls(epsilon=2.0, k=2, threshold=50.0)
    s = Scores([44.0, 52.0, 47.0, 90.0], sensitivity=1.0)
    runs, rng = 2500, np.random.default_rng(6)
    found = m.coverage(s, 0.8)
    missed = np.zeros(found.missed.shape, int)
    for _ in range(runs):
        r = m.release(s, rng=rng, confidence=0.8)
        for item, branch, low in zip(r.items, r.branches, r.lower_bounds, strict=True):
            missed[m.branch_names.index(branch), item] += s.values[item] < low
    for seen, chance in zip(missed.ravel(), np.clip(found.missed, 0, 1).ravel(), strict=True):
        assert stats.binomtest(int(seen), runs, float(chance)).pvalue > FALSE_ALARM / missed.size
    alpha = 1.0 - found.confidence
    assert np.all(found.missed.sum(0) <= alpha + 1e-9) or cls is AdaptiveSparseVector
    assert np.all(found.missed <= alpha + found.error)
    assert np.all(found.coverage_before_answer >= 0.8 - found.error)
    assert np.all((found.coverage_after_answer >= 0) & (found.coverage_after_answer <= 1))


def test_what_is_too_rare_to_tell_is_masked_up_to_a_thousand_errors() -> None:
    """A ratio of two figures with an error of 10⁻⁹ each is worth a digit only from 10⁻⁶ on."""
    answered = np.array([[2e-6, 6e-7, 3e-7], [0.0, 6e-7, 3e-7]])
    missed = np.array([[1e-6, 3e-7, 0.0], [0.0, 0.0, 0.0]])
    found = Coverage(0.9, (1.0, 2.0), answered, missed, error=1e-9)
    assert found.coverage_after_answer.mask.tolist() == [[False, True, True], [True, True, True]]
    assert found.coverage_after_answer[0, 0] == pytest.approx(0.5)
    few = answered[1:]
    assert Coverage(0.9, (1.0,), few, few / 3, error=1e-9).overall_coverage is None
    told = Coverage(0.9, (1.0,), few, few / 3, error=1e-10)
    assert told.overall_coverage == pytest.approx(2 / 3)
