"""Arrays: their types, functions on them, and bases of objects that hold them.

Such an object computes an array once, hands it out read-only, and is equal to one with equal arrays.
"""

import functools
import math
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_LOG2 = math.log(2.0)
_FROZEN = (np.ndarray, tuple)  # tuples may hold arrays
T = TypeVar("T")


def repeat_values(values: NDArray[Any], count: ArrayLike) -> NDArray[Any]:
    """Each of `values` as often as `count` (whole numbers of the same shape) says."""
    # numpy counts in `np.intp`, of 32 bits in WebAssembly, and refuses the 64 bits of `Ints` there
    return np.repeat(values, np.asarray(count).astype(np.intp))


def tally(index: NDArray[Any], weights: Floats | None = None, size: int = 0) -> NDArray[Any]:
    """Count of each whole number in `index`, or the sum of its `weights`; shape (≥ size,)."""
    return np.bincount(index.astype(np.intp, copy=False), weights, size)


@np.errstate(divide="ignore")
def log1mexp(a: Floats) -> Floats:
    """log(1 − e^(−a)) for a ≥ 0, right at both ends; −inf at 0."""
    a = np.asarray(a, float)
    large = np.log1p(-np.exp(-np.maximum(a, _LOG2)))
    return np.where(a > _LOG2, large, np.log(-np.expm1(-np.minimum(a, _LOG2))))


class TieCounts(NamedTuple):
    """Numbers of scores strictly above the k-th largest, and at or above it."""

    above: int
    at_or_above: int


def tie_counts(ranked_scores: Floats, k: int) -> TieCounts:
    """Counts for scores in descending order."""
    level = -ranked_scores[
        min(k, len(ranked_scores)) - 1
    ]  # k may pass their number where names were not known
    above, upto = (
        np.searchsorted(-ranked_scores, level),
        np.searchsorted(-ranked_scores, level, side="right"),
    )
    return TieCounts(int(above), int(upto))


def scaled_differences(values: Floats, level: float, unit: float) -> Floats:
    """(values − level)/unit, difference first, so that each is right to rounding of itself.

    >>> scaled_differences(np.array([1e15 + 1, 1e308]), 1e15, 1e200).tolist()
    [1e-200, 1e+108]
    """
    part, power = math.frexp(unit)
    return (np.ldexp(values, -power) - math.ldexp(level, -power)) / part


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


# Invariant: an object holds arrays that it computed or copied, never a caller's.
class ReadOnlyArrays:
    """Base of objects that hand out arrays: each is read-only once it is seen from outside."""

    if not TYPE_CHECKING:  # who checks types would take any name for an attribute

        def __getattribute__(self, name: str) -> Any:
            value = object.__getattribute__(self, name)
            return make_read_only(value) if isinstance(value, _FROZEN) and name[0] != "_" else value


def make_read_only(value: T) -> T:
    """Freeze an array, or the arrays of a tuple, and return the same object."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif type(value) is tuple:
        for each in value:  # type: ignore[attr-defined]
            make_read_only(each)
    return value


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
