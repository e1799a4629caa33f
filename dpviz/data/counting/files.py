"""Counting files: pandas below the upload limit, an embedded DuckDB beyond it.

DuckDB reads the files piece by piece within a memory limit and puts what does not fit into a temporary
folder, so the size of the log is bounded by the disk alone. JSON lines are read here for it, a batch at a time.
"""

import glob
import gzip
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpviz.base import Frame, ParameterError, Progress, check_choice, each, pd, portion, silent
from dpviz.data.counting.counts import MISSING, Counts, check_columns, counts_of
from dpviz.data.counting.embedded import MEMORY, check_memory, embedded, filled
from dpviz.data.counting.engine import count_events, said
from dpviz.data.counting.json_lines import read_json_lines
from dpviz.data.ingest import (
    EXTENSIONS,
    MAX_BYTES,
    MAX_ROWS,
    MAX_UNPACKED,
    IngestError,
    Table,
    count_log,
    quoted,
    read_table,
    sniff,
    texts,
)

ENGINES: Final = ("auto", "pandas", "duckdb")
_KINDS = ("csv", "tsv", "jsonl", "parquet")
_ENDINGS = EXTENSIONS | {".jsonl": "jsonl", ".ndjson": "jsonl"}
_PACKED = ".gz"
_START = 65_536  # bytes by which a delimiter is found
_NOT_HERE = ("events", "lost", "cut_pairs", "cut_rows", "largest")  # what `count_log` has counted already


def count_files(
    patterns: Iterable[str],
    person: str,
    item: str,
    *,
    kind: str | None = None,
    missing: str = "refuse",
    items: Iterable[str] | None = None,
    most: int | None = None,
    engine: str = "auto",
    memory: str = MEMORY,
    temporary: str | None = None,
    progress: Progress = silent,
) -> Counts:
    """Distinct people per item in CSV, TSV, JSON lines or Parquet files, which count as one log.

    Parameters
    ----------
    patterns
        Paths, with * and ** for many.
    person, item
        The columns that say who, and what.
    kind
        "csv", "tsv", "jsonl" or "parquet"; None to tell it from the endings.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        The items known beforehand: zeros are kept, rows of other items left out. None for those that occur.
    most
        How many items of each person are kept, by a rule that depends on that person's rows alone
        (`dpviz.data.ingest.kept`); None for all.
    engine
        "pandas", "duckdb", or "auto": pandas where all files together could be uploaded, else DuckDB.
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
    paths = _found(patterns)
    kind = _kind(paths, kind)
    packed = [path for path in paths if path.lower().endswith(_PACKED)]
    if engine == "pandas" and packed:
        raise IngestError(f"{quoted(packed[0])} is packed, which only the engine duckdb unpacks as it reads.")
    if engine == "pandas" or (engine == "auto" and _small(paths, kind)):
        return _with_pandas(paths, kind, person, item, missing, items, most, progress)
    options: dict[str, Any] = {"missing": missing, "items": items, "most": most, "progress": progress}
    return _with_duckdb(paths, kind, person, item, memory, temporary, options)


def _found(patterns: Iterable[str]) -> list[str]:
    """The files meant; a file whose own name has a * or a [ in it is found as well."""
    paths: dict[str, None] = {}
    for pattern in patterns:
        matches = [pattern] if Path(pattern).is_file() else sorted(glob.glob(pattern, recursive=True))
        matches = [path for path in matches if Path(path).is_file()]
        if pattern == "-":
            raise IngestError("Standard input cannot be counted, as it can be read but once; save it as a file.")
        if not matches:
            raise IngestError(f"There is no file {quoted(pattern)}.")
        paths |= dict.fromkeys(matches)
    if not paths:
        raise ParameterError("the files", "none", "at least one")
    return list(paths)


def _kind(paths: list[str], given: str | None) -> str:
    if given is not None:
        return check_choice("kind", given, _KINDS)
    kinds = {path: _ENDINGS.get(Path(path.lower().removesuffix(_PACKED)).suffix) for path in paths}
    for path, kind in kinds.items():
        if kind not in _KINDS:
            raise IngestError(
                f"{quoted(path)} is no CSV, TSV, JSON lines or Parquet file by its ending; save it as one, or say "
                "which kind it is."
            )
        if kind != kinds[paths[0]]:
            raise IngestError(f"{quoted(paths[0])} and {quoted(path)} are not of one kind; count them apart.")
    return str(kinds[paths[0]])


def _small(paths: list[str], kind: str) -> bool:
    """Whether all files together are within the limits of an upload."""
    if any(path.lower().endswith(_PACKED) for path in paths):  # which DuckDB unpacks as it reads
        return False
    if sum(Path(path).stat().st_size for path in paths) > MAX_BYTES:
        return False
    if kind != "parquet":
        return sum(Path(path).read_bytes().count(b"\n") for path in paths) < MAX_ROWS
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import, and only Parquet needs it

    try:
        metadata = [pq.read_metadata(path) for path in paths]
    except Exception:  # noqa: BLE001 - damaged files raise anything; the reader says what is wrong
        return True
    unpacked = sum(file.row_group(i).total_byte_size for file in metadata for i in range(file.num_row_groups))
    return bool(sum(file.num_rows for file in metadata) <= MAX_ROWS and unpacked <= MAX_UNPACKED)


def _with_pandas(
    paths: list[str],
    kind: str,
    person: str,
    item: str,
    missing: str,
    items: Iterable[str] | None,
    most: int | None,
    progress: Progress,
) -> Counts:
    def tables() -> Iterator[Table]:
        for path, part in each(paths, portion(progress, 0.0, 0.8)):
            if kind == "jsonl":
                yield _lines(path, person, item, part)
            else:
                yield read_table(path, Path(path).read_bytes(), kind=kind, columns=(person, item), progress=part)

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
    """Distinct people per item in tables, which count as one log.

    Parameters
    ----------
    tables
        The parts of the log.
    person, item
        The columns that say who, and what.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        The items known beforehand; None for those that occur.
    most
        How many items of each person are kept; None for all.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Counts
        The counts, and what was left out.
    """
    logs, rows, left_out = [], 0, 0
    for table in tables:
        check_columns(table.columns, person, item)
        log, lost = _present(table, person, item, missing)
        logs.append(log)
        rows += len(table.frame)
        left_out += lost
    log = pd.concat(logs, ignore_index=True)
    whole = Table("the log", log, np.arange(1, len(log) + 1, dtype=np.int64))
    counted = count_log(whole, person, item, items=items, most=most, progress=progress)
    names = counted.scores.labels
    grouped = pd.DataFrame({"item": list(names), "score": counted.scores.values}).assign(**dict.fromkeys(_NOT_HERE, 0))
    counts = counts_of(grouped, item=item, missing=missing, engine="pandas", items=None if items is None else names)
    return replace(counts, rows=rows, left_out=left_out, kept=counted.kept)


def _lines(path: str, person: str, item: str, progress: Progress) -> Table:
    """The two members of JSON lines."""
    read = chain.from_iterable(read_json_lines(path, person, item, progress=progress))
    numbers, who, what = zip(*read, strict=True)
    frame = pd.DataFrame({person: pd.Series(who, dtype=object), item: pd.Series(what, dtype=object)})
    return Table(path, frame, np.array(numbers, np.int64), unit="Line")


def _present(table: Table, person: str, item: str, missing: str) -> tuple[Frame, int]:
    """The two columns as text, and how many rows of them were left out for want of either."""
    frame = pd.DataFrame({name: pd.Series(texts(table.frame[name]), dtype=object) for name in (person, item)})
    absent = frame.isna()
    lacking = np.flatnonzero(absent.to_numpy().any(axis=1))
    if len(lacking) and missing == "refuse":
        first = int(lacking[0])
        role, name = ("person", person) if bool(absent[person].iloc[first]) else ("item", item)
        raise IngestError(
            f"{quoted(table.source)}, {table.where(first).lower()}: the {role} in column {quoted(name)} is missing; "
            "such rows can be left out (--missing skip; in Python missing='skip')."
        )
    return frame[~absent.any(axis=1)], len(lacking)


def _with_duckdb(
    paths: list[str],
    kind: str,
    person: str,
    item: str,
    memory: str,
    temporary: str | None,
    options: dict[str, Any],
) -> Counts:
    with embedded(memory, temporary) as connection:
        if kind == "jsonl":
            progress = options["progress"]
            reading, options["progress"] = portion(progress, 0.0, 0.8), portion(progress, 0.8, 1.0)
            events = filled(connection, _pairs(paths, person, item, reading), (person, item))
        else:
            events = _events(connection, paths, kind)
        return count_events(events, person, item, **options)


def _pairs(
    paths: list[str], person: str, item: str, progress: Progress
) -> Iterator[list[tuple[str | None, str | None]]]:
    for path, part in each(paths, progress):
        for batch in read_json_lines(path, person, item, progress=part):
            yield [(who, what) for _, who, what in batch]


def _events(connection: Any, paths: list[str], kind: str) -> Any:
    exact = [glob.escape(path) for path in paths]  # DuckDB would look for patterns again
    try:
        if kind == "parquet":
            return connection.read_parquet(exact)
        delimiter = "\t" if kind == "tsv" else _delimiter(paths[0])
        dialect = {"delim": delimiter, "quote": '"', "escape": '"', "skip": 0}  # else ragged rows change what it takes
        return connection.read_csv(exact, all_varchar=True, header=True, **dialect)
    except Exception as err:  # as above
        raise IngestError(f"{quoted(paths[0])} cannot be read as {kind.upper()}: {said(err)}.") from err


def _delimiter(path: str) -> str:
    """The delimiter of a file, by its beginning; a comma where there is one column."""
    with gzip.open(path) if path.lower().endswith(_PACKED) else open(path, "rb") as file:
        start = file.read(_START)
    return sniff(start.decode("utf-8", "replace")) or ","
