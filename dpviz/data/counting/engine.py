"""Counting where the log lies: any engine with an ibis address."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from dpviz.base.errors import Cancelled, ParameterError
from dpviz.base.progress import Progress, silent
from dpviz.data.counting.counts import Counts, check_columns, check_missing, counts_of
from dpviz.data.counting.expression import import_ibis, people_per_item
from dpviz.data.ingest import IngestError, known_items
from dpviz.data.ingest.kept import check_most

__all__ = ["count_events", "count_in_engine"]

_EMBEDDED = ("duckdb", "sqlite")  # which would make a new file where there is none
_POLL = 0.2  # seconds between looks at whether to stop


def count_in_engine(
    url: str,
    table: str,
    person: str,
    item: str,
    *,
    missing: str = "refuse",
    items: Iterable[str] | None = None,
    most: int | None = None,
    progress: Progress = silent,
) -> Counts:
    """Distinct people per item of a table in an engine, which does the counting: only the counts come here.

    `url` is any address that `ibis.connect` takes (`duckdb://log.db`, `sqlite://log.db`, `postgres://…`,
    `pyspark://…`); `table` may be "schema.table"; `items` and `most` are as in `count_files`. Needs the extra
    `dpviz[count]` and ibis's own extra for the engine. Raises `IngestError` with what the engine said, without
    the address.
    """
    check_missing(missing)
    ibis = import_ibis()
    scheme, path = _split(url)
    if scheme in _EMBEDDED and path and not Path(path).exists():
        raise IngestError(f"There is no file {path} to connect to.")
    try:
        connection = ibis.connect(url)
    except Exception as err:  # every engine raises its own kind
        raise IngestError(f"Could not connect to {scheme}: {_said(err, url)}.") from err
    try:
        log = _table(connection, table)
        return count_events(log, person, item, missing=missing, items=items, most=most, progress=progress)
    finally:
        connection.disconnect()


def count_events(
    events: Any,
    person: str,
    item: str,
    *,
    missing: str,
    items: Iterable[str] | None,
    most: int | None,
    progress: Progress = silent,
) -> Counts:
    """Distinct people per item of an ibis table."""
    check_columns(events.columns, person, item)
    most = check_most(most)
    engine = str(events.get_backend().name)
    canonical = engine == "duckdb"
    known = None if items is None else known_items(items, canonical=canonical)
    expression = people_per_item(
        events, person, item, canonical=canonical, items=known, most=most, own_md5=engine == "sqlite"
    )
    try:
        grouped = _watched(expression, events.get_backend(), progress) if canonical else expression.to_pandas()
    except Cancelled:
        raise
    except Exception as err:  # as above
        raise IngestError(f"{engine} could not count the events: {_said(err)}.") from err
    progress(1.0)
    return counts_of(
        grouped, item=item, missing=missing, engine=engine, exact_text=not canonical, items=known, most=most
    )


def _watched(expression: Any, backend: Any, progress: Progress) -> Any:
    """The result of an expression on DuckDB, computed beside, so that it can be watched and stopped."""
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(expression.to_pandas)
        try:
            while not wait([running], timeout=_POLL).done:
                progress(min(max(float(backend.con.query_progress()), 0.0), 99.0) / 100)
        except BaseException:
            backend.con.interrupt()
            raise
        return running.result()


def _split(url: str) -> tuple[str, str]:
    """(scheme, path of an embedded engine's file) of an address."""
    try:
        parts = urlsplit(url)
    except (ValueError, AttributeError):
        parts = urlsplit("")
    if not parts.scheme or "://" not in url:
        raise ParameterError("connect", parts.scheme or "an address without ://", "an address such as duckdb://log.db")
    return parts.scheme, (parts.netloc + parts.path)


def _table(connection: Any, name: str) -> Any:
    schema, _, table = name.rpartition(".")
    try:
        return connection.table(table, database=schema or None)
    except Exception as err:  # as above
        raise ParameterError("table", name, "the name of a table there, or schema.table") from err


def _said(err: Exception, url: str = "") -> str:
    """The first line of what an engine says, cut, and without the address: it may hold a password."""
    line = next(iter(str(err).strip().splitlines()), type(err).__name__)
    if url:
        line = line.replace(url, "the address")
        secret = urlsplit(url).password
        line = line.replace(secret, "***") if secret else line
    return line[:300].rstrip(". ")
