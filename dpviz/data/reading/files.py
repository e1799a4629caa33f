"""Files to a Table, and the menu of file kinds; sizes are checked first."""

import gzip
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePath
from typing import Final

from dpviz.base import ParameterError, Progress, check_choice, ignore_progress
from dpviz.data.reading.delimited_text import read_delimited, read_tab_separated
from dpviz.data.reading.encoding import decode_text, encoding_remark, guess_legacy_encoding, is_text
from dpviz.data.reading.input_rules import (
    MAX_BYTES,
    MAX_UNPACKED,
    FileReadOptions,
    IngestError,
    check_file_size,
    check_within_limit,
    quote_value,
    refuse_web_page,
)
from dpviz.data.reading.json_text import are_json_lines, read_json, read_json_lines
from dpviz.data.reading.limited_reading import read_in_limited_process
from dpviz.data.reading.parquet import read_parquet
from dpviz.data.reading.table import Table
from dpviz.data.reading.workbook import OLE, read_workbook

_GZIP: Final = b"\x1f\x8b"
_HEAD: Final = 1_000_000  # bytes that tell a kind
_TEXTS: Final = ("csv", "tsv")
_JSON: Final = re.compile(rb"\{\s*[\"}]|\[\s*[\[{]")
_BINARY: Final = {b"PK\x03\x04": "excel", OLE: "excel", b"PAR1": "parquet"}
_NO_TABLES: Final = {
    b"BZh": "packed by bzip2",
    b"\xfd7zXZ": "packed by xz",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"%PDF": "a PDF file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"SQLite format 3": "a database",
    b"{\\rtf": "a text of a word processor",
    b"<?xml": "an XML file",
}


@dataclass(frozen=True)
class FileKind:
    """A kind of file; `read` takes its decoded text and progress, or the bytes of one of no text."""

    extensions: tuple[str, ...]
    read: Callable[..., Table]
    is_text: bool = True


KINDS: Final = {
    "csv": FileKind((".csv", ".txt"), read_delimited),  # or another text with a table
    "tsv": FileKind((".tsv", ".tab"), read_tab_separated),
    "excel": FileKind((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), read_workbook, is_text=False),
    "parquet": FileKind((".parquet", ".pq"), read_parquet, is_text=False),
    "json": FileKind((".json",), read_json),
    "jsonl": FileKind((".jsonl", ".ndjson"), read_json_lines),
}
EXTENSIONS: Final = {ending: name for name, kind in KINDS.items() for ending in kind.extensions}
"""Usual endings; a file of another one is looked at too."""


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

    A stranger's file is read by `read_upload`, in a limited process.

    Parameters
    ----------
    name
        The file's name, for errors; its ending tells its kind where its content does not.
    content
        Its bytes, which may be packed by gzip.
    kind
        A name in `KINDS`; None to find out.
    encoding
        That of text without a byte order mark, any that Python knows; None to find out.
    header
        Whether the first row names the columns (CSV, TSV, workbooks); None to find out.
    sheet
        A workbook's sheet by its name; None for the first one with numbers.
    columns
        Those that are needed of a Parquet file; None for as many as the limits allow.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Table
        Cells as they were read, each row with its number in the source, and remarks on guesses.

    Raises
    ------
    ParameterError
        For an option that is not known.
    IngestError
        For a file that is no such table, in one sentence.

    Examples
    --------
    >>> read_table("votes.csv", b"item,votes\\nash,3\\noak,5\\n").columns
    ('item', 'votes')
    """
    how = FileReadOptions(kind=kind, encoding=encoding, header=header, sheet=sheet, columns=columns)
    return read_content(name, content, how, progress)


def read_upload(name: str, content: bytes) -> Table:
    """Table in a stranger's file, read in a limited process."""
    check_file_size(name, len(content))
    return read_in_limited_process(name, read_content, name, content, FileReadOptions())


def read_content(
    name: str, content: bytes, options: FileReadOptions, progress: Progress = ignore_progress
) -> Table:
    """Table in a file that is no stranger's; all but texts are read in a limited process still."""
    if not isinstance(name, str):
        raise ParameterError("name", name, "a text")
    if not isinstance(content, bytes):
        raise ParameterError("content", type(content).__name__, "bytes")
    check_file_size(name, len(content))
    name, content = unpack_gzip(name, content)
    if not content:
        raise IngestError(f"{quote_value(name)} is empty.")
    kind = KINDS[check_choice("kind", options.kind or find_file_kind(name, content), KINDS)]
    progress(0.0)
    if kind.is_text:
        guessed = guess_legacy_encoding(content) if options.encoding is None else None
        encoding = guessed or "utf-8" if options.encoding is None else options.encoding
        text = decode_text(name, content, encoding)
        table = kind.read(name, text, options, progress)
        if guessed is not None and (told := encoding_remark(content, guessed)) is not None:
            table = replace(table, remarks=(told, *table.remarks))
    else:  # their readers end the whole process when memory fails
        table = read_in_limited_process(name, kind.read, name, content, options)
    progress(1.0)
    return table


def read_limited_file(path: Path, name: str) -> bytes:
    """Content of a file, at most one byte over the limit, as a device may never end."""
    check_file_size(name, path.stat().st_size)
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def unpack_gzip(name: str, content: bytes) -> tuple[str, bytes]:
    """Name and content of a file without gzip, in which it may be packed."""
    if not content.startswith(_GZIP):
        return name, content
    try:
        with gzip.open(BytesIO(content)) as file:
            unpacked = file.read(MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as err:
        raise IngestError(
            f"{quote_value(name)} cannot be unpacked: it is damaged or cut short."
        ) from err
    check_within_limit(f"{quote_value(name)} unpacked", len(unpacked), "bytes", MAX_UNPACKED)
    return name.removesuffix(".gz"), unpacked


def find_file_kind(name: str, content: bytes) -> str:
    """Kind of a file by its content, else by its ending; any other text is taken for CSV."""
    other = next((what for mark, what in _NO_TABLES.items() if content.startswith(mark)), None)
    if other is not None:
        raise IngestError(
            f"{quote_value(name)} is {other}, which is not read: save its table as CSV or XLSX."
        )
    refuse_web_page(name, content)
    binary = next((kind for mark, kind in _BINARY.items() if content.startswith(mark)), None)
    if binary is not None:
        return binary
    by_ending = EXTENSIONS.get(PurePath(name).suffix.lower(), "csv")
    if by_ending in {"excel", "parquet"} and not is_text(content):
        return by_ending  # whose reader says that it is damaged
    head = content[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _JSON.match(head):
        lines = are_json_lines(head.decode("utf-8", "replace"))
        return "jsonl" if lines or (by_ending == "jsonl" and head[:1] == b"{") else "json"
    return "csv" if by_ending not in _TEXTS and b"\n" in head and head[:1] != b"[" else by_ending
