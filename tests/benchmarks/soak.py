"""An hour of people who come and go: whether memory, threads and open files stay flat.

    python -m tests.benchmarks.soak [--minutes 60] [--people 6] [--every 8] [--stay 90]

So many people are there at a time, half of them with a file that they bring; each moves k now and
then, and after a while goes (some without closing the connection in order) and another comes. A row
a minute: memory in megabytes, threads and open files of the server, people so far, moves, the
median move and what went wrong.
"""

import argparse
import asyncio
import time

import numpy as np

from tests.benchmarks.bench_sessions import Seen
from tests.benchmarks.crowd import Person, Server, enters, memory, served

ABRUPT = 0.3  # of those who go: their network does
OWN = 0.5  # of those who come: they bring a file
ROWS = 50_000  # of it at most


async def comes(server: Server, rng: np.random.Generator) -> Person:
    """Somebody with data of an own size, whose page shows them."""
    person = await enters(server.port, int(rng.integers(0, 400)))
    if rng.random() > OWN:
        await person.run()
        await person.open_data()
        person.check()
        return person
    person.at, person.query = "explore", "v=1&data=uploaded&epsilon=1.0&k=3"
    await person.run()
    await person.open_data()
    rows = "".join(
        f"name {number},{score}\n"
        for number, score in enumerate(rng.integers(0, 999, rng.integers(100, ROWS)))
    )
    await person.brings(server.port, "own.csv", f"name,score\n{rows}".encode())
    return person


async def seat(
    server: Server, rng: np.random.Generator, until: float, told: argparse.Namespace, seen: Seen
) -> None:
    """One place in the room, taken by one person after the other."""
    while time.monotonic() < until:
        await asyncio.sleep(told.every * rng.random())
        seen.first.append(time.monotonic())
        try:
            person = await comes(server, rng)
            goes = time.monotonic() + told.stay * rng.uniform(0.2, 1.8)
            while time.monotonic() < min(goes, until):
                await asyncio.sleep(told.every * rng.uniform(0.5, 1.5))
                seen.moves.append(await person.moves_k(rng))
            if rng.random() < ABRUPT:
                person.connection.transport.abort()
            else:
                await person.connection.close(1001)  # as a tab that closes
        except Exception as error:  # noqa: BLE001 - whatever happens to a person is counted
            seen.wrong.append(repr(error))


async def rows(server: Server, until: float, seen: Seen) -> None:
    """Print what the server holds, every minute."""
    people = 0
    begun = time.monotonic()
    print(
        "| minute | memory | threads | files | people | moves | median | wrong"
        " |\n|---|---|---|---|---|---|---|---|"
    )
    while time.monotonic() < until:
        await asyncio.sleep(min(60.0, max(until - time.monotonic(), 0.1)))
        people += len(seen.first)
        processes = server.processes
        threads, files = (
            sum(each.num_threads() for each in processes),
            sum(each.num_fds() for each in processes),
        )
        median = f"{np.median(seen.moves) * 1e3:.0f} ms" if seen.moves else "–"
        minute = (time.monotonic() - begun) / 60
        print(
            f"| {minute:.0f} | {memory(server):.0f} | {threads} | {files} | {people} |"
            f" {len(seen.moves)} | {median} | {len(seen.wrong)}"
            f" {' '.join(sorted(set(seen.wrong)))[:200]} |",
            flush=True,
        )
        seen.first, seen.moves, seen.wrong = [], [], []


async def soak(server: Server, told: argparse.Namespace) -> None:
    """All seats, and the rows beside them."""
    seen, until = Seen(), time.monotonic() + 60 * told.minutes
    seats = (
        seat(server, np.random.default_rng(number), until, told, seen)
        for number in range(told.people)
    )
    await asyncio.gather(rows(server, until, seen), *seats)


def main() -> None:
    """Serve, soak, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--every", type=float, default=8.0)
    parser.add_argument("--stay", type=float, default=90.0)
    told = parser.parse_args()
    with served(1) as server:
        asyncio.run(soak(server, told))


if __name__ == "__main__":
    main()
