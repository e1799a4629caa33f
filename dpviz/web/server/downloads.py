"""Files that wait on disk to be fetched by the browser that asked for them, each once, a piece at a
time.

A text that goes over the line of a page is held several times by the server, and by Streamlit's own
store of files until the next run. Invariants: whoever has its address has the file, and no address
can be guessed; a file is gone once it is fetched, and with whoever holds it for the session.
"""

import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import mkstemp
from urllib.parse import quote
from weakref import WeakValueDictionary, finalize

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from dpviz.web.server.allowed_hosts import base_path

_AT_ONCE = 2**20  # bytes
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Accel-Buffering": "no",
}


class DownloadFile:
    """A file of this name that waits, with a place on disk of its own; it is empty at first."""

    def __init__(self, name: str, mime: str) -> None:
        self.name, self.mime = name, mime
        file, self.path = mkstemp(prefix="dpviz-")
        os.close(file)
        self.token = secrets.token_urlsafe(32)
        self.drop = finalize(self, Path(self.path).unlink, missing_ok=True)

    @property
    def download_url(self) -> str:
        """Where it can be fetched from now on, seen from a page."""
        _WAITING[self.token] = self
        return f"file/{self.token}"


_WAITING: WeakValueDictionary[str, DownloadFile] = WeakValueDictionary()  # by token


def download_routes() -> list[Route]:
    """Where files are fetched."""
    return [Route(f"{base_path()}/file/{{token}}", _fetch, methods=["GET"])]


async def _fetch(request: Request) -> Response:
    file = _WAITING.pop(request.path_params["token"], None)
    if file is None:
        return PlainTextResponse(
            "This file has been fetched, or is not kept any more.\n", 404, _HEADERS
        )
    size = Path(file.path).stat().st_size
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}",
    }
    return StreamingResponse(_sent(file), media_type=file.mime, headers=_HEADERS | headers)


async def _sent(file: DownloadFile) -> AsyncIterator[bytes]:
    try:
        with open(file.path, "rb") as held:
            while piece := await run_sync(held.read, _AT_ONCE):
                yield piece
    finally:
        file.drop()
