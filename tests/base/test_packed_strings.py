"""Packed strings are the texts that went in, here and in another process."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz import Scores
from dpviz.base.packed_strings import FEW, PackedStrings, pack_if_many

ANY = st.lists(st.text(st.characters(), max_size=8), max_size=8).map(
    tuple
)  # lone surrogates among them


@given(ANY, ANY)
def test_packed_strings_equal_a_tuple_of_the_same(
    texts: tuple[str, ...], others: tuple[str, ...]
) -> None:
    held = PackedStrings(texts)
    assert (tuple(held), tuple(held[i] for i in range(len(held))), held[::-2]) == (
        texts,
        texts,
        texts[::-2],
    )
    assert held == texts == pickle.loads(pickle.dumps(held))
    assert (held == others, held == PackedStrings(others)) == (texts == others,) * 2
    assert hash(held) == hash(texts)
    with pytest.raises(IndexError):
        held[len(texts)]


def test_scores_with_packed_names_equal_scores_with_a_tuple() -> None:
    names = [f"name {i}" for i in range(FEW + 1)]
    held = Scores(range(len(names)), labels=pack_if_many(names))
    assert isinstance(held.labels, PackedStrings)
    assert held == Scores(range(len(names)), labels=names)
    assert held.names == tuple(names)
    assert held["name 7"] == 7.0
    assert pack_if_many(names[1:]) == names[1:], "few stay as they are"
