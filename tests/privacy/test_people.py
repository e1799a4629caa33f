"""One person's data: typical items lie where the scores do, and a step is possible."""

import numpy as np
import pytest

from dpviz import ParameterError, Scores
from dpviz.privacy.neighbours import (
    average_item_count_per_person,
    average_person_items,
    max_items_per_person,
    move_scores,
    neighbouring,
    person_unit_step,
)

COUNTS = Scores([40, 3, 30, 0, 20, 7], monotonic=True)
ONE_EACH = Scores([1, 2, 3], contributions=1)


def test_typical_items_are_as_many_as_asked_for_and_the_same_every_time() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        d = int(rng.integers(2, 30))
        scores = Scores(rng.integers(0, 50, d).astype(float) ** rng.integers(1, 4))
        size = int(rng.integers(1, d + 1))
        items = average_person_items(scores, size)
        assert len(set(items.tolist())) == size
        assert np.array_equal(items, average_person_items(scores, size))
        assert (np.diff(scores.rank[items]) > 0).all()


def test_typical_items_lie_where_the_scores_do() -> None:
    scores = Scores([30.0] * 100 + [10.0] * 100)  # three quarters of the total in the first half
    assert (average_person_items(scores, 40) < 100).sum() == 30
    # the middle of each stretch
    assert average_person_items(Scores([1, 1, 1, 1, 1, 1]), 2).tolist() == [1, 4]
    assert average_person_items(Scores([1000, 1, 1, 1]), 1).tolist() == [0]
    assert average_person_items(Scores([1000, 1, 1, 1]), 2)[0] == 0


def test_the_average_is_the_total_over_the_people() -> None:
    assert average_item_count_per_person(COUNTS) == 2  # 100 counts of at least 40 people
    assert average_item_count_per_person(COUNTS, people=100) == 1
    assert average_item_count_per_person(COUNTS, people=25) == 4
    assert average_item_count_per_person(Scores([40, 40, 40], contributions=2)) == 2
    fives = Scores([100.0, 50.0], sensitivity=5.0)  # 150 of 5 a person and item
    assert average_item_count_per_person(fives, people=20) == 2
    assert average_item_count_per_person(Scores([0, 0])) == 1
    assert max_items_per_person(Scores([1, 2, 3], contributions=9)) == 3


def test_a_step_makes_a_neighbour_and_no_count_below_zero() -> None:
    step = person_unit_step(COUNTS, [0, 3])
    assert step.tolist() == [-1, 0, 0, 0, 0, 0]  # nobody can be taken out of a count of 0
    assert person_unit_step(COUNTS, [0, 3], joins=True).tolist() == [1, 0, 0, 1, 0, 0]
    general = Scores([4, 4, 4], contributions=1)
    replaced = person_unit_step(general, [0], [2])
    assert replaced.tolist() == [-1, 0, 1]
    assert neighbouring(general, move_scores(general, replaced))
    assert person_unit_step(general, [1], [1]).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("scores", "items", "other", "told"),
    [
        (COUNTS, [6], [], "items must be"),
        (COUNTS, [0], [1], "empty where one person is added or removed"),
        (ONE_EACH, [0, 1], [], "the number of items must be at most 1, not 2"),
        (ONE_EACH, [0], [1, 2], "the number of other must be at most 1, not 2"),
    ],
)
def test_an_impossible_step_is_refused(
    scores: Scores, items: list[int], other: list[int], told: str
) -> None:
    with pytest.raises(ParameterError, match=told):
        person_unit_step(scores, items, other)
