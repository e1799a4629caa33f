"""Pools: what is read, how scores tie, and one clear sentence for what cannot be used."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpviz import CandidatePool, ParameterError


def test_tail_counts_runs_at_least_and_above():
    pool = CandidatePool([[3, 1, 1, 2], [2.0], ([1.0, 2.0, 2.0], [0.5, 0.25, 0.25])])
    assert pool.tail(2).tolist() == [0.5, 1.0, 0.5]
    assert pool.mixture_tail(np.array([1.0, 2.0, 2.5])) == pytest.approx([1, 2 / 3, 1 / 12])
    assert pool.mixture_sf(np.array([1.0, 2.0])) == pytest.approx([2 / 3, 1 / 12])
    assert pool.score_levels.tolist() == [1, 2, 3]
    assert pool.level_mass.sum() == pytest.approx(1)
    assert pool.level_sf.tolist() == pytest.approx([2 / 3, 1 / 12, 0])


def test_scipy_distributions():
    discrete = CandidatePool(
        [stats.binom(4, 0.3), stats.rv_discrete(values=([2, 5], [0.25, 0.75])), stats.poisson(3)]
    )
    assert discrete.tail(2) == pytest.approx([stats.binom.sf(1, 4, 0.3), 1, stats.poisson.sf(1, 3)])
    smooth = CandidatePool([stats.norm(1, 2), [0.0]])
    assert smooth.tail(0.0) == pytest.approx([stats.norm.sf(-0.5), 1])
    assert smooth.level_sf == pytest.approx([stats.norm.sf(-0.5) / 2])


def test_table_of_runs():
    columns = {"candidate": ["b", "a", "b"], "score": [1.0, 2.0, 4.0], "note": [""] * 3}
    table = pd.DataFrame(columns)
    pool = CandidatePool.from_table(table)
    assert pool.labels == ("b", "a")
    assert pool.tail(2).tolist() == [0.5, 1.0]
    missing = table.assign(score=[1.0, 2.0, np.nan])
    for bad, sentence in [
        (table.drop(columns="score"), "the columns of the table must be such that one is 'score'"),
        (table.assign(score=["1", "2", "x"]), "candidates[0][0] must be a finite number, not '1'"),
        (missing, "candidates[0][1] must be a finite number, not nan"),
        (table.assign(candidate=["b", None, "b"]), "the candidate in row 1 must be a name"),
        (table.iloc[:0], "the number of candidates must be at least 1, not 0"),
        ("b,1", "table must be a pandas DataFrame"),
    ]:
        with pytest.raises(ParameterError, match=rf"\A{re.escape(sentence)}"):
            CandidatePool.from_table(bad)


@pytest.mark.parametrize(
    ("candidates", "sentence"),
    [
        ([], "the number of candidates must be at least 1, not 0."),
        (7, "candidates must be a list with the run scores of each candidate, not 7."),
        ([[0.5], []], "the number of runs of candidates[1] must be at least 1, not 0."),
        ([[0.5, "0.7"]], "candidates[0][1] must be a finite number, not '0.7'."),
        ([[0.5, float("inf")]], "candidates[0][1] must be a finite number, not inf."),
        ([[True, 1.0]], "candidates[0][0] must be a finite number, not True."),
        (["abc"], "candidates[0] must be a list of run scores or a frozen scipy distribution"),
        ([([1.0, 2.0], [0.5, 0.4])], "the sum of the probabilities of candidates[0] must be 1"),
        ([([1.0, 2.0], [1.0])], "the number of probabilities of candidates[0] must be 2, one a"),
        ([stats.norm(0, -1)], "candidates[0] must be a frozen scipy distribution with usable"),
    ],
)
def test_refusals(candidates, sentence):
    with pytest.raises(ParameterError, match=rf"\A{re.escape(sentence)}"):
        CandidatePool(candidates)


def test_labels_are_one_text_a_candidate():
    for labels, says in (
        (["a", "b"], "the number of labels must be 1, one a candidate, not 2"),
        ([3], r"labels\[0\] must be a text, not 3"),
    ):
        with pytest.raises(ParameterError, match=says):
            CandidatePool([[1.0]], labels=labels)


def test_every_run_scores_at_least_the_lowest_score():
    """Sums of 1/n miss 1 by a rounding for many n."""
    pool = CandidatePool([np.arange(n) for n in range(2, 60)])
    assert pool.tail(0.0).tolist() == [1.0] * 58
