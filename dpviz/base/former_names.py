"""Attributes, arguments and members of modules under their old names, for one release; they warn."""

import warnings
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T", bound=type)
F = TypeVar("F", bound=Callable[..., Any])


def _warn(old: str, new: str) -> None:
    warnings.warn(
        f"{old} is called {new} now, and goes with the next release",
        DeprecationWarning,
        stacklevel=3,
    )


class FormerClassMethod:
    """A class method under its old name."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new

    def __get__(self, instance: object | None, owner: type) -> Any:
        _warn(f"{owner.__name__}.{self._old}", self._new)
        return getattr(owner, self._new)


def _former_attribute(self: object, name: str) -> Any:
    """An attribute by its old name; `dir` does not list it."""
    for owner in type(self).__mro__:
        if name in (renamed := vars(owner).get("_former_names", {})):
            _warn(f"{type(self).__name__}.{name}", renamed[name])
            return getattr(self, renamed[name])
    raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def former_names(**renamed: str) -> Callable[[T], T]:
    """A class decorator: attributes that were renamed still answer to their old names."""

    def add(owner: T) -> T:
        for name, value in (("_former_names", renamed), ("__getattr__", _former_attribute)):
            setattr(owner, name, value)
        return owner

    return add


def former_arguments(**renamed: str) -> Callable[[F], F]:
    """A decorator of functions: arguments that were renamed still go by their old names."""

    def add(function: F) -> F:
        @wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            for old in renamed.keys() & given.keys():
                _warn(f"{function.__name__}: {old}", renamed[old])
                given.setdefault(renamed[old], given.pop(old))
            return function(*args, **given)

        return call  # type: ignore[return-value]

    return add


def former_members(module: str, **renamed: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose members were renamed, or moved where there are dots."""

    def find(name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", renamed[name])
        there, _, new = renamed[name].rpartition(".")
        return getattr(import_module(there or module), new)

    return find
