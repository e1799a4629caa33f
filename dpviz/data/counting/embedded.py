"""An embedded DuckDB: held to a size of memory, with a folder of its own on disk for what does not fit."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from dpviz.base import ParameterError
from dpviz.data.counting.expression import import_ibis
from dpviz.data.ingest import IngestError

MEMORY: Final = "1GB"
"""What it may take, if nothing else is said."""

_SIZE = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B", re.IGNORECASE)
_WATCHED = "SET enable_progress_bar = true; SET enable_progress_bar_print = false"  # to be asked, and to be silent


def check_memory(memory: str) -> None:
    """Raise unless `memory` is a size."""
    if not isinstance(memory, str) or not _SIZE.fullmatch(memory):
        raise ParameterError("memory", memory, "a size such as 1GB or 500MB")


@contextmanager
def embedded(memory: str = MEMORY, temporary: str | None = None) -> Iterator[Any]:
    """An ibis connection to a DuckDB of its own; what it put into a folder in `temporary` goes with it."""
    check_memory(memory)
    ibis = import_ibis()
    with tempfile.TemporaryDirectory(prefix="dpviz-", dir=temporary) as folder:
        try:
            connection = ibis.duckdb.connect(memory_limit=memory, temp_directory=folder, preserve_insertion_order=False)
        except ImportError as err:
            raise IngestError("Counting outside memory needs duckdb: pip install 'dpviz[count]'.") from err
        try:
            connection.raw_sql(_WATCHED)
            yield connection
        finally:
            connection.disconnect()


def filled(connection: Any, rows: Iterable[Sequence[tuple[str | None, str | None]]], columns: tuple[str, str]) -> Any:
    """A table of two columns of text in an embedded DuckDB, from batches of rows, of which one is held at a time."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    connection.raw_sql("CREATE TABLE log (who VARCHAR, what VARCHAR)")
    for batch in rows:
        who, what = zip(*batch, strict=True)
        part = pa.table({"who": pa.array(who, pa.string()), "what": pa.array(what, pa.string())})
        connection.con.register("part", part)
        connection.con.execute("INSERT INTO log FROM part")
    return connection.table("log").rename(dict(zip(columns, ("who", "what"), strict=True)))
