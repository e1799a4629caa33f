"""Long text with delimiters and nothing else to it, read as columns at once: a fraction of the
memory and the time.

Invariant: what is read so is what `read_delimited` reads; wherever that is not certain (quotation
marks, blank rows, rows of another width, another encoding) nothing is read, and it is left to that.
"""

import codecs
import csv
from collections.abc import Sequence
from typing import Any, Final

from dpviz.base import pd
from dpviz.data.reading.delimited_text import first_records, guess_delimiter
from dpviz.data.reading.input_rules import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, FileReadOptions
from dpviz.data.reading.table import Table, column_names, has_header

_HEAD: Final = 65_536
_BLOCK: Final = (
    1_000_000  # bytes that are taken apart at once; longer rows are left to the other way
)
_LEFT: Final = (b'"', b"\0")


def read_plain_text(
    name: str, content: bytes, how: FileReadOptions, delimiter: str | None = None
) -> Table | None:
    """The table in a long text; None where it takes a closer look."""
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
    first = first_records(head, delimiter, how.above + 2)[how.above :]
    wide = delimiter is not None and len(first) == 2 and 1 < len(first[0]) <= MAX_COLUMNS
    if not wide or delimiter is None or head[:4].lower() == "sep=":
        return None
    named = has_header(first[0]) if how.header is None else how.header
    columns = column_names(first[0] if named else [None] * len(first[0]), name)
    cells = _columns(
        content[start:] if start else content, delimiter, len(columns), how.above + named
    )
    if cells is None or not 0 < len(cells[0]) <= min(MAX_ROWS, MAX_CELLS // len(columns)):
        return None
    begin = 1 + how.above + named
    frame = pd.DataFrame(dict(zip(columns, map(_given, cells), strict=True)), copy=False)
    return Table(name, frame, range(begin, begin + len(frame)), header=named, delimiter=delimiter)


def _columns(content: bytes, delimiter: str, width: int, skipped: int) -> Sequence[Any] | None:
    """The columns as they are written; None where rows are of another width, blank, or too long."""
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


def _given(column: Any) -> Any:
    return pd.Series(column.to_pandas(use_threads=False), dtype="str")
