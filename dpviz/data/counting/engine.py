"""Counting inside a database: any engine with an ibis address."""

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dpviz.base import (
    Cancelled,
    ParameterError,
    Progress,
    check_choice,
    ignore_progress,
    portion,
)
from dpviz.base.former_names import former_arguments
from dpviz.data.counting import mysql, spark
from dpviz.data.counting.count_expression import (
    can_normalise_text,
    import_ibis,
    people_per_item_expression,
)
from dpviz.data.counting.counts import MISSING, Counts, check_columns
from dpviz.data.counting.distinct_people import LogRows, count_distinct_people, read_duckdb_counts
from dpviz.data.counting.embedded_duckdb import open_duckdb, watch_query
from dpviz.data.counting.engine_errors import engine_error_text
from dpviz.data.counting.row_copy import ROWS_COPIED, copy_rows_to_duckdb
from dpviz.data.counting.row_filter import ALL, RowFilter
from dpviz.data.reading import IngestError, check_contribution_limit, quote_value
from dpviz.data.reading.guessing.item_lists import listed_items

_EMBEDDED = ("duckdb", "sqlite")  # which would make a new file where there is none
_SHOWN = 20  # names of tables in a sentence
_FOUND = """
CREATE TEMP TABLE found AS SELECT item, score, events, without_person, cut_pairs, cut_rows,
    NULL::BIGINT AS place, NULL AS long_person, NULL AS long_place
FROM grouped
"""  # as `count_rows` finds them


@former_arguments(most="contributions")
def count_in_engine(
    url: str,
    table: str,
    person: str,
    item: str,
    *,
    chosen: RowFilter = ALL,
    missing: str = "refuse",
    items: Iterable[str] | str | Path | None = None,
    contributions: int | None = None,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item of a table in an engine, which does the counting.

    MySQL, MariaDB and SQLite pass both columns to an embedded DuckDB. Needs the extra
    `dpviz[count]` and ibis's own extra for the engine.

    Parameters
    ----------
    url
        Any address that `ibis.connect` takes: `duckdb://log.db`, `sqlite://log.db`,
        `postgres://user@host/db`, `mysql://user:password@host/db`, `pyspark://…`. PostgreSQL finds
        a password that is left out in PGPASSWORD or ~/.pgpass.
    table
        The name of a table or a view, or "schema.table".
    person, item
        The columns that say who, and what.
    chosen
        The rows that count; all, unless told.
    missing
        "refuse" or "skip" rows without a person or an item.
    items
        Items known beforehand, or the path of their list: others are left out, zeros kept. None for
        those that occur.
    contributions
        Most items kept of each person, by a rule on that person's rows alone; None for all.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Counts
        The counts, and what was left out.

    Raises
    ------
    IngestError
        With what the engine said, without the address.
    """
    check_choice("missing", missing, MISSING)
    ibis = import_ibis()
    scheme, path = _split(url)
    if scheme in _EMBEDDED and path and not Path(path).exists():
        raise IngestError(f"There is no file {path} to connect to.")
    if scheme in mysql.SCHEMES:
        mysql.ensure_driver()
    stays = scheme == spark.SCHEME and spark.has_spark_session()
    try:
        # of a time zone, set otherwise below
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            connection = ibis.connect(url.replace("mariadb://", "mysql://", 1))
    except ImportError as err:
        extra = scheme.replace("postgresql", "postgres")
        raise IngestError(
            f"Connecting to {scheme} needs ibis's extra for it: pip install"
            f" 'ibis-framework[{extra}]' ({engine_error_text(err, url)})."
        ) from err
    except Exception as err:  # every engine raises its own kind
        raise IngestError(f"Could not connect to {scheme}: {engine_error_text(err, url)}.") from err
    try:
        if connection.name == mysql.NAME:
            mysql.prepare(connection)
        if connection.name == spark.SCHEME:
            spark.prepare(connection)
        log = _table(connection, table)
        if connection.name == mysql.NAME:
            log = mysql.utf8_text_table(connection, log)
        return count_people_in_ibis(
            log,
            person,
            item,
            row_filter=chosen,
            missing=missing,
            items=items,
            contributions=contributions,
            progress=progress,
        )
    finally:
        if not stays:
            connection.disconnect()


def count_people_in_ibis(
    events: Any,
    person: str,
    item: str,
    *,
    missing: str,
    items: Iterable[str] | str | Path | None,
    contributions: int | None,
    row_filter: RowFilter = ALL,
    progress: Progress = ignore_progress,
) -> Counts:
    """Distinct people per item of an ibis table."""
    ibis = import_ibis()
    check_columns(events.columns, person, item)
    contributions = check_contribution_limit(contributions)
    engine = str(events.get_backend().name)
    canonical = engine in ROWS_COPIED or can_normalise_text(engine)
    known = None if items is None else listed_items(items, normalise_unicode=canonical)
    try:
        row_filter.check_time_column(events)
        events = row_filter.filter_rows(events)
        with open_duckdb() as here:
            if engine in ROWS_COPIED:
                copy_rows_to_duckdb(here, events, (person, item), portion(progress, 0.0, 0.5))
                counts = count_distinct_people(
                    LogRows(connection=here, person=person, item=item),
                    column_names=(person, item),
                    missing=missing,
                    items=known,
                    contributions=contributions,
                    progress=portion(progress, 0.5, 1.0),
                )
                counts = replace(counts, engine=engine, read_over=engine == mysql.NAME)
            else:
                expression = people_per_item_expression(
                    events, person, item, engine=engine, items=known, contributions=contributions
                )
                here.register("grouped", _result(expression, progress))
                here.execute(_FOUND)
                counts = read_duckdb_counts(
                    here,
                    (person, item),
                    engine=engine,
                    missing=missing,
                    items=known,
                    contributions=contributions,
                    exact_text=not canonical,
                )
    except (Cancelled, ParameterError, IngestError):
        raise
    except ibis.common.exceptions.OperationNotDefinedError as err:
        raise IngestError(
            f"{engine} has no way to make texts alike here: write the table as Parquet or CSV and"
            " count that."
        ) from err
    except Exception as err:  # as above
        raise IngestError(
            f"{engine} could not count the events: {engine_error_text(err)}."
        ) from err
    progress(1.0)
    return replace(counts, chosen=row_filter)


def _result(expression: Any, progress: Progress) -> Any:
    """Result of an expression; DuckDB's can be watched and stopped."""
    backend = expression.get_backend()
    if backend.name != "duckdb":
        return expression.to_pandas()
    return watch_query(backend.con, expression.to_pandas, progress)


def _split(url: str) -> tuple[str, str]:
    """Scheme, and path of an embedded engine's file; errors never quote a password."""
    scheme, there, rest = url.partition("://")
    if not there or not scheme.isalnum():
        raise ParameterError(
            "connect", "an address without ://", "an address such as duckdb://log.db"
        )
    if scheme in _EMBEDDED:
        return scheme, rest
    try:
        parts = urlsplit(url)
        whole = parts.port is not None or "@" not in parts.path + parts.query + parts.fragment
    except ValueError:  # the port is no number, or a bracket is open: what is said of it quotes it
        whole = False
    if not whole or ("@" in rest and "@" not in parts.netloc):
        raise IngestError(
            f"The address of {scheme} is not {scheme}://user:password@host:port/database: write any"
            " of / : @ # ? [ ] % in the password as %2F, %3A, %40, %23, %3F, %5B, %5D and %25, and"
            " the port as a number up to 65535."
        )
    return scheme, rest


def _table(connection: Any, name: str) -> Any:
    schema, _, table = name.rpartition(".")
    try:
        if connection.name == spark.SCHEME:
            schema, _, table = spark.spark_table_name(connection, name).rpartition(".")
        return connection.table(table, database=schema or None)
    except Exception as err:  # as above
        tables = _tables(connection, schema)
        if table in tables:  # a view of what is gone
            why = engine_error_text(
                err.__context__ if isinstance(err.__context__, Exception) else err
            )  # ibis says the name alone
            raise IngestError(
                f"{connection.name} could not read {quote_value(name)}: {why}."
            ) from err
        raise ParameterError("table", name, _which(tables, schema)) from err


def _tables(connection: Any, schema: str) -> list[str]:
    """Names of tables and views; none if the engine does not tell."""
    try:
        # whose list of tables ibis asks for in a way that DuckDB 2 has no more
        if connection.name == "duckdb":
            query = "select table_name from information_schema.tables where table_schema = ?"
            return sorted(
                name for (name,) in connection.con.execute(query, [schema or "main"]).fetchall()
            )
        if connection.name == mysql.NAME:
            return mysql.table_names(connection, schema)
        return sorted(connection.list_tables(database=schema or None))
    except Exception:  # noqa: BLE001 - as above; a schema that is not there, with some
        return []


def _which(tables: list[str], schema: str) -> str:
    """Allowed tables, as an error lists them."""
    if not tables:
        return (
            "schema.table: there are no tables in"
            f" {quote_value(schema) if schema else 'what the address opens'}"
        )
    names = [quote_value(f"{schema}.{table}" if schema else table) for table in tables[:_SHOWN]]
    more = f" and {len(tables) - _SHOWN:,} more" if len(tables) > _SHOWN else ""
    return f"one of the tables {', '.join(names)}{more}, or schema.table"
