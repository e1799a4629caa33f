"""Candidates, noisy max with gap and distance to instability against exact arithmetic."""

import pytest

from tests.oracle.compare import outside
from tests.oracle.walk_cases import CHOICES, walk_gaps

SELECTED = 20


@pytest.mark.parametrize("law", CHOICES)
def test_figures_are_within_their_error(law: str) -> None:
    gaps = list(walk_gaps(law, SELECTED, seed=0))
    assert len(gaps) >= 2 * SELECTED
    assert outside(iter(gaps)) == []
