"""Attributes under their old names, which work for one release and warn."""

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T", bound=type)


class _FormerName:
    def __init__(self, old: str, name: str) -> None:
        self._old, self._name = old, name

    def __get__(self, instance: object | None, owner: type) -> Any:
        warnings.warn(
            f"{owner.__name__}.{self._old} is called {self._name} now, and goes with the next"
            " release",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(owner if instance is None else instance, self._name)


def former_names(**new_by_old: str) -> Callable[[T], T]:
    """A class decorator: attributes that were renamed still answer to their old names."""

    def add(owner: T) -> T:
        for old, new in new_by_old.items():
            setattr(owner, old, _FormerName(old, new))
        return owner

    return add
