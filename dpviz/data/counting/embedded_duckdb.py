"""An embedded DuckDB with a memory limit, and a folder of its own for the overflow."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from dpviz.base import ParameterError
from dpviz.data.counting.count_expression import import_ibis
from dpviz.data.reading import IngestError

MEMORY: Final = "1GB"

_SIZE = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B", re.IGNORECASE)
_ALONE = (  # no code from elsewhere
    "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false"
)


def check_memory(memory: str) -> None:
    if not isinstance(memory, str) or not _SIZE.fullmatch(memory):
        raise ParameterError("memory", memory, "a size such as 1GB or 500MB")


@contextmanager
def open_duckdb(memory: str = MEMORY, temporary: str | None = None) -> Iterator[Any]:
    """ibis connection to a new DuckDB; its folder in `temporary` is removed at the end."""
    check_memory(memory)
    ibis = import_ibis()
    with tempfile.TemporaryDirectory(prefix="dpviz-", dir=temporary) as folder:
        try:
            connection = ibis.duckdb.connect(
                memory_limit=memory, temp_directory=folder, preserve_insertion_order=False
            )
        except ImportError as err:
            raise IngestError(
                "Counting outside memory needs duckdb: pip install 'dpviz[count]'."
            ) from err
        try:
            # to be asked, and to be silent
            connection.raw_sql(
                "SET enable_progress_bar = true; SET enable_progress_bar_print = false"
            )
            connection.raw_sql(_ALONE)
            yield connection
        finally:
            connection.disconnect()


def fill_table(
    connection: Any, rows: Iterable[Sequence[Sequence[str | None]]], columns: Sequence[str]
) -> Any:
    """Table of text columns in an embedded DuckDB, from batches of rows, one held at a time."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    names = [f"c{i}" for i in range(len(columns))]
    connection.raw_sql(f"CREATE TABLE log ({', '.join(f'{name} VARCHAR' for name in names)})")
    for batch in rows:
        cells = zip(names, zip(*batch, strict=True), strict=True)
        connection.con.register(
            "part", pa.table({name: pa.array(column, pa.string()) for name, column in cells})
        )
        connection.con.execute("INSERT INTO log FROM part")
    return connection.table("log").rename(dict(zip(columns, names, strict=True)))


def create_file_view(
    connection: Any, function: str, paths: Sequence[str], told: dict[str, Any]
) -> Any:
    options = "".join(f", {name} = {_literal(value)}" for name, value in told.items())
    connection.con.execute(
        f"CREATE VIEW log AS FROM {function}([{', '.join(map(_text, paths))}]{options})"
    )
    return connection.table("log")


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)}: {kind}" for name, kind in value.items()) + "}"
    return _text(value) if isinstance(value, str) else str(value).lower()


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
