"""Chances with and without a person, for every menu."""

from typing import Any

import numpy as np
import pytest

from dpviz import (
    CANDIDATES,
    TOP_K,
    CandidatePool,
    ParameterError,
    Scores,
    inclusion_with_and_without,
)
from tests.privacy.test_every_menu import MENUS, made, worlds_for


@pytest.mark.parametrize(("menu", "name"), MENUS, ids=[name for _, name in MENUS])
def test_both_worlds_in_item_order(menu: Any, name: str) -> None:
    m = made(menu, name)
    s, other = worlds_for(m, "general")
    seen: list[float] = []
    pair = inclusion_with_and_without(m, s, other, progress=seen.append)
    for chances, world in zip(pair, (s, other), strict=True):
        assert chances.value.shape == (world.d,)
        assert (chances.low <= chances.value).all()
        assert (chances.value <= chances.high).all()
        assert (chances.high - chances.low <= 1e-8).all()
    assert abs(pair[0].value - pair[1].value).max() > 1e-3 or m.delta_spent
    if menu is TOP_K:
        np.testing.assert_array_equal(pair[1].value, m.distribution(other).inclusion)


def test_candidates_and_refusals() -> None:
    pools = CandidatePool([[0.5, 0.7], [0.6]]), CandidatePool([[0.5, 0.9], [0.6]])
    rule, scores = CANDIDATES["random_stopping"](), Scores([1, 2])
    first, second = inclusion_with_and_without(rule, *pools)
    assert first.value.sum() == pytest.approx(1)
    assert second.value[0] == pytest.approx(first.value[0], abs=1e-12)
    for mechanism, says in ((rule, "scores"), ("canonical", "mechanism")):
        with pytest.raises(ParameterError, match=says):
            inclusion_with_and_without(mechanism, scores, scores)
