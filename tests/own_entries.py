"""Entries that a test, or a program of the documentation, puts on the menu for itself alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from dpviz.topk import TOP_K


@contextmanager
def menu_as_it_was() -> Iterator[None]:
    """Whatever is put on the menu meanwhile is taken off again."""
    before = set(TOP_K)
    yield
    for name in set(TOP_K) - before:
        TOP_K.remove(name)
