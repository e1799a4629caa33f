"""The best of all runs and thresholds that come down: exact laws, and what they leak."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dpviz.base.errors import ParameterError
from dpviz.candidates import (
    CandidatePool,
    decreasing_thresholds_loss,
    naive_best,
    naive_epsilon,
    naive_worst_pair,
)


def brute_force(runs, repeats):
    """Every combination of runs, ties shared evenly among the tied runs."""
    chosen = np.zeros(len(runs))
    owners = [k for k in range(len(runs)) for _ in range(repeats)]
    for draw in itertools.product(*(runs[k] for k in owners)):
        best = [k for k, score in zip(owners, draw, strict=True) if score == max(draw)]
        weight = np.prod([1 / len(runs[k]) for k in owners])
        np.add.at(chosen, best, weight / len(best))
    return chosen


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_every_combination(repeats):
    runs = [[1, 2, 2], [2, 3], [0, 2]]
    law = naive_best(CandidatePool(runs), repeats)
    assert law.candidate == pytest.approx(brute_force(runs, repeats), abs=1e-13)
    assert abs(law.candidate.sum() - 1) <= law.error < 1e-12
    assert law.runs.mean == 3 * repeats
    above = law.score_law.mass[law.score_law.scores >= 2].sum()
    assert float(law.score_law.tail(np.array(2.0))) == pytest.approx(above)


@pytest.mark.parametrize("candidates", [1, 5, 40])
def test_worst_pair_realises_all_of_the_naive_cost(candidates):
    """Two neighbouring pools, each candidate ε1-DP, on which the loss is K·ε1."""
    epsilon = 0.4
    pair = naive_worst_pair(candidates, epsilon)
    for first, second in zip(pair[0].candidates, pair[1].candidates, strict=True):
        assert np.abs(np.log(first.mass / second.mass)).max() <= epsilon + 1e-12
    p, q = (naive_best(pool).candidate[0] for pool in pair)
    assert p == pytest.approx((1 + math.exp(epsilon)) ** -candidates, rel=1e-9)
    assert math.log(q / p) == pytest.approx(naive_epsilon(candidates, epsilon), rel=1e-9)


def test_refusals():
    for call in (
        lambda: naive_best(CandidatePool([stats.norm(0, 1)])),
        lambda: naive_best(CandidatePool([[1.0]]), 0),
        lambda: naive_worst_pair(3, 0.0),
        lambda: decreasing_thresholds_loss(0.9, 0.1, 2, 0.5),
    ):
        with pytest.raises(ParameterError):
            call()
