"""An embedded DuckDB with a memory limit, and a folder of its own for the overflow."""

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from dpviz.base import ParameterError, Progress

T = TypeVar("T")

MEMORY: Final = "1GB"

_SIZE = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B", re.IGNORECASE)
_SETTINGS = """
SET autoinstall_known_extensions = false; SET autoload_known_extensions = false;
SET enable_progress_bar = true; SET enable_progress_bar_print = false;
SET TimeZone = 'UTC'
"""  # no code from elsewhere; progress is asked for, and not printed
_POLL = 0.2  # seconds between looks at whether to stop


def check_memory_size(memory: str) -> None:
    if not isinstance(memory, str) or not _SIZE.fullmatch(memory):
        raise ParameterError("memory", memory, "a size such as 1GB or 500MB")


@contextmanager
def open_duckdb(
    memory: str = MEMORY, temporary: str | None = None, threads: int | None = None
) -> Iterator[Any]:
    """A new DuckDB; its folder in `temporary` is removed at the end."""
    import duckdb  # noqa: PLC0415 - slow to import

    check_memory_size(memory)
    with tempfile.TemporaryDirectory(prefix="dpviz-", dir=temporary) as folder:
        config = {
            "memory_limit": memory,
            "temp_directory": folder,
            "preserve_insertion_order": False,
        }
        config |= {} if threads is None else {"threads": threads}
        with duckdb.connect(config=config) as connection:
            connection.execute(_SETTINGS)
            yield connection


def run_query(connection: Any, query: str, progress: Progress) -> None:
    """Run a query that can be stopped."""
    watch_query(connection, partial(connection.execute, query), progress)


def watch_query(connection: Any, run: Callable[[], T], progress: Progress) -> T:
    """Run a query of a connection in a thread, so that it can be watched and stopped."""
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(run)
        try:
            done = 0.0  # what DuckDB says may fall again
            while not wait([running], timeout=_POLL).done:
                done = max(done, min(float(connection.query_progress()), 99.0) / 100)
                progress(done)
        except BaseException:
            connection.interrupt()
            raise
        return running.result()


def column_types(connection: Any, relation: str) -> dict[str, str]:
    rows = connection.execute(f"DESCRIBE FROM {relation}").fetchall()
    return {name: kind for name, kind, *_ in rows}


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quote_literal(value: Any) -> str:
    """A value as DuckDB writes it: a text, a number, a truth value, a list or a record."""
    if isinstance(value, Mapping):
        inside = (f"{quote_name(name)}: {quote_literal(each)}" for name, each in value.items())
        return "{" + ", ".join(inside) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(quote_literal, value)) + "]"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value).lower()
