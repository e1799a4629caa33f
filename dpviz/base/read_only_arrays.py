"""Arrays that are handed out are read-only: who scales a probability in place must not change what
is said to be exact.

Invariant: sealed is what an object computed or copied itself, never an array of who made it.
"""

from typing import TYPE_CHECKING, Any

import numpy as np


class ReadOnlyArrays:
    """The base of whatever hands out arrays: each is read-only once it is seen from outside.

    >>> class Law(ReadOnlyArrays):
    ...     def __init__(self):
    ...         self.chances = np.array([0.5, 0.5])
    >>> Law().chances.flags.writeable
    False
    """

    if not TYPE_CHECKING:  # who checks types would take any name for an attribute

        def __getattribute__(self, name: str) -> Any:
            value = super().__getattribute__(name)
            return value if name[0] == "_" else make_read_only(value)


def make_read_only(value: Any) -> Any:
    """The same, its arrays read-only from now on: an array, or what a tuple holds."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif type(value) is tuple:
        for each in value:
            make_read_only(each)
    return value
