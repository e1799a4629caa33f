"""A mechanism that needs no list of names and takes a δ."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from dpviz import TOP_K, Canonical
from dpviz.base import parameter
from tests.menus import on_the_menu


@dataclass(frozen=True, kw_only=True)
class NamesAppear(Canonical):
    """As canonical, of which it is said that its privacy needs no names."""

    needs_names: ClassVar[bool] = False

    delta: float = parameter(1e-6, low=0.0, above=True, high=0.5, label="δ", help="Of one release.")


@contextmanager
def names_may_appear() -> Iterator[None]:
    """It is on the menu, as `appear`, while this is open."""
    with on_the_menu(TOP_K, NamesAppear, "appear"):
        yield
