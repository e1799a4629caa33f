"""Files to a Table: the one door, and the menu of kinds.

The kind comes from the name's ending unless given; the content is then held to it. Checks of size
come first, and whatever the bytes, what comes out is a Table or a `ParameterError`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Final

from dpviz.base import ParameterError, Progress, Registry, ignore_progress
from dpviz.data.reading.delimited_text import read_delimited
from dpviz.data.reading.input_rules import (
    MAX_MEMORY,
    MAX_TEXT_MEMORY,
    FileReadOptions,
    IngestError,
    check_file_size,
    decode_text,
    quote_value,
)
from dpviz.data.reading.json_text import read_json
from dpviz.data.reading.kept_items import known_items
from dpviz.data.reading.limited_reading import SHORT, read_safely, reading_purpose, run_in_process
from dpviz.data.reading.parquet import read_parquet
from dpviz.data.reading.plain_text import read_plain_text
from dpviz.data.reading.table import Table
from dpviz.data.reading.workbook import check_zip, read_workbook


@dataclass(frozen=True)
class FileKind:
    """A format."""

    extensions: tuple[str, ...]
    read: Callable[[str, bytes, FileReadOptions], Table]
    memory: int = MAX_MEMORY
    glance: Callable[[str, bytes], None] = lambda name, content: None


KINDS: Registry[FileKind] = Registry("kind")


def read_table(
    name: str,
    content: bytes,
    *,
    kind: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    columns: Sequence[str] | None = None,
    progress: Progress = ignore_progress,
) -> Table:
    """The table in a file that is there as bytes.

    A file from a stranger is read by `read_upload`, behind a wall of memory and time.

    Parameters
    ----------
    name
        The file's name, whose ending tells its kind, and what errors call it.
    content
        Its bytes.
    kind
        A name in `KINDS`; None to go by the ending.
    encoding
        That of text without a byte order mark, one of `ENCODINGS`; None for UTF-8.
    header
        Whether the first row names the columns (CSV, TSV, Excel); None to find out.
    sheet
        An Excel sheet's name; None for the first visible one.
    columns
        Those that are needed of a Parquet file; None for as many as the limits allow.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Table
        Cells as they were read, each row with its number in the source.

    Raises
    ------
    ParameterError
        For an option that is not known.
    IngestError
        For a file that is no such table, in one sentence.

    Examples
    --------
    >>> table = read_table("votes.csv", b"item,votes\\nash,3\\noak,5\\n")
    >>> table.score_column, table.label_column
    ('votes', 'item')
    """
    return _read(
        name,
        content,
        kind,
        FileReadOptions(encoding, header, sheet, columns, progress=progress),
        behind=("excel",),
    )


def read_upload(name: str, content: bytes, how: FileReadOptions | None = None) -> Table:
    """The table in a file that a stranger sent, read behind a wall of memory and time unless it is
    a short text.

    `how` says what is not to be found out. Raises `IngestError`, one sentence.
    """
    large = () if len(content) <= SHORT else tuple(KINDS)
    return _read(name, content, None, how or FileReadOptions(), behind=("excel", "parquet", *large))


def read_items(name: str, content: str | bytes) -> tuple[str, ...] | None:
    """The items that a stranger lists, one a line, read as safely; None where there are none.
    Raises `IngestError`.
    """
    check_file_size(name, len(content))
    return read_safely(name, partial(_items, name), content)


def _items(name: str, content: str | bytes) -> tuple[str, ...] | None:
    text = content if isinstance(content, str) else decode_text(name, content)
    return known_items(text.splitlines()) if text.strip() else None


def _read(
    name: str, content: bytes, kind: str | None, how: FileReadOptions, *, behind: tuple[str, ...]
) -> Table:
    if not isinstance(name, str):
        raise ParameterError("name", name, "a text")
    if not isinstance(content, bytes):
        raise ParameterError("content", type(content).__name__, "bytes")
    kind = kind_by_ending(name) if kind is None else kind
    read, within = KINDS[kind].read, reading_purpose(KINDS[kind].memory)
    check_file_size(name, len(content))
    if not content:
        raise IngestError(f"{quote_value(name)} is empty.")
    KINDS[kind].glance(name, content)
    how.progress(0.0)
    quiet = replace(how, progress=ignore_progress)  # what is behind the wall is not heard
    table = (
        run_in_process(name, within, read, name, content, quiet)
        if kind in behind
        else read(name, content, how)
    )
    how.progress(1.0)
    return table


def kind_by_ending(name: str) -> str:
    """The kind of a file by its name's ending."""
    ending = PurePath(name).suffix.lower()
    if ending not in EXTENSIONS:
        allowed = ", ".join(EXTENSIONS)
        raise IngestError(
            f"The name {quote_value(name)} does not end in one of {allowed}; say what kind of file"
            " it is."
        )
    return EXTENSIONS[ending]


def _text(name: str, content: bytes, how: FileReadOptions) -> str:
    for start, what in (
        (b"PK\x03\x04", "a zip or Excel file"),
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "a gzip file"),
    ):
        if content.startswith(start):
            raise IngestError(f"{quote_value(name)} is {what}, not text; give it its right ending.")
    return decode_text(name, content, how.encoding)


def _csv(name: str, content: bytes, how: FileReadOptions) -> Table:
    if len(content) > SHORT and (table := read_plain_text(name, content, how)) is not None:
        return table
    return read_delimited(
        name, _text(name, content, how), header=how.header, above=how.above, progress=how.progress
    )


def _tsv(name: str, content: bytes, how: FileReadOptions) -> Table:
    if len(content) > SHORT and (table := read_plain_text(name, content, how, "\t")) is not None:
        return table
    text = _text(name, content, how)
    delimiter = "\t" if "\t" in text else None
    return read_delimited(
        name, text, delimiter=delimiter, header=how.header, above=how.above, progress=how.progress
    )


def _json(name: str, content: bytes, how: FileReadOptions) -> Table:
    return read_json(name, _text(name, content, how), progress=how.progress)


for _name, _label, _says, _kind in (
    (
        "csv",
        "CSV",
        "Values between commas or semicolons.",
        FileKind((".csv", ".txt"), _csv, MAX_TEXT_MEMORY),
    ),
    ("tsv", "TSV", "Values between tabs.", FileKind((".tsv", ".tab"), _tsv, MAX_TEXT_MEMORY)),
    (
        "excel",
        "Excel",
        "The sheet of a workbook.",
        FileKind((".xlsx", ".xlsm"), read_workbook, glance=check_zip),
    ),
    (
        "parquet",
        "Parquet",
        "A table with its types, small and quick.",
        FileKind((".parquet", ".pq"), read_parquet),
    ),
    ("json", "JSON", "A list of records, or names with their scores.", FileKind((".json",), _json)),
):
    KINDS.add(_name, _kind, label=_label, says=_says)

EXTENSIONS: Final = {
    extension: kind for kind, entry in KINDS.items() for extension in entry.extensions
}
