"""Attributes, and members of modules, under their old names: they work for one release and warn."""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T", bound=type)


def _warn(owner: str, old: str, new: str) -> None:
    warnings.warn(
        f"{owner}.{old} is called {new} now, and goes with the next release",
        DeprecationWarning,
        stacklevel=3,
    )


class FormerClassMethod:
    """A class method under its old name."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new

    def __get__(self, instance: object | None, owner: type) -> Any:
        _warn(owner.__name__, self._old, self._new)
        return getattr(owner, self._new)


def _former_attribute(self: object, name: str) -> Any:
    """An attribute by its old name; `dir` does not list it."""
    for owner in type(self).__mro__:
        if name in (renamed := vars(owner).get("_former_names", {})):
            _warn(type(self).__name__, name, renamed[name])
            return getattr(self, renamed[name])
    raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def former_names(**renamed: str) -> Callable[[T], T]:
    """A class decorator: attributes that were renamed still answer to their old names."""

    def add(owner: T) -> T:
        for name, value in (("_former_names", renamed), ("__getattr__", _former_attribute)):
            setattr(owner, name, value)
        return owner

    return add


def former_members(module: str, **renamed: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose members were renamed, or moved where there are dots."""

    def find(name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(module, name, renamed[name])
        there, _, new = renamed[name].rpartition(".")
        return getattr(import_module(there or module), new)

    return find
