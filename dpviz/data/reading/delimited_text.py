"""Delimited text: CSV, TSV and the like, tables for eyes, and pasted text.

The delimiter is the one whose first rows have the same number of cells, then the most numeric
columns. Rows have a spreadsheet's numbers (header and blank rows count). Columns are built in
batches, so that reading takes a few times the memory of the text.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from dpviz.base import Frame, Ints, ParameterError, Progress, is_blank, pd
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_BYTES,
    MAX_CELLS,
    MAX_ITEMS,
    MAX_ROWS,
    FileReadOptions,
    IngestError,
    check_count_limit,
    check_within_limit,
    quote_value,
    replace_surrogates,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.surroundings import (
    MOST_NOTES,
    is_note,
    most_usual,
    note_row_count,
    notes_remark,
    title_row_count,
    titles_remark,
)
from dpviz.data.reading.table import Table, column_names, has_header

DELIMITERS: Final = ("\t", ";", "|", ",")
"""The rarer in running text first: it wins where all else is equal."""
_COLONS: Final = "::"
_GAP: Final = "  "  # two blanks or more, as tables for eyes have between their columns
_BLANKS: Final = " "
_MOSTLY: Final = 0.75  # of the rows have the same number of cells
_SAMPLE_CHARACTERS: Final = 65_536
_ROWS: Final = 200
_BATCH: Final = 20_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BOXES = dict.fromkeys(range(0x2500, 0x2580), "-") | dict.fromkeys(map(ord, "│┃┆║"), "|")
_TYPE = r"(?:str|[iuf]\d+|varchar|u?(?:big|small|tiny|huge)?int\d*|double|float|bool(?:ean)?|date|<\w+>)"
_RULE = re.compile(r"(?=[^\r\n]*(?:--|==|:-|-:))[-+=:| \t]+[\r\n]*")
_TYPES = re.compile(
    rf"\s*+\|?(?:\s*+{_TYPE}\s*+\|?)*\s*+{_TYPE}\s*+\|?\s*+|(?:# A tibble|shape): .*\n?", re.ASCII
)
_TAIL: Final = 4_096  # characters in which notes are looked for

Record = list[str]
Numbered = tuple[int, Record]


def read_delimited(
    name: str,
    text: str,
    how: FileReadOptions | None = None,
    *,
    delimiter: str | None = None,
    trim: bool = False,
    unit: str = "Row",
) -> Table:
    """Table from delimited text; a single row of numbers is read as a column."""
    how, skipped = how or FileReadOptions(), 0
    if text[:4].lower() == "sep=" and text[5:6] in {"\r", "\n"}:  # a spreadsheet's own note
        delimiter, text, skipped = text[4], text[6:].removeprefix("\n"), 1
    if not text or text.isspace():
        raise IngestError(f"{quote_value(name)} is empty.")
    if "│" in text:
        text = text.translate(_BOXES)
    if '"' not in text:  # each line is a row: no need to read them first
        check_within_limit(quote_value(name), text.count("\n"), "rows", MAX_ROWS)
    delimiter = guess_delimiter(text) if delimiter is None else delimiter
    lines = DelimitedLines(text, delimiter)
    head = lines.first_records(_ROWS)
    above, pad = _first_row(head, delimiter, how.above)
    width = len(head[above]) + len(pad[0]) + len(pad[1]) if above < len(head) else 1
    ragged = how.above is None and _are_ragged_texts(head, above)
    if ragged:
        above, width = 0, max(map(len, lines.first_records(MAX_ROWS)))
        pad, how = ([], [""] * (width - len(head[0]))), replace(how, header=how.header or False)
    lines.end, notes = _table_end(lines, width, how.below)
    trim = trim or lines.is_for_eyes
    filled = _filled(name, lines, trim, unit, skipped, above, pad, ragged, how.progress)
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
    named = any(pad) or has_header(record) if how.header is None else how.header
    columns = column_names(record if named else [None] * len(record), name)
    if len(first) == 1 and named:
        raise IngestError(f"{quote_value(name)} has a header but no rows.")
    rows, frame = _framed(name, columns, chain(first[1:] if named else first, filled))
    how.progress(1.0)
    remarks = (*titles_remark(head[:above] if how.above is None else []), *notes_remark(notes))
    return Table(name, frame, rows, unit=unit, header=named, delimiter=delimiter, remarks=remarks)


def _first_row(
    head: Sequence[Record], delimiter: str | None, above: int | None
) -> tuple[int, tuple[Record, Record]]:
    """Number of title rows, and what the first row after them lacks on either side."""
    rows = [place for place, record in enumerate(head) if any(map(str.strip, record))]
    rows = [place for place in rows if place >= (above or 0)]
    if len(rows) > 1:
        header, body = head[rows[0]], [head[place] for place in rows[1:]]
        width = len(body[0])
        short = len(header) == width - 1 and all(len(record) == width for record in body)
        if short and (width > 2 or delimiter in {_BLANKS, _GAP}) and has_header(header):
            ends = delimiter == _GAP and width == 2  # a printed series, whose index has a name
            ends |= all(is_blank(record[-1]) for record in body)
            return (above or 0), (([], [""]) if ends else ([""], []))
    return (title_row_count(head) if above is None else above), ([], [])


def _are_ragged_texts(head: Sequence[Record], above: int) -> bool:
    """True for rows of several lengths that hold texts alone, such as what people bought."""
    filled = [record for record in head if any(record) and not is_note(record)]
    widths = Counter(map(len, filled))
    odd = len(filled) - max(widths.values(), default=0)
    return (
        max(widths, default=0) > 2
        and odd > max(0.2 * len(filled), 1 if above else 0)
        and not any(
            map(is_usual_heading, (cell for record in head[: above + 1] for cell in record))
        )
        and not any(looks_numeric([cell]) for record in filled for cell in record[1:])
    )


def _table_end(lines: "DelimitedLines", width: int, below: int | None) -> tuple[int, list[Record]]:
    """Place in the text where the table ends, and the notes below it."""
    text = lines.text
    if below == 0 or lines.delimiter is None:
        return len(text), []
    starts = [match.start() for match in _LINE.finditer(text, max(len(text) - _TAIL, 0))]
    starts = starts[1 if len(text) > _TAIL else 0 :][-MOST_NOTES - 1 : -1]
    if not starts:
        return len(text), []
    last = [lines.parse(text[a:b]) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    count = note_row_count(last, width)
    notes = [record for record in last[len(last) - count :] if any(map(str.strip, record))]
    if not notes or text.count('"', 0, starts[-count]) % 2:  # which is inside a cell
        return len(text), []
    return starts[-count], notes


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

    >>> guess_delimiter("a,1\\nb,2"), guess_delimiter("x y\\nz"), guess_delimiter("1::7\\n2::9")
    (',', None, '::')
    """
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    candidates: list[tuple[float, int, int, str]] = []
    for preference, delimiter in enumerate(reversed(DELIMITERS)):
        width, share, numeric = _evenness(sample, delimiter)
        if width > 1:
            candidates.append((share, numeric, preference, delimiter))
    best = max(candidates, default=(0.0, 0, 0, None))
    # where cells are not quoted, blanks part the words of names
    by_blanks = (_BLANKS, 2, 0) if sample.startswith('"') else (_BLANKS, 3, 2)
    others: list[tuple[int, int, str]] = []
    for delimiter, least, number_columns in ((_COLONS, 2, 0), (_GAP, 2, 0), by_blanks):
        if delimiter in sample and best[0] < _MOSTLY:
            width, share, numeric = _evenness(sample, delimiter)
            if width >= least and numeric >= number_columns and share >= _MOSTLY:
                others.append((numeric, -len(others), delimiter))
    if others:
        return max(others)[-1]
    return best[-1]


def _evenness(sample: str, delimiter: str) -> tuple[int, float, int]:
    """Usual number of cells, the share of rows that have so many, and the numeric columns."""
    sampled = DelimitedLines(sample, delimiter).first_records(_ROWS)
    filled = [record for record in sampled if any(record) and not is_note(record)] or sampled
    if not filled:
        return 1, 0.0, 0
    width, count = most_usual(map(len, filled))
    short = len(filled) > 1 and len(filled[0]) == width - 1
    body = [record for record in filled[1:] or filled if len(record) == width]
    numeric = sum(looks_numeric(cells) for cells in zip(*body, strict=True))
    return width, (count + short) / len(filled), numeric


@dataclass
class DelimitedLines:
    """Lines of a text up to `end`, with their ends; `read` counts the characters read."""

    text: str
    delimiter: str | None
    end: int = -1
    read: int = 0

    @property
    def is_for_eyes(self) -> bool:
        """True for delimiters with blanks around them, which are no part of a cell."""
        return self.delimiter in {"|", _GAP, _BLANKS}

    def __iter__(self) -> Iterator[str]:
        end = len(self.text) if self.end < 0 else self.end
        for match in _LINE.finditer(self.text, 0, end):
            self.read = match.end()
            if match.group():
                yield self._prepared(match.group())

    def records(self, *, strict: bool) -> Iterator[Record]:
        # the text has no NUL: one column
        one = {_COLONS: "\t", _GAP: "\t", None: "\0"}.get(self.delimiter, self.delimiter)
        return csv.reader(
            self, delimiter=one or "\0", strict=strict, skipinitialspace=one == _BLANKS
        )

    def parse(self, line: str) -> Record:
        found = DelimitedLines(line, self.delimiter).first_records(1)
        return found[0] if found else []

    def first_records(self, most: int) -> list[Record]:
        """First records, at most `most`; none if they cannot be parsed."""
        try:
            return list(islice(self.records(strict=False), most))
        except csv.Error:  # told in full by the reading proper
            return []

    def _prepared(self, line: str) -> str:
        """Line whose cells one sign parts; a rule under a heading becomes a blank line."""
        if self.delimiter == _COLONS:
            return line.replace(_COLONS, "\t")
        if not self.is_for_eyes:
            return line
        if _RULE.fullmatch(line) or _TYPES.fullmatch(line):
            return "\n"
        line = line.strip()
        if self.delimiter == "|" and len(line) > 1 and line[0] == line[-1] == "|":
            line = line[1:-1]
        return (re.sub(r"[ \t]{2,}", "\t", line) if self.delimiter == _GAP else line) + "\n"


def _filled(
    name: str,
    lines: DelimitedLines,
    trim: bool,
    unit: str,
    skipped: int,
    above: int,
    pad: tuple[Record, Record],
    ragged: bool,
    progress: Progress,
) -> Iterator[Numbered]:
    """Records with their row numbers; a blank one in a single column is a missing score."""
    width = 0
    blanks: list[Numbered] = []  # of a single column: they count once a filled row follows
    read = islice(
        enumerate(_records(name, lines, unit, skipped, progress), start=1 + skipped), above, None
    )
    for row, raw in read:
        record = [cell.strip() for cell in raw] if trim else raw
        if not any(record):
            if width == 1 and not trim:
                blanks.append((row, [""]))
            continue
        if not width:
            record = [*pad[0], *record, *pad[1]]
            width = len(record)
        if ragged:
            record = [*record, *[""] * (width - len(record))]
        if len(record) != width:
            raise IngestError(
                f"{unit} {row} of {quote_value(name)} has {_cells(len(record))}, where the first"
                f" has {_cells(width)}."
            )
        yield from blanks
        blanks.clear()
        yield row, record


def _records(
    name: str, lines: DelimitedLines, unit: str, skipped: int, progress: Progress
) -> Iterator[Record]:
    reader = lines.records(strict=True)
    done = 0
    while True:
        progress(min(lines.read / len(lines.text), 1.0))
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
    where = f"{unit} {row} of {quote_value(name)}"
    if "unexpected end" in str(problem):
        return f"{where} opens a quotation mark that is never closed, as when a file is cut short."
    if "field larger" in str(problem):
        return f"{where} has a cell of more than {csv.field_size_limit():,} characters."
    return f"{where} has a quotation mark in the wrong place."


def _cells(count: int) -> str:
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"


_SOURCE = "pasted text"
_TIGHT = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)


def read_pasted_text(text: str, how: FileReadOptions | None = None) -> Table:
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
        frame = pd.DataFrame({"value": pd.Series(cells, dtype="str")})
        rows = np.arange(1, len(cells) + 1, dtype=np.int64)
        return Table(_SOURCE, frame, rows, unit="Number", header=False)
    delimiter = guess_delimiter(text)
    if delimiter == "," and all(map(_TIGHT.fullmatch, lines)):
        raise IngestError(
            f"Line 1: '{lines[0].strip()[:40]}' can be one number or a label and a number. Put a"
            " tab or a semicolon between label and number, or a point before decimals."
        )
    return read_delimited(_SOURCE, text, how, delimiter=delimiter, trim=True, unit="Line")


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
