"""Goals as people write them: there and back, and one sentence for what is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import ParameterError
from dpviz.studies.decision import default_goal, describe_goal, goal_text, read_goal
from dpviz.topk.classes import EVENTS, event_bounds
from dpviz.topk.goal import Goal

shares = st.floats(0, 1, exclude_min=True, exclude_max=True, allow_subnormal=False).filter(
    lambda p: p > 1e-4
)


@given(st.integers(1, 2000), st.data(), shares)
def test_a_goal_is_read_as_it_was_written(k: int, data: st.DataObject, share: float) -> None:
    named = st.builds(Goal, event=st.sampled_from([*EVENTS, "share"]), probability=st.just(share))
    counts = {"event": st.just("hits"), "at_least": st.integers(1, k)}
    least = st.builds(Goal, probability=st.just(share), **counts)
    goal = data.draw(st.one_of(named, least))
    assert read_goal(goal_text(goal, k), k) == goal


@pytest.mark.parametrize(
    "text",
    [
        "9 of 10 in 0.9",
        " at least 9 of the 10 in 90 % of releases ",
        "9 of 10 in 9 of 10 releases",
        "9 OF 10 IN .9",
        "9 of 10 in 90% releases",
    ],
)
def test_ways_to_say_the_same(text: str) -> None:
    assert read_goal(text, 10) == Goal(event="hits", at_least=9, probability=0.9)


NO_GOALS = [
    *("", "nine of ten", "9 of 10", "9 of 10 in 3 of 0", "hits in 0.9", 7),
    *(f"top in {'9' * 400} of 1", f"top in 1 of {'9' * 5000}", f"top in {'9' * 400}"),
    f"{'9' * 5000} of 10 in 0.9",
]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "goal must be written as") for text in NO_GOALS),
        *((f"9 of 10 in {p}", "a share above 0 and below 1") for p in ("1.5", "90", "1", "0")),
        ("best in 0.9", "top|optimal|great|good|share"),
        ("9 of 12 in 0.9", "about the 10 that are published"),
        ("11 of 10 in 0.9", "at least 1 and at most 10 of the 10"),
        ("0 of 10 in 0.9", "at least 1 and at most 10 of the 10"),
    ],
)
def test_what_is_no_goal_gets_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        read_goal(text, 10)
    assert message in str(caught.value)
    assert str(caught.value).count(". ") == 0


@pytest.mark.parametrize("k", [1, 7, 10, 55, 1000])
def test_words_say_the_bounds_of_the_event(k: int) -> None:
    for event in ("great", "good"):
        a, b = event_bounds(event, np.arange(3.0 * k, 0, -1), k)
        best = "one is" if a == 1 else f"{a:,} are"
        told = describe_goal(Goal(event=event, probability=0.5), k)
        assert told == f"the best {best} in and nothing below rank {b:,}"
    goal = default_goal(k)
    assert goal.at_least == k - k // 10
    assert goal.probability == 0.9
