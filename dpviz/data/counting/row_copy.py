"""Rows of a database that cannot normalise texts, copied to an embedded DuckDB.

MySQL has no function for Unicode forms, and SQLite's columns hold values of any type.
"""

import sys
from typing import Any, Final

from dpviz.base import Progress, cell_text

ROWS_COPIED: Final = ("mysql", "sqlite")

_BATCH = 50_000  # rows at a time


def copy_rows_to_duckdb(
    duckdb_connection: Any, log: Any, columns: tuple[str, str], progress: Progress
) -> None:
    """Make the table `log` of DuckDB with these columns of a table of ibis, as texts."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    server = log.get_backend()
    texts = log.select(
        **{
            name: log[name].cast("string") if log[name].type().is_temporal() else log[name]
            for name in columns
        }
    )
    schema = pa.schema([(name, pa.string()) for name in columns])
    duckdb_connection.register("none", schema.empty_table())
    duckdb_connection.execute("CREATE TABLE log AS FROM none")
    total, copied = int(log.count().to_pandas()), 0
    # of MySQL's drivers, which leave the rows on the server until they are fetched
    streaming = sys.modules.get(type(server.con).__module__.partition(".")[0] + ".cursors")
    cursor = server.con.cursor(*([] if streaming is None else [streaming.SSCursor]))
    cursor.execute(str(server.compile(texts)))
    while rows := cursor.fetchmany(_BATCH):
        cells = [pa.array(map(_text, column), pa.string()) for column in zip(*rows, strict=True)]
        duckdb_connection.register("batch", pa.table(cells, schema=schema))
        duckdb_connection.execute("INSERT INTO log FROM batch")
        copied += len(rows)
        progress(min(copied / total, 1.0))
    cursor.close()


def _text(cell: object) -> str | None:
    if isinstance(cell, bytes):  # as PostgreSQL tells them
        return rf"\x{cell.hex()}"
    return cell if isinstance(cell, str) else cell_text(cell)
