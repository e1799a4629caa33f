"""Processor time of one moved control on each page.

    python -m tests.benchmarks.bench_page_run [--rounds 6] [--pages NAME ...]

A client on the websocket moves ε to and fro between three values whose laws are known already.
Counted is the processor time of the server's process: the script and the event loop.
"""

import argparse
import asyncio
from collections.abc import Mapping

from tests.benchmarks.crowd import Person, Server, enters, served

_ZIPF = "data=generated:zipf&data.size=4096&sensitivity=100&k=100&m1=canonical&epsilon=0.35"
Place = tuple[str, str, str, tuple[float, float, float]]
PAGES: Mapping[str, Place] = {  # name: page, query, control, its values
    "explore, 60 items": ("explore", "v=1", "ε, exactly", (0.2, 0.25, 0.3)),
    "explore, 4,096 items": ("explore", _ZIPF, "ε, exactly", (0.35, 0.4, 0.45)),
    "compare, 3 mechanisms": ("compare", "v=1", "ε, exactly", (0.2, 0.25, 0.3)),
    "gaps, top-k": ("gaps", "v=1", "ε, exactly", (1.0, 1.5, 2.0)),
    "gaps, sparse vector": ("gaps", "page.gaps.half=sparse_vector", "ε, exactly", (1.0, 1.5, 2.0)),
    "margin": ("margin", "v=1", "ε, exactly", (0.5, 0.6, 0.7)),
    "candidates": ("candidates", "v=1", "ε1, exactly", (0.5, 0.6, 0.7)),
}
MOVES = 6  # of a turn: enough for a clock of ten milliseconds


async def opened(server: Server, place: Place) -> Person:
    """Someone on that page, where everything that the moves will show has been computed."""
    page, query, control, values = place
    person = await enters(server.port, 0)
    person.at, person.query = page, query
    await person.run()
    for value in (*values, *values):
        await person.run(control, double_value=value)
        await server.quiet()
    return person


async def measured(server: Server, person: Person, place: Place) -> float:
    """Milliseconds of processor time of one move, over a turn of them."""
    _, _, control, values = place
    before = server.spent
    for number in range(MOVES):
        await person.asks(control, double_value=values[number % len(values)])
    await server.quiet()
    return (server.spent - before) / MOVES * 1e3


async def median_turn(server: Server, place: Place, rounds: int) -> float:
    person = await opened(server, place)
    turns = [await measured(server, person, place) for _ in range(rounds)]
    await person.connection.close()
    return sorted(turns)[rounds // 2]


def main() -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    told = parser.parse_args()
    print("milliseconds of processor time a move")
    with served(1) as server:
        for name in told.pages:
            spent = asyncio.run(median_turn(server, PAGES[name], told.rounds))
            print(f"{name:<40}{spent:>9.0f}", flush=True)


if __name__ == "__main__":
    main()
