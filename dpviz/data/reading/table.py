"""Table: rows as they were read, and the cells of chosen columns of it.

Errors name rows by their number in the source, where a header and blank rows count.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from typing import Any, Final, NoReturn

import numpy as np

from dpviz.base import (
    Column,
    Floats,
    Frame,
    Ints,
    ParameterError,
    Scores,
    convert_to_pandas,
    is_blank,
    pd,
    read_person_metadata,
)
from dpviz.base.packed_strings import FEW, PackedStrings
from dpviz.base.score_values import SENSITIVITY
from dpviz.base.text_format import fold_to_line
from dpviz.data.reading.headings import is_sensitivity_heading, is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_COLUMNS,
    MAX_EDIT_ROWS,
    MAX_LABEL,
    IngestError,
    Remark,
    cell_texts,
    check_count_limit,
    quote_value,
)
from dpviz.data.reading.numbers import BadNumber, looks_numeric, parse_numbers

_HEADINGS = (
    "item",
    "items",
    "label",
    "labels",
    "name",
    "names",
    "person",
    "user",
    "score",
    "count",
)
_VALUES_LIKE = (
    "",
    "nan",
    "inf",
    "+inf",
    "-inf",
    "infinity",
    "-infinity",
    "null",
    "none",
    "na",
    "n/a",
    "true",
    "false",
)


_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)


class ColumnGuess(Enum):
    GUESS = "guess"


GUESS: Final = ColumnGuess.GUESS


@dataclass(frozen=True, eq=False)
class Table:
    """A table from outside: its cells as read, and the number of each row in the source."""

    source: str
    frame: Frame
    rows: Ints | range
    unit: str = "Row"
    header: bool = True
    delimiter: str | None = None
    person: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def __getattr__(self, name: str) -> str | None:
        """Columns that were guessed under these names, which go with the next release."""
        role = {"score_column": "score", "label_column": "label"}.get(name)
        if role is None:
            raise AttributeError(f"'Table' object has no attribute {name!r}")
        warnings.warn(f"Table.{name} goes: see scores_from", DeprecationWarning, stacklevel=2)
        meant = import_module("dpviz.data.reading.guessing.meaning").guess_meaning(self)
        column: str | None = meant.columns.get(role)
        return column

    def row_label(self, position: int) -> str:
        """Name of the row at `position` of the frame: "Row 3"."""
        return f"{self.unit} {self.rows[position]}"

    def column(self, role: str, name: str) -> Column:
        check_column(role, name, self.columns)
        return self.frame[name]


def check_column(role: str, name: str, columns: Sequence[str]) -> None:
    """Raise unless there is a column called `name`; `role` is the parameter that an error names."""
    if not isinstance(name, str) or name not in columns:
        listed = ", ".join(quote_value(column) for column in columns[:20])
        raise ParameterError(role, name, f"one of the columns {listed}", "choice")


def parse_score_column(table: Table, score: str, decimal: str | None = None) -> Floats:
    """Numbers of a score column; an error names the first cell that is none."""
    column = table.column("score", score)
    try:
        return parse_numbers(column, decimal=decimal, dots_may_group=table.delimiter == ";")
    except BadNumber as bad:
        raise_bad_cell(table, score, bad.position, bad.why)


def sensitivity_column(table: Table) -> str | None:
    return next((name for name in table.columns if is_sensitivity_heading(name)), None)


def item_sensitivity_arguments(table: Table) -> dict[str, Any]:
    """Each item's own sensitivity from the column that is headed so, if there is one."""
    if (name := sensitivity_column(table)) is None:
        return {}
    try:
        numbers = parse_numbers(table.frame[name])
    except BadNumber as bad:
        raise_bad_cell(table, name, bad.position, bad.why, noun="sensitivity")
    if (low := np.flatnonzero(numbers <= 0)).size:
        raise_bad_cell(table, name, int(low[0]), "is not above 0", noun="sensitivity")
    return {SENSITIVITY: numbers}


def raise_bad_cell(
    table: Table, column: str, position: int, reason: str, *, noun: str = "score"
) -> NoReturn:
    cell = table.frame[column].iloc[position]
    text = "" if is_blank(cell) else f" {quote_value(cell)}"
    row = table.row_label(position)
    raise IngestError(
        f"{row}: the {noun}{text} in column {quote_value(column)} {reason}."
    ) from None


def item_labels_by_row(table: Table, label: str) -> Sequence[str]:
    """Label of each row; an empty one becomes "item 3" by its place."""
    labels = _labels_one_by_one(table, label)
    return tuple(labels) if len(table.frame) <= FEW else PackedStrings(labels)


def _labels_one_by_one(table: Table, label: str) -> Iterator[str]:
    """Labels, read some thousands at a time, as a million take a hundred megabytes."""
    column = table.column("label", label)
    for start in range(0, len(column), FEW):
        cells = cell_texts(column.iloc[start : start + FEW])
        check_label_lengths([cell or "" for cell in cells], table, label, start)
        yield from (
            f"item {i}" if cell is None else fold_to_line(cell)
            for i, cell in enumerate(cells, start + 1)
        )


def check_label_lengths(labels: Sequence[str], table: Table, column: str, start: int = 0) -> None:
    lengths = np.fromiter(map(len, labels), np.int64, len(labels))
    bad = np.flatnonzero(lengths > MAX_LABEL)
    if len(bad):
        first = int(bad[0])
        check_count_limit(
            f"{table.row_label(start + first)}: the label in column {quote_value(column)} has",
            lengths[first],
            "characters",
            MAX_LABEL,
        )


def has_header(cells: Sequence[object]) -> bool:
    """True if a first row reads as column names: a usual heading, or no value at all.

    >>> has_header(["country", "2019", "2020"])
    True
    >>> has_header(["item", "2024"]), has_header(["apples", "12"]), has_header(["apples", "n/a"])
    (True, False, False)
    """
    names = [cell.strip().casefold() if isinstance(cell, str) else None for cell in cells]
    if any(name in _HEADINGS for name in names):
        return True
    if is_usual_heading(names[0] or ""):
        names = [name for name in names if name is None or not _YEAR.fullmatch(name)]
    if any(is_usual_heading(name) for name in names if name):  # some columns may have no name
        names = [name for name in names if name != ""]
    names = names[1:] if len(names) > 1 and not names[0] else names  # an index column has no name
    while len(names) > 1 and names[-1] == "":  # of a delimiter at the end of each row
        names.pop()
    return not any(name is None or name in _VALUES_LIKE or looks_numeric([name]) for name in names)


def header_and_column_names(
    source: str, first: Sequence[object], header: bool | None, *, rows: int
) -> tuple[bool, list[str]]:
    """True if the first of the rows names the columns, by `header` or by its looks; and names."""
    named = has_header(first) if header is None else header
    if named and rows == 1:
        raise IngestError(f"{quote_value(source)} has a header but no rows.")
    return named, require_distinct_column_names(first if named else [None] * len(first), source)


def require_distinct_column_names(cells: Sequence[object], source: str) -> list[str]:
    """Distinct names from a header row; a blank one becomes "column 3"; two alike are refused."""
    check_count_limit(f"{quote_value(source)} has", len(cells), "columns", MAX_COLUMNS)
    names = [
        f"column {i + 1}" if name is None else fold_to_line(name).strip()
        for i, name in enumerate(cell_texts(pd.Series(cells, dtype=object)))
    ]
    again = pd.Index(names, dtype=object).duplicated()
    if again.any():
        raise IngestError(
            f"Two columns of {quote_value(source)} are called"
            f" {quote_value(names[again.argmax()])}; give each"
            " its own name."
        )
    return names


def read_frame(frame: Any, *, source: str = "the table") -> Table:
    """Table from a data frame of any library; rows count from 1, and empty rows are left out."""
    frame = convert_to_pandas(frame)
    frame = frame.set_axis(require_distinct_column_names(list(frame.columns), source), axis=1)
    empty = np.array(
        [[is_blank(cell) for cell in frame[name].tolist()] for name in frame.columns], dtype=bool
    )
    filled = ~empty.all(axis=0) if len(empty) else np.zeros(0, bool)
    if not filled.any():
        raise IngestError(f"{quote_value(source)} is empty.")
    rows = np.flatnonzero(filled).astype(np.int64) + 1
    return Table(
        source,
        frame.iloc[(rows - 1).tolist()].reset_index(drop=True),
        rows,
        person=read_person_metadata(frame),
    )


def editable_frame(scores: Scores) -> Frame:
    """Scores as a table to edit, columns "item" and "score"; at most `MAX_EDIT_ROWS` items."""
    if scores.d > MAX_EDIT_ROWS:
        raise IngestError(
            f"There are {scores.d:,} items; at most {MAX_EDIT_ROWS:,} can be edited in a table."
        )
    return pd.DataFrame(
        {"item": [scores.label(i) for i in range(scores.d)], "score": scores.values.copy()}
    )
