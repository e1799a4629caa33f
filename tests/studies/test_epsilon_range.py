"""The slider reaches from ε next to chance to ε where nearly all is right."""

import numpy as np
import pytest

from dpviz import TOP_K, Canonical, Scores
from dpviz.base import ParameterError
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies.epsilon_range import find_epsilon_halfway_from_chance, find_epsilon_range

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
    ten, small = (Scores(times * SCORES.values, monotonic=True) for times in (10, 1))
    m = Canonical(epsilon=1.0, k=10)
    reach = find_epsilon_range(m, small)
    assert find_epsilon_range(m.replace(epsilon=77.0), small) == reach
    assert np.allclose(np.array(find_epsilon_range(m, ten)) * 10, reach, rtol=0.5)


@pytest.mark.parametrize("k", [1, 10, 100])
@pytest.mark.parametrize("size", [12, 200, 5000])
@pytest.mark.parametrize("name", GENERATORS)
def test_a_suggested_epsilon_is_neither_sure_nor_hopeless(name: str, size: int, k: int) -> None:
    mechanism = Canonical(epsilon=1.0, k=min(k, size // 2))
    scores = GENERATORS[name](size=size, **GENERATORS[name].opening).scores()
    law = mechanism.replace(
        epsilon=find_epsilon_halfway_from_chance(mechanism, scores)
    ).distribution(scores)
    assert 0.3 <= law.expected_hits / law.k <= 0.9


def test_none_is_suggested_where_chance_is_right() -> None:
    for values, k in (([3, 3, 3, 3, 1], 2), ([5, 4, 3, 2, 1], 4)):
        with pytest.raises(ParameterError, match="chance alone gets most of this list right"):
            find_epsilon_halfway_from_chance(Canonical(epsilon=1.0, k=k), Scores(values))
