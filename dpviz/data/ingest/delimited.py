"""Text with delimiters: CSV, TSV and the like.

Fields may be quoted; the delimiter is one of , ; tab | and is found by trying each on the first rows:
the one that gives the same number of cells everywhere, then the most columns of numbers. A row is
numbered as a spreadsheet would (header and blank rows count; a quoted line break does not start one).
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np

from dpviz.base.progress import Progress, silent
from dpviz.data.ingest.limits import MAX_COLUMNS, MAX_ITEMS, MAX_ROWS, IngestError, quoted
from dpviz.data.ingest.numbers import looks_numeric
from dpviz.data.ingest.table import Table, column_names, has_header

__all__ = ["DELIMITERS", "read_delimited", "sniff"]

DELIMITERS = ("\t", ";", "|", ",")  # the rarer in running text first: it wins where all else is equal
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_RECORDS = 200
_BATCH = 50_000

Record = list[str]


def read_delimited(
    name: str,
    text: str,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    trim: bool = False,
    unit: str = "Row",
    progress: Progress = silent,
) -> Table:
    """A Table from text; None for `delimiter` or `header` finds out, `trim` drops blanks around cells.

    A single row of numbers is read as a column.

    >>> read_delimited("a.csv", "item;count\\na;1,5\\nb;2,5\\n").delimiter
    ';'
    """
    import pandas as pd

    skipped = 0
    if text[:4].lower() == "sep=" and text[5:6] in ("\r", "\n"):  # a spreadsheet's own note of its delimiter
        delimiter, text, skipped = text[4], text[6:].removeprefix("\n"), 1
    if not text.strip():
        raise IngestError(f"{quoted(name)} is empty.")
    delimiter = sniff(text) if delimiter is None else delimiter
    rows, records = _filled(name, text, delimiter, trim, unit, skipped, progress)
    if len(records) == 1 and 1 < len(records[0]) <= MAX_ITEMS and all(looks_numeric([cell]) for cell in records[0]):
        records = [[cell] for cell in records[0]]
        rows, unit = list(range(1, len(records) + 1)), "Number"
    named = has_header(records[0]) if header is None else header
    width = len(records[0])
    columns = column_names(records[0] if named else [None] * width, name)
    body = records[1:] if named else records
    if not body:
        raise IngestError(f"{quoted(name)} has a header but no rows.")
    frame = pd.DataFrame(
        {column: pd.Series(list(cells), dtype="str") for column, cells in zip(columns, _columns(body), strict=True)}
    )
    progress(1.0)
    numbers_of_rows = np.array(rows[1:] if named else rows, np.int64)
    return Table(name, frame, numbers_of_rows, unit=unit, header=named, delimiter=delimiter)


def sniff(text: str) -> str | None:
    """The delimiter of a text, None where it has one column.

    >>> sniff("a,1\\nb,2"), sniff("x y\\nz")
    (',', None)
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    found: list[tuple[float, int, int, str]] = []
    for preference, delimiter in enumerate(reversed(DELIMITERS)):
        sampled = _sampled(sample, delimiter)
        records = [record for record in sampled if any(record)] or sampled
        width, count = Counter(map(len, records)).most_common(1)[0] if records else (1, 0)
        if width > 1:
            body = [record for record in records[1:] or records if len(record) == width]
            numeric = sum(looks_numeric(cells) for cells in zip(*body, strict=True))
            found.append((count / len(records), numeric, preference, delimiter))
    return max(found)[-1] if found else None


def _sampled(sample: str, delimiter: str) -> list[Record]:
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    records: list[Record] = []
    try:
        records.extend(islice(reader, _SAMPLE_RECORDS))
    except csv.Error:  # told in full by the reading proper
        return []
    return records


def _filled(
    name: str, text: str, delimiter: str | None, trim: bool, unit: str, skipped: int, progress: Progress
) -> tuple[list[int], list[Record]]:
    """The records that hold something, and their row numbers; all of one width.

    A blank row within a single column stays: it is a missing score, not a gap in the layout.
    """
    rows: list[int] = []
    records: list[Record] = []
    width = 0
    last = 0  # how many records there are up to the last filled one
    for row, raw in enumerate(_records(name, text, delimiter, unit, skipped, progress), start=1 + skipped):
        record = [cell.strip() for cell in raw] if trim else raw
        blank = not any(record)
        if blank and (width != 1 or trim):
            continue
        if not width:
            width = len(record)
        if blank:
            record = [""]
        elif len(record) != width:
            raise IngestError(
                f"{unit} {row} of {quoted(name)} has {_cells(len(record))}, where the first has {_cells(width)}."
            )
        records.append(record)
        rows.append(row)
        last = last if blank else len(records)
    if not last:
        raise IngestError(f"{quoted(name)} is empty.")
    return rows[:last], records[:last]


def _records(
    name: str, text: str, delimiter: str | None, unit: str, skipped: int, progress: Progress
) -> Iterator[Record]:
    source = io.StringIO(text, newline="")
    reader = csv.reader(source, delimiter=delimiter or "\0", strict=True)  # the text has no NUL: one column
    done = 0
    while True:
        progress(min(source.tell() / len(text), 1.0))
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
        if done > MAX_ROWS:
            raise IngestError(f"{quoted(name)} has more than {MAX_ROWS:,} rows, which is the limit.")
        if not batch:
            return


def _quoting(name: str, unit: str, row: int, problem: csv.Error) -> str:
    if "unexpected end" in str(problem):
        return (
            f"{unit} {row} of {quoted(name)} opens a quotation mark that is never closed, as when a file is cut short."
        )
    if "field larger" in str(problem):
        return f"{unit} {row} of {quoted(name)} has a cell of more than {csv.field_size_limit():,} characters."
    return f"{unit} {row} of {quoted(name)} has a quotation mark in the wrong place."


def _columns(records: list[Record]) -> list[list[str]]:
    """The cells by column; all records have one width, at most `MAX_COLUMNS`."""
    return [[record[i] for record in records] for i in range(min(len(records[0]), MAX_COLUMNS))]


def _cells(count: int) -> str:
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"
