"""Read-only results: a caller who scales a probability in place must not change an exact one."""

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

T = TypeVar("T")


# Invariant: an object holds arrays that it computed or copied, never a caller's.
class ReadOnlyArrays:
    """Base of objects that hand out arrays: each is read-only once it is seen from outside."""

    if not TYPE_CHECKING:  # who checks types would take any name for an attribute

        def __getattribute__(self, name: str) -> Any:
            value = super().__getattribute__(name)
            return value if name[0] == "_" else make_read_only(value)


def make_read_only(value: T) -> T:
    """Freeze an array, or the arrays of a tuple, and return the same object."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif type(value) is tuple:
        for each in value:  # type: ignore[attr-defined]
            make_read_only(each)
    return value
