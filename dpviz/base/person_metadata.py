"""Storage of what one person can change with a table, in a frame's attributes or in JSON."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from dpviz.base.errors import ParameterError
from dpviz.base.frames import TOLD, Frame
from dpviz.base.parameters import check_flag, check_integer, check_number

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


def check_person_metadata(said: object) -> dict[str, Any]:
    """The same fields as a file has them, each checked; other members are left out.

    >>> check_person_metadata({"monotonic": True, "by": "hand"})
    {'monotonic': True}
    """
    if not isinstance(said, Mapping):
        raise ParameterError(
            "what one person can change", said, "an object with sensitivity, monotonic and the like"
        )
    return {name: check(name, said[name]) for name, check in _CHECKS.items() if name in said}


def read_person_metadata(frame: Frame) -> dict[str, Any]:
    return check_person_metadata(frame.attrs.get(TOLD, {}))


def unknown_names_warning(called: str) -> str:
    """Warning that these mechanisms give no ε where names were not known beforehand."""
    verb = "each need" if ", " in called else "needs"
    return f"{called} {verb} a list of all possible items, so ε does not hold here."
