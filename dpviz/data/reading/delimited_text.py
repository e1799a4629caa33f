"""Text with delimiters: CSV, TSV and the like, and what is pasted.

Fields may be quoted; the delimiter is one of , ; tab | and is found by trying each on the first
rows: the one that gives the same number of cells everywhere, then the most columns of numbers. A
row is numbered as a spreadsheet would (header and blank rows count; a quoted line break does not
start one). Cells become columns a batch of rows at a time, so that reading takes a few times the
memory of the text, no more. Pasted is one number a line; "label, number", "label<TAB>number",
"label; number"; or one line of numbers separated by commas, semicolons or spaces: a first line of
column names is recognised, blank lines and blanks around cells are not.
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
_SAMPLE_RECORDS = 200
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
    """A table from text with delimiters; a single row of numbers is read as a column.

    Examples
    --------
    >>> read_delimited("a.csv", "item;count\\na;1,5\\nb;2,5\\n").delimiter
    ';'
    """
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
    """The numbers of the rows, and their cells by column."""
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
    """The delimiter of a text, None where it has one column.

    >>> guess_delimiter("a,1\\nb,2"), guess_delimiter("x y\\nz")
    (',', None)
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    candidates: list[tuple[float, int, int, str]] = []
    for preference, delimiter in enumerate(reversed(DELIMITERS)):
        sampled = first_records(sample, delimiter, _SAMPLE_RECORDS)
        filled = [record for record in sampled if any(record)] or sampled
        width, count = Counter(map(len, filled)).most_common(1)[0] if filled else (1, 0)
        if width > 1:
            body = [record for record in filled[1:] or filled if len(record) == width]
            numeric = sum(looks_numeric(cells) for cells in zip(*body, strict=True))
            candidates.append((count / len(filled), numeric, preference, delimiter))
    return max(candidates)[-1] if candidates else None


def first_records(sample: str, delimiter: str | None, most: int) -> list[Record]:
    """The first records of a text, as long as it can be taken apart; no more than `most`."""
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
    """The records that hold something, each with its row number; all of one width.

    A blank row within a single column stays: it is a missing score, not a gap in the layout.
    """
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
                f"{unit} {row} of {quote_value(name)} has {_cells(len(record))}, where the first has"
                f" {_cells(width)}."
            )
        yield from blanks
        blanks.clear()
        yield row, record


class _Lines:
    """The lines of a text with their ends, one at a time, without a copy of the text; `read` is how
    far it was read.
    """

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
    reader = csv.reader(
        lines, delimiter=delimiter or "\0", strict=True
    )  # the text has no NUL: one column
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
            f"{unit} {row} of {quote_value(name)} opens a quotation mark that is never closed, as when a"
            " file is cut short."
        )
    if "field larger" in str(problem):
        return (
            f"{unit} {row} of {quote_value(name)} has a cell of more than {csv.field_size_limit():,}"
            " characters."
        )
    return f"{unit} {row} of {quote_value(name)} has a quotation mark in the wrong place."


def _cells(count: int) -> str:
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"


_SOURCE = "pasted text"
_TIGHT = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


def read_pasted_text(
    text: str, *, header: bool | None = None, above: int = 0, progress: Progress = ignore_progress
) -> Table:
    """A Table from pasted text.

    Lines such as "1,5" throughout are refused: each may be one number or a label and a score.

    Examples
    --------
    >>> read_pasted_text("apples, 3\\npears, 5").frame.values.tolist()
    [['apples', '3'], ['pears', '5']]
    >>> read_pasted_text("3 1 4").frame["value"].tolist()
    ['3', '1', '4']
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
        frame = pd.DataFrame({"value": pd.Series(cells, dtype="str")})
        return Table(
            _SOURCE,
            frame,
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
    how: dict[str, Any] = {"delimiter": delimiter, "header": header, "above": above}
    return read_delimited(_SOURCE, text, **how, trim=True, unit="Line", progress=progress)


def _one_line(line: str) -> list[str] | None:
    """The cells of a single line of numbers; None where it is something else, such as one label and
    number.
    """
    if ";" in line or "\t" in line:
        cells = re.split(r"[;\t]", line)
    elif re.search(r",\s", line) or not re.search(r"\s", line.strip()):
        cells = line.split(",")
    else:
        cells = line.split()
    cells = [cell.strip() for cell in cells]
    cells = (
        cells[:-1] if len(cells) > 1 and not cells[-1] else cells
    )  # a comma after the last number
    check_count_limit("There are", len(cells), "items", MAX_ITEMS)
    return cells if looks_numeric(cells) else None
