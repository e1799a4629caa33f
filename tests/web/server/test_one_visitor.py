"""What one visitor does to a live server: memory and processor time of its whole tree, and what is
left afterwards.

All of it takes minutes by nature. Its small twins: tests/web/jobs/test_process_steps.py,
tests/web/server/test_upload_budget.py, tests/web/server/test_session_memory.py and
tests/teaching/classes/test_interrupted.py;
`test_governor` lists what each finding has.
"""

import asyncio
import time
from collections.abc import Iterator

import numpy as np
import pytest

from dpviz.base.resource_budgets import ENVIRONMENT, choose_budgets
from dpviz.web.server.session_memory import NO_ROOM
from tests.benchmarks.bench_governor import HEAVY, Seen, memory, sits, watch
from tests.benchmarks.crowd import Person, Server, enters, fetched, served
from tests.web.own_process import run_apart
from tests.web.server.test_governor import ASKS_FOR_A_FILE, LEFT, MOST, said

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
MANY = "name,score\n" + "".join(f"name {number},{number % 997}\n" for number in range(50_000))
STAYS = 40.0  # seconds
LINK = "explore", "v=1&data=generated:zipf&data.size=1000000&epsilon=1.0&k=10"
ENDS = 20  # seconds after which a session without a connection ends


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL", str(ENDS))
        with served(1) as server:
            run_apart(warmed(server))
            yield server


async def warmed(server: Server) -> None:
    """The first ones bring what every process keeps."""
    for number in range(4):
        person = await enters(server.port, number)
        await person.run()
        await person.connection.close(1001)
    await (await brings(server, 4, MANY)).connection.close(1001)


async def asks_for_a_file(server: Server, number: int) -> Person:
    """Somebody whose page waits for a file."""
    person = await enters(server.port, number)
    person.at, person.query = ASKS_FOR_A_FILE
    await person.run()
    return person


async def brings(server: Server, number: int, content: str) -> Person:
    """Somebody with a file, whose page shows what is in it."""
    person = await asks_for_a_file(server, number)
    await person.brings(server.port, "own.csv", content.encode())
    await person.run()
    return person


async def comes_back(server: Server, rest: float, files: int | None = None) -> None:
    """Wait until memory is what it was, and open files, soon after somebody's session has ended."""
    until = time.monotonic() + ENDS + 30.0
    while memory(server) - rest > LEFT or (files is not None and server.process.num_fds() > files):
        left = (
            f"{memory(server) - rest:.0f} MB are left, {server.process.num_fds()} files of {files}"
        )
        assert time.monotonic() < until, left
        await asyncio.sleep(1.0)


def test_a_heavy_link_keeps_to_its_budget_and_its_work_ends_with_it(server: Server) -> None:
    async def visit() -> None:
        rest, seen, spent = memory(server), Seen(), server.spent
        person = await enters(server.port, 1000)
        person.at = "compare"
        person.query = f"v=1&data=generated:zipf&epsilon=0.001&{HEAVY[person.at]}"
        until = time.monotonic() + STAYS
        looks = asyncio.create_task(sits(person, until))
        await watch(server, seen, until)
        looks.cancel()
        await asyncio.gather(looks, return_exceptions=True)
        await person.connection.close(1001)
        assert seen.most - rest < MOST
        assert server.spent - spent < 1.5 * STAYS  # one core, and what the page's own runs take
        until = time.monotonic() + 30.0
        while len(server.processes) > 1:
            assert time.monotonic() < until, "somebody computes for one who has left"
            await asyncio.sleep(0.5)
        await comes_back(server, rest)

    run_apart(visit())


def test_files_at_the_limit_are_read_and_used_within_the_budget_of_one_session(
    server: Server,
) -> None:
    names = "name,score\n" + "".join(f"{n:043x},{n % 997}\n" for n in range(1_000_000))
    log = "user,page,when\n" + "".join(
        f"p{n % 700_000},item{n % 5003},2026-01-{n % 27 + 1:02d}\n" for n in range(1_750_000)
    )

    async def visit() -> None:
        for content in (names, log):
            rest, seen = memory(server), Seen()
            watching = asyncio.create_task(watch(server, seen, time.monotonic() + STAYS))
            person = await brings(server, 9, content)
            assert "Read it differently" in person.controls, "it is used"
            await person.moves_k(np.random.default_rng(1))
            await watching
            await person.connection.close(1001)
            assert len(content) > 45_000_000
            assert seen.most - rest < MOST
            await comes_back(server, rest)

    run_apart(visit())


def test_files_of_a_million_items_are_written_beside_the_server_and_fetched_from_disk(
    server: Server,
) -> None:
    """A file is 60 MB, another 340: what the server takes is what drawing the page anew does."""
    names = "name,score\n" + "".join(f"{n:043x},{n % 997}\n" for n in range(1_000_000))

    async def visit() -> None:
        rest, seen = memory(server), Seen()
        watching = asyncio.create_task(watch(server, seen, time.monotonic() + STAYS))
        person = await brings(server, 9, names)
        await person.run("Share or save", trigger_value=True)
        before = server.process.cpu_times()
        await person.run("Download scenario", trigger_value=True)
        await person.run("Share or save", trigger_value=True)
        await person.run("scores_table", bool_value=True)
        await person.run("Table as CSV", trigger_value=True)
        scenario, table = person.files
        for file, least, end in ((scenario, 59_000_000, b"\n}"), (table, 200_000_000, b'"\n')):
            assert "text" not in file, "it went over the line of the page"
            length, last = 0, b""
            for piece in await asyncio.to_thread(
                lambda at: list(fetched(server.port, at)), file["at"]
            ):
                length, last = length + len(piece), piece
            assert length > least
            assert last.endswith(end)
        after = server.process.cpu_times()
        assert after.user - before.user < after.children_user - before.children_user
        await person.connection.close(1001)
        await watching
        assert seen.most - rest < MOST
        await comes_back(server, rest)

    run_apart(visit())


def test_who_is_cut_off_finds_the_page_in_time_and_later_nothing_is_left(server: Server) -> None:
    async def visit() -> None:
        rest = memory(server)
        people = [await brings(server, number, MANY) for number in range(4)]
        for person in people:
            person.connection.transport.abort()
        back = await enters(server.port, 0, people[0].session)
        await back.run()
        assert back.session == people[0].session
        assert "Read it differently" in back.controls
        await back.connection.close(1001)
        await comes_back(server, rest)

    run_apart(visit())


@pytest.mark.parametrize("kind", ["uploads", "links"])
def test_all_visitors_together_keep_to_the_memory_of_the_machine(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifteen files of 50 MB, or as many links to a million items, on a machine of 1,000 MB."""
    monkeypatch.setenv(ENVIRONMENT, "1000")
    names = "name,score\n" + "".join(f"{n:040x},{n % 997}\n" for n in range(1_000_000))
    budgets = choose_budgets(1e9)
    refused = 0

    async def visit(server: Server) -> None:
        nonlocal refused
        seen, people = Seen(), list[Person]()
        watching = asyncio.create_task(watch(server, seen, float("inf")))
        for number in range(15):
            person = await enters(server.port, number)
            people.append(person)
            person.at, person.query = LINK if kind == "links" else ASKS_FOR_A_FILE
            try:
                await person.run()
                if kind == "uploads":
                    await person.brings(server.port, "own.csv", names.encode())
            except RuntimeError as told:  # the file was not taken
                refused += "413" in str(told)
            refused += NO_ROOM in said(person)
        watching.cancel()
        for person in people:
            await person.connection.close(1001)
        assert seen.most < (budgets.process + budgets.workers * budgets.worker) / 1e6

    with served(1) as server:
        run_apart(visit(server))
    assert refused < 15
