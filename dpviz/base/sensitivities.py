"""How far one person changes scores: by one number, one for each item, or a fall and a rise.

Symbols: Δ = the most that any score moves; Δ_i that of item i; (fall, rise) = adding one person
changes every score by −fall to +rise. Only a tuple is such a pair, so two items may have two Δ_i.
Invariants: a pair has no 0, since such scores all move one way, and an array not one number alone.
Source: Shekelyan & Loukides 2022, Thm A.15.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_number
from dpviz.base.person_metadata import ADDED, NAMES_UNKNOWN, REPLACED
from dpviz.base.read_only_arrays import make_read_only

Limits = Floats | tuple[float, float] | None
_ONE: Final = "sensitivity"


def check_sensitivity(given: Any, kept: Any, size: int, *, added: bool) -> tuple[float, Limits]:
    """(Δ, its parts if there are any); another number than theirs replaces the parts `kept`.

    >>> check_sensitivity((1, 2), None, 9, added=True), check_sensitivity((0, 2), None, 9, added=True)
    ((2.0, (1.0, 2.0)), (2.0, None))
    >>> check_sensitivity((1, 2), None, 9, added=False)[0]
    3.0
    """
    several = isinstance(given, Iterable) and not isinstance(given, str)
    if several and getattr(given, "ndim", None) != 0:
        return _check_parts(given, size, added=added)
    number = check_number(_ONE, given, low=0.0, above=True)
    if kept is None:
        return number, None
    largest, parts = _check_parts(kept, size, added=added)
    known = {largest, *((max(parts), sum(parts)) if isinstance(parts, tuple) else ())}
    return (largest, parts) if number in known else (number, None)


def _check_parts(given: Any, size: int, *, added: bool) -> tuple[float, Limits]:
    pair = isinstance(given, tuple)
    parts = [
        check_number(f"{_ONE}[{i}]", each, low=0.0, above=not pair) for i, each in enumerate(given)
    ]
    if len(parts) != (2 if pair else size) or not sum(parts):
        allowed = (
            f"a number above 0, a tuple (fall, rise), or a list of {size} numbers, one an item"
        )
        raise ParameterError(_ONE, given, allowed)
    if pair:
        total = sum(parts)
        return (max(parts) if added else total), (parts[0], parts[1]) if min(parts) else None
    largest = max(parts)
    return largest, None if min(parts) == largest else make_read_only(np.array(parts))


def change_sentence(
    sensitivity: float,
    parts: Limits,
    *,
    monotonic: bool,
    contributions: int | None,
    names_known: bool,
) -> str:
    """Sentence that says what one person can change."""
    relation = (ADDED if monotonic else REPLACED).capitalize()
    way = ", all in the same direction" if monotonic else ", up or down"
    sentence = f"{relation} changes each score by at most {sensitivity:.10g}{way}"
    more = ""
    if isinstance(parts, tuple) and monotonic:
        sentence = f"Adding one person changes each score by −{parts[0]:.10g} to +{parts[1]:.10g}"
    elif isinstance(parts, np.ndarray):
        limits = f"its own limit, from {parts.min():.10g} to {sensitivity:.10g}"
        sentence = f"{relation} changes each score by at most {limits}{way}"
        more = " Mechanisms that need one limit for all items take the largest."
    if contributions is not None:
        items = "item" if contributions == 1 else "items"
        sentence += f", and counts in at most {contributions:,} {items}"
    return f"{sentence}.{more}" if names_known else f"{sentence}.{more} {NAMES_UNKNOWN}"
