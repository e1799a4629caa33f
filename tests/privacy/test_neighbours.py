"""What one person can turn scores into."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError, Scores
from dpviz.privacy.neighbours import check_neighbour, neighbouring
from tests.meters import random_neighbour


@given(
    s=st.builds(
        Scores,
        st.lists(st.integers(-5, 5), min_size=2, max_size=8),
        monotonic=st.booleans(),
        sensitivity=st.sampled_from([0.1, 1.0, 3.0, (1.0, 2.0), (3.0, 0.5)]),
        contributions=st.one_of(st.none(), st.integers(1, 9)),
    ),
    corner=st.booleans(),
    seed=st.integers(0, 2**20),
)
def test_random_neighbours_are_neighbours(s: Scores, corner: bool, seed: int) -> None:
    other = random_neighbour(s, np.random.default_rng(seed), corner=corner)
    assert neighbouring(s, other)
    assert neighbouring(other, s)


@pytest.mark.parametrize(
    "change",
    [
        {"values": [5, 1, 1]},
        {"values": [3, 1]},
        {"monotonic": True},
        {"sensitivity": 2.0},
        {"contributions": 1},
        {"names_known": False},
    ],
    ids=str,
)
def test_scores_that_no_person_changes_so_are_no_neighbours(change: dict[str, Any]) -> None:
    assert not neighbouring(Scores([3, 1, 1]), Scores(**{"values": [3, 1, 1], **change}))


@pytest.mark.parametrize(("monotonic", "moved"), [(True, 2), (False, 4)])
def test_one_person_in_two_items_moves_two_scores_or_four_where_replaced(
    monotonic: bool, moved: int
) -> None:
    s = Scores(np.arange(7.0), monotonic=monotonic, contributions=2)
    for size in range(8):
        other = replace(s, values=s.values + (np.arange(7) < size))
        assert neighbouring(s, other) == (size <= moved)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ([5, 3, 1], r"lake moves by 2, more than 1: sensitivity=2 where one person can do that"),
        ([4, 2, 1], r"lake rises and zoo falls: monotonic=False where one person replaces another"),
        ([4, 4, 2], r"3 items move, inn too, and at most 2 can: a larger contributions, or None"),
    ],
)
def test_an_error_names_an_item_and_what_would_help(other: list[int], says: str) -> None:
    votes = Scores({"lake": 3, "zoo": 3, "inn": 1}, monotonic=True, contributions=2)
    whole = rf"^neighbour must be scores that .* \({says}\), not Scores"
    with pytest.raises(ParameterError, match=whole):
        check_neighbour(votes, replace(votes, values=other))
    says = r"sensitivity is 1\.0 here and 2\.0 there, which no person changes"
    with pytest.raises(ParameterError, match=says):
        check_neighbour(votes, replace(votes, sensitivity=2.0))


@pytest.mark.parametrize(
    ("sensitivity", "there", "may"),
    [
        ((1.0, 2.0), [7, 4, 5], True),
        ((1.0, 2.0), [7, 3, 5], False),
        ([2.0, 1.0, 0.5], [7, 6, 5.5], True),
        ([2.0, 1.0, 0.5], [7, 6, 6], False),
    ],
)
def test_each_item_or_direction_may_have_its_own_limit(
    sensitivity: Any, there: list[float], may: bool
) -> None:
    here = Scores([5, 5, 5], sensitivity=sensitivity, monotonic=True)
    other = replace(here, values=there)
    assert (neighbouring(here, other), neighbouring(other, here)) == (may, may)
