"""Whatever all visitors bring together, the server keeps to the memory that it may take."""

import asyncio

import pytest

from dpviz.base.resource_budgets import ENVIRONMENT
from dpviz.web.server.session_memory import NO_ROOM
from tests.benchmarks.crowd import Person, Server, enters, served
from tests.web.own_process import run_apart
from tests.web.server.test_governor import ASKS_FOR_A_FILE, memory, said

LINK = "explore", "v=1&data=generated:zipf&data.size=1000000&epsilon=1.0&k=10"
PEOPLE = 15


async def largest(server: Server, found: list[float]) -> None:
    """Look at the memory, five times a second."""
    while True:
        found.append(await asyncio.to_thread(memory, server))
        await asyncio.sleep(0.2)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["uploads", "links"])
def test_all_visitors_together_keep_to_the_memory_of_the_machine(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifteen files of 50 MB, or as many links to a million items, on a machine of 1,000 MB."""
    monkeypatch.setenv(ENVIRONMENT, "1000")
    monkeypatch.setattr("tests.benchmarks.crowd.PATIENCE", 300.0)
    names = "name,score\n" + "".join(f"{n:040x},{n % 997}\n" for n in range(1_000_000))
    refused, found = list[int](), [0.0]

    async def visit(server: Server) -> None:
        people = list[Person]()
        watching = asyncio.create_task(largest(server, found))
        for number in range(PEOPLE):
            person = await enters(server.port, number)
            people.append(person)
            person.at, person.query = LINK if kind == "links" else ASKS_FOR_A_FILE
            try:
                await person.run()
                if kind == "uploads":
                    await person.open_data()
                    await person.brings(server.port, "own.csv", names.encode())
            except RuntimeError as told:  # the file was not taken
                if "413" in str(told):
                    refused.append(number)
            if NO_ROOM in said(person):
                refused.append(number)
        watching.cancel()
        for person in people:
            await person.connection.close(1001)

    with served(1) as server:
        run_apart(visit(server))
    assert max(found) < 900  # MB, and a tenth is the system's
    assert len(refused) < PEOPLE
