"""Fifty people at once on one server: how long a moved control takes, and what memory it costs.

    python tests/benchmarks/bench_sessions.py [--sessions 50] [--seconds 40] [--every 4]

Starts the app on a free port of this machine and opens that many sessions over its websocket, as browsers
do, each on a data set of its own. Every few seconds each session moves k or ε; timed is the way from
the message sent to the answer that the script has finished, without the browser's drawing. It also
checks that no session was sent another one's title.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).parents[2]


def start_server(home: str) -> tuple[subprocess.Popen[bytes], int]:
    """The app on a free port, ready to answer."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.fileWatcherType", "none"],
        cwd=ROOT,
        env={**os.environ, "HOME": home},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(300):
        try:
            with urlopen(f"http://localhost:{port}/_stcore/health") as answer:
                if answer.status == 200:
                    return server, port
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise SystemExit("the server did not start")


class Session:
    """One person's connection: remembers the ids of the controls it was shown."""

    def __init__(self, socket_: ClientConnection, query: str) -> None:
        self._socket, self._query = socket_, query
        self._controls: dict[str, str] = {}
        self._page = ""
        self.texts: set[str] = set()

    async def rerun(self, label: str | None = None, value: float = 0.0) -> float:
        """Ask for a run, with one control moved; seconds until the script has finished."""
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_script_hash = self._page
        if label is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.double_value = self._controls[label], value
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(await self._socket.recv())  # type: ignore[arg-type]
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self._page = told.new_session.page_script_hash
            elif kind == "delta":
                self._remember(told)
            elif kind == "script_finished":
                return time.perf_counter() - start

    def _remember(self, told: ForwardMsg) -> None:
        element = told.delta.new_element
        if element.WhichOneof("type") == "number_input":
            self._controls[element.number_input.label] = element.number_input.id
        if element.WhichOneof("type") in ("markdown", "heading", "html"):
            self.texts.add(element.markdown.body or element.heading.body or element.html.body)

    @property
    def controls(self) -> list[str]:
        """Labels of the number boxes shown."""
        return list(self._controls)


async def person(port: int, number: int, every: float, until: float, times: list[float], first: list[float]) -> None:
    """Open the app on data of one's own, then move k every few seconds."""
    size = 40 + number
    query = f"v=1&data=generated:zipf&data.size={size}&epsilon=1.0&k=10"
    async with connect(f"ws://localhost:{port}/_stcore/stream", max_size=None) as socket_:
        session = Session(socket_, query)
        first.append(await session.rerun())
        (k,) = [label for label in session.controls if label.startswith("k")]
        rng = np.random.default_rng(number)
        while time.monotonic() < until:
            await asyncio.sleep(every * rng.uniform(0.5, 1.5))
            times.append(await session.rerun(k, float(rng.integers(2, 30))))
        shown = " ".join(session.texts)
        assert f"of {size} items" in shown, f"session {number} was never told of its own {size} items"
        strangers = [other for other in range(40, 140) if other != size and f"of {other} items" in shown]
        assert not strangers, f"session {number} was shown the data of {strangers}"


async def crowd(port: int, sessions: int, seconds: float, every: float) -> tuple[list[float], list[float]]:
    """Everyone at once."""
    times: list[float] = []
    first: list[float] = []
    until = time.monotonic() + seconds
    await asyncio.gather(*(person(port, n, every, until, times, first) for n in range(sessions)))
    return times, first


def main() -> None:
    """Run the crowd and print what it saw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--every", type=float, default=4.0)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        server, port = start_server(home)
        try:
            process = psutil.Process(server.pid)
            alone, _ = asyncio.run(crowd(port, 1, 6.0, 1.0))
            before = process.memory_info().rss / 1e6
            times, first = asyncio.run(crowd(port, told.sessions, told.seconds, told.every))
            after = process.memory_info().rss / 1e6
        finally:
            server.terminate()
            server.wait()
    print(f"{told.sessions} sessions, each moving a control every {told.every:g} s for {told.seconds:g} s")
    print(f"one session alone: median {np.median(alone) * 1e3:.0f} ms")
    print(f"first page: median {np.median(first):.2f} s, 95th percentile {np.percentile(first, 95):.2f} s")
    print(
        f"{len(times)} moves: median {np.median(times) * 1e3:.0f} ms, "
        f"95th percentile {np.percentile(times, 95) * 1e3:.0f} ms, worst {max(times) * 1e3:.0f} ms"
    )
    each = (after - before) / told.sessions
    print(f"memory: {before:.0f} MB with one session, {after:.0f} MB with all ({each:.1f} MB each)")


if __name__ == "__main__":
    main()
