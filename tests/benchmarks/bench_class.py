"""What a class costs the server: processor time a student a step, idle, and a server that gets a
fifth of a core.

    python -m tests.benchmarks.bench_class --people 200 [--share 0.2]

One process serves; the phones are `classmates`, in this one. Processor time is that of all the
server's processes. `--share` stops and wakes the server 20 times a second, so that it runs that
part of the time only.
"""

import argparse
import asyncio
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpviz.teaching.classes import ClassManager
from tests.benchmarks.classmates import Phone, goes_through
from tests.benchmarks.crowd import Server, served

_TURN = 0.05  # seconds
_QUIET = 20.0


def used(server: Server) -> float:
    """Seconds of processor time so far."""
    times = [
        each.cpu_times() for each in (server.process, *server.process.children(recursive=True))
    ]
    return sum(each.user + each.system for each in times)


@contextmanager
def starved(server: Server, share: float) -> Iterator[None]:
    """The server runs `share` of the time."""
    over = threading.Event()
    processes = [server.process, *server.process.children(recursive=True)]

    def turns() -> None:
        while not over.wait(share * _TURN):
            for each in processes:
                each.send_signal(signal.SIGSTOP)
            time.sleep((1 - share) * _TURN)
            for each in processes:
                each.send_signal(signal.SIGCONT)

    thread = threading.Thread(target=turns)
    if share < 1:
        thread.start()
    yield
    over.set()
    if thread.is_alive():
        thread.join()


async def stays(server: Server, classes: ClassManager, people: int) -> tuple[float, float]:
    """Processor time a student a second while nothing happens, and a student a step that the
    teacher takes.
    """
    code, teacher = classes.begin_class("permute_and_flip")
    phones = [Phone(server.port) for _ in range(people)]
    for phone in phones:
        await phone.joins(code)
    await asyncio.sleep(2)
    before, steps = used(server), (1, 2, 3, 4, 3, 2, 1, 0)
    await asyncio.sleep(_QUIET)
    idle = (used(server) - before) / _QUIET / people
    before = used(server)
    for step in steps:
        classes.move_to_stop(teacher, step)
        await asyncio.sleep(2.0)
    moved = (used(server) - before) / len(steps) / people - idle * 2.0
    for phone in phones:
        await phone.leaves()
    return idle, moved


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--share", type=float, default=1.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "classes.sqlite"
        classes = ClassManager(path, age=0.0)
        with served(1, path) as server:
            if args.share == 1:
                idle, moved = asyncio.run(stays(server, classes, args.people))
                print(f"idle: {1000 * idle:.3f} ms of processor a student a second")
                print(f"a step: {1000 * moved:.2f} ms of processor a student")
            before = used(server)
            with starved(server, args.share):
                took = asyncio.run(goes_through(server.port, classes, args.people))
            for name, seconds in took.items():
                print(f"{name}: {seconds:,.3f}")
            print(f"processor, a whole lesson: {used(server) - before:.1f} s")
        classes.close()


if __name__ == "__main__":
    main()
