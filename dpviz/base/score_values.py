"""Scores as people give them (lists, arrays, mappings, Series) as one checked array; its hash."""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Final

import numpy as np

from dpviz.base.arrays import Floats, make_read_only
from dpviz.base.errors import ParameterError
from dpviz.base.frames import Frame, cell_text, convert_to_pandas, require_column
from dpviz.base.parameters import check_choice, check_number, check_several, refuse_set_or_mask
from dpviz.base.person_metadata import read_person_metadata
from dpviz.base.text_format import replace_surrogates

DUPLICATES: Final = ("error", "sum", "keep")
"""Answers to a label in several rows of a frame."""
SENSITIVITY: Final = "sensitivity"
"""Heading of a column with each item's own sensitivity."""


def split_values_and_labels(values: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Numbers and labels of a mapping or a Series; anything else as it is, without labels."""
    if isinstance(values, Mapping):
        return list(values.values()), tuple(map(_name, values))
    pandas = sys.modules.get("pandas")  # who has a Series has loaded it
    if pandas is None or not isinstance(values, pandas.Series):
        return values, None
    counted = isinstance(values.index, pandas.RangeIndex)
    return values.to_numpy(), None if counted else tuple(map(_name, values.index))


def scores_fields_from_frame(
    frame: Any, score: str, label: str | None, duplicates: str, stated_fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Fields of `Scores` from two columns of a frame, and what it says of one person."""
    check_choice("duplicates", duplicates, DUPLICATES)
    for name in stated_fields.keys() & {"values", "labels"}:
        allowed = "left out: the columns that score and label name have them"
        raise ParameterError(name, stated_fields[name], allowed, "needless")
    table = convert_to_pandas(frame)
    given, labels = split_values_and_labels(require_column(table, "score", score))
    values = check_values(given)
    labels = labels if label is None else tuple(read_labels(table, label))
    told = read_person_metadata(table)
    if SENSITIVITY in table.columns and score != SENSITIVITY:
        told[SENSITIVITY] = check_values(table[SENSITIVITY].to_numpy())
    if labels is not None and duplicates != "keep":
        if isinstance(told.get(SENSITIVITY), np.ndarray):
            told[SENSITIVITY] = merge_repeated_labels(told[SENSITIVITY], labels, "largest")[0]
        values, labels = merge_repeated_labels(values, labels, duplicates)
    return {**told, **stated_fields, "values": values, "labels": labels}


def read_labels(frame: Frame, label: str) -> list[str]:
    """Labels of a column, numbers and dates as files have them; a missing one is refused."""
    column = require_column(frame, "label", label)
    if column.isna().any():
        raise ParameterError(
            f"the label in row {int(column.isna().to_numpy().argmax()) + 1}", None, "a name"
        )
    return [_name(cell) for cell in column]


def merge_repeated_labels(
    values: Floats, labels: Sequence[str], duplicates: str
) -> tuple[Floats, tuple[str, ...]]:
    """One score a label, in order of first occurrence; the same objects where none repeats."""
    first: dict[str, int] = {}
    places = np.fromiter((first.setdefault(label, len(first)) for label in labels), np.int64)
    if len(first) == len(labels):
        return values, tuple(first)
    if duplicates == "error":
        again = int(np.flatnonzero(places != np.arange(len(places)))[0])
        before = int(np.argmax(places == places[again]))
        allowed = f'another label than in row {before + 1}, or duplicates "sum" or "keep"'
        raise ParameterError(f"the label in row {again + 1}", labels[again], allowed)
    merged = np.full(len(first), 0.0 if duplicates == "sum" else -np.inf)
    (np.add if duplicates == "sum" else np.maximum).at(merged, places, values)
    return merged, tuple(first)


def _name(cell: object) -> str:
    """Label from a cell; a whole number has no point, as in files."""
    text = str(cell) if isinstance(cell, str | int) else cell_text(cell) or str(cell)
    return replace_surrogates(text)


def check_values(values: object) -> Floats:
    """Exactly these numbers, finite, shape (d ≥ 2,); an error names the first that is unfit."""
    allowed = "a list of at least two finite numbers"
    refuse_set_or_mask("values", values)
    if hasattr(values, "columns"):
        column = "one column: Scores.from_frame(frame, score=…, label=…)"
        raise ParameterError("values", type(values).__name__, column)
    if hasattr(values, "__array__"):  # a Series of polars, an array of pyarrow, xarray, torch
        values = np.asarray(values)
    if not isinstance(values, np.ndarray):
        values = check_several("values", values, allowed)
    try:
        given = np.asarray(values)
    except ValueError:
        raise ParameterError("values", values, "a flat list, one number an item") from None
    if given.ndim != 1:
        raise ParameterError("the shape of values", given.shape, "(d,), one number an item")
    mixed = not isinstance(values, np.ndarray) and any(
        isinstance(value, bool | np.bool_) for value in values
    )
    # numpy reads True among numbers as 1; one by one the error names the first that is no number
    if mixed or given.dtype.kind not in "iuf":
        given = np.array([check_number(f"values[{i}]", entry) for i, entry in enumerate(values)])
    with np.errstate(over="ignore"):
        floats = np.array(given, dtype=np.float64) + 0.0  # minus zero is zero
    bad = np.flatnonzero(~np.isfinite(floats))
    if len(bad):
        raise ParameterError(f"values[{bad[0]}]", given[bad[0]], "a finite number")
    if len(floats) < 2:
        raise ParameterError("the number of items", len(floats), "at least 2")
    # beyond 2^53 floats leave whole numbers out, which is refused; a float (9.0e15) is meant so
    exact = isinstance(values, np.ndarray) and values.dtype.kind == "f"
    for i in [] if exact else np.flatnonzero(np.abs(floats) >= 2.0**53).tolist():
        if isinstance(values[i], Integral) and int(values[i]) != int(floats[i]):
            allowed = (
                "a whole number that a float holds (all up to 2⁵³ = 9,007,199,254,740,992; beyond"
                " it, round it)"
            )
            raise ParameterError(f"values[{i}]", values[i], allowed)
    return make_read_only(floats)


def digest_scores(scores: Any) -> str:
    """SHA-256 of values, labels and what one person can change, as hexadecimal text."""
    content = hashlib.sha256()
    header = f"{scores.d} {scores.sensitivity!r} {scores.monotonic}"
    # at their defaults later fields leave the digest as it was without them
    if scores.sensitivities is not None:
        parts = np.asarray(scores.sensitivities).tolist()
        header = f"scores-4 {header} {scores.contributions} {scores.names_known} {parts} "
    elif not scores.names_known:
        header = f"scores-3 {header} {scores.contributions} names unknown "
    elif scores.contributions is None:
        header = f"scores-1 {header} "
    else:
        header = f"scores-2 {header} {scores.contributions} "
    content.update(header.encode())
    content.update((scores.values + 0.0).astype("<f8").tobytes())  # + 0.0: minus zero is zero
    for label in scores.labels or ():
        text = label.encode("utf-8", "surrogatepass")
        content.update(f"{len(text)}:".encode() + text)
    return content.hexdigest()
