"""Items are what they are called: wherever two worlds stand side by side, they meet by label."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    GAPS,
    THRESHOLD,
    TOP_K,
    TOP_ONE,
    CandidatePool,
    LimitedDomain,
    OneShot,
    ParameterError,
    Scores,
    inclusion_with_and_without,
    privacy_loss,
)

HERE = Scores({"a": 30, "b": 20, "c": 10}, monotonic=True, contributions=1)
THERE = Scores({"a": 30, "b": 21, "c": 10}, monotonic=True, contributions=1)
TURNED = Scores({"c": 10, "b": 21, "a": 30}, monotonic=True, contributions=1)
NEEDED = {"threshold": 15.0, "k": 1, "epsilon": 1.0}
MASKED = np.ma.array([1, 2, 3], mask=[0, 1, 0])
KINDS = {name: menu[name] for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE) for name in menu}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_worlds_listed_in_any_order_are_the_same_worlds(kind: Any) -> None:
    m = kind(**{key: value for key, value in NEEDED.items() if key in kind.__dataclass_fields__})
    straight, turned = (privacy_loss(m, HERE, other) for other in (THERE, TURNED))
    assert (turned.largest, turned.output) == (straight.largest, straight.output)
    laws = [inclusion_with_and_without(m, HERE, other)[1].value for other in (THERE, TURNED)]
    np.testing.assert_array_equal(*laws)


@pytest.mark.parametrize("pair", [privacy_loss, inclusion_with_and_without])
def test_other_items_are_refused_by_one_of_their_names(pair: Callable[..., object]) -> None:
    few, more = Scores({"a": 3, "b": 2}), Scores({"a": 3, "x": 1, "b": 2})
    helps = (
        ", as there is a list of all possible items .give it a score there too, .* needs none.,"
        " not 'x'"
    )
    says = "an item of neighbour must be one of those of scores" + helps
    with pytest.raises(ParameterError, match=says):
        pair(OneShot(epsilon=1.0, k=1), few, more)
    says = "an item of scores must be one of those of neighbour" + helps
    with pytest.raises(ParameterError, match=says):
        pair(OneShot(epsilon=1.0, k=1), more, few)


def test_a_name_that_is_missing_counts_0_where_names_were_not_known() -> None:
    m, known = LimitedDomain(epsilon=1.0, k=1, delta=0.01), {"sensitivity": 5, "names_known": False}
    few = [Scores(counts, **known) for counts in ({"a": 9, "b": 5}, {"x": 1, "a": 9})]
    whole = [Scores(values, labels=list("abx"), **known) for values in ([9, 5, 0], [9, 0, 1])]
    pairs = [inclusion_with_and_without(m, *worlds) for worlds in (few, whole)]
    for chances, wanted in zip(*pairs, strict=True):
        np.testing.assert_array_equal(chances.value, wanted.value)


def test_names_twice_meet_in_their_order_only() -> None:
    twice = Scores([3, 2, 1], labels=["a", "a", "b"])
    assert privacy_loss(OneShot(epsilon=1.0, k=1), twice, twice).largest == 0.0
    says = r"labels of scores must be distinct, or in the same order .* not .a."
    with pytest.raises(ParameterError, match=says):
        privacy_loss(OneShot(epsilon=1.0, k=1), twice, Scores([3, 2, 1], labels=["a", "b", "a"]))


def test_candidates_meet_by_label_too() -> None:
    rule, runs = CANDIDATES["random_stopping"](), {"a": [1, 2], "b": [3, 4]}
    pool = CandidatePool(runs.values(), labels=list(runs))
    turned = CandidatePool([[3, 4], [1, 2]], labels=["b", "a"])
    assert abs(privacy_loss(rule, pool, turned).largest) < 1e-9
    with pytest.raises(ParameterError, match="one of those of scores, not 'z'"):
        privacy_loss(rule, pool, CandidatePool([[1, 2], [3, 4]], labels=["a", "z"]))


@pytest.mark.parametrize("given", [{3, 1}, frozenset({3, 1}), MASKED], ids=type)
def test_a_set_or_a_masked_array_is_no_list(given: Any) -> None:
    def labelled(labels: Any) -> Scores:
        return Scores([1, 2], labels=labels)

    for make in (Scores, labelled, CandidatePool, lambda runs: CandidatePool([runs])):
        with pytest.raises(ParameterError, match="must be a list"):
            make(given)
