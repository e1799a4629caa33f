"""Orders of queries: permutations that keep labels with their scores and ties in order."""

import numpy as np
import pytest

from dpviz import ParameterError, Scores
from dpviz.gaps.sparse.query_order import ORDERS, reorder_scores
from tests.menus import Contract

SCORES = Scores([3, 9, 3, 7, 1], labels=list("abcde"), sensitivity=2.0, monotonic=True)


@pytest.mark.parametrize("order", list(ORDERS))
class TestOrders(Contract):
    menu = ORDERS
    names = frozenset(ORDERS)

    def test_an_order_is_a_permutation_that_keeps_everything_else(self, order: str) -> None:
        new = reorder_scores(SCORES, order, seed=3)
        pairs = zip(new.values.tolist(), new.labels, strict=True)
        assert sorted(pairs) == sorted(zip(SCORES.values.tolist(), SCORES.labels, strict=True))
        assert (new.sensitivity, new.monotonic) == (2.0, True)


def test_the_orders_are_what_they_are_called() -> None:
    assert reorder_scores(SCORES, "given").labels == SCORES.labels
    assert "".join(reorder_scores(SCORES, "descending").labels) == "bdace"
    assert "".join(reorder_scores(SCORES, "ascending").labels) == "eacdb"


def test_a_shuffle_repeats_by_its_seed_and_differs_by_it() -> None:
    scores = Scores(np.arange(50.0))
    new = [reorder_scores(scores, "shuffled", seed=s).values.tolist() for s in (1, 1, 2)]
    assert new[0] == new[1] != new[2]


def test_bad_input_is_one_sentence() -> None:
    for given in ((SCORES, "best"), (SCORES, "shuffled", -1), ([1],)):
        with pytest.raises(ParameterError, match="must be"):
            reorder_scores(*given)
