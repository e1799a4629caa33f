"""Gzip for Streamlit's static files, of which a first visit takes 8 MB.

Streamlit sends them uncompressed, and Starlette's middleware would compress them for each visitor.
So each is compressed once, when first asked for, and kept: some 7 MB in all. Other requests, as for
a part of a file, get Streamlit's own answer.
"""

import asyncio
import gzip
import mimetypes
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_TEXTS = frozenset({".js", ".mjs", ".css", ".html", ".json", ".svg", ".txt", ".map", ".wasm"})
_NOT_AT_ALL = re.compile(r"q=0(\.0*)?")
_SHORTEST = 1_000  # bytes: less gains nothing
# headers of requests that are not for a whole file
_AS_THEY_ARE = ("range", "if-none-match", "if-modified-since")
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
        if (file := _asked_for(scope)) is None:
            await self._app(scope, receive, send)
            return
        if file not in self._packed:
            self._packed[file] = await asyncio.to_thread(_pack, file)
        await self._packed[file](scope, receive, send)


@cache
def _files() -> dict[str, Path]:
    """Streamlit's files that are worth compressing, by their path below its address."""
    if (package := find_spec("streamlit")) is None or package.origin is None:
        raise FileNotFoundError("streamlit is not installed")
    folder = Path(package.origin).parent / "static"
    return {
        f"/{file.relative_to(folder).as_posix()}": file
        for file in (folder / "static").rglob("*")
        if file.suffix in _TEXTS and file.is_file() and file.stat().st_size >= _SHORTEST
    }


def _asked_for(scope: Scope) -> Path | None:
    """File that a request is for, where it may be sent compressed."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    place = scope["path"].find("/static/")  # the app may be served below a path
    file = _files().get(scope["path"][place:]) if place >= 0 else None
    headers = Headers(scope=scope)
    whole = not any(name in headers for name in _AS_THEY_ARE)
    return file if whole and accepts_gzip(headers) else None


def accepts_gzip(headers: Headers) -> bool:
    """Say if the client accepts gzip, preferred or not."""
    said = [
        each.replace(" ", "").partition(";")
        for each in headers.get("accept-encoding", "").split(",")
    ]
    return any(name == "gzip" and not _NOT_AT_ALL.fullmatch(quality) for name, _, quality in said)


def _pack(file: Path) -> Response:
    kind = mimetypes.guess_type(file.name)[0] or "text/javascript"
    return Response(gzip.compress(file.read_bytes(), 6), 200, _HEADERS, kind)
