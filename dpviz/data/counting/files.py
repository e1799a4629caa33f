"""Counting files: pandas below the upload limit, an embedded DuckDB beyond it.

DuckDB reads in pieces within a memory limit and spills to disk. Remote files are read through
fsspec, as DuckDB's own extensions would load foreign code.
"""

import glob
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpviz.base import (
    Frame,
    Progress,
    check_choice,
    ignore_progress,
    iterate_with_progress,
    pd,
    portion,
)
from dpviz.data.counting.counts import MISSING, Counts, build_counts, check_columns
from dpviz.data.counting.embedded_duckdb import (
    MEMORY,
    check_memory,
    create_file_view,
    fill_table,
    open_duckdb,
)
from dpviz.data.counting.engine import count_events, engine_error_text
from dpviz.data.counting.json_lines import read_json_lines
from dpviz.data.counting.lake_tables import read_lake
from dpviz.data.counting.locations import (
    LogFiles,
    compression_kind,
    decompress_file,
    find_log_files,
)
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import (
    MAX_BYTES,
    MAX_ROWS,
    MAX_UNPACKED,
    IngestError,
    Table,
    cell_texts,
    count_log,
    guess_delimiter,
    quote_value,
    read_table,
)

ENGINES: Final = ("auto", "pandas", "duckdb")
_KINDS = ("csv", "tsv", "jsonl", "parquet")


def count_files(
    patterns: Iterable[str],
    person: str,
    item: str,
    *,
    kind: str | None = None,
    chosen: RowFilter = ALL,
    missing: str = "refuse",
    items: Iterable[str] | None = None,
    most: int | None = None,
    engine: str = "auto",
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
        fsspec reads; "-" for standard input. Packed files (.gz, .zst) are unpacked as they are
        read.
    person, item
        The columns that say who, and what.
    kind
        "csv", "tsv", "jsonl" or "parquet"; None to tell it from the endings.
    chosen
        The rows that count; all, unless told.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        The items known beforehand: zeros are kept, rows of other items left out. None for those
        that occur.
    most
        How many items of each person are kept, by a rule that depends on that person's rows alone
        (`dpviz.data.reading.kept_items`); None for all.
    engine
        "pandas", "duckdb", or "auto": pandas where these are plain files that could be uploaded
        together, else DuckDB.
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
    check_choice("engine", engine, ENGINES)
    check_memory(memory)
    if kind is not None:
        check_choice("kind", kind, _KINDS)
    with find_log_files(patterns, kind, temporary) as files:
        plain = files.is_plain_local and chosen.keeps_all_rows
        kind = kind if files.lake is not None else files.file_kind(kind)
        if engine == "pandas" and not plain:
            raise IngestError(_not_for_pandas(files))
        if kind is not None and (
            engine == "pandas" or (engine == "auto" and plain and _small(files, kind))
        ):
            return _with_pandas(files.paths, kind, person, item, missing, items, most, progress)
        with open_duckdb(memory, temporary) as connection:
            events, progress = _read_into(connection, files, kind, person, item, chosen, progress)
            return count_events(
                events,
                person,
                item,
                missing=missing,
                items=items,
                most=most,
                chosen=chosen,
                progress=progress,
            )


def _not_for_pandas(files: LogFiles) -> str:
    packed = [path for path in files.paths if compression_kind(path)]
    return (
        f"{quote_value(packed[0])} is packed, which only the engine duckdb unpacks as it reads."
        if packed
        else "Addresses, folders that hold columns, tables and chosen rows are for the engine duckdb;"
        " leave --engine out."
    )


def _small(files: LogFiles, kind: str) -> bool:
    """True if all files together are within the limits of an upload."""
    paths = files.paths
    if sum(map(files.file_size, paths)) > MAX_BYTES:
        return False
    if kind != "parquet":
        return sum(Path(path).read_bytes().count(b"\n") for path in paths) < MAX_ROWS
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import, and only Parquet needs it

    try:
        metadata = [pq.read_metadata(path) for path in paths]
    except Exception:  # noqa: BLE001 - damaged files raise anything; the reader says what is wrong
        return True
    unpacked = sum(
        file.row_group(i).total_byte_size for file in metadata for i in range(file.num_row_groups)
    )
    return bool(sum(file.num_rows for file in metadata) <= MAX_ROWS and unpacked <= MAX_UNPACKED)


def _with_pandas(
    paths: Sequence[str],
    kind: str,
    person: str,
    item: str,
    missing: str,
    items: Iterable[str] | None,
    most: int | None,
    progress: Progress,
) -> Counts:
    def tables() -> Iterator[Table]:
        for path, part in iterate_with_progress(paths, portion(progress, 0.0, 0.8)):
            if kind == "jsonl":
                yield _lines(path, person, item, part)
            else:
                yield read_table(
                    path, Path(path).read_bytes(), kind=kind, columns=(person, item), progress=part
                )

    return count_tables(tables(), person, item, missing, items, most, portion(progress, 0.8, 1.0))


def count_tables(
    tables: Iterable[Table],
    person: str,
    item: str,
    missing: str,
    items: Iterable[str] | None,
    most: int | None,
    progress: Progress,
) -> Counts:
    """Distinct people per item in tables that form one log."""
    logs, rows, left_out = [], 0, 0
    for table in tables:
        check_columns(table.columns, person, item)
        log, lost = _present(table, person, item, missing)
        logs.append(log)
        rows += len(table.frame)
        left_out += lost
    log = pd.concat(logs, ignore_index=True)
    counted = count_log(
        Table("the log", log, range(1, len(log) + 1)),
        person,
        item,
        items=items,
        most=most,
        progress=progress,
    )
    names = counted.scores.labels
    grouped = pd.DataFrame({"item": list(names), "score": counted.scores.values}).assign(
        # `count_log` has counted these already
        **dict.fromkeys(("events", "lost", "cut_pairs", "cut_rows", "largest"), 0)
    )
    counts = build_counts(
        grouped, item=item, missing=missing, engine="pandas", items=None if items is None else names
    )
    return replace(counts, rows=rows, left_out=left_out, kept=counted.kept)


def _lines(path: str, person: str, item: str, progress: Progress) -> Table:
    read = chain.from_iterable(read_json_lines(path, person, item, progress=progress))
    numbers, who, what = zip(*read, strict=True)
    frame = pd.DataFrame({person: who, item: what}, dtype=object)
    return Table(path, frame, np.array(numbers, np.int64), unit="Line")


def _present(table: Table, person: str, item: str, missing: str) -> tuple[Frame, int]:
    """Both columns as text without incomplete rows, and the number of those."""
    frame = pd.DataFrame(
        {name: pd.Series(cell_texts(table.frame[name]), dtype=object) for name in (person, item)}
    )
    absent = frame.isna()
    lacking = np.flatnonzero(absent.to_numpy().any(axis=1))
    if len(lacking) and missing == "refuse":
        first = int(lacking[0])
        role, name = ("person", person) if bool(absent[person].iloc[first]) else ("item", item)
        raise IngestError(
            f"{quote_value(table.source)}, {table.row_label(first).lower()}: the {role} in column"
            f" {quote_value(name)} is missing; such rows can be left out (--missing skip; in Python"
            " missing='skip')."
        )
    return frame[~absent.any(axis=1)], len(lacking)


def _read_into(
    connection: Any,
    files: LogFiles,
    kind: str | None,
    person: str,
    item: str,
    chosen: RowFilter,
    progress: Progress,
) -> tuple[Any, Progress]:
    """Table of the files in an embedded DuckDB, and the progress that is left."""
    more = [column for column in chosen.used_columns if column not in (person, item)]
    if kind is None:
        needed = (person, item, *more)
        lake = read_lake(connection, str(files.lake), files.paths[0], files.system, needed)
        return lake, progress
    if kind == "jsonl":
        cells = _cells(files, person, item, more, portion(progress, 0.0, 0.8))
        return fill_table(connection, cells, (person, item, *more)), portion(progress, 0.8, 1.0)
    _check_whole(files, portion(progress, 0.0, 0.2))
    return _events(connection, files, kind, (person, item)), portion(progress, 0.2, 1.0)


def _cells(
    files: LogFiles, person: str, item: str, more: Sequence[str], progress: Progress
) -> Iterator[list[list[str | None]]]:
    for path, part in iterate_with_progress(files.paths, progress):
        for batch in read_json_lines(path, person, item, more=more, files=files, progress=part):
            yield [cells for _, *cells in batch]


def _events(connection: Any, files: LogFiles, kind: str, texts_are: tuple[str, ...]) -> Any:
    """Files as one table of an embedded DuckDB; columns from folder names stay text."""
    system, first = files.system, files.paths[0]
    exact = [glob.escape(path) for path in files.paths]  # DuckDB would look for patterns again
    told: dict[str, Any] = {"hive_partitioning": files.partitioned}
    try:
        if system is not None:
            connection.con.register_filesystem(system)
        if files.partitioned:
            said_by_folders = [name for name in texts_are if name in files.folder_columns(first)]
            told |= (
                {"hive_types": dict.fromkeys(said_by_folders, "VARCHAR")} if said_by_folders else {}
            )
        if kind != "parquet":
            delimiter = "\t" if kind == "tsv" else _delimiter(files)
            # else ragged rows change what it takes
            told |= {
                "delim": delimiter,
                "quote": '"',
                "escape": '"',
                "skip": 0,
                "all_varchar": True,
                "header": True,
            }
            told |= {"compression": compression_kind(first) or "none"} if system is not None else {}
        return create_file_view(
            connection, "read_parquet" if kind == "parquet" else "read_csv", exact, told
        )
    except IngestError:
        raise
    except Exception as err:  # as above
        raise IngestError(
            f"{quote_value(first)} cannot be read as {kind.upper()}: {engine_error_text(err)}."
        ) from err


def _check_whole(files: LogFiles, progress: Progress) -> None:
    """Raise for a truncated zstd file, as DuckDB 2 would silently accept it."""
    for path, part in iterate_with_progress(
        [path for path in files.paths if compression_kind(path) == "zstd"], progress
    ):
        size = files.file_size(path)
        try:
            with files.open(path) as packed, decompress_file(path, packed) as file:
                while file.read(1 << 20):
                    part(min(packed.tell() / size, 1.0))
        except OSError as err:
            raise IngestError(
                f"{quote_value(path)} cannot be unpacked: it is damaged or cut short."
            ) from err


def _delimiter(files: LogFiles) -> str:
    """Delimiter by the beginning of the first file; a comma if there is one column."""
    path = files.paths[0]
    with files.open(path) as packed, decompress_file(path, packed) as file:
        start = file.read(65_536)
    if not start:
        raise IngestError(f"{quote_value(path)} is empty.")
    return guess_delimiter(start.decode("utf-8", "replace")) or ","
