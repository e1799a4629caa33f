"""log P of single sets, however unlikely: far outside the classes that pruning keeps too."""

import numpy as np
import pytest

from dpviz import Canonical, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import log_gaps, outside
from tests.oracle.noise import TAILS

SELECTED = 4


@pytest.mark.parametrize(
    ("law", "variant"), [(law, v) for law, variants in VARIANTS.items() for v in variants]
)
def test_log_probabilities_are_right(law: str, variant: str) -> None:
    rng = np.random.default_rng(1)
    cases = top_k_cases(law, variant, SELECTED, most_items=5, seed=1)
    gaps = [gap for case in cases for gap in log_gaps(case.mechanism, case.scores, 3, rng)]
    assert len(gaps) > SELECTED
    assert outside(iter(gaps)) == []


FAR = {
    "two far ahead of many": [1200.0] * 2 + [0.0] * 198,
    "one far ahead": [5370.0] + [1.0] * 299,
    "steps": [3000.0, 3000.0] + [60.0 - i // 10 for i in range(100)],
}


@pytest.mark.twins(10)
@pytest.mark.parametrize("noise", TAILS)
@pytest.mark.parametrize("gamma", [0.3, 1.0])
@pytest.mark.parametrize("name", FAR)
def test_sets_of_pruned_classes(noise: str, gamma: float, name: str) -> None:
    """Dropped classes compete with each other: a set among them is less likely than alone."""
    scores = Scores(FAR[name])
    for epsilon, k in ((0.1, 2), (0.02, 1), (1.0, 2)):
        m = Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise)
        assert outside(log_gaps(m, scores, 5, np.random.default_rng(2))) == []
