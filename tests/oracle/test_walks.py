"""Sparse vector, large margin, candidates, gaps and instability against ball arithmetic."""

import numpy as np
import pytest
from numpy.random import Generator

from tests.oracle.compare import outside
from tests.oracle.walk_cases import CHOICES, WALKS, string_gaps, threshold_case, walk_gaps

CASES = [*((law, 10, 41) for law in WALKS), *((law, 20, 40) for law in CHOICES)]


@pytest.mark.parametrize(("law", "selected", "least"), CASES)
def test_figures_are_within_their_error(law: str, selected: int, least: int) -> None:
    gaps = list(walk_gaps(law, selected, seed=0))
    assert len(gaps) >= least
    assert outside(iter(gaps)) == []


@pytest.mark.parametrize("adaptive", [False, True])
def test_answer_strings_are_right_relative_to_each(adaptive: bool) -> None:
    rng: Generator = np.random.default_rng(5)
    for _ in range(3):
        m, s = threshold_case(adaptive, rng)
        assert outside(string_gaps(m, s)) == []
