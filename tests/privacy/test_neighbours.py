"""What one person can turn scores into."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpviz import Scores
from dpviz.privacy.neighbours import neighbouring, random_neighbour


@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=8),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.1, 1.0, 3.0]),
    st.integers(0, 2**20),
)
def test_random_neighbours_are_neighbours(
    values: list[int], monotonic: bool, corner: bool, sensitivity: float, seed: int
) -> None:
    s = Scores(values, monotonic=monotonic, sensitivity=sensitivity)
    other = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    assert neighbouring(s, other)
    assert neighbouring(other, s)


def test_what_is_no_neighbour() -> None:
    s = Scores([3, 1, 1])
    assert not neighbouring(s, Scores([5, 1, 1]))
    assert not neighbouring(s, Scores([3, 1]))
    assert not neighbouring(s, Scores([3, 1, 1], monotonic=True))
    assert not neighbouring(s, Scores([3, 1, 1], sensitivity=2.0))
