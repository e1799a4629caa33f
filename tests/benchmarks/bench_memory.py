"""What the app holds while a room of people goes through all pages: for a host that gives it one
gigabyte.

    python -m tests.benchmarks.bench_memory [--people 30] [--rounds 2]

Each has data of an own size, opens every page at a time of their own and moves k there where there
is one; a round is once through all pages. What is printed is the largest sum of resident memory
over the processes of the app, looked at four times a second, and how many runs came to their end.
Files are not uploaded: they are read one at a time within `budgets().worker`, which comes on top.
"""

import argparse
import asyncio
from dataclasses import dataclass, field

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.benchmarks.crowd import Person, Server, enters, served

PAGES = (
    "start",
    "explore",
    "compare",
    "neighbours",
    "decide",
    "learn",
    "gaps",
    "margin",
    "candidates",
)
_LOOK = 0.25  # seconds
_PAUSE = 4.0  # seconds that somebody looks at a page, at most
_K = "k, items out"


@dataclass
class Held:
    """What was seen."""

    start: float
    most: float = 0.0
    runs: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass
class Visitor(Person):
    """Somebody who goes from page to page, and does not wait for what is computed beside it."""

    async def opens(self, page: str) -> None:
        """Ask for a page; back when it was drawn, but for what comes later by itself."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = f"v=1&data=generated:zipf&data.size={self.size}&epsilon=1.0&k=10"
        asked.page_name = page
        self.controls.clear()
        await self.connection.send(message.SerializeToString())
        await self._read()

    async def moves(self, rng: np.random.Generator) -> None:
        """Another k."""
        await self._ask(_K, float(rng.integers(2, 30)))
        await self._read()


async def _visits(server: Server, number: int, rounds: int, held: Held) -> None:
    rng = np.random.default_rng(number)
    entered = await enters(server.port, number)
    visitor = Visitor(number, entered.connection)
    try:
        for _ in range(rounds):
            for page in rng.permutation(PAGES):
                async with asyncio.timeout(120):
                    await visitor.opens(str(page))
                    held.runs += 1
                    await asyncio.sleep(_PAUSE * rng.random())
                    if _K in visitor.controls:
                        await visitor.moves(rng)
                        held.runs += 1
    except Exception as error:  # noqa: BLE001 - whatever happens to a person is counted
        held.wrong.append(f"{error!r}")
    await visitor.connection.close()


async def room(server: Server, people: int, rounds: int) -> Held:
    """Everybody at once; how much the app held at most."""
    first = await enters(server.port, 0)
    await first.run()
    await first.connection.close()
    held = Held(server.memory)
    visits = asyncio.gather(*(_visits(server, number, rounds, held) for number in range(people)))
    while not visits.done():
        held.most = max(held.most, server.memory)
        await asyncio.wait([visits], timeout=_LOOK)
    await visits
    return held


def main() -> None:
    """Run it and print what was seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=2)
    told = parser.parse_args()
    with served(1) as server:
        held = asyncio.run(room(server, told.people, told.rounds))
    print(
        f"{told.people} people, {held.runs} runs: {held.start:.0f} MB with one, at most"
        f" {held.most:.0f} MB"
    )
    for sentence in sorted(set(held.wrong)):
        print(f"{held.wrong.count(sentence)} × {sentence}")


if __name__ == "__main__":
    main()
