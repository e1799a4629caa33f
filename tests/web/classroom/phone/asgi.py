"""A phone as an ASGI application sees it: requests with a cookie, and a stream that is read piece
by piece.
"""

import asyncio
import json
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp

from tests.until import LONGEST

__all__ = ["Answer", "Phone"]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def said(self) -> Any:
        return json.loads(self.body)


@dataclass
class Phone:
    """A browser: it keeps the cookie that it is given."""

    app: ASGIApp
    headers: dict[str, str] = field(default_factory=lambda: {"host": "localhost:8501"})
    address: str = "192.0.2.7"
    cookie: str = ""

    async def get(self, path: str) -> Answer:
        return await self.asks("GET", path, b"", {})

    async def post(self, path: str, **said: Any) -> Answer:
        return await self.asks(
            "POST", path, json.dumps(said).encode(), {"content-type": "application/json"}
        )

    async def asks(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        sent: list[Any] = []
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if not asked:  # it has said all, and waits for the answer
                await asyncio.Event().wait()
            return asked.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(self._scope(method, path, headers), receive, send)
        start, *rest = sent
        got = {name.decode(): value.decode() for name, value in start["headers"]}
        if "set-cookie" in got:
            self.cookie = got["set-cookie"].partition(";")[0]
        return Answer(start["status"], got, b"".join(piece.get("body", b"") for piece in rest))

    @asynccontextmanager
    async def stream(self, path: str = "/join/events") -> AsyncIterator["Stream"]:
        """The stream, until it is left."""
        stream, left = Stream(), asyncio.Event()
        unpacks = zlib.decompressobj(16 + zlib.MAX_WBITS)

        async def receive() -> Any:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                stream.packed = (b"content-encoding", b"gzip") in message["headers"]
            else:
                body = message.get("body", b"")
                stream.received += len(body)
                for piece in (
                    (unpacks.decompress(body) if stream.packed else body).decode().split("\n\n")
                ):
                    if piece and not piece.startswith("retry:"):
                        stream.pieces.put_nowait(piece)
                if not message.get("more_body"):
                    stream.pieces.put_nowait(None)

        task = asyncio.create_task(self.app(self._scope("GET", path, {}), receive, send))  # type: ignore[arg-type]
        try:
            yield stream
        finally:
            left.set()
            await task

    def _scope(self, method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
        path, _, query = path.partition("?")
        told = self.headers | headers | ({"cookie": self.cookie} if self.cookie else {})
        return {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "scheme": "http",
            "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in told.items()],
            "client": (self.address, 1), "server": ("127.0.0.1", 8501),
        }  # fmt: skip


@dataclass
class Stream:
    """What the server tells, one after the other; in how many bytes."""

    pieces: "asyncio.Queue[str | None]" = field(default_factory=asyncio.Queue)
    packed: bool = False
    received: int = 0

    async def next(self) -> str | None:
        """The next that is told; None where the stream has ended."""
        return await asyncio.wait_for(self.pieces.get(), 10)

    async def shows(self, text: str) -> str:
        """Read on until the phone shows this text; all of it."""
        html = ""
        end = time.monotonic() + LONGEST
        while text not in html:
            assert time.monotonic() < end, f"{text!r} does not come; there is {html}"
            piece = await self.next()
            assert piece is not None, "the stream has ended"
            if not piece.startswith("event: beat"):
                html = str(json.loads(piece.partition("data: ")[2])["html"])
        return html
