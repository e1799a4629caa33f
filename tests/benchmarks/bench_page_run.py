"""Processor time of one moved control on each page, the law's own computing apart: now, and as it
would be otherwise.

    python -m tests.benchmarks.bench_page_run [--rounds 6] [--pages NAME ...] [--only NAME ...]
    [--before FOLDER]

Four servers take turns within one run: the app as it is; with the full garbage collection that
Streamlit makes after every run of a script; with each figure built as plotly's own object; with
both. A client on the websocket moves ε to and fro between three values whose laws are known
already. Counted is the processor time of the server's process: the script and the event loop, which
sends what the script made. Ratios hold on a loaded machine, milliseconds do not. `--before` adds
another checkout of the app, as it was at some time before, at the end of each row.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.request import urlopen

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).parents[2]
APP = ("run", "app.py", "--server.headless", "true", "--server.fileWatcherType", "none")
PLAIN = ("streamlit", *APP)
OBJECTS = ("tests.benchmarks.with_plotly_objects", *APP)
COLLECTING = ("--runner.postScriptGC", "true")
WAYS: Mapping[str, tuple[str, ...]] = {
    "this": PLAIN,
    "collecting": (*PLAIN, *COLLECTING),
    "objects": OBJECTS,
    "both": (*OBJECTS, *COLLECTING),
}
_ZIPF = "data=generated:zipf&data.size=4096&sensitivity=100&k=100&m1=canonical"
PAGES: Mapping[
    str, tuple[str, str, str, tuple[float, float, float]]
] = {  # name: page, query, control, its values
    "explore, 60 items": ("explore", "", "ε, exactly", (0.2, 0.25, 0.3)),
    "explore, 4,096 items": ("explore", f"{_ZIPF}&epsilon=0.35", "ε, exactly", (0.35, 0.4, 0.45)),
    "compare, 3 mechanisms": ("compare", "", "ε, exactly", (0.2, 0.25, 0.3)),
    "gaps, top-k": ("gaps", "", "ε, exactly", (1.0, 1.5, 2.0)),
    "gaps, sparse vector": ("gaps", "page.gaps.half=sparse_vector", "ε, exactly", (1.0, 1.5, 2.0)),
    "margin": ("margin", "", "ε, exactly", (0.5, 0.6, 0.7)),
    "candidates": ("candidates", "", "ε1, exactly", (0.5, 0.6, 0.7)),
}
MOVES = 6  # of a turn: enough for a clock of ten milliseconds
WAITING = ('class="dp-place', 'class="dp-wait')  # a figure that is still to come
QUIET = (
    0.04  # seconds of processor time within half a second: less, and nothing is computed any more
)


class Server:
    """One way to serve the app, in a process of its own."""

    def __init__(self, way: Sequence[str], home: str, root: Path = ROOT) -> None:
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            self.port = probe.getsockname()[1]
        self.run = subprocess.Popen(
            [sys.executable, "-m", *way, "--server.port", str(self.port)],
            cwd=root,
            env={**os.environ, "HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._process = psutil.Process(self.run.pid)
        end = time.monotonic() + 120
        while time.monotonic() < end and self.run.poll() is None:
            try:
                with urlopen(f"http://localhost:{self.port}/_stcore/health") as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        self.run.kill()
        raise SystemExit("the server did not start")

    @property
    def spent(self) -> float:
        """Seconds of processor time so far."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    @property
    def memory(self) -> float:
        """Megabytes."""
        return self._process.memory_info().rss / 1e6

    async def quiet(self) -> None:
        """Wait until everything that was asked for is computed."""
        while True:
            before = self.spent
            await asyncio.sleep(0.5)
            if self.spent - before < QUIET:
                return


class Person:
    """One connection, as a browser makes it: knows the controls that it was shown."""

    def __init__(self, socket_: ClientConnection, page: str, query: str) -> None:
        self._socket, self._name, self._query = socket_, page, query
        self._controls: dict[str, str] = {}
        self._page = ""
        self.told = ""

    async def move(self, label: str | None = None, value: float = 0.0) -> None:
        """Ask for a run, with one control moved; answers when the script has finished."""
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_script_hash = self._page
        if not self._page:
            message.rerun_script.page_name = self._name
        if label is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.double_value = self._controls[label], value
        self.told = ""
        await self._drain()
        await self._socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(await self._socket.recv())  # type: ignore[arg-type]
            kind = told.WhichOneof("type")
            if kind == "navigation":
                self._page = told.navigation.page_script_hash
            elif kind == "delta":
                element = told.delta.new_element
                self._controls[element.number_input.label] = element.number_input.id
                self.told += element.html.body
            elif (
                kind == "script_finished"
                and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            ):
                return

    async def _drain(self) -> None:
        """Read away what came after the last run: its end must not be taken for that of the next."""
        while True:
            try:
                await asyncio.wait_for(self._socket.recv(), 0.02)
            except TimeoutError:
                return


async def open_page(stack: AsyncExitStack, server: Server, name: str, *, now: bool) -> Person:
    """Someone on that page, where everything that the moves will show has been computed."""
    page, query, control, values = PAGES[name]
    socket_ = await stack.enter_async_context(
        connect(f"ws://localhost:{server.port}/_stcore/stream", max_size=None, compression=None)
    )
    person = Person(socket_, page, query)
    await person.move()
    for value in (*values, *values):
        await person.move(control, value)
        await server.quiet()
        await person.move()
        while any(waits in person.told for waits in WAITING):
            await server.quiet()
            await person.move()
    head = (
        'class="dp-asked"'
        if page == "explore"
        else f'<div class="dp-over">{page.capitalize()}</div>'
    )
    if now and head not in person.told:
        raise SystemExit(f"{name} does not show what is measured")
    return person


async def measure(server: Server, person: Person, name: str) -> float:
    """Milliseconds of processor time of one move, over a turn of them."""
    _, _, control, values = PAGES[name]
    before = server.spent
    for number in range(MOVES):
        await person.move(control, values[number % len(values)])
    await server.quiet()
    return (server.spent - before) / MOVES * 1e3


async def compare(servers: Mapping[str, Server], name: str, rounds: int) -> dict[str, float]:
    """The median turn of each way, the ways taking turns."""
    taken: dict[str, list[float]] = {way: [] for way in servers}
    async with AsyncExitStack() as stack:
        people = {
            way: await open_page(stack, server, name, now=way in WAYS)
            for way, server in servers.items()
        }
        for _ in range(rounds):
            for way, server in servers.items():
                taken[way].append(await measure(server, people[way], name))
    return {way: sorted(turns)[len(turns) // 2] for way, turns in taken.items()}


def main() -> None:
    """Print a row a page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--pages", nargs="*", choices=PAGES, default=list(PAGES))
    parser.add_argument("--only", nargs="*", choices=WAYS, default=list(WAYS))
    parser.add_argument("--before", type=Path, metavar="FOLDER")
    told = parser.parse_args()
    servers: dict[str, Server] = {}
    with tempfile.TemporaryDirectory() as home:
        try:
            for way in told.only:
                servers[way] = Server(WAYS[way], home)
            if told.before is not None:
                servers["before"] = Server(PLAIN, home, told.before)
            print(
                f"{'milliseconds of processor time a move':<40}"
                + "".join(f"{way:>19}" for way in servers)
            )
            for name in told.pages:
                spent = asyncio.run(compare(servers, name, told.rounds))
                first = next(iter(spent.values()))
                cells = [f"{ms:>9.0f} (× {ms / first:4.1f})" for ms in spent.values()]
                print(f"{name:<40}" + "".join(f"{cell:>19}" for cell in cells), flush=True)
        finally:
            for server in servers.values():
                server.run.terminate()
                server.run.wait()


if __name__ == "__main__":
    main()
