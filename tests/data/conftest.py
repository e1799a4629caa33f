"""What takes long around the reading and counting of a small file, once for many tests or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from dpviz.data.counting import engine, event_log, files
from dpviz.data.counting.embedded_duckdb import open_duckdb
from dpviz.data.reading import limited_reading


@pytest.fixture(scope="module")
def one_duckdb() -> Iterator[Any]:
    """All counts of a module have parts of one DuckDB: to open one takes longer than a small count."""
    numbers = count()

    @contextmanager
    def part(*_of: object, **_told: object) -> Iterator[Any]:
        name = f"part{next(numbers)}"
        with whole.cursor() as connection:
            connection.execute(f"ATTACH ':memory:' AS {name}; USE {name}")
            yield connection
        whole.execute(f"DETACH {name}")

    with open_duckdb() as whole, pytest.MonkeyPatch.context() as patch:
        for module in (engine, event_log, files):
            patch.setattr(module, "open_duckdb", part)
        yield part


@pytest.fixture
def own_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count of files opens DuckDB all the same, with the memory and the folder that it was given."""
    monkeypatch.setattr(files, "open_duckdb", open_duckdb)


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, which starts no processes; the wall around a reader has its own tests."""
    monkeypatch.setattr(limited_reading, "can_start_worker", lambda: False)
