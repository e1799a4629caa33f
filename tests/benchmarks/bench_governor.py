"""What one visitor, and twenty, can do to the others: memory, processor time, and how long the
others' moves take.

    python -m tests.benchmarks.bench_governor [--heavy 1 20] [--others 5] [--seconds 60] [--kinds
    compare explore]

So many hold heavy pages open while others move k; a row each: the most memory above what the server
had at rest, cores in use, the others' moves at 95 %, and memory two minutes after the heavy ones
have left. The load of the machine stands beside it: what else it does is in the figures too.
"""

import argparse
import asyncio
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import psutil

from tests.benchmarks.crowd import Person, Server, enters, served

HEAVY = {
    "compare": "m1=canonical&m2=peeling&m3=joint;over=sets&m4=one_shot&data.size=1000000&k=100000",
    "joint": "m1=joint;over=sequences&m2=joint;over=sets&data.size=20000&k=100",
    "explore": "m1=joint;over=sets&data.size=1000000&k=100000",
    "decide": "data.size=1000000&k=1000&page.decide.goal=top in 0.9",
    "neighbours": "m1=peeling&data.size=1000000&k=1000&page.neighbours.who=worst",
}
"""Links by what they are about, and the page that they open."""
PAGES = {"joint": "compare"}
AFTER = 120.0  # seconds


@dataclass
class Seen:
    """The most that the server took, and what the others waited."""

    most: float = 0.0
    moves: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def memory(server: Server) -> float:
    """Megabytes of the whole tree, what processes share counted once."""
    total = 0
    for process in server.processes:
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


async def watch(server: Server, seen: Seen, until: float) -> None:
    """Look at the memory, five times a second."""
    while time.monotonic() < until:
        seen.most = max(seen.most, await asyncio.to_thread(memory, server))
        await asyncio.sleep(0.2)


async def sits(person: Person, until: float) -> None:
    """Open a heavy page and look at it as a browser does, again and again."""
    with suppress(Exception):
        while time.monotonic() < until:
            with suppress(TimeoutError):
                await person.run()
            await asyncio.sleep(1.0)


async def moves(person: Person, until: float, seen: Seen) -> None:
    """Move k every few seconds."""
    rng = np.random.default_rng(person.number)
    while time.monotonic() < until:
        await asyncio.sleep(rng.uniform(1.0, 3.0))
        try:
            seen.moves.append(await person.moves_k(rng))
        except Exception as error:  # noqa: BLE001 - whatever happens to a person is counted
            seen.wrong.append(repr(error))


async def row(server: Server, kind: str, heavy: int, told: argparse.Namespace) -> None:
    """Heavy visitors and others, then the others alone."""
    others = [await enters(server.port, number) for number in range(told.others)]
    for person in others:
        await person.run()
    rest, seen = memory(server), Seen()
    spent, begun = server.spent, time.monotonic()
    until = begun + told.seconds
    visitors = [await enters(server.port, 1000 + number) for number in range(heavy)]
    for person in visitors:
        person.at, person.query = (
            PAGES.get(kind, kind),
            f"v=1&data=generated:zipf&epsilon=0.001&{HEAVY[kind]}",
        )
    tasks = [asyncio.create_task(sits(person, until)) for person in visitors]
    await asyncio.gather(
        watch(server, seen, until), *(moves(person, until, seen) for person in others)
    )
    cores = (server.spent - spent) / (time.monotonic() - begun)
    for task, person in zip(tasks, visitors, strict=True):
        task.cancel()
        await person.connection.close(1001)  # as a tab that closes
    await asyncio.sleep(AFTER)
    after = memory(server) - rest
    for person in others:
        await person.connection.close()
    waited = " | ".join(
        f"{value:.2f} s" for value in np.percentile(seen.moves or [np.nan], (50, 95))
    )
    load, wrong = os.getloadavg()[1], f"{len(seen.wrong)} {' '.join(sorted(set(seen.wrong)))[:200]}"
    print(
        f"| {heavy} × {kind} | +{seen.most - rest:.0f} MB | {cores:.1f} | {len(seen.moves)}:"
        f" {waited} | {after:+.0f} MB | {load:.1f} | {wrong} |",
        flush=True,
    )


def main() -> None:
    """Run what is asked for, each on a server of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--heavy", type=int, nargs="+", default=[0, 1, 20])
    parser.add_argument("--others", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kinds", nargs="+", default=list(HEAVY), choices=HEAVY)
    told = parser.parse_args()
    print(
        "| | most | cores | others' moves: 50 %, 95 % | two minutes after | load | wrong |\n"
        + 7 * "|---"
        + "|"
    )
    for kind in told.kinds:
        for heavy in told.heavy:
            with served(1) as server:
                asyncio.run(row(server, kind, heavy, told))


if __name__ == "__main__":
    main()
