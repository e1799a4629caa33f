"""People on a running app, as light as they can be: what a browser sends over the websocket,
without drawing.

Each has data of an own size, so that it would be seen if one were sent what is another's.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
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
LOOK = (
    0.4,
    1.5,
    2.0,
)  # seconds until a page looks again for what is still to come, the growth of it, the most
CONTROLS = {"number_input", "file_uploader", "button", "checkbox", "radio"}
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
    def spent(self) -> float:
        """Seconds of processor time so far."""
        return sum(sum(each.cpu_times()[:2]) for each in self.processes)

    @property
    def memory(self) -> float:
        """Megabytes."""
        return sum(each.memory_info().rss for each in self.processes) / 1e6


@contextmanager
def served(workers: int, classes: Path | None = None) -> Iterator[Server]:
    """The app on a free port: one process as it is, more behind nginx; classes in that file, if one
    is named.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    one = ["streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    many = ["dpviz", "serve", f"--workers={workers}", f"--port={port}"]
    named = {} if classes is None else {ENVIRONMENT: str(classes)}
    many += [] if classes is None else [f"--classes={classes}"]
    with tempfile.TemporaryDirectory() as home:
        run = subprocess.Popen(
            [
                sys.executable,
                "-m",
                *(many if workers > 1 else [*one, "--server.fileWatcherType=none"]),
            ],
            cwd=ROOT,
            env={**os.environ, **named, "HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            end = time.monotonic() + PATIENCE
            while not _healthy(port):
                if run.poll() is not None or time.monotonic() > end:
                    raise SystemExit("the server did not start")
                time.sleep(0.1)
            yield Server(port, psutil.Process(run.pid))
        finally:
            run.terminate()
            run.wait()


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
    sizes: set[int] = field(default_factory=set)
    told: list[str] = field(default_factory=list)  # the sentences that the page has set apart
    files: list[dict[str, str]] = field(
        default_factory=list
    )  # what presses gave: each with its text, or where it lies
    runs: int = 0
    watches: dict[tuple[int, ...], tuple[str, str, dict[str, Any]]] = field(
        default_factory=dict
    )  # by place

    @property
    def size(self) -> int:
        """How many items this person's data have."""
        return SMALLEST + self.number

    async def run(self, label: str | None = None, **used: Any) -> float:
        """Ask for a run, with one control used as a browser says it; seconds until the page has all
        that it shows.
        """
        start = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            await self.asks(label, **used)
            wait, growth, most = LOOK
            while self.watches:
                await asyncio.sleep(wait)
                wait = min(growth * wait, most)
                asked = next(iter(self.watches.values()))
                await self._look(*asked)
                with suppress(
                    TimeoutError
                ):  # what was asked while a part was drawn anew is asked again
                    async with asyncio.timeout(asked[2]["answered"]):
                        await self._read(asked[1])
        return time.perf_counter() - start

    async def asks(self, label: str | None = None, **used: Any) -> None:
        """Ask for a run, as far as it comes at once: a page of a class looks for ever whether there
        is more.
        """
        async with asyncio.timeout(PATIENCE):
            await self._ask(label, used)
            await self._read()

    async def finds(self) -> None:
        """The page that a server shows by itself to who is back."""
        async with asyncio.timeout(PATIENCE):
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

    async def _look(self, component: str, fragment: str, own: dict[str, Any]) -> None:
        """What the component does that watches for results: a tick, which runs its own fragment,
        and so what is new.
        """
        marks = {
            each["key"]: each["mark"]
            for _, _, each in (*self.watches.values(), ("", "", own))
            if "key" in each
        }
        message = BackMsg()
        asked = message.rerun_script
        asked.page_script_hash, asked.fragment_id = self.page, fragment
        state = asked.widget_states.widgets.add()
        state.id = f"$$STREAMLIT_INTERNAL_KEY_{component}__events"
        state.json_trigger_value = json.dumps(
            [{"event": "tick", "value": {"marks": marks, "at": time.time_ns()}}]
        )
        await self.connection.send(message.SerializeToString())

    async def _read(self, asked: str = "") -> None:
        """Read until the script has run to its end; which components watch for results then.

        One whose own fragment was `asked` for and not drawn went with the part around it.
        """
        watches: dict[tuple[int, ...], tuple[str, str, dict[str, Any]]] = {}
        drawn: set[str] = set()  # the fragments that were run
        while True:
            told = ForwardMsg.FromString(await self.connection.recv(decode=False))
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self.page = told.new_session.page_script_hash
                self.session = told.new_session.initialize.session_id
                self.runs += 1
            elif kind == "navigation":  # which knows the page where an address named it
                self.page = told.navigation.page_script_hash
            elif kind == "delta":
                element = told.delta.new_element
                drawn.add(told.delta.fragment_id)
                if element.bidi_component.component_name.endswith("dpviz_watch"):
                    data = json.loads(element.bidi_component.json)
                    watches[tuple(told.metadata.delta_path)] = (
                        element.bidi_component.id,
                        told.delta.fragment_id,
                        data,
                    )
                elif element.bidi_component.component_name.endswith("dpviz_save"):
                    self.files.append(json.loads(element.bidi_component.json))
                elif fold := told.delta.add_block.expandable.id:
                    self.controls[fold.split("-", 2)[-1]] = fold  # by the key that we gave it
                elif (of := element.WhichOneof("type")) in CONTROLS:
                    control = getattr(element, of)
                    self.controls[control.label] = control.id
                    if control.label == "Items":
                        self.sizes.add(int(control.default))
                elif of == "alert":
                    self.told.append(element.alert.body)
                elif of == "exception":
                    shown = element.exception
                    raise RuntimeError(f"the page shows an error: {shown.type}: {shown.message}")
            elif (
                kind == "script_finished"
                and told.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            ):
                self.watches = watches
                return
            elif (
                kind == "script_finished"
                and told.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
            ):
                self.watches = {
                    at: of for at, of in self.watches.items() if of[1] not in {*drawn, asked}
                } | watches
                return

    async def moves_k(self, rng: np.random.Generator) -> float:
        """Another k; seconds until the page shows it."""
        return await self.run("k, items out", double_value=float(rng.integers(2, 30)))

    async def brings(self, port: int, name: str, content: bytes) -> None:
        """Drop a file where the page asks for one, and agree to how it is read."""
        await self.drops(port, name, content)
        if "Use it so" in self.controls:
            await self.run("Use it so", trigger_value=True)

    async def drops(self, port: int, name: str, content: bytes) -> None:
        """Drop a file where the page asks for one."""
        told = await asyncio.to_thread(upload, port, self.session, name, content)
        if told != 204:
            raise RuntimeError(f"the file was not taken: {told}")
        file = UploadedFileInfo(file_id=name, name=name, size=len(content))
        dropped = FileUploaderState(uploaded_file_info=[file])
        await self.run(
            next(each for each in self.controls if each.startswith("Drop")),
            file_uploader_state_value=dropped,
        )

    def check(self) -> None:
        """Raise if this person was shown the size of somebody else's data, or not that of their
        own.
        """
        if self.sizes != {self.size}:
            raise RuntimeError(
                f"person {self.number} with {self.size} items was shown {sorted(self.sizes)}"
            )


def fetched(port: int, at: str) -> Iterator[bytes]:
    """The pieces of a file that lies there."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    line.request("GET", f"/{at}")
    answer = line.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"there is no file: {answer.status}")
    yield from iter(lambda: answer.read(2**16), b"")
    line.close()


def upload(port: int, session: str, name: str, content: bytes, sent: float = 1.0) -> int:
    """Send a file as a browser does, or a part of it and no more; what is answered, 0 where nothing
    is.
    """
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


async def enters(
    port: int, number: int, session: str = "", headers: Mapping[str, str] | None = None
) -> Person:
    """Somebody connects, or comes back to a session."""
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    # a browser neither gives up on a slow server nor sends pings of its own
    back: dict[str, Any] = {"subprotocols": ["streamlit", "none", session]} if session else {}
    connection = await connect(
        address,
        additional_headers=headers,
        max_size=None,
        compression=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        **back,
    )
    return Person(number, connection)
