"""How far one person changes scores, in words, and how it is stored with a table.

Symbols: Δ = the most that any score moves; Δ_i that of item i; (fall, rise) = adding one person
changes every score by −fall to +rise. Only a tuple is such a pair, so two items may have two Δ_i.
Invariants: a pair has no 0, since such scores all move one way, and an array not one number alone.
Source: Shekelyan & Loukides 2022, Thm A.15.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from dpviz.base.arrays import Floats, make_read_only
from dpviz.base.errors import ParameterError
from dpviz.base.frames import TOLD, Frame
from dpviz.base.parameters import (
    check_flag,
    check_integer,
    check_number,
    check_several,
    refuse_set_or_mask,
)

ADDED: Final = "one person added or removed"
REPLACED: Final = "one person replaced by another"

AS_COUNTS: Final = (
    "These are whole numbers from 0 up, like counts of people. When one person is added or removed,"
    " counts all move in the same direction and need less noise."
)
"""Offer where `Scores.may_be_counts`; scores are never treated as counts unasked."""

NAMES_UNKNOWN: Final = (
    "Without a list of all possible items, an item that only one person has can appear."
)
Limits = Floats | tuple[float, float] | None
_ONE: Final = "sensitivity"


def check_sensitivity_and_parts(
    sensitivity: Any, stored_parts: Any, size: int, *, people_added: bool
) -> tuple[float, Limits]:
    """(Δ, its parts if there are any); another number than theirs replaces the parts
    `stored_parts`.

    >>> [check_sensitivity_and_parts(parts, None, 9, people_added=True) for parts in ((1, 2), (0, 2))]
    [(2.0, (1.0, 2.0)), (2.0, None)]
    >>> check_sensitivity_and_parts((1, 2), None, 9, people_added=False)[0]
    3.0
    """
    several = isinstance(sensitivity, Iterable) and not isinstance(sensitivity, str)
    if several and getattr(sensitivity, "ndim", None) != 0:
        return _check_parts(sensitivity, size, added=people_added)
    number = check_number(_ONE, sensitivity, low=0.0, above=True)
    if stored_parts is None:
        return number, None
    largest, parts = _check_parts(stored_parts, size, added=people_added)
    known = {largest, *((max(parts), sum(parts)) if isinstance(parts, tuple) else ())}
    return (largest, parts) if number in known else (number, None)


def _check_parts(given: Any, size: int, *, added: bool) -> tuple[float, Limits]:
    refuse_set_or_mask(_ONE, given)
    allowed = f"a number above 0, a tuple (fall, rise), or a list of {size} numbers, one an item"
    pair = isinstance(given, tuple)
    parts = [
        check_number(f"{_ONE}[{i}]", each, low=0.0, above=not pair)
        for i, each in enumerate(check_several(_ONE, given, allowed))
    ]
    if len(parts) != (2 if pair else size) or not sum(parts):
        raise ParameterError(_ONE, given, allowed)
    if pair:
        total = sum(parts)
        return (max(parts) if added else total), (parts[0], parts[1]) if min(parts) else None
    largest = max(parts)
    return largest, None if min(parts) == largest else make_read_only(np.array(parts))


def person_change_sentence(
    sensitivity: float,
    sensitivity_parts: Limits,
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
    if isinstance(sensitivity_parts, tuple) and monotonic:
        fall, rise = sensitivity_parts
        sentence = f"Adding one person changes each score by −{fall:.10g} to +{rise:.10g}"
    elif isinstance(sensitivity_parts, np.ndarray):
        limits = f"its own limit, from {sensitivity_parts.min():.10g} to {sensitivity:.10g}"
        sentence = f"{relation} changes each score by at most {limits}{way}"
        more = " Mechanisms that need one limit for all items take the largest."
    if contributions is not None:
        items = "item" if contributions == 1 else "items"
        sentence += f", and counts in at most {contributions:,} {items}"
    return f"{sentence}.{more}" if names_known else f"{sentence}.{more} {NAMES_UNKNOWN}"


def _check_most(name: str, value: object) -> int | None:
    return None if value is None else check_integer(name, value, low=1)


def _check_sensitivity(name: str, value: object) -> float | tuple[float, float]:
    """One number, or a fall and a rise; a file has a column for those of single items."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return check_number(name, value, low=0.0, above=True)
    fall, rise = (check_number(name, each, low=0.0) for each in value)
    return fall, rise


_CHECKS: dict[str, Callable[[str, Any], object]] = {
    "sensitivity": _check_sensitivity,
    "monotonic": check_flag,
    "contributions": _check_most,
    "names_known": check_flag,
}


def extract_person_metadata(scores: Any) -> dict[str, Any]:
    """The fields of `Scores` that say what one person can change."""
    told = {name: getattr(scores, name) for name in _CHECKS}
    pair = scores.sensitivities
    return told | ({"sensitivity": pair} if isinstance(pair, tuple) else {})


def check_person_metadata(metadata: object) -> dict[str, Any]:
    """The same fields as a file has them, each checked; other members are left out.

    >>> check_person_metadata({"monotonic": True, "by": "hand"})
    {'monotonic': True}
    """
    if not isinstance(metadata, Mapping):
        raise ParameterError(
            "what one person can change",
            metadata,
            "an object with sensitivity, monotonic and the like",
        )
    return {
        name: check(name, metadata[name]) for name, check in _CHECKS.items() if name in metadata
    }


def read_person_metadata(frame: Frame) -> dict[str, Any]:
    return check_person_metadata(frame.attrs.get(TOLD, {}))


def unknown_names_warning(mechanism_names: str) -> str:
    """Warning that these mechanisms give no ε where names were not known beforehand."""
    verb = "each need" if ", " in mechanism_names else "needs"
    return f"{mechanism_names} {verb} a list of all possible items, so ε does not hold here."
