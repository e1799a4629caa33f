"""Files to a Table, and the menu of file kinds; sizes are checked first.

The content tells the kind of a file, and the ending only where the content does not.
"""

import gzip
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePath
from typing import Final

from dpviz.base import ParameterError, Progress, Registry, ignore_progress
from dpviz.data.reading.delimited_text import read_delimited
from dpviz.data.reading.encoding import (
    check_encoding,
    decode_text,
    encoding_remark,
    guess_encoding,
    is_text,
)
from dpviz.data.reading.input_rules import (
    MAX_BYTES,
    MAX_MEMORY,
    MAX_TEXT_MEMORY,
    MAX_UNPACKED,
    FileReadOptions,
    IngestError,
    Remark,
    check_file_size,
    check_within_limit,
    quote_value,
)
from dpviz.data.reading.json_text import are_json_lines, read_json, read_json_lines
from dpviz.data.reading.kept_items import known_items
from dpviz.data.reading.limited_reading import read_safely, reading_purpose, run_in_process
from dpviz.data.reading.parquet import read_parquet
from dpviz.data.reading.plain_text import read_plain_text
from dpviz.data.reading.table import Table
from dpviz.data.reading.workbook import OLE, check_workbook, read_workbook

_GZIP: Final = b"\x1f\x8b"
_LONG: Final = 1_000_000  # bytes of a text that is read by columns
_TEXTS: Final = ("csv", "tsv")
_READ_HERE: Final = (*_TEXTS, "json", "jsonl")
_JSON: Final = re.compile(rb"\{\s*[\"}]|\[\s*[\[{]")
_BINARY: Final = {b"PK\x03\x04": "excel", OLE: "excel", b"PAR1": "parquet"}


@dataclass(frozen=True)
class FileKind:
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

    A stranger's file is read by `read_upload`, in a limited process.

    Parameters
    ----------
    name
        The file's name, whose ending tells its kind where its content does not, and what errors
        call it.
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
    how = FileReadOptions(encoding, header, sheet, columns, progress=progress)
    return read_content(name, content, how, kind=kind)


def read_upload(name: str, content: bytes, how: FileReadOptions | None = None) -> Table:
    """Table in a stranger's file, read in a limited process."""
    _check_input(name, content)
    return run_in_process(
        name,
        reading_purpose(_memory(name, content)),
        read_content,
        name,
        content,
        replace(how or FileReadOptions(), progress=ignore_progress),
    )


def _memory(name: str, content: bytes) -> int:
    return MAX_TEXT_MEMORY if content.startswith(_GZIP) else KINDS[find_kind(name, content)].memory


def read_items(name: str, content: str | bytes) -> tuple[str, ...] | None:
    """Items of a stranger's list, one a line, read as safely; None if it is empty."""
    check_file_size(name, len(content))
    return read_safely(name, _items, name, content)


def _items(name: str, content: str | bytes) -> tuple[str, ...] | None:
    text = content if isinstance(content, str) else decode_text(name, content)
    return known_items(text.splitlines()) if text.strip() else None


def read_content(
    name: str, content: bytes, how: FileReadOptions, *, kind: str | None = None
) -> Table:
    """Table in a file that is no stranger's; all but texts are read in a limited process still."""
    _check_input(name, content)
    if content.startswith(_GZIP):
        name, content = name.removesuffix(".gz"), _unpacked(name, content)
        _check_input(name, content, MAX_UNPACKED)
    if how.encoding is not None:
        check_encoding(how.encoding)
    kind = find_kind(name, content) if kind is None else kind
    KINDS[kind].glance(name, content)
    how.progress(0.0)
    if kind not in _READ_HERE:  # their readers end the whole process when memory fails
        quiet = replace(how, progress=ignore_progress)  # a limited process reports no progress
        table = run_in_process(
            name, reading_purpose(KINDS[kind].memory), KINDS[kind].read, name, content, quiet
        )
    else:
        table = KINDS[kind].read(name, content, how)
    how.progress(1.0)
    return table


def read_limited_file(path: Path, name: str) -> bytes:
    """Content of a file, at most one byte over the limit, as a device may never end."""
    check_file_size(name, path.stat().st_size)
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _check_input(name: str, content: bytes, most: int = MAX_BYTES) -> None:
    if not isinstance(name, str):
        raise ParameterError("name", name, "a text")
    if not isinstance(content, bytes):
        raise ParameterError("content", type(content).__name__, "bytes")
    if most == MAX_BYTES:
        check_file_size(name, len(content))
    if not content:
        raise IngestError(f"{quote_value(name)} is empty.")


def _unpacked(name: str, content: bytes) -> bytes:
    try:
        with gzip.open(BytesIO(content)) as file:
            unpacked = file.read(MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as err:
        raise IngestError(
            f"{quote_value(name)} cannot be unpacked: it is damaged or cut short."
        ) from err
    check_within_limit(f"{quote_value(name)} unpacked", len(unpacked), "bytes", MAX_UNPACKED)
    return unpacked


def find_kind(name: str, content: bytes) -> str:
    """Kind of a file by its content, else by its ending; any other text is taken for CSV.

    >>> find_kind("a.data", b"1;2"), find_kind("a.csv", b'{"a": 1}'), find_kind("a.txt", b"PAR1")
    ('csv', 'json', 'parquet')
    """
    binary = next((kind for mark, kind in _BINARY.items() if content.startswith(mark)), None)
    if binary is not None:
        return binary
    by_ending = EXTENSIONS.get(PurePath(name).suffix.lower(), "csv")
    if by_ending in {"excel", "parquet"} and not is_text(content):
        return by_ending  # whose reader says that it is damaged
    head = content[:_LONG].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _JSON.match(head):
        lines = are_json_lines(head.decode("utf-8", "replace"))
        return "jsonl" if lines or (by_ending == "jsonl" and head[:1] == b"{") else "json"
    return "csv" if by_ending not in _TEXTS and b"\n" in head and head[:1] != b"[" else by_ending


def is_plain_text(name: str, content: bytes) -> bool:
    """True for a text that is neither packed nor JSON."""
    return not content.startswith(_GZIP) and find_kind(name, content) in _TEXTS


def _csv(name: str, content: bytes, how: FileReadOptions, delimiter: str | None = None) -> Table:
    plain = read_plain_text(name, content, how, delimiter) if len(content) > _LONG else None
    if plain is not None:
        return plain
    text, remarks = _text(name, content, how)
    delimiter = delimiter if delimiter is not None and delimiter in text else None
    table = read_delimited(name, text, how, delimiter=delimiter)
    return replace(table, remarks=(*remarks, *table.remarks))


def _tsv(name: str, content: bytes, how: FileReadOptions) -> Table:
    return _csv(name, content, how, "\t")


def _json(name: str, content: bytes, how: FileReadOptions) -> Table:
    text, remarks = _text(name, content, how)
    table = read_json(name, text, how)
    return replace(table, remarks=(*remarks, *table.remarks))


def _json_lines(name: str, content: bytes, how: FileReadOptions) -> Table:
    text, remarks = _text(name, content, how)
    return replace(read_json_lines(name, text, how), remarks=remarks)


def _text(name: str, content: bytes, how: FileReadOptions) -> tuple[str, tuple[Remark, ...]]:
    """Text of a file, and the guess about its letters."""
    encoding = guess_encoding(content) if how.encoding is None else how.encoding
    text = decode_text(name, content, encoding or "utf-8")  # it was looked through already
    told = None if encoding in {None, how.encoding} else encoding_remark(content, encoding)
    return text, () if told is None else (told,)


for _name, _label, _says, _kind in (
    (
        "csv",
        "CSV",
        "Values between commas or semicolons, or another text with a table.",
        FileKind((".csv", ".txt"), _csv, MAX_TEXT_MEMORY),
    ),
    ("tsv", "TSV", "Values between tabs.", FileKind((".tsv", ".tab"), _tsv, MAX_TEXT_MEMORY)),
    (
        "excel",
        "Excel",
        "The sheet of a workbook.",
        FileKind((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), read_workbook, glance=check_workbook),
    ),
    (
        "parquet",
        "Parquet",
        "A table with its types, small and quick.",
        FileKind((".parquet", ".pq"), read_parquet),
    ),
    ("json", "JSON", "A list of records, or names with their scores.", FileKind((".json",), _json)),
    ("jsonl", "JSON lines", "A record a line.", FileKind((".jsonl", ".ndjson"), _json_lines)),
):
    KINDS.add(_name, _kind, label=_label, says=_says)

EXTENSIONS: Final = {
    extension: kind for kind, entry in KINDS.items() for extension in entry.extensions
}
"""Usual endings; a file of another one is looked at too."""
