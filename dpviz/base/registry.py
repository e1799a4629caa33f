"""Registries, the menus of the product: pages, command line and parametrised tests iterate them."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar

from dpviz.base.errors import ParameterError

T = TypeVar("T")
E = TypeVar("E")
FieldNames = Mapping[str, Mapping[str, Any]]
"""Names that the field uses, each with the parameters that it fixes."""
_ALIKE = 0.75  # of letters, from which on another name is suggested


@dataclass(frozen=True)
class _Entry(Generic[T]):
    entry: T
    label: str
    says: str
    field_names: FieldNames


class Registry(Mapping[str, T]):
    """An ordered menu: name → entry, with a label for each.

    `noun` names the parameter in the error for an unknown name; names in `first_names` lead the
    menu. `check` refuses an unfit entry, and returns a sentence on what of it is proved.
    """

    def __init__(
        self,
        noun: str,
        *,
        first_names: tuple[str, ...] = (),
        check: Callable[[str, T], str] = lambda name, entry: "",
    ) -> None:
        self.what = noun
        self.first = first_names
        self._check = check
        self._entries: dict[str, _Entry[T]] = {}

    def add(
        self,
        name: str,
        entry: T,
        *,
        label: str,
        says: str = "",
        field_names: FieldNames | None = None,
    ) -> None:
        if name in self._entries:
            raise ParameterError(self.what, name, "a name not registered before")
        told = f"{says} {self._check(name, entry)}".strip()
        self._entries[name] = _Entry(entry, label, told, field_names or {})

    def put(self, name: str, entry: T, *, label: str) -> None:
        """Put `entry` on the menu, or in place of another; refuse to replace dpviz's own."""
        if name in self and self._is_ours(name):
            raise ParameterError(self.what, name, "a name that dpviz does not have")
        self._entries[name] = _Entry(entry, label, self._check(name, entry), {})

    def remove(self, name: str) -> None:
        """Take an entry off the menu; refuse dpviz's own."""
        if self._is_ours(name):
            raise ParameterError(self.what, name, "a name that dpviz does not have")
        del self._entries[name]

    def _is_ours(self, name: str) -> bool:
        """True for a class or function of dpviz's, or an instance of such a class."""
        return str(getattr(self[name], "__module__", "")).startswith("dpviz.")

    def register(
        self, name: str, *, label: str, says: str = "", field_names: FieldNames | None = None
    ) -> Callable[[E], E]:
        """Class decorator that puts the class on the menu."""

        def put(entry: E) -> E:
            self.add(name, entry, label=label, says=says, field_names=field_names)  # type: ignore[arg-type]
            return entry

        return put

    def find(self, text: str) -> tuple[str, dict[str, Any]]:
        """Name on the menu for any name, label or class of it, and the parameters that it fixes."""
        if text not in self and self.knows(text):
            _, name, fixed = self._calls[fold_name(text)]
            return name, dict(fixed)
        self[text]
        return text, {}

    def knows(self, text: object) -> bool:
        """True for a name on the menu, and for any other that `find` finds."""
        return text in self or (isinstance(text, str) and fold_name(text) in self._calls)

    def field_names(self, name: str) -> FieldNames:
        """Names that the field uses for an entry, each with the parameters that it fixes."""
        return self._entries[name].field_names if name in self else {}

    def searchable_label(self, name: str, label: str = "") -> str:
        """Label with the names that the field uses, for a menu that is searched by typing."""
        return ": ".join(
            filter(None, (label or self.label(name), ", ".join(self.field_names(name))))
        )

    def field_names_text(self, name: str) -> str:
        """Sentence with the names that the field uses; "" where there are none."""
        told = [
            called + "".join(f" [{at} {value}]" for at, value in fixed.items())
            for called, fixed in self.field_names(name).items()
        ]
        return f"Also called: {', '.join(told)}." if told else ""

    @property
    def _calls(self) -> dict[str, tuple[str, str, Mapping[str, Any]]]:
        """Every name, folded: as written, its entry and what it fixes; the first entry keeps it."""
        calls: dict[str, tuple[str, str, Mapping[str, Any]]] = {}
        for name, entry in self.items():
            own = (name, self.label(name), getattr(entry, "__name__", name))
            for called, fixed in {**{key: {} for key in own}, **self.field_names(name)}.items():
                calls.setdefault(fold_name(called), (called, name, fixed))
        return calls

    def label(self, name: str) -> str:
        self[name]
        return self._entries[name].label

    def says(self, name: str) -> str:
        """One line on `name` and when to take it; empty where none was given."""
        self[name]
        return self._entries[name].says

    def entry_name(self, entry: object) -> str:
        for name, candidate in self.items():
            if candidate is entry:
                return name
        raise ParameterError(self.what, entry, "registered")

    def __getitem__(self, name: str) -> T:
        try:
            return self._entries[name].entry
        except (KeyError, TypeError):
            calls = self._calls
            near = get_close_matches(fold_name(str(name)), calls, n=1, cutoff=_ALIKE)
            hint = f" (did you mean {calls[near[0]][0]}?)" if near else ""
            raise ParameterError(
                self.what, name, f"one of {', '.join(self)}{hint}", "choice"
            ) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        yield from (name for name in self.first if name in self._entries)
        yield from (name for name in self._entries if name not in self.first)

    def __len__(self) -> int:
        return len(self._entries)


def fold_name(text: str) -> str:
    """Letters and digits of a name, all small, without "mechanism" at its end."""
    letters = "".join(letter for letter in text.casefold() if letter.isalnum())
    return letters.removesuffix("mechanism") or letters


def import_submodules(package: str) -> None:
    """Import every module of `package`, so that each can register its entries."""
    for module in iter_modules(sys.modules[package].__path__):
        import_module(f"{package}.{module.name}")
