"""A tab that says that it closes is forgotten soon; whoever only lost the line, or comes back, is not."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpviz.ui import leaving
from tests.ui.apart import run_apart


class Server:
    """Streamlit's sessions: who is connected, and whose session was ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.active, self.ended = set[str](), list[str]()
        instance = SimpleNamespace(is_active_session=self.active.__contains__, close_session=self.ended.append)
        monkeypatch.setattr(leaving.runtime, "exists", lambda: True)
        monkeypatch.setattr(leaving.runtime, "get_instance", lambda: instance)
        monkeypatch.setattr(leaving, "_SOON", 0.02)
        self.app = leaving.Leaving(self)

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
