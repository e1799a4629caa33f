"""Whoever has sent half of a request does not hold the end of the server."""

import asyncio
from contextlib import suppress

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from dpviz.web.server import shutdown
from dpviz.web.server.allowed_hosts import AllowedHostsMiddleware
from tests.web.own_process import run_apart

HALF: Message = {"type": "http.request", "body": b"code=ABC", "more_body": True}


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_half_sent_request_ends_with_the_server(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutdown, "_LOOK", 0.01)
    pieces, got = [HALF], list[bytes]()

    async def receive() -> Message:
        if pieces:
            return pieces.pop()
        return await asyncio.Event().wait() and HALF

    async def reads(scope: Scope, receive: Receive, _: Send) -> None:
        with suppress(ClientDisconnect):
            async for piece in Request(scope, receive).stream():
                got.append(piece)
                monkeypatch.setattr(shutdown, "is_server_stopping", lambda: True)
            got.append(b"the end")

    async def send(_: Message) -> None: ...

    async def serve() -> None:
        scope = {"type": "http", "method": method, "path": "/join", "headers": []}
        async with asyncio.timeout(30.0):
            await AllowedHostsMiddleware(reads)(scope, receive, send)

    run_apart(serve())
    assert got == [HALF["body"]]
