"""Delimited text: CSV, TSV and the like, tables for eyes, and pasted text."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Final

import numpy as np

from dpviz.base import Frame, Ints, Progress, ignore_progress, is_blank, pd
from dpviz.data.reading.delimiters import (
    BLANKS,
    FOR_EYES,
    GAP,
    LINE,
    Record,
    first_records,
    guess_delimiter,
    record_reader,
)
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_ITEMS,
    MAX_ROWS,
    FileReadOptions,
    IngestError,
    check_within_limit,
    quote_value,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.surroundings import (
    MOST_NOTES,
    is_note,
    left_out_rows_remark,
    note_row_count,
    title_row_count,
)
from dpviz.data.reading.table import Table, has_header, header_and_column_names

_SINGLE: Final = ("\t", ";", ",")
_LONG: Final = 1_000_000  # characters of a text that is read by columns
_BLOCK: Final = 1_000_000  # bytes of it that are parsed at once
_NO_OPTIONS: Final = FileReadOptions()
_BATCH: Final = 20_000
_BOXES = dict.fromkeys(range(0x2500, 0x2580), "-") | dict.fromkeys(map(ord, "│┃┆║"), "|")
_PROTECTED = re.compile(r'(?<![^;,\t\r\n])="([^"\r\n]*)"(?![^;,\t\r\n])')
_TAIL: Final = 4_096  # characters in which notes are looked for

Numbered = tuple[int, Record]


def read_delimited(
    name: str,
    text: str,
    options: FileReadOptions = _NO_OPTIONS,
    progress: Progress = ignore_progress,
    *,
    delimiter: str | None = None,
    trim: bool = False,
    row_noun: str = "Row",
) -> Table:
    """Table from delimited text; a single row of numbers is read as a column."""
    skipped = 0
    if text[:4].lower() == "sep=" and text[5:6] in {"\r", "\n"}:  # a spreadsheet's own note
        delimiter, text, skipped = text[4], text[6:].removeprefix("\n"), 1
    if not text or text.isspace():
        raise IngestError(f"{quote_value(name)} is empty.")
    if "\ufeff" in text:  # as of files that were put together, each with its mark
        text = text.replace("\ufeff", "")
    if '="' in text:  # which keeps a spreadsheet from changing a cell
        text = _PROTECTED.sub(r'"\1"', text)
    if "│" in text:
        text = text.translate(_BOXES)
    if '"' not in text:  # each line is a row: no need to read them first
        check_within_limit(quote_value(name), text.count("\n"), "rows", MAX_ROWS)
    delimiter = guess_delimiter(text) if delimiter is None else delimiter
    head = first_records(text, delimiter)
    above, pad = _first_row(head, delimiter, options.above)
    width = len(head[above]) + len(pad[0]) + len(pad[1]) if above < len(head) else 1
    ragged = options.above is None and _are_ragged_texts(head, above)
    if ragged:
        above, width = 0, max(map(len, first_records(text, delimiter, MAX_ROWS)))
        pad, options = (
            ([], [""] * (width - len(head[0]))),
            replace(options, header=options.header or False),
        )
    body, notes = _without_notes(text, delimiter, width, options.below)
    titles = left_out_rows_remark(head[:above] if options.above is None else [], "above")
    remarks = (*titles, *left_out_rows_remark(notes, "below"))
    table = Table(
        name, pd.DataFrame(), range(0), unit=row_noun, delimiter=delimiter, remarks=remarks
    )
    numbered = islice(_records(table, body, skipped, progress), above, None)
    filled = _filled(table, numbered, pad, ragged=ragged, trim=trim or delimiter in FOR_EYES)
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
        record, table = first[0][1], replace(table, unit="Number")
    header = options.header if options.header is not None or not any(pad) else True
    named, columns = header_and_column_names(name, record, header, rows=len(first))
    plain = None
    if len(body) > _LONG and first[0][0] == above + 1 and not (trim or ragged or any(pad)):
        plain = _plain_columns(body, delimiter, columns, above + named)
    if plain is not None:
        begin = above + named + 1
        return replace(table, frame=plain, rows=range(begin, begin + len(plain)), header=named)
    rows, frame = _framed(name, columns, chain(first[named:], filled))
    return replace(table, frame=frame, rows=rows, header=named)


def read_tab_separated(
    name: str,
    text: str,
    options: FileReadOptions = _NO_OPTIONS,
    progress: Progress = ignore_progress,
) -> Table:
    """Table from text with tabs; another delimiter is looked for where it has none."""
    return read_delimited(name, text, options, progress, delimiter="\t" if "\t" in text else None)


def _plain_columns(
    body: str, delimiter: str | None, columns: Sequence[str], skipped: int
) -> "Frame | None":
    """Columns of long text, read at once; None unless its rows are all alike, as below."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only long files need it
    from pyarrow import compute  # noqa: PLC0415
    from pyarrow import csv as arrow  # noqa: PLC0415

    if delimiter not in _SINGLE or len(columns) == 1 or '"' in body:
        return None
    names = [str(number) for number in range(len(columns))]
    read = arrow.ReadOptions(
        use_threads=False, block_size=_BLOCK, skip_rows=skipped, column_names=names
    )
    parse = arrow.ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=False)
    texts = dict.fromkeys(names, pa.large_string())
    convert = arrow.ConvertOptions(column_types=texts, strings_can_be_null=False)
    try:
        table = arrow.read_csv(pa.BufferReader(body.encode()), read, parse, convert)
    except pa.ArrowInvalid:  # a blank row, or one of another width
        return None
    lengths = [compute.binary_length(column) for column in table.columns]
    fullest = compute.max_element_wise(*lengths)
    if compute.min(fullest).as_py() == 0 or compute.max(fullest).as_py() > csv.field_size_limit():
        return None
    if len(table) > min(MAX_ROWS, MAX_CELLS // len(columns)):
        return None
    series = [pd.Series(c.to_pandas(use_threads=False), dtype="str") for c in table.columns]
    return pd.DataFrame(dict(zip(columns, series, strict=True)), copy=False)


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
        if short and (width > 2 or delimiter in {BLANKS, GAP}) and has_header(header):
            ends = delimiter == GAP and width == 2  # a printed series, whose index has a name
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


def _without_notes(
    text: str, delimiter: str | None, width: int, below: int | None
) -> tuple[str, list[Record]]:
    """Text of the table alone, and the notes below it."""
    if below == 0 or delimiter is None:
        return text, []
    lines = LINE.findall(text[-_TAIL:])[len(text) > _TAIL :][-MOST_NOTES:]
    last = [next(iter(first_records(line, delimiter, 1)), []) for line in lines]
    below = note_row_count(last, width)
    notes = [record for record in last[len(last) - below :] if any(map(str.strip, record))]
    end = len(text) - sum(map(len, lines[len(lines) - below :]))
    if not notes or text.count('"', 0, end) % 2:  # which is inside a cell
        return text, []
    return text[:end], notes


def _framed(name: str, columns: list[str], numbered: Iterator[Numbered]) -> tuple[Ints, Frame]:
    rows: list[Ints] = []
    parts: list[Frame] = []
    total = 0
    # in batches, so that reading takes a few times the memory of the text
    while batch := list(islice(numbered, _BATCH)):
        total += len(batch) * len(columns)
        check_within_limit(quote_value(name), total, "cells", MAX_CELLS)
        numbers, records = zip(*batch, strict=True)
        rows.append(np.array(numbers, np.int64))
        parts.append(pd.DataFrame(records, columns=columns, dtype="str"))
    return np.concatenate(rows), pd.concat(parts, ignore_index=True)


def _filled(
    table: Table,
    numbered: Iterator[Numbered],
    pad: tuple[Record, Record],
    *,
    ragged: bool,
    trim: bool,
) -> Iterator[Numbered]:
    """Records with their row numbers; a blank one in a single column is a missing score."""
    width = 0
    blanks: list[Numbered] = []  # of a single column: they count once a filled row follows
    for row, raw in numbered:
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
                f"{table.unit} {row} of {quote_value(table.source)} has {_cells(len(record))},"
                f" where the first has {_cells(width)}."
            )
        yield from blanks
        blanks.clear()
        yield row, record


def _records(table: Table, text: str, skipped: int, progress: Progress) -> Iterator[Numbered]:
    reader, lines = record_reader(text, table.delimiter, strict=True), text.count("\n") + 1
    name, row = quote_value(table.source), skipped
    try:
        for row, record in enumerate(reader, start=1 + skipped):
            if row % _BATCH == 0:
                progress(min(reader.line_num / lines, 1.0))
                check_within_limit(name, row, "rows", MAX_ROWS)
            yield row, record
    except csv.Error as problem:
        where = f"{table.unit} {row + 1} of {name}"
        raise IngestError(f"{where} {_quoting(problem)}") from problem
    check_within_limit(name, row, "rows", MAX_ROWS)


def _quoting(problem: csv.Error) -> str:
    if "unexpected end" in str(problem):
        return "opens a quotation mark that is never closed, as when a file is cut short."
    if "field larger" in str(problem):
        return f"has a cell of more than {csv.field_size_limit():,} characters."
    return "has a quotation mark in the wrong place."


def _cells(count: int) -> str:
    return f"{count:,} cell" if count == 1 else f"{count:,} cells"
