"""Many people at once: the first page of a class, then moves, on one process or behind nginx.

    python -m tests.benchmarks.bench_sessions [--sessions 50 100 200] [--every 15 5] [--workers 1 2]
    [--seconds 40] [--class]

Everybody opens the page in the same second and, once all are there, moves k every so many seconds,
at random times. Timed is the way from the message sent until the page has all that it shows,
without the browser's drawing. Processor time is given for the server (nginx included) and for the
people, who share the machine with it, as shares of all cores. With `--class` they are the phones of
one class, which goes through a lesson: how long 95 % of them waited at most for each thing.
"""

import argparse
import asyncio
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dpviz.teaching.classes import ClassManager
from tests.benchmarks import classmates
from tests.benchmarks.crowd import Person, Server, enters, memory, served


@dataclass
class Seen:
    """What a crowd saw."""

    first: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Spent:
    """Processor time and memory between two moments."""

    wall: float
    server: float
    people: float
    memory: float

    @staticmethod
    def by(server: Server) -> "Spent":
        """All up to now."""
        return Spent(time.monotonic(), server.spent, time.process_time(), memory(server))

    def shares(self, before: "Spent") -> str:
        """Of all cores, per cent: the server's and the people's."""
        cores = (self.wall - before.wall) * (os.cpu_count() or 1)
        return (
            f"{(self.server - before.server) / cores:.0%} /"
            f" {(self.people - before.people) / cores:.0%}"
        )


async def opened(port: int, number: int, seen: Seen) -> Person | None:
    """Somebody opens the page."""
    start = time.perf_counter()
    try:
        person = await enters(port, number)
        await person.run()
    except Exception as error:  # noqa: BLE001 - whatever happens to a person is counted
        seen.wrong.append(f"first page: {error!r}")
        return None
    seen.first.append(time.perf_counter() - start)
    return person


async def moved(person: Person, every: float, until: float, seen: Seen) -> None:
    """Somebody moves k again and again."""
    rng = np.random.default_rng(person.number)
    pause = every * rng.random()
    try:
        while time.monotonic() + pause < until:
            await asyncio.sleep(pause)
            seen.moves.append(await person.moves_k(rng))
            pause = every * rng.uniform(0.5, 1.5)
        await person.open_data()
        person.check()
    except Exception as error:  # noqa: BLE001
        seen.wrong.append(f"a move: {error!r}")


async def crowd(server: Server, sessions: int, every: list[float], seconds: float) -> None:
    """Open, then move at each pace; print a row a pace."""
    seen, before = Seen(), Spent.by(server)
    everyone = await asyncio.gather(
        *(opened(server.port, number, seen) for number in range(sessions))
    )
    people = [person for person in everyone if person is not None]
    after = Spent.by(server)
    each = (after.memory - before.memory) / sessions
    cells = (
        f"{spread(seen.first)} | {len(seen.wrong)} | {after.shares(before)} | {each:.2f} MB each"
    )
    print(f"| first page, all at once | {cells} |", flush=True)
    for pace in every:
        seen = Seen(wrong=seen.wrong)
        before = Spent.by(server)
        until = time.monotonic() + seconds
        await asyncio.gather(*(moved(person, pace, until, seen) for person in people))
        shares = Spent.by(server).shares(before)
        each = (memory(server) - after.memory) / sessions
        print(
            f"| {len(seen.moves)} moves, one every {pace:g} s | {spread(seen.moves)} |"
            f" {len(seen.wrong)} | {shares} | {each:+.2f} MB each |",
            flush=True,
        )
    for person in people:
        await person.connection.close()
    for sentence in sorted(set(seen.wrong)):
        print(f"{seen.wrong.count(sentence)} × {sentence}")


def class_(server: Server, students: int, path: Path) -> None:
    """A class goes through a lesson; print a row for each thing that is done."""
    before, classes = Spent.by(server), ClassManager(path, age=0.0)
    took = asyncio.run(classmates.goes_through(server.port, classes, students))
    classes.close()
    for what, seconds in took.items():
        print(f"| {what} | {seconds:,.3f} |")
    print(f"| processors | {Spent.by(server).shares(before)} |")


def spread(times: list[float]) -> str:
    """Median, 95th percentile and the worst, as cells."""
    return (
        " | ".join(f"{value:.2f} s" for value in np.percentile(times, (50, 95, 100)))
        if times
        else "– | – | –"
    )


def main() -> None:
    """Run the crowds and print what they saw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="+", default=[50, 100, 200])
    parser.add_argument("--every", type=float, nargs="*", default=[15.0, 5.0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--class", dest="class_", action="store_true", help="students of one class")
    told = parser.parse_args()
    print(
        "| | median | 95 % | worst | errors | server / people | memory"
        " |\n|---|---|---|---|---|---|---|"
    )
    for workers in told.workers:
        for sessions in told.sessions:
            with (
                TemporaryDirectory() as folder,
                served(workers, Path(folder) / "classes.sqlite") as server,
            ):
                asyncio.run(warm(server, workers))
                print(
                    f"| **{sessions} people, {workers} process{'es' * (workers > 1)}** | | | |"
                    " | | |"
                )
                if told.class_:
                    class_(server, sessions, Path(folder) / "classes.sqlite")
                else:
                    asyncio.run(crowd(server, sessions, told.every, told.seconds))


async def warm(server: Server, workers: int) -> None:
    """The first one on a process waits for its imports: not what is measured."""
    for number in range(6 * workers):
        person = await enters(server.port, number)
        await person.run()
        await person.connection.close()


if __name__ == "__main__":
    main()
