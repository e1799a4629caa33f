"""Gzip for Streamlit's static files, of which a first visit takes 8 MB.

Each is compressed once, not for each visitor, and kept: some 7 MB in all.
"""

import asyncio
import gzip
import mimetypes
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dpviz.web.server.streamlit_internals import STATIC_FOLDER

_TEXTS = frozenset({".js", ".mjs", ".css", ".html", ".json", ".svg", ".txt", ".map", ".wasm"})
_SHORTEST = 1_000  # bytes: less gains nothing
_HEADERS = {
    "Content-Encoding": "gzip",
    "Vary": "Accept-Encoding",
    "Cache-Control": "public, immutable, max-age=31536000",  # each name has a hash of its content
}


class StaticCompressionMiddleware:
    """Middleware that sends static files compressed to browsers that accept gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._packed: dict[Path, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (file := _requested_file(scope)) is None:
            await self._app(scope, receive, send)
            return
        if file not in self._packed:
            self._packed[file] = await asyncio.to_thread(_pack, file)
        await self._packed[file](scope, receive, send)


@cache
def _files() -> dict[str, Path]:
    """Streamlit's files that are worth compressing, by their path below its address."""
    return {
        f"/{file.relative_to(STATIC_FOLDER).as_posix()}": file
        for file in (STATIC_FOLDER / "static").rglob("*")
        if file.suffix in _TEXTS and file.is_file() and file.stat().st_size >= _SHORTEST
    }


def _requested_file(scope: Scope) -> Path | None:
    """File that a request is for, where it may be sent compressed."""
    if (
        scope["type"] != "http"
        or scope["method"] != "GET"
        or not accepts_gzip(Headers(scope=scope))
    ):
        return None
    place = scope["path"].find("/static/")  # the app may be served below a path
    return _files().get(scope["path"][place:]) if place >= 0 else None


def accepts_gzip(headers: Headers) -> bool:
    return "gzip" in headers.get("accept-encoding", "")


def _pack(file: Path) -> Response:
    kind = mimetypes.guess_type(file.name)[0] or "text/javascript"
    return Response(gzip.compress(file.read_bytes(), 6), 200, _HEADERS, kind)
