"""A property that is computed once for each object."""

import functools
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: TID251 - what documents and inspects those knows this one
    """`functools.cached_property` without a lock: threads may both compute, but get one object."""

    if not TYPE_CHECKING:  # the types are those of `functools`
        # until Python 3.12 the one in `functools` locks the class while one object computes, and work
        # that pauses for more urgent work would block that work
        def __get__(self, instance: object | None, owner: type[Any] | None = None) -> Any:
            if instance is None:
                return self
            if self.attrname is None:
                raise TypeError("a cached property needs a name in a class")
            return vars(instance).setdefault(self.attrname, self.func(instance))
