"""What one visitor does to the others, on one live server: whatever it is, memory of the whole tree is bounded.

What all of them do together is in `test_all_visitors`.
"""

import asyncio
import io
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.base.resource_budgets import ENVIRONMENT, SIZES
from dpviz.teaching.classes import ClassManager
from tests.benchmarks import crowd
from tests.benchmarks.classmates import KEY, Phone, goes_through, seen
from tests.benchmarks.crowd import HEAVY, Person, Server, enters, memory, served, upload
from tests.web.own_process import run_apart

MOST, LEFT = 500.0, 50.0  # MB that one visitor may take, and leave
PATIENCE = 60.0  # seconds
BUDGETS = SIZES[2]
ASKS_FOR_A_FILE = "explore", "v=1&data=uploaded&epsilon=1.0&k=3"
HELD = pytest.mark.skipif(
    not hasattr(psutil.Process, "rlimit"), reason="limits of another process are Linux's"
)
AWAY = "The server cannot open its classes now"
FEW, MANY = 12, 200


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("classes") / "classes.sqlite"


@pytest.fixture(scope="module")
def server(store: Path) -> Iterator[Server]:
    """A server on a machine of 2 GB, on which somebody has been."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENVIRONMENT, "2000")
        patch.setattr(
            crowd, "PATIENCE", 200.0
        )  # where other work keeps the machine busy, nobody gives up
        with served(1, store) as server:
            run_apart(warmed(server))
            yield server


async def warmed(server: Server) -> None:
    async with visitor(server, *ASKS_FOR_A_FILE) as person:
        await person.brings(server.port, "votes.csv", log(1_000))


@pytest.fixture
def classes(store: Path, server: Server) -> Iterator[ClassManager]:
    """The classes of this server, as another process of it sees them."""
    classes = ClassManager(store, age=0.0)
    yield classes
    classes.close()


@pytest.fixture(autouse=True)
def _bounded(server: Server) -> Iterator[None]:
    """Whatever happens meanwhile, all processes together grow by no more than one visitor may take."""
    rest, done = memory(server), threading.Event()
    most = rest

    def watch() -> None:
        nonlocal most
        while not done.wait(0.2):
            most = max(most, memory(server))

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield
    done.set()
    watcher.join()
    assert most - rest < MOST


@asynccontextmanager
async def visitor(
    server: Server, at: str = "", query: str = "", **headers: str
) -> AsyncIterator[Person]:
    """Somebody with this link, until the tab is closed; without one, with data of an own size."""
    person = await enters(
        server.port, 2, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    person.at, person.query = at, query
    try:
        await person.asks()
        yield person
    finally:
        await person.connection.close(1001)


def log(rows: int) -> bytes:
    """A log that names people, as text."""
    return ("person,item\n" + "".join(f"p{n // 7},{n % 1000 / 8}\n" for n in range(rows))).encode()


@cache
def numbers(rows: int, people: int = 0) -> bytes:
    """A log of numbers as Parquet, that names nobody or so many: few of its numbers differ, so that
    it is small.
    """
    file, row = io.BytesIO(), np.arange(rows)
    columns = {"item": row % 1000 / 8} | ({"person": row % people} if people else {})
    pq.write_table(pa.table(columns), file, compression="zstd")
    return file.getvalue()


async def until(reached: Callable[[], bool], what: str) -> None:
    """Look every now and then; `what` is told where it does not come."""
    end = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < end, what
        await asyncio.sleep(0.1)


def test_a_log_of_millions_is_counted_beside_the_server(server: Server) -> None:
    """5 million rows in little: too many as scores, which is told, and as a log counted; what is
    left is let go.
    """

    two = numbers(5_000_000, people=1_000)

    async def visit() -> None:
        rest = memory(server)
        async with visitor(server, *ASKS_FOR_A_FILE) as person:
            await person.drops(server.port, "log.parquet", two)
            await person.run("It is", string_value="Scores: one item per row")
            await person.run("Use this file", trigger_value=True)
            assert "at most 1,000,000 are allowed" in said(person)
            await person.run("Cancel", trigger_value=True)
            await until(lambda: memory(server) - rest < LEFT, "what was left is kept")
            await person.brings(server.port, "log.parquet", two)
            assert "Change how it is read" in person.controls
        assert server.processes[1:], "it is counted in the server itself"

    run_apart(visit())


def said(person: Person) -> str:
    """The sentences that a page set apart, without the marks of Markdown."""
    return " ".join(person.told).replace("\\", "")


def test_work_of_a_heavy_link_ends_with_it_and_where_it_is_killed(server: Server) -> None:
    """One that the system kills is told; what was asked for anew ends as soon as less is asked for."""
    link = f"v=1&data=generated:zipf&epsilon=0.001&{HEAVY['compare']}"

    async def visit() -> None:
        async with visitor(server, "compare", link) as person:
            await until(lambda: bool(server.workers), "it is computed in the server's own process")
            while "the limit for one visitor here" not in said(person):
                for worker in server.workers:
                    worker.kill()
                await person.asks()
            await person.asks("Items", double_value=900_000.0)
            await until(lambda: bool(server.workers), "it is not computed any more")
            person.sizes.clear()
            await person.asks("Items", double_value=float(person.size))
            await until(lambda: not server.workers, "somebody computes what nobody wants any more")
            person.check()

    run_apart(visit())


def test_what_was_refused_or_broken_off_makes_room(server: Server) -> None:
    """Of what a session has sent, no more waits than its budget; what was read, or never came,
    waits no more.
    """
    nonsense = bytes(2 * BUDGETS.uploaded // 3)

    async def visit() -> None:
        async with visitor(server, *ASKS_FOR_A_FILE) as person:
            assert upload(server.port, person.session, "half", nonsense, 0.5) == 0
            await until(
                lambda: upload(server.port, person.session, "one.csv", nonsense) == 204,
                "what was broken off still counts",
            )
            await person.names_upload("one.csv", len(nonsense))
            assert "one.csv is not used" in said(person)
            await person.drops(server.port, "other.csv", nonsense)
            assert "other.csv is not used" in said(person)
            sent = (
                asyncio.to_thread(upload, server.port, person.session, name, nonsense)
                for name in "abc"
            )
            assert sorted(await asyncio.gather(*sent)) == [204, 413, 413]

    run_apart(visit())


@HELD
def test_a_server_without_memory_tells_it_and_serves_the_next(server: Server) -> None:
    """As under `ulimit -v`, with what the server holds of 5 million rows beyond it."""

    async def visit() -> None:
        async with visitor(server, *ASKS_FOR_A_FILE) as person, visitor(server) as other:
            address_space = server.process.memory_info().vms
            with held_to(server, psutil.RLIMIT_AS, address_space + 25_000_000):
                await person.brings(server.port, "log.parquet", numbers(5_000_000, people=1_000))
                assert "The server does not have enough memory for it now" in said(person)
                await other.run("Items", double_value=57.0)
            await person.brings(server.port, "log.csv", log(1_000))
            assert "Change how it is read" in person.controls

    run_apart(visit())


@contextmanager
def held_to(server: Server, kind: int, most: int) -> Iterator[None]:
    """A limit of the system, set for the server while it runs."""
    before = server.process.rlimit(kind)
    server.process.rlimit(kind, (most, before[1]))
    try:
        yield
    finally:
        server.process.rlimit(kind, before)


@HELD
def test_a_store_out_of_reach_is_told(server: Server, classes: ClassManager) -> None:
    """No file of the server can grow, as on a full disk."""
    code, teacher = classes.begin_class(KEY)

    async def visit() -> None:
        phone = Phone(server.port, "192.0.2.10")
        async with visitor(server, "learn", f"lesson={KEY}") as person:
            with held_to(server, psutil.RLIMIT_FSIZE, 4096):
                with pytest.raises(RuntimeError, match=f"503.*{AWAY}"):
                    await phone.joins(code)
                await person.asks("Start a class", trigger_value=True)
                assert AWAY in said(person)
            await phone.joins(code)
        await phone.leaves()

    run_apart(visit())
    assert seen(classes, code).students == 1
    classes.delete_class(teacher)


@pytest.mark.parametrize("people", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_a_class_goes_through_a_lesson_on_its_phones(
    server: Server, classes: ClassManager, people: int
) -> None:
    """Nothing anybody did is lost. `bench_sessions --class` tells the times."""
    took = run_apart(goes_through(server.port, classes, people))
    sys.stdout.write(f"{people} phones: {took}\n")  # shown by -s
    assert took["bytes"] < 40_000
