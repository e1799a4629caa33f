"""Likely meaning of a table's columns: names, numbers, dates or identifiers.

A date or an identifier is never guessed to be the item: a list of the best dates looks like an
answer and is none. If only such columns are left, a person has to choose.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time

from dpviz.base import cached_property, cell_text, is_blank
from dpviz.data.reading import Table
from dpviz.data.reading.headings import (
    CALLED,
    COUNTS,
    DATES,
    IDS,
    ITEMS,
    PERSON,
    split_heading,
)
from dpviz.data.reading.numbers import looks_numeric

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    r"|\d{1,2}[ -]?[A-Za-z]{3,9}\.?[ -]?\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}-\d{2})"
    r"(?:[T ,]+\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?",
    re.ASCII,
)
_CODE = re.compile(
    r"(?=.*\d)[A-Za-z0-9_.:#/-]+|[^@\s]+@(?=[^@\s]+?\.[^@\s])[^@\s]+|[0-9a-fA-F]{12,}", re.ASCII
)
_SECONDS = ((1e9, 4e9), (1e12, 4e12))  # since 1970, in seconds and in thousandths: 2001 to 2096
_SAMPLE = 1_000
_MANY = 0.9  # of the cells, where a few may be blank or odd
_FEW = 12  # rows below which each name's standing once says little


@dataclass(frozen=True)
class ColumnProfile:
    """A column by its heading and its first non-empty cells."""

    name: str
    cells: tuple[object, ...]

    @cached_property
    def heading_words(self) -> frozenset[str]:
        return split_heading(self.name)

    @cached_property
    def is_date(self) -> bool:
        """True for dates or times, including seconds since 1970 and years."""
        if _mostly(self.cells, _a_date):
            return True
        if not self.heading_words & DATES or not looks_numeric(self.cells):
            return False
        whole = [float(text) for cell in self.cells if (text := cell_text(cell) or "").isdecimal()]
        return any(
            _mostly(whole, lambda n, low=low, high=high: low <= n <= high)
            for low, high in (*_SECONDS, (1900, 2100))
        )

    @cached_property
    def is_number(self) -> bool:
        """True if it can be a score: numbers that are no date, identifier or row number."""
        return (
            not self.is_date and looks_numeric(self.cells) and bool(self.cells) and not self.is_id
        )

    @cached_property
    def is_id(self) -> bool:
        """True if its cells identify rows, people or things without naming them."""
        if self.has_id_heading:
            return True
        if self.heading_words & (ITEMS | COUNTS):
            return False
        if looks_numeric(self.cells):
            return self._numbers_rows or bool(self.heading_words & PERSON)
        return _mostly(self.cells, lambda cell: _CODE.fullmatch(str(cell).strip()) is not None)

    @property
    def is_code(self) -> bool:
        """True if its cells alone, which are not plain numbers, make it an identifier."""
        return (
            self.is_id
            and not self.has_id_heading
            and not self.is_date
            and not looks_numeric(self.cells)
        )

    @property
    def has_id_heading(self) -> bool:
        return bool(self.heading_words & IDS) and not self.heading_words & (COUNTS - {"number"})

    @property
    def _numbers_rows(self) -> bool:
        """True for cells 0, 1, 2, … or 1, 2, 3, …, as an export numbers its rows."""
        if len(self.cells) < 3:
            return False
        texts = [cell_text(cell) for cell in self.cells]
        return any(all(text == str(i) for i, text in enumerate(texts, first)) for first in (0, 1))

    @cached_property
    def is_person(self) -> bool:
        """True if its heading names people, or its cells are e-mail addresses."""
        return bool(self.heading_words & PERSON) or _mostly(
            self.cells, lambda cell: "@" in str(cell)
        )

    @property
    def can_name_items(self) -> bool:
        """True if its cells can name items: texts, or numbers below an item's heading."""
        if self.is_date or self.is_id or not self.cells:
            return False
        return not looks_numeric(self.cells) or bool(self.heading_words & ITEMS)

    @cached_property
    def has_repeated_cells(self) -> bool:
        """True if cells repeat, as the items of a log do."""
        return len(set(map(cell_text, self.cells))) < len(self.cells) * (
            _MANY if len(self.cells) >= _FEW else 1.0
        )


def _mostly(cells: Sequence[object], holds: Callable[..., bool]) -> bool:
    return bool(cells) and sum(map(holds, cells)) >= _MANY * len(cells)


def _a_date(cell: object) -> bool:
    return isinstance(cell, date | time) or (
        isinstance(cell, str) and _DATE.fullmatch(cell.strip()) is not None
    )


def profile_columns(table: Table) -> tuple[ColumnProfile, ...]:
    heads = {name: table.frame[name].iloc[:_SAMPLE].tolist() for name in table.columns}
    return tuple(
        ColumnProfile(name, tuple(cell for cell in cells if not is_blank(cell)))
        for name, cells in heads.items()
    )


@dataclass(frozen=True, kw_only=True)
class TableMeaning:
    log: bool
    item: str | None
    other: str | None

    @property
    def missing_choice(self) -> str | None:
        """Choice that a person must still make, if any."""
        if self.log:
            return "the column of the item" if self.item is None else None
        return "the column of the score" if self.other is None else None


def guess_meaning(table: Table) -> TableMeaning:
    """Likeliest meaning of a table.

    >>> import pandas as pd
    >>> from dpviz.data.reading import read_frame
    >>> log = {"when": ["2026-01-01", "2026-01-02"], "user": ["ann", "ann"], "page": ["tea", "tea"]}
    >>> guess_meaning(read_frame(pd.DataFrame(log)))
    TableMeaning(log=True, item='page', other='user')
    """
    columns = profile_columns(table)
    return guess_log_columns(columns) if _is_log(columns) else guess_score_columns(columns)


def meaning_for_kind(table: Table, *, log: bool) -> TableMeaning:
    return (guess_log_columns if log else guess_score_columns)(profile_columns(table))


def _is_log(columns: Sequence[ColumnProfile]) -> bool:
    """True if items repeat and no column can be a score, or people or dates make rows events."""
    log, scores = guess_log_columns(columns), guess_score_columns(columns)
    item = next((column for column in columns if column.name == log.item), None)
    if scores.other is None:
        return len(columns) > 1 or any(
            column.can_name_items and column.has_repeated_cells for column in columns
        )
    if any(
        column.is_person for column in columns if column.name not in {scores.item, scores.other}
    ):
        return item is None or item.has_repeated_cells or any(column.is_date for column in columns)
    return (
        item is not None and item.has_repeated_cells and any(column.is_date for column in columns)
    )


def guess_score_columns(columns: Sequence[ColumnProfile]) -> TableMeaning:
    """Likeliest columns of the names and of the scores."""
    numbers = [column for column in columns if column.is_number]
    headed = (
        column
        for column in columns
        if column.heading_words & COUNTS and not (column.is_date or column.is_id)
    )
    # whose cells are then told where they are no numbers
    score = _called(numbers, COUNTS) or next(headed, None)
    names = [column for column in columns if column is not score and column.can_name_items]
    named = _called(names, ITEMS) or next(
        iter([column for column in columns if column.is_code]), None
    )  # such as A7, each with its score
    return TableMeaning(
        log=False, item=getattr(named, "name", None), other=getattr(score, "name", None)
    )


def guess_log_columns(columns: Sequence[ColumnProfile]) -> TableMeaning:
    """Likeliest columns of the items and of the people, if there are any."""
    headed = [column for column in columns if column.is_person and not column.is_date]
    names = [column for column in columns if column.can_name_items and column not in headed]
    ids = [
        column
        for column in columns
        if column.is_id and column.has_repeated_cells and not column.is_date
    ]
    called = [column for column in names if column.heading_words and column.heading_words <= CALLED]
    first = [
        column
        for column in names[:1]
        if column.has_repeated_cells and not column.heading_words & ITEMS
    ]
    people = [*headed, *ids, *((*called, *first) if len(names) > 1 else ())]
    person = next(iter(people), None)
    rest = [column for column in columns if column is not person and column.can_name_items]
    item = _called([column for column in rest if column.has_repeated_cells], ITEMS) or _called(
        rest, ITEMS
    )
    return TableMeaning(
        log=True, item=getattr(item, "name", None), other=getattr(person, "name", None)
    )


def _called(columns: Iterable[ColumnProfile], words: frozenset[str]) -> ColumnProfile | None:
    """First column headed with one of these words, else the first."""
    listed = list(columns)
    return next(
        (column for column in listed if column.heading_words & words), next(iter(listed), None)
    )
