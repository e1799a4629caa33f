"""A tab that says that it closes is forgotten soon; whoever only lost the line, or comes back, is
not.
"""

import asyncio
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionClient

from dpviz.web.server import closed_tabs
from tests.web.own_process import run_apart


class Server:
    """Streamlit's sessions: who is connected, and whose session was ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.active, self.ended = set[str](), list[str]()
        instance = SimpleNamespace(
            is_active_session=self.active.__contains__,
            close_session=self.ended.append,
            _session_mgr=SimpleNamespace(get_session_info=lambda session: None),
        )
        monkeypatch.setattr(runtime, "exists", lambda: True)
        monkeypatch.setattr(runtime, "get_instance", lambda: instance)
        monkeypatch.setattr(closed_tabs, "_SOON", 0.02)
        self.app = closed_tabs.TabCloseMiddleware(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = scope["session"]
        self.active.add(session)
        begun = ForwardMsg()
        begun.new_session.initialize.session_id = session
        await send({"type": "websocket.send", "bytes": b"\xff"})  # what is none of ours
        await send({"type": "websocket.send", "bytes": begun.SerializeToString()})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.active.remove(session)

    async def visit(self, session: str, code: int, stays: float = 0.0) -> None:
        """Somebody connects, stays for so long, and ends the line with this code."""

        async def receive() -> Message:
            await asyncio.sleep(stays)
            return {"type": "websocket.disconnect", "code": code}

        async def send(message: Message) -> None:
            """What the browser gets."""

        await self.app({"type": "websocket", "session": session}, receive, send)


def test_only_a_tab_that_says_so_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)

    async def come_and_go() -> None:
        await server.visit("closed", 1001)
        for code in (1006, 1000, 1005):
            await server.visit(f"cut {code}", code)
        assert server.ended == []
        await asyncio.sleep(0.2)

    run_apart(come_and_go())
    assert server.ended == ["closed"]
    assert server.app._going == {}


def test_whoever_comes_back_in_time_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)

    async def come_again() -> None:
        await server.visit("stays", 1001)
        await asyncio.gather(server.visit("stays", 1006, stays=0.2), server.visit("other", 1001))
        await asyncio.sleep(0.2)

    run_apart(come_again())
    assert server.ended == ["other"]


class Browser(SessionClient):
    """A browser that is sent what it does not look at."""

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Nothing comes of it."""


def test_nothing_of_what_it_held_stays_though_streamlit_has_sent_nobody_anything_since(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "app.py"
    script.touch()
    monkeypatch.setattr(Runtime, "_instance", None)
    monkeypatch.setattr(closed_tabs, "_AFTER", 0.0)
    monkeypatch.setattr(closed_tabs, "_TOGETHER", 0.0)
    there: list[weakref.ref[Large]] = []

    async def come_and_go() -> None:
        streamlit = Runtime(
            RuntimeConfig(
                str(script), MemoryMediaFileStorage("/media"), MemoryUploadedFileManager("/upload")
            )
        )
        await streamlit.start()
        session = streamlit.connect_session(Browser(), {})
        held = streamlit._session_mgr.get_session_info(session)
        assert held is not None
        large, part = Large(), Large()
        there.extend(map(weakref.ref, (large, part)))
        held.session.session_state["large"] = large
        held.session._fragment_storage.register("part", part.shown)
        held.session._enqueue_forward_msg(ForwardMsg())
        await asyncio.sleep(0.2)  # in which it is sent
        streamlit.disconnect_session(session)
        del large, part, held
        app = closed_tabs.TabCloseMiddleware(Server(monkeypatch))
        monkeypatch.setattr(runtime, "get_instance", lambda: streamlit)
        app._going[session] = asyncio.get_running_loop().call_later(60.0, print)
        app._end(session)
        await asyncio.sleep(0.1)
        assert [each() for each in there] == [None, None]
        streamlit.stop()
        await streamlit.stopped

    run_apart(come_and_go())


class Large:
    """What takes much memory."""

    def shown(self) -> None:
        """Drawn by a part of the page."""
