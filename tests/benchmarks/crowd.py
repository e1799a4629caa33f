"""People on a running app, who send over the websocket what a browser sends, without drawing.

Each has data of an own size, so that it would be seen if one were sent what is another's.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from dpviz.teaching.classes import ENVIRONMENT

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds after which a person has given up
_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
QUIET = 0.04  # seconds of processor time within half a second: less, and nothing is computed
STREAMLIT = ("streamlit", "run", "app.py", "--server.headless=true")
HEAVY = {
    "compare": "m1=canonical&m2=peeling&m3=joint;over=sets&m4=one_shot&data.size=1000000&k=100000"
}
"""Links that take a page long, by their page."""
CONTROLS = {"number_input", "file_uploader", "button", "checkbox", "radio"}
DATA = "Change: data"
SMALLEST = 40  # items of the first person's data; the next has one more


@dataclass(frozen=True)
class Server:
    """A running app: all of its processes together."""

    port: int
    process: psutil.Process

    @property
    def processes(self) -> list[psutil.Process]:
        """The one that was started, and what it started."""
        return [self.process, *self.process.children(recursive=True)]

    @property
    def workers(self) -> list[psutil.Process]:
        """Those that compute, which give way to the others."""
        found, usual = [], self.process.nice()
        for process in self.processes[1:]:
            with suppress(psutil.Error):  # it has ended
                found += [process] if process.nice() > usual else []
        return found

    @property
    def spent(self) -> float:
        """Seconds of processor time so far."""
        return sum(sum(each.cpu_times()[:2]) for each in self.processes)

    async def quiet(self) -> None:
        """Wait until everything that was asked for is computed."""
        while True:
            before = self.spent
            await asyncio.sleep(0.5)
            if self.spent - before < QUIET:
                return


def memory(server: Server) -> float:
    """Megabytes of all processes, what they share counted once."""
    total = 0
    for process in server.processes:
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


@contextmanager
def served(
    workers: int,
    classes: Path | None = None,
    *,
    command: Sequence[str] = STREAMLIT,
    root: Path = ROOT,
) -> Iterator[Server]:
    """The app on a free port: one process by that command, more behind nginx."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    run = [*command, f"--server.port={port}", "--server.fileWatcherType=none"]
    if workers > 1:
        run = ["dpviz", "serve", f"--workers={workers}", f"--port={port}"]
        run += [] if classes is None else [f"--classes={classes}"]
    named = {} if classes is None else {ENVIRONMENT: str(classes)}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **named, "HOME": home}
        app = subprocess.Popen([sys.executable, "-m", *run], cwd=root, env=environment, **silent)
        try:
            end = time.monotonic() + PATIENCE
            while not _healthy(port):
                if app.poll() is not None or time.monotonic() > end:
                    raise SystemExit("the server did not start")
                time.sleep(0.1)
            yield Server(port, psutil.Process(app.pid))
        finally:
            app.terminate()
            app.wait()


def _healthy(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/_stcore/health") as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@dataclass
class Person:
    """One connection: knows the controls that it was shown."""

    number: int
    connection: ClientConnection
    controls: dict[str, str] = field(default_factory=dict)
    page: str = ""
    at: str = ""  # the page's name, where it is not the first
    session: str = ""  # as the server calls it
    query: str = ""  # what its address says, where that is not of this person's own data
    opened: bool = False  # the section of the sidebar that says how many items there are
    sizes: set[int] = field(default_factory=set)
    told: list[str] = field(default_factory=list)  # the sentences that the page has set apart
    looks: dict[str, float] = field(default_factory=dict)  # seconds between runs of a fragment

    @property
    def size(self) -> int:
        """How many items this person's data have."""
        return SMALLEST + self.number

    async def run(self, label: str | None = None, **used: Any) -> float:
        """Ask for a run, with one control used; seconds until the page has all that it shows."""
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await self._ask(label, used)
            await self._read()
            while self.looks:
                fragment, every = next(iter(self.looks.items()))
                await asyncio.sleep(every)
                await self._look(fragment)
                await self._read()
        return time.perf_counter() - start

    async def asks(self, label: str | None = None, **used: Any) -> None:
        """Ask for a run, as far as it comes at once: a page of a class looks for more for ever."""
        async with asyncio.timeout(PATIENCE):
            await self._ask(label, used)
            await self._read()
            await self.open_data()

    async def open_data(self) -> None:
        """Open the section that says how many items there are, once."""
        if not self.opened and DATA in self.controls:
            self.opened = True
            await self._ask(DATA, {"bool_value": True})
            await self._read()

    async def _ask(self, label: str | None, used: dict[str, Any]) -> None:
        message = BackMsg()
        own = f"v=1&data=generated:zipf&data.size={self.size}&epsilon=1.0&k=10"
        message.rerun_script.query_string = self.query or own
        message.rerun_script.page_name = self.at
        message.rerun_script.page_script_hash = self.page
        if label is not None:
            message.rerun_script.widget_states.widgets.add(id=self.controls[label], **used)
        await self.connection.send(message.SerializeToString())

    async def _look(self, fragment: str) -> None:
        """Ask for a run of a fragment, as the browser's own timer does."""
        message = BackMsg()
        asked = message.rerun_script
        asked.page_script_hash, asked.fragment_id, asked.is_auto_rerun = self.page, fragment, True
        await self.connection.send(message.SerializeToString())

    async def _read(self) -> None:
        """Read until the script has run to its end."""
        while True:
            told = ForwardMsg.FromString(await self.connection.recv(decode=False))
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self.page = told.new_session.page_script_hash
                if not told.metadata.run.fragment_ids:
                    self.looks.clear()
                self.session = told.new_session.initialize.session_id
            elif kind == "navigation":  # which knows the page where an address named it
                self.page = told.navigation.page_script_hash
            elif kind == "auto_rerun":
                self.looks[told.auto_rerun.fragment_id] = told.auto_rerun.interval
            elif kind == "stop_auto_rerun":
                for fragment in told.stop_auto_rerun.fragment_ids:
                    self.looks.pop(fragment, None)
            elif kind == "delta":
                element = told.delta.new_element
                if (of := element.WhichOneof("type")) in CONTROLS:
                    control = getattr(element, of)
                    self.controls[control.label] = control.id
                    if control.label == "Items":
                        self.sizes.add(int(control.default))
                elif (block := told.delta.add_block.expandable).label == DATA:
                    self.controls[DATA] = block.id
                elif of == "alert":
                    self.told.append(element.alert.body)
                elif of == "exception":
                    shown = element.exception
                    raise RuntimeError(f"the page shows an error: {shown.type}: {shown.message}")
            elif kind == "script_finished" and told.script_finished in _ENDS:
                return

    async def moves_k(self, rng: np.random.Generator) -> float:
        """Another k; seconds until the page shows it."""
        return await self.run("k, list length", double_value=float(rng.integers(2, 30)))

    async def brings(self, port: int, name: str, content: bytes) -> None:
        """Drop a file where the page asks for one, and agree to how it is read."""
        await self.drops(port, name, content)
        if "Use this file" in self.controls:
            await self.run("Use this file", trigger_value=True)

    async def drops(self, port: int, name: str, content: bytes) -> None:
        """Drop a file where the page asks for one."""
        told = await asyncio.to_thread(upload, port, self.session, name, content)
        if told != 204:
            raise RuntimeError(f"the file was not taken: {told}")
        await self.names_upload(name, len(content))

    async def names_upload(self, name: str, size: int) -> None:
        """Tell the page which file was sent for it."""
        file = UploadedFileInfo(file_id=name, name=name, size=size)
        dropped = FileUploaderState(uploaded_file_info=[file])
        place = next(each for each in self.controls if each.startswith("Drop"))
        await self.run(place, file_uploader_state_value=dropped)

    def check(self) -> None:
        """Raise if this person was shown the size of other data than their own."""
        if self.sizes != {self.size}:
            raise RuntimeError(f"{self.size} items of one's own, and shown {sorted(self.sizes)}")


def upload(port: int, session: str, name: str, content: bytes, sent: float = 1.0) -> int:
    """Send a file, or a part of it, as a browser does; what is answered, 0 where nothing is."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    line.request("GET", "/_stcore/health")
    token = line.getresponse()
    token.read()
    cookie = (token.headers["Set-Cookie"] or "").split(";")[0]
    edge = "dpvizboundary"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    body = head + content + f"\r\n--{edge}--\r\n".encode()
    line.putrequest("PUT", f"/_stcore/upload_file/{session}/{name}")
    line.putheader("Content-Type", f"multipart/form-data; boundary={edge}")
    line.putheader("Content-Length", str(len(body)))
    line.putheader("Cookie", cookie)
    line.putheader("X-Xsrftoken", cookie.partition("=")[2])
    line.endheaders()
    try:
        line.send(body[: int(sent * len(body))])
        return line.getresponse().status if sent == 1.0 else 0
    except (BrokenPipeError, ConnectionResetError):
        return 413  # the answer came before the end, and the line was closed
    finally:
        line.close()


async def enters(port: int, number: int, headers: Mapping[str, str] | None = None) -> Person:
    """Somebody connects."""
    # a browser neither gives up on a slow server nor sends pings of its own
    patient: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None}
    address, told = f"ws://127.0.0.1:{port}/_stcore/stream", {"additional_headers": headers}
    return Person(
        number, await connect(address, max_size=None, compression=None, **told, **patient)
    )
