"""Orders of queries: permutations that keep labels with their scores and ties in the order given."""

import numpy as np
import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.gaps.sparse.query_order import ORDERS, reordered
from tests.menus import Contract

SCORES = Scores(
    [3.0, 9.0, 3.0, 7.0, 1.0], labels=["a", "b", "c", "d", "e"], sensitivity=2.0, monotonic=True
)


@pytest.mark.parametrize("order", list(ORDERS))
class TestOrders(Contract):
    menu = ORDERS
    names = frozenset(ORDERS)

    def test_an_order_is_a_permutation_that_keeps_everything_else(self, order: str) -> None:
        new = reordered(SCORES, order, seed=3)
        pairs = zip(new.values.tolist(), new.labels, strict=True)
        assert sorted(pairs) == sorted(zip(SCORES.values.tolist(), SCORES.labels, strict=True))
        assert (new.sensitivity, new.monotonic) == (2.0, True)


def test_the_orders_are_what_they_are_called() -> None:
    assert reordered(SCORES, "given").labels == SCORES.labels
    assert "".join(reordered(SCORES, "descending").labels) == "bdace"
    assert "".join(reordered(SCORES, "ascending").labels) == "eacdb"


def test_a_shuffle_repeats_by_its_seed_and_differs_by_it() -> None:
    scores = Scores(np.arange(50.0))
    one, same, other = (reordered(scores, "shuffled", seed=s).values.tolist() for s in (1, 1, 2))
    assert one == same != other


def test_items_without_labels_keep_the_names_they_had() -> None:
    assert reordered(Scores([1.0, 5.0]), "descending").labels == ("item 2", "item 1")


def test_bad_input_is_one_sentence() -> None:
    for call in (
        lambda: reordered(SCORES, "best"),
        lambda: reordered(SCORES, "shuffled", -1),
        lambda: reordered([1]),
    ):  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="must be"):
            call()
