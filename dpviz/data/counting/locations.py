"""Files of a log: by name, by pattern, in folders, at an fsspec address, or on standard input."""

import glob
import io
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import unquote

from dpviz.base import ParameterError
from dpviz.data.counting.lake_tables import is_lake_table, lake_kind
from dpviz.data.reading import EXTENSIONS, IngestError, quote_value

_PACKED = {".gz": "gzip", ".zst": "zstd"}
_ENDINGS = EXTENSIONS | {".jsonl": "jsonl", ".ndjson": "jsonl"}
_KINDS = ("csv", "tsv", "jsonl", "parquet")
_MAGIC = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
_PATTERN = re.compile(r"[*?\[]")
_PARTITION = re.compile(r"([^/=]+)=[^/]*")
_SPOOLED = "standard input"
_WITHIN = "CSV, TSV, JSON lines or Parquet files (also .gz or .zst)"


@dataclass(frozen=True, kw_only=True)
class LogFiles:
    paths: tuple[str, ...]
    system: Any = None
    lake: str | None = None
    partitioned: bool = False
    shown: Mapping[str, str] = field(default_factory=dict)
    """Names in place of paths of temporary files."""

    def file_kind(self, stated_kind: str | None) -> str:
        """Kind of the files, which must all have the same."""
        if stated_kind is not None:
            return stated_kind
        kinds = {path: _kind_of(path) for path in self.paths}
        for path, kind in kinds.items():
            if kind is None:
                raise IngestError(
                    f"{quote_value(path)} is no CSV, TSV, JSON lines or Parquet file by its"
                    " ending; save it as one, or say which kind it is."
                )
            if kind != kinds[self.paths[0]]:
                raise IngestError(
                    f"{quote_value(self.paths[0])} and {quote_value(path)} are not of one kind;"
                    " count them apart."
                )
        return str(kinds[self.paths[0]])

    def file_size(self, path: str) -> int:
        return max(
            Path(path).stat().st_size if self.system is None else int(self.system.size(path) or 0),
            1,
        )

    def open(self, path: str) -> IO[bytes]:
        return open(path, "rb") if self.system is None else self.system.open(path, "rb")

    @contextmanager
    def open_stored_and_unpacked(self, path: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The file as stored, and its content; raises where that is damaged."""
        try:
            with self.open(path) as packed, decompress_file(path, packed) as file:
                yield packed, file
        except OSError as err:
            if err.errno is not None:  # of the system, as where there is no room for a copy
                raise
            raise IngestError(
                f"{quote_value(path)} cannot be unpacked: it is damaged or cut short."
            ) from err

    def with_shown_names(self, sentence: str) -> str:
        """The sentence with the names that are shown in place of paths."""
        for path, name in self.shown.items():
            quoted = name if name == _SPOOLED else quote_value(name)
            sentence = sentence.replace(quote_value(path), quoted).replace(path, name)
        return sentence

    @property
    def folder_columns(self) -> tuple[str, ...]:
        return partition_columns(self.paths[0]) if self.partitioned else ()


def compression_kind(path: str) -> str | None:
    return _PACKED.get(PurePosixPath(path.lower()).suffix)


def decompress_file(path: str, file: IO[bytes]) -> IO[bytes]:
    how = compression_kind(path)
    if how is None:
        return file
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    return io.BufferedReader(pa.CompressedInputStream(file, how))


def partition_columns(path: str) -> tuple[str, ...]:
    """Columns given by the folders of a path, such as day=2024-01-01."""
    parts = map(_PARTITION.fullmatch, PurePosixPath(path).parts[:-1])
    return tuple(unquote(part[1]) for part in parts if part is not None)


def find_log_files(patterns: Iterable[str], kind: str | None, spool_folder: Path) -> LogFiles:
    """Files that match; standard input becomes a file in the folder."""
    patterns = list(dict.fromkeys(patterns))
    if not patterns:
        raise ParameterError("the files", "none", "at least one")
    parts = [_spooled(spool_folder, kind) if each == "-" else _found(each) for each in patterns]
    first = parts[0]
    for other in parts[1:]:
        if first.lake or other.lake or type(first.system) is not type(other.system):
            raise IngestError(
                first.with_shown_names(quote_value(first.paths[0]))
                + f" and {other.with_shown_names(quote_value(other.paths[0]))} cannot be one"
                " log, since they lie in different places or one is a table; count them apart."
            )
    paths = dict.fromkeys(path for part in parts for path in part.paths)
    return LogFiles(
        paths=tuple(paths),
        system=first.system,
        lake=first.lake,
        partitioned=any(part.partitioned for part in parts),
        shown={path: name for part in parts for path, name in part.shown.items()},
    )


def _spooled(folder: Path, kind: str | None) -> LogFiles:
    """Standard input as a file, since counting may read it twice."""
    if kind is None:
        raise ParameterError(
            "--kind", None, f"given for standard input, one of {', '.join(_KINDS)}", "missing"
        )
    path = folder / f"{_SPOOLED}.{kind}"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    with path.open("rb") as file:
        start = file.read(4)
    ending = next((ending for magic, ending in _MAGIC.items() if start.startswith(magic)), "")
    spooled = str(path.rename(f"{path}{ending}"))
    return LogFiles(paths=(spooled,), shown={spooled: _SPOOLED})


def _found(pattern: str) -> LogFiles:
    if "://" in pattern:
        return _at_address(pattern)
    path = Path(pattern)
    if path.is_file():  # whose own name may have a * or a [ in it
        return LogFiles(paths=(_outside_lakes(pattern),))
    if path.is_dir():
        return _in_folder(pattern)
    if path.exists():  # a pipe or a device
        raise IngestError(
            f"{quote_value(pattern)} is neither a file nor a folder: give it to standard input (-"
            " and --kind)."
        )
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise IngestError(_not_there(pattern))
    files = [_outside_lakes(match) for match in matches if Path(match).is_file()]
    if not files and len(matches) == 1:
        return _in_folder(matches[0])
    if not files:
        named = ", ".join(map(quote_value, matches[:3]))
        raise IngestError(
            f"{quote_value(pattern)} matches folders alone ({named}): name one, or their files"
            f" ({pattern}/*)."
        )
    return LogFiles(paths=tuple(files), partitioned=any(map(partition_columns, files)))


def _in_folder(folder: str) -> LogFiles:
    lake = lake_kind(sorted(each.name for each in Path(folder).iterdir()))
    if lake:
        return LogFiles(paths=(folder,), lake=lake)
    inside = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    paths = _of_log(folder, [path.relative_to(folder).as_posix() for path in inside])
    files = tuple(str(Path(folder) / _outside_lakes(path, folder)) for path in paths)
    return LogFiles(paths=files, partitioned=any(map(partition_columns, paths)))


def _of_log(folder: str, names: list[str]) -> list[str]:
    """Files in a folder that are part of the log."""
    # hidden files are those of the engines that write folders
    shown = [
        name for name in names if not any(part[0] in "._" for part in PurePosixPath(name).parts)
    ]
    wanted = [name for name in shown if _kind_of(name) is not None]
    if not wanted:
        kinds = sorted({PurePosixPath(name).suffix or "no ending" for name in shown})
        inside = f"holds {', '.join(kinds[:5])}" if kinds else "is empty"
        raise IngestError(
            f"{quote_value(folder)} is a folder that {inside}: name its files and their --kind, or"
            f" a folder with {_WITHIN}, or a Delta or Iceberg table."
        )
    return wanted


def _not_there(pattern: str) -> str:
    if _PATTERN.search(pattern):
        return f"No file matches {quote_value(pattern)}."
    above = Path(pattern).parent
    return (
        f"There is no folder {quote_value(str(above))}, so no file {quote_value(pattern)} in it."
        if not above.exists()
        else f"There is no file or folder {quote_value(pattern)}."
    )


def _outside_lakes(path: str, folder: str = "") -> str:
    """The path; raises for a file of a Delta or Iceberg table, whose rows may be deleted by now."""
    for above in (Path(folder) / path).parents:
        if is_lake_table(above):
            raise IngestError(
                f"{quote_value(path)} is part of a Delta or Iceberg table, of which not every file"
                f" counts: name its folder {quote_value(str(above))}."
            )
    return path


def _at_address(address: str) -> LogFiles:
    scheme = address.partition("://")[0]
    try:
        # DuckDB's own extensions would load foreign code
        import fsspec  # noqa: PLC0415 - an extra
    except ImportError as err:
        raise IngestError(
            f"Reading {scheme}:// needs fsspec: pip install 'dpviz[remote]'."
        ) from err
    try:
        system, path = fsspec.core.url_to_fs(address)
        full = system.unstrip_protocol
        if _PATTERN.search(path):
            names = [name for name in sorted(system.glob(path)) if system.isfile(name)]
            if not names:
                raise IngestError(f"No file matches {quote_value(address)}.")
            return LogFiles(
                paths=tuple(map(full, names)),
                system=system,
                partitioned=any(map(partition_columns, names)),
            )
        if system.isfile(path):
            return LogFiles(paths=(full(path),), system=system)
        if not system.isdir(path):
            raise IngestError(f"There is no file or folder at {quote_value(address)}.")
        lake = lake_kind([PurePosixPath(name).name for name in system.ls(path, detail=False)])
        if lake:
            return LogFiles(paths=(address,), system=system, lake=lake)
        start = path.rstrip("/") + "/"
        paths = _of_log(address, [name.removeprefix(start) for name in sorted(system.find(path))])
    except IngestError:
        raise
    except ImportError as err:  # fsspec's own sentence says which package to install
        raise IngestError(f"Reading {scheme}:// needs a package more: {err}.") from err
    except Exception as err:  # every store raises its own kind, and may tell the keys it was given
        raise IngestError(f"{scheme}:// could not be read ({type(err).__name__}).") from err
    return LogFiles(
        paths=tuple(full(start + name) for name in paths),
        system=system,
        partitioned=any(map(partition_columns, paths)),
    )


def _kind_of(path: str) -> str | None:
    name = path.lower()
    name = name.removesuffix(PurePosixPath(name).suffix) if compression_kind(path) else name
    kind = _ENDINGS.get(PurePosixPath(name).suffix)
    return kind if kind in _KINDS else None
