"""MySQL and MariaDB: preparations for the counting expression, by reading alone.

Their columns compare texts by a collation (which may ignore case, accents and trailing blanks), so
texts are read by their characters. No function makes Unicode forms: if some texts need it, both
columns are copied to an embedded DuckDB.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from dpviz.data.counting.count_expression import cast_to_text
from dpviz.data.counting.embedded_duckdb import open_duckdb
from dpviz.data.reading import IngestError

SCHEMES: Final = ("mysql", "mariadb")

_BATCH = 50_000  # rows read over at a time
_TABLES = """
select table_schema, table_name from information_schema.tables
where table_schema = coalesce(%s, database(), table_schema)
  and table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys')
"""


def ensure_driver() -> None:
    """Ensure the driver that ibis imports, or the one in pure Python, which needs no compiler."""
    try:
        import MySQLdb  # noqa: F401, PLC0415 - an extra
    except ImportError:
        try:
            import pymysql  # noqa: PLC0415 - an extra
        except ImportError as err:
            raise IngestError(
                "Connecting to MySQL or MariaDB needs a driver: pip install 'PyMySQL[rsa]'."
            ) from err
        pymysql.install_as_MySQLdb()


def prepare(connection: Any) -> None:
    """Compare texts by their characters and give times in UTC, which ibis cannot everywhere."""
    connection.con.set_character_set("utf8mb4", "utf8mb4_bin")
    connection.raw_sql("SET time_zone = '+00:00'").close()


def table_names(connection: Any, schema: str) -> list[str]:
    """Tables of a schema, else of the current database, else of all, as schema.table."""
    with connection.begin() as cursor:
        cursor.execute(_TABLES, [schema or None])
        rows = cursor.fetchall()
    one = schema or connection.current_database
    return sorted(name if one else f"{where}.{name}" for where, name in rows)


def text_columns_table(connection: Any, log: Any) -> Any:
    """Table with its texts in UTF-8 and its bytes in hexadecimal, as PostgreSQL does."""
    op = log.op()
    names = {name: _quoted(name) for name in log.columns}
    kinds = dict(log.schema().items())
    read = ", ".join(f"{_read(names[name], kind)} AS {names[name]}" for name, kind in kinds.items())
    where = ".".join(_quoted(name) for name in (op.namespace.database, op.name) if name)
    schema = {name: kind if _as_it_is(kind) else "string" for name, kind in kinds.items()}
    return connection.sql(f"SELECT {read} FROM {where}", schema=schema)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _as_it_is(kind: Any) -> bool:
    return bool(kind.is_numeric() or kind.is_boolean() or kind.is_temporal())


def _read(name: str, kind: Any) -> str:
    if kind.is_integer():
        return f"{name} + 0"  # bits are bytes else
    if _as_it_is(kind):
        return name
    return rf"CONCAT('\\x', LOWER(HEX({name})))" if kind.is_binary() else f"CAST({name} AS CHAR)"


@contextmanager
def copy_to_duckdb(log: Any, columns: tuple[str, str]) -> Iterator[Any]:
    """Two columns of a table as texts in an embedded DuckDB, read a batch at a time, once."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    server = log.get_backend()
    texts = log.select(**{name: cast_to_text(log[name], server.name) for name in columns})
    schema = pa.schema([(name, pa.string()) for name in columns])
    with open_duckdb() as here:
        cursor = server.con.cursor(
            sys.modules[type(server.con).__module__.partition(".")[0] + ".cursors"].SSCursor
        )  # which leaves the rows on the server until they are fetched
        cursor.execute(str(server.compile(texts)))
        batches = (
            pa.record_batch(
                [pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)], schema=schema
            )
            for rows in iter(partial(cursor.fetchmany, _BATCH), ())
        )
        here.register("log", pa.RecordBatchReader.from_batches(schema, batches))
        yield here
