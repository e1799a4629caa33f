"""Logs in encodings that DuckDB cannot read: their files are written anew in UTF-8."""

import codecs
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dpviz.data.counting.locations import LogFiles, compression_kind, decompress_file
from dpviz.data.reading import IngestError, quote_value
from dpviz.data.reading.encoding import (
    check_encoding,
    encoding_remark,
    guess_legacy_encoding,
    marked_encoding,
)

_PIECE = 1 << 20  # characters


def files_in_utf8(
    files: LogFiles, starts: Mapping[str, bytes], encoding: str | None, folder: Path
) -> tuple[LogFiles, str | None]:
    """These text files or UTF-8 copies of them in the folder, and a remark on a guess.

    `starts` has the beginning of each.
    """
    if encoding is not None:
        check_encoding(encoding)
    found = {path: encoding or _guess(start) for path, start in starts.items()}
    kinds = {codecs.lookup(name).name.removesuffix("-sig")[:6] for name in found.values()}
    if kinds in ({"utf-8"}, {"utf-16"}):  # which DuckDB reads
        return files, None
    remarks = [] if encoding else _remarks(files, starts, found)
    shown = {
        _copy(files, path, name, folder / str(number)): files.shown.get(path, path)
        for number, (path, name) in enumerate(found.items())
    }
    copies = replace(files, paths=tuple(shown), system=None, shown=shown)
    return copies, " ".join(remarks) or None


def _guess(start: bytes) -> str:
    """Encoding of a text by its beginning, which may end within a letter."""
    whole = start[: start.rfind(b"\n") + 1] or start
    return guess_legacy_encoding(whole) or marked_encoding(whole) or "utf-8"


def _remarks(files: LogFiles, starts: Mapping[str, bytes], found: Mapping[str, str]) -> list[str]:
    """Sentence on each guessed encoding, with the first file that has it, if others have not."""
    first: dict[str, str] = {}
    for path, name in found.items():
        first.setdefault(name, path)
    several, remarks = len(first) > 1, []
    for name, path in first.items():
        remark = None if name.startswith("utf") else encoding_remark(starts[path], name)
        if remark is not None:
            of = f"{quote_value(Path(files.shown.get(path, path)).name)}: " if several else ""
            remarks.append(f"{of}{remark.says}")
    return remarks


def _copy(files: LogFiles, path: str, encoding: str, folder: Path) -> str:
    """Path of the copy, below folders that give the same columns."""
    name = Path(path).name.removesuffix(Path(path).suffix if compression_kind(path) else "")
    copy = folder.joinpath(*(part for part in Path(path).parts[:-1] if "=" in part), name)
    copy.parent.mkdir(parents=True)
    try:
        with (
            files.open(path) as packed,
            decompress_file(path, packed) as file,
            codecs.getreader(encoding)(file) as text,
            copy.open("w", encoding="utf-8", newline="") as out,
        ):
            shutil.copyfileobj(text, out, _PIECE)
    except UnicodeError as err:
        raise IngestError(
            f"{quote_value(path)} is not {encoding.upper()} text: save it as UTF-8, or say which"
            " encoding it has (--encoding)."
        ) from err
    return str(copy)
