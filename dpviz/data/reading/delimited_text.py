"""Delimited text: CSV, TSV and the like, and pasted text.

The delimiter is the one whose first rows have the same number of cells, then the most numeric
columns. Rows have a spreadsheet's numbers (header and blank rows count). Columns are built in
batches, so that reading takes a few times the memory of the text.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np

from dpviz.base import Frame, Ints, ParameterError, Progress, ignore_progress, pd
from dpviz.data.reading.input_rules import (
    MAX_BYTES,
    MAX_CELLS,
    MAX_ITEMS,
    MAX_ROWS,
    IngestError,
    check_count_limit,
    check_within_limit,
    quote_value,
    replace_surrogates,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table, column_names, has_header

DELIMITERS = (
    "\t",
    ";",
    "|",
    ",",
)  # the rarer in running text first: it wins where all else is equal
_SAMPLE_CHARACTERS = 65_536
_BATCH = 20_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")

Record = list[str]
Numbered = tuple[int, Record]


def read_delimited(
    name: str,
    text: str,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    above: int = 0,
    trim: bool = False,
    unit: str = "Row",
    progress: Progress = ignore_progress,
) -> Table:
    """Table from delimited text; a single row of numbers is read as a column."""
    skipped = 0
    if text[:4].lower() == "sep=" and text[5:6] in (
        "\r",
        "\n",
    ):  # a spreadsheet's own note of its delimiter
        delimiter, text, skipped = text[4], text[6:].removeprefix("\n"), 1
    if not text or text.isspace():
        raise IngestError(f"{quote_value(name)} is empty.")
    if '"' not in text:  # each line is a row: no need to read them first
        check_within_limit(quote_value(name), text.count("\n"), "rows", MAX_ROWS)
    delimiter = guess_delimiter(text) if delimiter is None else delimiter
    filled = _filled(name, text, delimiter, trim, unit, skipped, above, progress)
    first = list(islice(filled, 2))
    if not first:
        raise IngestError(f"{quote_value(name)} is empty.")
    record = first[0][1]
    if (
        len(first) == 1
        and 1 < len(record) <= MAX_ITEMS
        and all(looks_numeric([cell]) for cell in record)
    ):
        first = [(place, [cell]) for place, cell in enumerate(record, start=1)]
        record, unit = first[0][1], "Number"
    named = has_header(record) if header is None else header
    columns = column_names(record if named else [None] * len(record), name)
    if len(first) == 1 and named:
        raise IngestError(f"{quote_value(name)} has a header but no rows.")
    rows, frame = _framed(name, columns, chain(first[1:] if named else first, filled))
    progress(1.0)
    return Table(name, frame, rows, unit=unit, header=named, delimiter=delimiter)


def _framed(name: str, columns: list[str], numbered: Iterator[Numbered]) -> tuple[Ints, Frame]:
    rows: list[Ints] = []
    parts: list[list[Any]] = [[] for _ in columns]
    total = 0
    while batch := list(islice(numbered, _BATCH)):
        total += len(batch) * len(columns)
        check_within_limit(quote_value(name), total, "cells", MAX_CELLS)
        rows.append(np.array([row for row, _ in batch], np.int64))
        for part, cells in zip(
            parts, zip(*(record for _, record in batch), strict=True), strict=True
        ):
            part.append(pd.Series(list(cells), dtype="str"))
    joined = {
        column: pd.concat(part, ignore_index=True)
        for column, part in zip(columns, parts, strict=True)
    }
    return np.concatenate(rows), pd.DataFrame(joined)


def guess_delimiter(text: str) -> str | None:
    """Delimiter of a text, None if it has one column.

    >>> guess_delimiter("a,1\\nb,2"), guess_delimiter("x y\\nz")
    (',', None)
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    candidates: list[tuple[float, int, int, str]] = []
    for preference, delimiter in enumerate(reversed(DELIMITERS)):
        sampled = first_records(sample, delimiter, 200)
        filled = [record for record in sampled if any(record)] or sampled
        width, count = Counter(map(len, filled)).most_common(1)[0] if filled else (1, 0)
        if width > 1:
            body = [record for record in filled[1:] or filled if len(record) == width]
            numeric = sum(looks_numeric(cells) for cells in zip(*body, strict=True))
            candidates.append((count / len(filled), numeric, preference, delimiter))
    return max(candidates)[-1] if candidates else None


def first_records(sample: str, delimiter: str | None, most: int) -> list[Record]:
    """First records of a text, at most `most`; none if it cannot be parsed."""
    reader = csv.reader(_Lines(sample), delimiter=delimiter or "\0")
    try:
        return list(islice(reader, most))
    except csv.Error:  # told in full by the reading proper
        return []


def _filled(
    name: str,
    text: str,
    delimiter: str | None,
    trim: bool,
    unit: str,
    skipped: int,
    above: int,
    progress: Progress,
) -> Iterator[Numbered]:
    """Records with their row numbers; a blank one in a single column is a missing score."""
    width = 0
    blanks: list[Numbered] = []  # of a single column: they count once a filled row follows
    read = islice(
        enumerate(_records(name, text, delimiter, unit, skipped, progress), start=1 + skipped),
        above,
        None,
    )
    for row, raw in read:
        record = [cell.strip() for cell in raw] if trim else raw
        if not any(record):
            if width == 1 and not trim:
                blanks.append((row, [""]))
            continue
        width = width or len(record)
        if len(record) != width:
            raise IngestError(
                f"{unit} {row} of {quote_value(name)} has {_cells(len(record))}, where the first"
                f" has {_cells(width)}."
            )
        yield from blanks
        blanks.clear()
        yield row, record


class _Lines:
    """Lines of a text with their ends, without a copy; `read` counts the characters read."""

    def __init__(self, text: str) -> None:
        self._found = _LINE.finditer(text)
        self.read = 0

    def __iter__(self) -> Iterator[str]:
        for match in self._found:
            self.read = match.end()
            if match.group():
                yield match.group()


def _records(
    name: str, text: str, delimiter: str | None, unit: str, skipped: int, progress: Progress
) -> Iterator[Record]:
    lines = _Lines(text)
    # the text has no NUL: one column
    reader = csv.reader(lines, delimiter=delimiter or "\0", strict=True)
    done = 0
    while True:
        progress(min(lines.read / len(text), 1.0))
        batch: list[Record] = []
        problem: csv.Error | None = None
        try:
            batch.extend(islice(reader, _BATCH))
        except csv.Error as err:
            problem = err
        yield from batch
        done += len(batch)
        if problem is not None:
            raise IngestError(_quoting(name, unit, done + 1 + skipped, problem)) from problem
        check_within_limit(quote_value(name), done, "rows", MAX_ROWS)
        if not batch:
            return


def _quoting(name: str, unit: str, row: int, problem: csv.Error) -> str:
    if "unexpected end" in str(problem):
        return (
            f"{unit} {row} of {quote_value(name)} opens a quotation mark that is never closed, as"
            " when a file is cut short."
        )
    if "field larger" in str(problem):
        return (
            f"{unit} {row} of {quote_value(name)} has a cell of more than"
            f" {csv.field_size_limit():,} characters."
        )
    return f"{unit} {row} of {quote_value(name)} has a quotation mark in the wrong place."


def _cells(count: int) -> str:
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"


_SOURCE = "pasted text"
_TIGHT = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


def read_pasted_text(
    text: str, *, header: bool | None = None, above: int = 0, progress: Progress = ignore_progress
) -> Table:
    """Table from pasted text.

    Lines such as "1,5" throughout are refused: each may be one number or a label and a score.
    """
    if not isinstance(text, str):
        raise ParameterError("text", text, "a text")
    text = replace_surrogates(text).removeprefix("\ufeff")
    if len(text.encode()) > MAX_BYTES:
        raise IngestError(
            f"The pasted text is larger than {MAX_BYTES // 1_000_000} MB, which is the limit."
        )
    if "\0" in text:
        raise IngestError("The pasted text holds binary data, not text.")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise IngestError("The pasted text is empty.")
    if len(lines) == 1 and (cells := _one_line(lines[0])) is not None:
        return Table(
            _SOURCE,
            pd.DataFrame({"value": pd.Series(cells, dtype="str")}),
            np.arange(1, len(cells) + 1, dtype=np.int64),
            unit="Number",
            header=False,
        )
    delimiter = guess_delimiter(text)
    if delimiter == "," and all(map(_TIGHT.fullmatch, lines)):
        raise IngestError(
            f"Line 1: '{lines[0].strip()[:40]}' can be one number or a label and a number; put a"
            " tab or a semicolon between label and number, or a point before decimals."
        )
    return read_delimited(
        _SOURCE,
        text,
        delimiter=delimiter,
        header=header,
        above=above,
        trim=True,
        unit="Line",
        progress=progress,
    )


def _one_line(line: str) -> list[str] | None:
    """Cells of a single line of numbers; None for anything else, such as a label and a number."""
    if ";" in line or "\t" in line:
        cells = re.split(r"[;\t]", line)
    elif re.search(r",\s", line) or not re.search(r"\s", line.strip()):
        cells = line.split(",")
    else:
        cells = line.split()
    cells = [cell.strip() for cell in cells]
    # a comma after the last number
    cells = cells[:-1] if len(cells) > 1 and not cells[-1] else cells
    check_count_limit("There are", len(cells), "items", MAX_ITEMS)
    return cells if looks_numeric(cells) else None
