"""Logs in encodings that DuckDB cannot read: their files are written anew in UTF-8."""

import codecs
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dpviz.data.counting.locations import LogFiles, compression_kind
from dpviz.data.reading import IngestError, quote_value
from dpviz.data.reading.encoding import check_encoding, encoding_remark, find_encoding
from dpviz.data.reading.input_rules import Remark

_PIECE = 1 << 20  # characters


def utf8_files_and_remark(
    files: LogFiles, read_start: Callable[[str], bytes], encoding: str | None, folder: Path
) -> tuple[LogFiles, str | None]:
    """These text files or UTF-8 copies of them in the folder, and a remark on a guess."""
    if encoding is None:
        found, remarks = _guess_encodings(files, read_start)
    else:
        check_encoding(encoding)
        found, remarks = dict.fromkeys(files.paths, encoding), []
    kinds = {codecs.lookup(name).name.removesuffix("-sig")[:6] for name in found.values()}
    if kinds in ({"utf-8"}, {"utf-16"}):  # which DuckDB reads
        return files, None
    shown = {
        _copy(files, path, name, folder / str(number)): files.shown.get(path, path)
        for number, (path, name) in enumerate(found.items())
    }
    copies = replace(files, paths=tuple(shown), system=None, shown=shown)
    return copies, " ".join(remarks) or None


def _guess_encodings(
    files: LogFiles, read_start: Callable[[str], bytes]
) -> tuple[dict[str, str], list[str]]:
    """Encoding of each file, and a sentence on each guess, with its file if others differ."""
    found: dict[str, str] = {}
    first: dict[str, tuple[str, Remark | None]] = {}  # by encoding
    for path in files.paths:
        start = read_start(path)  # megabytes: only one is held at a time
        # it may end within a letter
        name = found[path] = find_encoding(start[: start.rfind(b"\n") + 1] or start)
        if name not in first:
            remark = None if name.startswith("utf") else encoding_remark(start, name)
            first[name] = path, remark
    names = {
        path: f"{quote_value(Path(files.shown.get(path, path)).name)}: " if len(first) > 1 else ""
        for path, _ in first.values()
    }
    return found, [names[path] + remark.says for path, remark in first.values() if remark]


def _copy(files: LogFiles, path: str, encoding: str, folder: Path) -> str:
    """Path of the copy, below folders that give the same columns."""
    name = Path(path).name.removesuffix(Path(path).suffix if compression_kind(path) else "")
    copy = folder.joinpath(*(part for part in Path(path).parts[:-1] if "=" in part), name)
    copy.parent.mkdir(parents=True)
    try:
        with (
            files.open_stored_and_unpacked(path) as (_, file),
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
