"""Processor time of one moved control on each page.

    python -m tests.benchmarks.bench_page_run [--rounds 6] [--pages NAME ...] [--before FOLDER]

A client on the websocket moves ε to and fro between three values whose laws are known already.
Counted is the processor time of the server's process: the script and the event loop. `--before`
adds another checkout of the app; the two take turns, so their ratio holds on a loaded machine.
Milliseconds do not.
"""

import argparse
import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.crowd import ROOT, Person, Server, enters, served

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


async def compared(servers: Mapping[str, Server], place: Place, rounds: int) -> dict[str, float]:
    """The median turn of each checkout; they take turns."""
    people = {way: await opened(server, place) for way, server in servers.items()}
    taken: dict[str, list[float]] = {way: [] for way in servers}
    for _ in range(rounds):
        for way, server in servers.items():
            taken[way].append(await measured(server, people[way], place))
    for person in people.values():
        await person.connection.close()
    return {way: sorted(turns)[len(turns) // 2] for way, turns in taken.items()}


def main() -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    parser.add_argument("--before", type=Path, metavar="FOLDER")
    told = parser.parse_args()
    roots = {"this": ROOT} | ({"before": told.before} if told.before is not None else {})
    with ExitStack() as stack:
        servers = {name: stack.enter_context(served(1, root=root)) for name, root in roots.items()}
        head = "".join(f"{name:>19}" for name in servers)
        print(f"{'milliseconds of processor time a move':<40}{head}")
        for name in told.pages:
            spent = asyncio.run(compared(servers, PAGES[name], told.rounds))
            first = next(iter(spent.values()))
            cells = [f"{ms:>9.0f} (× {ms / first:4.1f})" for ms in spent.values()]
            print(f"{name:<40}" + "".join(f"{cell:>19}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
