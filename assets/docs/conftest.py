"""What the programs of the documentation leave behind is taken away again."""

from collections.abc import Iterator

import pytest

from dpviz.topk import TOP_K


@pytest.fixture(autouse=True)
def menu_as_it_was() -> Iterator[None]:
    """A mechanism of one's own that a program puts on the menu is for that program alone."""
    before = set(TOP_K)
    yield
    for name in set(TOP_K) - before:
        TOP_K.remove(name)
