"""How long students wait who type the code of their class, while a script guesses codes from
another address.

    python -m tests.benchmarks.bench_guesses [--people 10] [--at-once 4] [--seconds 20]

First nobody guesses, then the script, which had so many seconds before them, with so many
connections at once; each student comes from an address of an own. A row each: how long the slowest
took until the phone showed the class, how often the script was told that no class has its code, and
how often that it must wait. The load of the machine stands beside it.
"""

import argparse
import asyncio
import os
import secrets
import tempfile
from collections import Counter
from pathlib import Path

from dpviz.teaching.classes import ClassManager
from dpviz.teaching.classes.class_state import LENGTH, LETTERS
from tests.benchmarks.classmates import KEY, TAKES, Phone, spread
from tests.benchmarks.crowd import served

GUESSER = "203.0.113.5"


async def guesses(port: int, told: Counter[bool]) -> None:
    """One code after the other, until it is stopped; whether each must wait."""
    phone = Phone(port, GUESSER)
    while True:
        says = await phone.guesses("".join(secrets.choice(LETTERS) for _ in range(LENGTH)))
        told["Wait" in says] += 1


async def row(port: int, classes: ClassManager, at_once: int, told: argparse.Namespace) -> None:
    """A class comes in beside so many who guess."""
    code, _ = classes.begin_class(KEY)
    said: Counter[bool] = Counter()
    tasks = [asyncio.create_task(guesses(port, said)) for _ in range(at_once)]
    await asyncio.sleep(told.seconds if tasks else 0.0)
    phones = [Phone(port, f"192.0.2.{number + 1}") for number in range(told.people)]
    took = await spread(phones, lambda number: phones[number].joins(code))
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(error, asyncio.CancelledError), error
    for phone in phones:
        await phone.leaves()
    print(
        f"| {at_once} | {len(took)} in, within {told.people * TAKES:.1f} s | {max(took):.2f} s "
        f"| {said[False]} | {said[True]} | {os.getloadavg()[0]:.1f} |",
        flush=True,
    )


def main() -> None:
    """Serve a class, twice."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20.0)
    told = parser.parse_args()
    print(
        "| guess at once | students | slowest | looked up | told to wait | load |\n"
        + 6 * "|---"
        + "|"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "classes.sqlite"
        classes = ClassManager(path, age=0.0)
        with served(1, path) as server:
            for at_once in (0, told.at_once):
                asyncio.run(row(server.port, classes, at_once, told))
        classes.close()


if __name__ == "__main__":
    main()
