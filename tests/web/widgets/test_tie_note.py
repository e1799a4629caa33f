"""Where scores tie at rank k the data panel says how high TOP can get, which is what the law says."""

import pytest

from dpviz import Canonical, Scores
from dpviz.web.widgets.data_panel import _tie_note


@pytest.mark.parametrize(
    ("values", "k", "ranks", "most"),
    [
        ([5, 5, 5, 0], 1, "1 to 3", 3),
        ([9, 5, 5, 5, 5, 0], 3, "2 to 5", 6),
        ([5, 5, 0], 1, "1 to 2", 2),
    ],
)
def test_the_highest_top_is_said(values: list[int], k: int, ranks: str, most: int) -> None:
    note = _tie_note(Scores(values), k)
    assert f"Ranks {ranks} have the same score" in note
    assert f"TOP is at most 1/{most} at" in note
    assert Canonical(epsilon=200.0, k=k).distribution(Scores(values)).top == pytest.approx(
        1 / most, abs=1e-9
    )


def test_many_ties_and_none() -> None:
    assert "TOP is at most one in a million" in _tie_note(Scores([1] * 5000), 2500)
    assert _tie_note(Scores([2, 1, 1]), 1) == ""
