"""The slider's reach: it begins where the answer is next to chance and ends where nearly all of it
is right.
"""

import numpy as np
import pytest

from dpviz import TOP_K, Canonical, Scores
from dpviz.base import ParameterError
from dpviz.data import EXAMPLES
from dpviz.studies.epsilon_range import find_epsilon_range

SCORES = EXAMPLES["help_line"].scores()


@pytest.mark.parametrize("name", ["canonical", "one_shot", "peeling", "joint", "limited_domain"])
def test_it_spans_from_chance_to_nearly_all_right(name: str) -> None:
    mechanism = TOP_K[name](epsilon=1.0, k=10)
    low, high = (
        mechanism.replace(epsilon=epsilon).distribution(SCORES)
        for epsilon in find_epsilon_range(mechanism, SCORES)
    )
    assert low.share < 0.25
    assert high.share > 0.97
    assert high.hits[-1] > 0.5


def test_it_goes_by_the_scores_and_not_by_the_epsilon_of_now() -> None:
    ten, small = Scores(10 * SCORES.values, monotonic=True), Scores(SCORES.values, monotonic=True)
    low, high = find_epsilon_range(Canonical(epsilon=1.0, k=10), small)
    assert find_epsilon_range(Canonical(epsilon=77.0, k=10), small) == (low, high)
    assert np.allclose(
        np.array(find_epsilon_range(Canonical(epsilon=1.0, k=10), ten)) * 10, (low, high), rtol=0.5
    )


def test_a_mechanism_that_does_not_hold_on_these_scores_has_the_usual_reach() -> None:
    mechanism = TOP_K["gaussian_counts"](epsilon=1.0, k=10)
    with pytest.raises(ParameterError):
        mechanism.distribution(SCORES)
    assert find_epsilon_range(mechanism, SCORES) == (0.01, 100.0)
