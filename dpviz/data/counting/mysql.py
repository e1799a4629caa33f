"""MySQL and MariaDB: preparations for reading rows.

Their columns compare texts by a collation, which may ignore case, accents and trailing blanks.
"""

from typing import Any, Final

from dpviz.data.reading import IngestError

SCHEMES: Final = ("mysql", "mariadb")
NAME: Final = "mysql"
"""Name of both in ibis."""

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


def utf8_text_table(connection: Any, log: Any) -> Any:
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
