"""Table: rows as they were read, and scores from chosen columns of it.

Every row keeps its number in the source (a header counts, blank rows are left out but counted), so
that every error can name it; column names are distinct.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import numpy as np

from dpviz.base import (
    Column,
    Floats,
    Frame,
    Ints,
    ParameterError,
    Scores,
    cached_property,
    convert_to_pandas,
    is_blank,
    pd,
    read_person_metadata,
)
from dpviz.base.packed_strings import FEW, PackedStrings
from dpviz.data.reading.input_rules import (
    MAX_COLUMNS,
    MAX_EDIT_ROWS,
    MAX_ITEMS,
    MAX_LABEL,
    IngestError,
    Remark,
    cell_texts,
    check_count_limit,
    fold_to_line,
    quote_value,
)
from dpviz.data.reading.numbers import BadNumber, looks_numeric, parse_numbers

SCORE_NAMES = (
    "score",
    "scores",
    "count",
    "counts",
    "value",
    "values",
    "frequency",
    "total",
    "votes",
)
LABEL_NAMES = (
    "label",
    "labels",
    "item",
    "items",
    "name",
    "names",
    "title",
    "category",
    "key",
    "id",
)
PERSON_NAMES = (
    "person",
    "user",
    "user_id",
    "userid",
    "customer",
    "visitor",
    "reader",
    "patient",
    "who",
)
COLUMN_NAMES = frozenset((*SCORE_NAMES, *LABEL_NAMES, *PERSON_NAMES))
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
_NUMBERING = ("", "id", "index", "rank", "row", "no", "no.", "nr", "#", "year")
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
_SAMPLE = 1_000


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
    sheets: tuple[str, ...] = ()
    sheet: str | None = None
    left_out: int = 0
    person: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    @cached_property
    def numeric_columns(self) -> tuple[str, ...]:
        """Columns that can hold scores: most of their first thousand cells are numbers."""
        return tuple(
            name for name in self.columns if looks_numeric(self.frame[name].iloc[:_SAMPLE].tolist())
        )

    @cached_property
    def score_column(self) -> str | None:
        """Likeliest score column: a numeric one with such a name, else the first numeric one."""
        candidates = [name for name in self.numeric_columns if name.casefold() not in _NUMBERING]
        return first_named_column(candidates, SCORE_NAMES) or next(
            iter([*candidates, *self.numeric_columns]), None
        )

    @cached_property
    def label_column(self) -> str | None:
        """Likeliest label column: by name, text before numbers, else the first text one."""
        numbers = (*self.numeric_columns, self.score_column)
        text = [name for name in self.columns if name not in numbers]
        numeric = [name for name in self.numeric_columns if name != self.score_column]
        return (
            first_named_column(text, LABEL_NAMES)
            or next(iter(text), None)
            or first_named_column(numeric, LABEL_NAMES)
        )

    def row_label(self, position: int) -> str:
        """Name of the row at `position` of the frame: "Row 3"."""
        return f"{self.unit} {self.rows[position]}"

    def column(self, role: str, name: str) -> Column:
        check_column(role, name, self.columns)
        return self.frame[name]


def check_column(role: str, name: str, columns: Sequence[str]) -> None:
    """Raise unless there is a column called `name`; `role` is the parameter that an error names."""
    if name not in columns:
        listed = ", ".join(quote_value(column) for column in columns[:20])
        raise ParameterError(role, name, f"one of the columns {listed}", "choice")


def scores_from(
    table: Table | Any,
    score: str | ColumnGuess = GUESS,
    label: str | ColumnGuess | None = GUESS,
    *,
    sensitivity: float | None = None,
    monotonic: bool | None = None,
    decimal: str | None = None,
) -> Scores:
    """Scores from a column of a table.

    An empty label becomes "item 3" by its place.

    Parameters
    ----------
    table
        The table, or a data frame of whatever library.
    score
        The column of scores; `GUESS` for the one the table would choose.
    label
        The column of labels, None for none; `GUESS` for the one the table would choose.
    sensitivity
        Δ above 0: by how much one person changes a score at most; None for what the table says,
        else 1.
    monotonic
        Whether one person moves all scores in the same direction; None for what the table says,
        else not.
    decimal
        "." or ",", where a text column can be read in two ways; None where it cannot.

    Returns
    -------
    Scores
        The scores, an item a row.

    Raises
    ------
    IngestError
        With the row of the first bad cell, or for too few or too many items.

    Examples
    --------
    >>> import pandas as pd
    >>> table = read_frame(pd.DataFrame({"item": ["a", "b"], "count": [3, 5]}))
    >>> scores_from(table, monotonic=True).values.tolist()
    [3.0, 5.0]
    """
    table = table if isinstance(table, Table) else read_frame(table)
    check_count_limit("There are", len(table.frame), "items", MAX_ITEMS)
    values = parse_score_column(table, _score_name(table, score), decimal)
    if len(values) < 2:
        raise IngestError(
            f"There is only {len(values)} item in {quote_value(table.source)}; a selection needs at"
            " least 2."
        )
    label = table.label_column if isinstance(label, ColumnGuess) else label
    labels = None if label is None else _labels(table, label)
    said = {"sensitivity": sensitivity, "monotonic": monotonic}
    given = {name: value for name, value in said.items() if value is not None}
    return Scores(values, labels=labels, **{**table.person, **given})


def _score_name(table: Table, score: str | ColumnGuess) -> str:
    if not isinstance(score, ColumnGuess):
        return score
    chosen = table.score_column or first_named_column(table.columns, SCORE_NAMES)
    chosen = chosen or (table.columns[0] if len(table.columns) == 1 else None)
    if chosen is None:
        raise IngestError(
            f"No column of {quote_value(table.source)} holds numbers; a score must be a number."
        )
    return chosen


def parse_score_column(table: Table, score: str, decimal: str | None = None) -> Floats:
    """Numbers of a score column; an error names the first cell that is none."""
    column = table.column("score", score)
    try:
        return parse_numbers(column, decimal=decimal, dots_may_group=table.delimiter == ";")
    except BadNumber as bad:
        cell = column.iloc[bad.position]
        text = "" if is_blank(cell) else f" {quote_value(cell)}"
        raise IngestError(
            f"{table.row_label(bad.position)}: the score{text} in column {quote_value(score)}"
            f" {bad.why}."
        ) from None


def _labels(table: Table, label: str) -> Sequence[str]:
    labels = _labels_one_by_one(table, label)
    return tuple(labels) if len(table.frame) <= FEW else PackedStrings(labels)


def _labels_one_by_one(table: Table, label: str) -> Iterator[str]:
    """Labels, read some thousands at a time, as a million take a hundred megabytes."""
    column = table.column("label", label)
    for start in range(0, len(column), FEW):
        cells = cell_texts(column.iloc[start : start + FEW])
        check_label_lengths([cell or "" for cell in cells], table, label, start.__add__)
        yield from (
            f"item {i}" if cell is None else fold_to_line(cell)
            for i, cell in enumerate(cells, start + 1)
        )


def check_label_lengths(
    labels: Sequence[str],
    table: Table,
    column: str,
    row: Callable[[int], int] = lambda place: place,
) -> None:
    lengths = np.fromiter(map(len, labels), np.int64, len(labels))
    bad = np.flatnonzero(lengths > MAX_LABEL)
    if len(bad):
        first = int(bad[0])
        check_count_limit(
            f"{table.row_label(row(first))}: the label in column {quote_value(column)} has",
            lengths[first],
            "characters",
            MAX_LABEL,
        )


def first_named_column(columns: Iterable[str], names: tuple[str, ...]) -> str | None:
    """First column whose name is the earliest of `names` that occurs, in any case."""
    by_name = {column.strip().casefold(): column for column in reversed(tuple(columns))}
    return next((by_name[name] for name in names if name in by_name), None)


def has_header(cells: Sequence[object]) -> bool:
    """True if a first row reads as column names: a usual heading, or no value at all.

    >>> has_header(["item", "2024"]), has_header(["apples", "12"]), has_header(["apples", "n/a"])
    (True, False, False)
    """
    names = [cell.strip().casefold() if isinstance(cell, str) else None for cell in cells]
    if any(name in _HEADINGS for name in names):
        return True
    names = names[1:] if len(names) > 1 and not names[0] else names  # an index column has no name
    return not any(name is None or name in _VALUES_LIKE or looks_numeric([name]) for name in names)


def column_names(cells: Sequence[object], source: str) -> list[str]:
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
    frame = frame.set_axis(column_names(list(frame.columns), source), axis=1)
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
