"""log P of single sets, however unlikely: far outside the classes that pruning keeps too."""

import numpy as np
import pytest

from dpviz import Canonical, OneShot, Peeling, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import log_gaps, outside
from tests.oracle.noise import TAILS

SELECTED = 4


@pytest.mark.parametrize(("law", "variant"), [(law, v) for law in VARIANTS for v in VARIANTS[law]])
def test_log_probabilities_are_right(law: str, variant: str) -> None:
    rng = np.random.default_rng(1)
    cases = top_k_cases(law, variant, SELECTED, most_items=5, seed=1)
    gaps = [gap for case in cases for gap in log_gaps(case.mechanism, case.scores, 3, rng)]
    assert len(gaps) > SELECTED
    assert outside(iter(gaps)) == []


@pytest.mark.twins(2)
@pytest.mark.parametrize("noise", TAILS)
def test_every_set_of_a_steep_ladder(noise: str) -> None:
    """All sets, the least likely ones down to e^(−100)."""
    scores = Scores([45.0, 30.0, 20.5, 20.0, 0.0])
    for kind, epsilon in ((OneShot, 8.0), (Peeling, 8.0), (Canonical, 4.0)):
        m = kind(epsilon=epsilon, k=2, noise=noise)
        gaps = list(log_gaps(m, scores, 10, np.random.default_rng(2)))
        assert len(gaps) == 10
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
    """Classes that pruning drops compete: a set among them is less likely than it is alone."""
    scores = Scores(FAR[name])
    for epsilon, k in ((0.1, 2), (0.02, 1), (1.0, 2)):
        m = Canonical(epsilon=epsilon, k=k, gamma=gamma, noise=noise)
        assert outside(log_gaps(m, scores, 5, np.random.default_rng(2))) == []


def test_one_such_set_by_its_number() -> None:
    m = Canonical(epsilon=0.1, k=2, gamma=1.0, noise="laplace")
    dist = m.distribution(Scores(FAR["two far ahead of many"]))
    assert dist.log_probability([0, 5]) == pytest.approx(-57.44049752907095, abs=1e-9)
