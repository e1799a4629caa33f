"""Sparse vector and large margin against their integrals in ball arithmetic."""

import numpy as np
import pytest
from numpy.random import Generator

from tests.oracle.compare import outside
from tests.oracle.walk_cases import WALKS, string_gaps, threshold_case, walk_gaps

SELECTED = 10


@pytest.mark.parametrize("law", WALKS)
def test_figures_are_within_their_error(law: str) -> None:
    gaps = list(walk_gaps(law, SELECTED, seed=0))
    assert len(gaps) > 4 * SELECTED
    assert outside(iter(gaps)) == []


@pytest.mark.parametrize("adaptive", [False, True])
def test_answer_strings_are_right_relative_to_each(adaptive: bool) -> None:
    rng: Generator = np.random.default_rng(5)
    for _ in range(3):
        m, s = threshold_case(adaptive, rng)
        assert outside(string_gaps(m, s)) == []
