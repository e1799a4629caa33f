"""Files on disk that the browser fetches, each once and in pieces.

A text sent over the websocket is held several times by the server, and by Streamlit's file store
until the next run. Invariants: an address gives access and cannot be guessed; a file is deleted
once it is fetched, or when the session drops it.
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

from dpviz.export.release.wheel import WHEEL_NAME, build_wheel
from dpviz.web.server.allowed_hosts import base_path

_AT_ONCE = 2**20  # bytes
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Accel-Buffering": "no",
}


class DownloadFile:
    """An empty file on disk, to be written and then fetched under this name."""

    def __init__(self, name: str, mime: str) -> None:
        self.name, self.mime = name, mime
        file, self.path = mkstemp(prefix="dpviz-")
        os.close(file)
        self.token = secrets.token_urlsafe(32)
        self.drop = finalize(self, Path(self.path).unlink, missing_ok=True)

    @property
    def download_url(self) -> str:
        """Address to fetch the file at, relative to a page; reading it makes the file available."""
        _WAITING[self.token] = self
        return f"file/{self.token}"


_WAITING: WeakValueDictionary[str, DownloadFile] = WeakValueDictionary()  # by token


def download_routes() -> list[Route]:
    """Routes at which files are fetched."""
    return [
        Route(wheel_url(), _send_wheel, methods=["GET"]),
        Route(f"{base_path()}/file/{{token}}", _fetch, methods=["GET"]),
    ]


def wheel_url() -> str:
    """Address of the dpviz that runs, as a wheel."""
    return f"{base_path()}/file/{WHEEL_NAME}"


def _send_wheel(request: Request) -> Response:
    return Response(build_wheel(), media_type="application/octet-stream", headers=_HEADERS)


async def _fetch(request: Request) -> Response:
    token, asks = request.path_params["token"], request.method == "HEAD"
    if (file := _WAITING.get(token) if asks else _WAITING.pop(token, None)) is None:
        return PlainTextResponse(
            "This file was downloaded already, or is no longer kept.\n", 404, _HEADERS
        )
    size = Path(file.path).stat().st_size
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}",
    }
    if asks:  # for the headers: the file is still to be fetched
        return Response(media_type=file.mime, headers=_HEADERS | headers)
    return StreamingResponse(_sent(file), media_type=file.mime, headers=_HEADERS | headers)


async def _sent(file: DownloadFile) -> AsyncIterator[bytes]:
    try:
        with open(file.path, "rb") as held:
            while piece := await run_sync(held.read, _AT_ONCE):
                yield piece
    finally:
        file.drop()
