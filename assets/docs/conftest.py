"""What the programs of the documentation leave behind is taken away again."""

from collections.abc import Iterator

import pytest

from tests.own_entries import menu_as_it_was


@pytest.fixture(autouse=True)
def menu() -> Iterator[None]:
    """A mechanism of one's own that a program puts on the menu is for that program alone."""
    with menu_as_it_was():
        yield
