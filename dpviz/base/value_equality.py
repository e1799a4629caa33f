"""Equality by value for objects that hold arrays."""

from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

import numpy as np


class ValueEquality:
    """Base of objects that are equal if all of `_made_of` is; of a dataclass, if all fields are."""

    _made_of: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            values_equal(getattr(self, at), getattr(other, at)) for at in self._compared_names()
        )

    def __hash__(self) -> int:
        made_of = map(self.__getattribute__, self._compared_names())
        plain = (at for at in made_of if isinstance(at, str | int | float | bool | None))
        return hash((type(self).__name__, *plain))

    def _compared_names(self) -> tuple[str, ...]:
        if self._made_of:
            return self._made_of
        return tuple(f.name for f in fields(self) if f.compare) if is_dataclass(self) else ()


def values_equal(one: Any, other: Any) -> bool:
    """True if two values are equal; arrays entry by entry, inside tuples and lists too."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(
            one, other, equal_nan=one.dtype.kind == "f"
        )
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(values_equal, one, other))
    if hasattr(one, "equals"):  # a frame
        return type(one) is type(other) and bool(one.equals(other))
    return bool(one == other)
