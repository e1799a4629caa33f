"""What one person can turn scores into."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError, Scores
from dpviz.privacy.neighbours import check_neighbour, neighbouring, random_neighbour


@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=8),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.1, 1.0, 3.0]),
    st.one_of(st.none(), st.integers(1, 9)),
    st.integers(0, 2**20),
)
def test_random_neighbours_are_neighbours(
    values: list[int],
    monotonic: bool,
    corner: bool,
    sensitivity: float,
    most: int | None,
    seed: int,
) -> None:
    s = Scores(values, monotonic=monotonic, sensitivity=sensitivity, contributions=most)
    other = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    assert neighbouring(s, other)
    assert neighbouring(other, s)


def test_what_is_no_neighbour() -> None:
    s = Scores([3, 1, 1])
    assert not neighbouring(s, Scores([5, 1, 1]))
    assert not neighbouring(s, Scores([3, 1]))
    assert not neighbouring(s, Scores([3, 1, 1], monotonic=True))
    assert not neighbouring(s, Scores([3, 1, 1], sensitivity=2.0))
    assert not neighbouring(s, Scores([3, 1, 1], contributions=1))
    assert not neighbouring(s, Scores([3, 1, 1], names_known=False))


@pytest.mark.parametrize(("monotonic", "moved"), [(True, 2), (False, 4)])
def test_one_person_in_two_items_moves_two_scores_or_four_where_replaced(
    monotonic: bool, moved: int
) -> None:
    s = Scores(np.arange(7.0), monotonic=monotonic, contributions=2)
    for size in range(8):
        other = replace(s, values=s.values + (np.arange(7) < size))
        assert neighbouring(s, other) == (size <= moved)
    rng = np.random.default_rng(3)
    drawn = [random_neighbour(s, rng).values - s.values for _ in range(200)]
    assert max(np.count_nonzero(step) for step in drawn) == moved
    assert {tuple(np.flatnonzero(step)) for step in drawn} >= {(0, 1), (5, 6)} or not monotonic
    if not monotonic:
        assert any(step.sum() == 0 and np.count_nonzero(step) == 4 for step in drawn), (
            "two up and two down"
        )


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ([5, 3, 1], r"lake moves by 2, more than 1: sensitivity=2 where one person can do that"),
        ([4, 2, 1], r"lake rises and zoo falls: monotonic=False where one person replaces another"),
        ([4, 4, 2], r"3 items move, inn too, and at most 2 can: a larger contributions, or None"),
    ],
)
def test_what_is_no_neighbour_names_an_item_and_what_would_help(
    other: list[int], says: str
) -> None:
    votes = Scores({"lake": 3, "zoo": 3, "inn": 1}, monotonic=True, contributions=2)
    with pytest.raises(
        ParameterError, match=rf"^neighbour must be scores that .* \({says}\), not Scores"
    ):
        check_neighbour(votes, replace(votes, values=other))
    with pytest.raises(
        ParameterError, match=r"sensitivity is 1\.0 here and 2\.0 there, which no person changes"
    ):
        check_neighbour(votes, replace(votes, sensitivity=2.0))
