"""Registries, the menus of the product: pages, command line and parametrised tests iterate them.

Invariants: names are unique; iteration begins with `first` and goes on in order of registration.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from dpviz.base.errors import ParameterError

T = TypeVar("T")
E = TypeVar("E")


class Registry(Mapping[str, T]):
    """An ordered menu: name → entry, with a label for each.

    `what` names the parameter in the error for an unknown name; names in `first` lead the menu.
    `check` refuses an unfit entry, and returns a sentence on what of it is proved.
    """

    def __init__(
        self,
        what: str,
        *,
        first: tuple[str, ...] = (),
        check: Callable[[str, T], str] = lambda name, entry: "",
    ) -> None:
        self.what = what
        self.first = first
        self._check = check
        self._entries: dict[str, T] = {}
        self._labels: dict[str, str] = {}
        self._says: dict[str, str] = {}

    def add(self, name: str, entry: T, *, label: str, says: str = "") -> None:
        if name in self._entries:
            raise ParameterError(self.what, name, "a name not registered before")
        self._says[name] = f"{says} {self._check(name, entry)}".strip()
        self._entries[name] = entry
        self._labels[name] = label

    def put(self, name: str, entry: T, *, label: str) -> None:
        """Put `entry` on the menu, or in place of another; refuse to replace dpviz's own."""
        if name in self and self._is_ours(name):
            raise ParameterError(self.what, name, "a name that dpviz does not have")
        self._says[name] = self._check(name, entry)
        self._entries[name], self._labels[name] = entry, label

    def remove(self, name: str) -> None:
        """Take an entry off the menu; refuse dpviz's own."""
        if self._is_ours(name):
            raise ParameterError(self.what, name, "a name that dpviz does not have")
        del self._entries[name], self._labels[name], self._says[name]

    def _is_ours(self, name: str) -> bool:
        """True for a class or function of dpviz's, or an instance of such a class."""
        return str(getattr(self[name], "__module__", "")).startswith("dpviz.")

    def register(self, name: str, *, label: str, says: str = "") -> Callable[[E], E]:
        """Class decorator that puts the class on the menu."""

        def put(entry: E) -> E:
            self.add(name, entry, label=label, says=says)  # type: ignore[arg-type]
            return entry

        return put

    def label(self, name: str) -> str:
        self[name]
        return self._labels[name]

    def says(self, name: str) -> str:
        """One line on `name` and when to take it; empty where none was given."""
        self[name]
        return self._says[name]

    def entry_name(self, entry: object) -> str:
        for name, candidate in self._entries.items():
            if candidate is entry:
                return name
        raise ParameterError(self.what, entry, "registered")

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name]
        except (KeyError, TypeError):
            raise ParameterError(self.what, name, "one of " + ", ".join(self), "choice") from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self.first if name in self._entries)
        yield from (name for name in self._entries if name not in self.first)

    def __len__(self) -> int:
        return len(self._entries)


def import_submodules(package: str) -> None:
    """Import every module of `package`, so that each can register its entries."""
    for module in iter_modules(sys.modules[package].__path__):
        import_module(f"{package}.{module.name}")
