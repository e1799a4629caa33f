"""Long delimited text without special cases, read by columns in less memory and time.

The result is that of `read_delimited`. If that is not certain, nothing is read here.
"""

import codecs
import csv
from collections.abc import Sequence
from typing import Any, Final

from dpviz.base import pd
from dpviz.data.reading.delimited_text import DelimitedLines, guess_delimiter
from dpviz.data.reading.input_rules import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, FileReadOptions
from dpviz.data.reading.surroundings import is_note, title_row_count, titles_remark
from dpviz.data.reading.table import Table, column_names, has_header

_HEAD: Final = 65_536
_ROWS: Final = 200
_DELIMITERS: Final = ("\t", ";", ",")
_BLOCK: Final = 1_000_000  # bytes parsed at once; longer rows are left to `read_delimited`
_LEFT: Final = (b'"', b"\0")


def read_plain_text(
    name: str, content: bytes, how: FileReadOptions, delimiter: str | None = None
) -> Table | None:
    """Table in a long text; None if `read_delimited` has to read it."""
    if (
        how.encoding not in {None, "utf-8"}
        or any(sign in content for sign in _LEFT)
        or content.isspace()
    ):
        return None
    start = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
    try:
        head = content[start : max(content.rfind(b"\n", 0, _HEAD) + 1, 1)].decode("utf-8")
    except UnicodeDecodeError:
        return None
    delimiter = delimiter or guess_delimiter(head)
    records = DelimitedLines(head, delimiter).first_records(_ROWS)
    above = title_row_count(records) if how.above is None else how.above
    first = records[above : above + 2]
    wide = len(first) == 2 and 1 < len(first[0]) == len(first[1]) <= MAX_COLUMNS
    if not wide or delimiter not in _DELIMITERS or head[:4].lower() == "sep=":
        return None
    tail = content[content.rfind(b"\n", 0, -1) + 1 :].decode("utf-8", "replace")
    if is_note(DelimitedLines(tail, delimiter).parse(tail)):
        return None
    named = has_header(first[0]) if how.header is None else how.header
    columns = column_names(first[0] if named else [None] * len(first[0]), name)
    cells = _columns(content[start:] if start else content, delimiter, len(columns), above + named)
    if cells is None or not 0 < len(cells[0]) <= min(MAX_ROWS, MAX_CELLS // len(columns)):
        return None
    begin = 1 + above + named
    series = {
        column: pd.Series(written.to_pandas(use_threads=False), dtype="str")
        for column, written in zip(columns, cells, strict=True)
    }
    frame = pd.DataFrame(series, copy=False)
    told = titles_remark(records[:above] if how.above is None else [])
    return Table(
        name,
        frame,
        range(begin, begin + len(frame)),
        header=named,
        delimiter=delimiter,
        remarks=told,
    )


def _columns(content: bytes, delimiter: str, width: int, skipped: int) -> Sequence[Any] | None:
    """Columns as written; None if rows are of another width, blank, or too long."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only long files need it
    from pyarrow import compute  # noqa: PLC0415
    from pyarrow import csv as arrow  # noqa: PLC0415

    names = [str(number) for number in range(width)]
    try:
        table = arrow.read_csv(
            pa.BufferReader(content),
            arrow.ReadOptions(
                use_threads=False, block_size=_BLOCK, skip_rows=skipped, column_names=names
            ),
            arrow.ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=False),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    lengths = [compute.binary_length(column) for column in table.columns]
    longest = max(compute.max(each).as_py() or 0 for each in lengths)
    written = lengths[0]
    for each in lengths[1:]:
        written = compute.max_element_wise(written, each)
    blank = compute.min(written).as_py() == 0
    return None if blank or longest > csv.field_size_limit() else table.columns
