"""Checks that an argument is scores, and has more items than are chosen; and of other kinds."""

from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores


def check_scores(scores: object, name: str = "scores") -> Scores:
    """`scores` if they are a `Scores`."""
    if hasattr(scores, "columns"):
        hint = ": Scores.from_frame(frame, score=…, label=…) makes them of a table"
    else:
        plain = isinstance(scores, Sequence | Mapping) or hasattr(scores, "__array__")
        hint = ": Scores(values) makes them of numbers" if plain else ""
    checked: Scores = check_kind(name, scores, Scores, f"a dpviz.Scores{hint}")
    return checked


def check_kind(name: str, value: Any, kind: type, allowed: str) -> Any:
    """`value` if it is of a kind; else an error that says what is allowed."""
    if not isinstance(value, kind):
        raise ParameterError(name, value, allowed)
    return value


def check_top_k(scores: object, k: int) -> Scores:
    """The scores if they have more than `k` items."""
    checked = check_scores(scores)
    if k >= checked.d:
        allowed = f"at most {checked.d - 1}, one less than the {checked.d} items"
        raise ParameterError("k", k, allowed)
    return checked
