"""Counting files: an embedded DuckDB reads CSV, TSV, JSON lines and Parquet, and counts."""

import codecs
import glob
import tempfile
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from dpviz.base import (
    ParameterError,
    Progress,
    check_choice,
    ignore_progress,
    iterate_with_progress,
    portion,
)
from dpviz.base.former_names import former_arguments
from dpviz.data.counting.counts import MISSING, Counts, check_columns, check_distinct_columns
from dpviz.data.counting.distinct_people import LogRows, count_distinct_people, name_text_sql
from dpviz.data.counting.embedded_duckdb import (
    MEMORY,
    check_memory_size,
    column_types,
    open_duckdb,
    quote_literal,
    quote_name,
)
from dpviz.data.counting.engine_errors import engine_error_text
from dpviz.data.counting.lake_tables import create_log_from_lake
from dpviz.data.counting.locations import LogFiles, compression_kind, find_log_files
from dpviz.data.counting.log_encoding import utf8_files_and_remark
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import IngestError, check_column, guess_delimiter, quote_value

ENGINES: Final = ("auto", "pandas", "duckdb")
"""Choices of an option that means nothing any more."""

ENGINE_GOES: Final = (
    "DuckDB counts every file now. The option has no effect and goes with the next release"
)

_KINDS = ("csv", "tsv", "jsonl", "parquet")
_TELLING = 8_000_000  # bytes by which the encoding is guessed
_LOOKED_AT = 1_000  # lines whose keys are told where the one asked for is in none


@former_arguments(most="contributions")
def count_files(
    patterns: Iterable[str],
    person: str,
    item: str,
    *,
    kind: str | None = None,
    chosen: RowFilter = ALL,
    missing: str = "refuse",
    items: Iterable[str] | str | Path | None = None,
    contributions: int | None = None,
    engine: str | None = None,
    encoding: str | None = None,
    memory: str = MEMORY,
    temporary: str | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item in CSV, TSV, JSON lines or Parquet files, which count as one log.

    Parameters
    ----------
    patterns
        Paths, with * and ** for many; folders, of which all such files count, in folders such as
        `day=2024-01-01` with that column; the folder of a Delta or Iceberg table; addresses that
        fsspec reads; "-" for standard input. Packed files (.gz, .zst) are unpacked.
    person, item
        The columns that say who, and what.
    kind
        "csv", "tsv", "jsonl" or "parquet"; None to tell it from the endings.
    chosen
        The rows that count; all, unless told.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        Items known beforehand, or the path of their list: others are left out, zeros kept. None for
        those that occur.
    contributions
        Most items kept of each person, by a rule on that person's rows alone; None for all.
    engine
        Not needed any more, as DuckDB counts every file; it goes with the next release.
    encoding
        The encoding of CSV and TSV files, such as "cp1252"; None to guess it where it is not UTF-8.
    memory
        What DuckDB may take, such as "1GB"; the rest goes to disk.
    temporary
        The folder in which it makes one of its own for that; None for the system's.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Counts
        The counts, and what was left out.

    Raises
    ------
    ParameterError
        For an option that is not known.
    IngestError
        For files that are not there or cannot be counted, in one sentence.
    """
    check_choice("missing", missing, MISSING)
    if engine is not None:
        check_choice("engine", engine, ENGINES)
        warnings.warn(ENGINE_GOES, DeprecationWarning, stacklevel=2)
    check_memory_size(memory)
    if kind is not None:
        check_choice("kind", kind, _KINDS)
    check_distinct_columns(person, item)
    letters = None
    with (
        tempfile.TemporaryDirectory(prefix="dpviz-", dir=temporary) as folder,
        open_duckdb(memory, folder) as connection,
    ):
        files = find_log_files(patterns, kind, Path(folder))
        needed = tuple(dict.fromkeys((person, item, *chosen.used_columns)))
        try:
            if files.lake is not None:
                create_log_from_lake(connection, files.lake, files.paths[0], files.system, needed)
            else:
                _check_whole(files, portion(progress, 0.0, 0.2))
                kind = files.file_kind(kind)
                if kind in {"csv", "tsv"}:
                    read_start = partial(_start, files, most=_TELLING)
                    files, letters = utf8_files_and_remark(
                        files, read_start, encoding, Path(folder)
                    )
                _create_view(connection, files, kind, needed)
            check_columns(column_types(connection, "log"), person, item)
            counts = count_distinct_people(
                LogRows(connection=connection, person=person, item=item),
                column_names=(person, item),
                row_filter=chosen,
                missing=missing,
                items=items,
                contributions=contributions,
                progress=portion(progress, 0.2, 1.0),
            )
        except IngestError as err:
            told = files.with_shown_names(str(err))
            if told == str(err):
                raise
            raise IngestError(told) from err
        return replace(counts, letters=letters)


def _create_view(connection: Any, files: LogFiles, kind: str, needed: tuple[str, ...]) -> None:
    """Files as the view `log`; columns from folder names stay text."""
    first = files.paths[0]
    try:
        if files.system is not None:
            connection.register_filesystem(files.system)
        if kind == "jsonl":
            read, columns = _json_lines(connection, files, needed)
        else:
            function = "read_parquet" if kind == "parquet" else "read_csv"
            told = {} if kind == "parquet" else _text_options(files, kind)
            read, columns = _call(function, files, **told), "*"
        connection.execute(f"CREATE VIEW log AS SELECT {columns} FROM {read}")
    except ParameterError:
        raise
    except Exception as err:  # DuckDB raises many kinds
        raise IngestError(
            f"{quote_value(first)} cannot be read as {kind.upper()}: {engine_error_text(err)}."
        ) from err


def _call(function: str, files: LogFiles, **told: Any) -> str:
    """A reader's call on all files, whose names DuckDB would take for patterns again."""
    options: dict[str, Any] = {"hive_partitioning": files.partitioned, **told}
    if files.partitioned:
        options["hive_types_autocast"] = False
    if files.system is not None and function != "read_parquet":
        options["compression"] = compression_kind(files.paths[0]) or "none"
    paths = quote_literal([glob.escape(path) for path in files.paths])
    said = "".join(f", {name} = {quote_literal(value)}" for name, value in options.items())
    return f"{function}({paths}{said})"


def _text_options(files: LogFiles, kind: str) -> dict[str, Any]:
    """Options of delimited text, else ragged rows change what DuckDB takes."""
    start = _start(files, files.paths[0])
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = start.decode("utf-16" if wide else "utf-8", "replace")
    options: dict[str, Any] = {
        "delim": "\t" if kind == "tsv" else guess_delimiter(text) or ",",
        "quote": '"',
    }
    options |= {"escape": '"', "skip": 0, "all_varchar": True, "header": True}
    return options | ({"encoding": "utf-16"} if wide else {})


def _json_lines(connection: Any, files: LogFiles, needed: tuple[str, ...]) -> tuple[str, str]:
    """JSON lines, read by their needed keys alone, and those as texts."""
    _start(files, files.paths[0])
    folders = set(files.folder_columns)
    inside = dict.fromkeys((name for name in needed if name not in folders), "JSON")
    columns = inside or {"": "JSON"}
    read = _call("read_json", files, format="newline_delimited", columns=columns)
    objects = _call("read_ndjson_objects", files)
    keys = connection.execute(
        f"SELECT DISTINCT unnest(json_keys(json)) FROM (FROM {objects} LIMIT {_LOOKED_AT})"
    ).fetchall()
    names = sorted({key for (key,) in keys} | folders)
    roles = dict(zip(needed, ("person", "item"), strict=False))
    for name in inside:
        if name not in names:
            found = f"SELECT 1 FROM {read} WHERE {quote_name(name)} IS NOT NULL LIMIT 1"
            if not connection.execute(found).fetchall():
                check_column(roles.get(name, "where or time"), name, names)
    texts = (f"{_json_text(name)} AS {quote_name(name)}" for name in inside)
    return read, ", ".join([*texts, *map(quote_name, sorted(folders))])


def _json_text(name: str) -> str:
    """A JSON value as `cell_text` writes it; what is no one value, or has lost digits, is refused."""
    cell, shown = quote_name(name), quote_value(name)
    many = quote_literal(f"{shown} is a list or a record, where one value is needed")
    large = quote_literal(f"a number in {shown} is too large to differ from others")
    return f"""CASE json_type({cell})
        WHEN 'VARCHAR' THEN {cell} ->> '$'
        WHEN 'NULL' THEN NULL
        WHEN 'ARRAY' THEN error({many})
        WHEN 'OBJECT' THEN error({many})
        WHEN 'BOOLEAN' THEN {name_text_sql(f"{cell}::BOOLEAN", "BOOLEAN")}
        WHEN 'DOUBLE' THEN CASE
            WHEN isnan({cell}::DOUBLE) THEN NULL
            WHEN abs({cell}::DOUBLE) >= 9223372036854775808 THEN error({large})
            ELSE {name_text_sql(f"{cell}::DOUBLE", "DOUBLE")} END
        ELSE {cell}::VARCHAR END"""


def _check_whole(files: LogFiles, progress: Progress) -> None:
    """Raise for a truncated zstd file, as DuckDB 2 would silently accept it."""
    for path, part in iterate_with_progress(
        [path for path in files.paths if compression_kind(path) == "zstd"], progress
    ):
        size = files.file_size(path)
        with files.open_stored_and_unpacked(path) as (packed, file):
            while file.read(1 << 20):
                part(min(packed.tell() / size, 1.0))


def _start(files: LogFiles, path: str, most: int = 65_536) -> bytes:
    """Beginning of a file; raises for a first one that is empty."""
    with files.open_stored_and_unpacked(path) as (_, file):
        start = file.read(most)
    if path == files.paths[0] and not start.strip():
        raise IngestError(f"{quote_value(path)} is empty.")
    return start
