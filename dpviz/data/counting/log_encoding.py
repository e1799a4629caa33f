"""Logs in encodings that DuckDB cannot read: their files are written anew in UTF-8."""

import codecs
import shutil
from dataclasses import replace
from pathlib import Path

from dpviz.data.counting.locations import LogFiles, compression_kind, decompress_file
from dpviz.data.reading import IngestError, quote_value
from dpviz.data.reading.encoding import check_encoding, encoding_remark, guess_encoding

_PIECE = 1 << 20  # characters


def files_in_utf8(
    files: LogFiles, start: bytes, encoding: str | None, folder: Path
) -> tuple[LogFiles, str | None]:
    """These text files or UTF-8 copies of them in the folder, and a remark on a guess."""
    if encoding is not None:
        check_encoding(encoding)
    # the beginning may end within a letter
    # all files of a log have the encoding of the first
    taken = encoding or guess_encoding(start[: start.rfind(b"\n") + 1] or start)
    if taken is None or codecs.lookup(taken).name.startswith(("utf-8", "utf-16")):
        return files, None
    remark = None if encoding else encoding_remark(start, taken)
    shown = {
        _copy(files, path, taken, folder / str(number)): files.shown.get(path, path)
        for number, path in enumerate(files.paths)
    }
    copies = replace(files, paths=tuple(shown), system=None, shown=shown)
    return copies, None if remark is None else remark.says


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
