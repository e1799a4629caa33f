"""A property that is computed once for each object, on whatever thread asks first.

Until Python 3.12 that of `functools` holds a lock of the *class* while one object computes: work
that rests in the middle, to let what is more urgent go first, would hold up just that.
"""

import functools
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: TID251 - what documents and inspects those knows this one
    """As in `functools`, without a lock; threads that ask at the same time may both compute, and
    get one object.

    >>> class Table:
    ...     @cached_property
    ...     def rows(self) -> list[int]:
    ...         return [1, 2]
    >>> table = Table()
    >>> table.rows is table.rows
    True
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...
    def __get__(self, instance: object | None, owner: type[Any] | None = None) -> Self | T:
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("a cached property needs a name in a class")
        value: T = vars(instance).setdefault(self.attrname, self.func(instance))
        return value
