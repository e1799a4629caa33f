"""Registries: the only menus of the product.

A registry maps the name that people and files write to one entry and its label. Pages, command line
and parametrised tests iterate it, so a new entry appears in all of them by being registered.
Names are unique; iteration keeps the order of registration.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from dpviz.errors import ParameterError

__all__ = ["Registry"]

T = TypeVar("T")
E = TypeVar("E")


class Registry(Mapping[str, T]):
    """An ordered menu: name → entry, with a label for each.

    `what` names the parameter in the error for an unknown name.

    >>> colours: Registry[int] = Registry("colour")
    >>> colours.add("red", 0xFF0000, label="Red")
    >>> colours["red"], colours.label("red"), list(colours)
    (16711680, 'Red', ['red'])
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._entries: dict[str, T] = {}
        self._labels: dict[str, str] = {}

    def add(self, name: str, entry: T, *, label: str) -> None:
        """Put `entry` on the menu under `name`."""
        if name in self._entries:
            raise ParameterError(self.what, name, "a name not registered before")
        self._entries[name] = entry
        self._labels[name] = label

    def register(self, name: str, *, label: str) -> Callable[[E], E]:
        """A class decorator that puts the class on the menu."""

        def put(entry: E) -> E:
            self.add(name, entry, label=label)  # type: ignore[arg-type]
            return entry

        return put

    def label(self, name: str) -> str:
        """What a menu shows for `name`."""
        self[name]
        return self._labels[name]

    def name_of(self, entry: object) -> str:
        """The name under which `entry` is registered."""
        for name, candidate in self._entries.items():
            if candidate is entry:
                return name
        raise ParameterError(self.what, entry, "registered")

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]
        except (KeyError, TypeError):
            allowed = "one of " + ", ".join(self._entries)
            raise ParameterError(self.what, name, allowed) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
