"""Files on disk that the browser fetches, each once and in pieces.

The server would hold a text sent over the websocket several times.
Invariants: an address gives access and cannot be guessed; a file is deleted once it is fetched, or
when the session drops it.
"""

import os
import secrets
from pathlib import Path
from tempfile import mkstemp
from weakref import WeakValueDictionary, finalize

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from dpviz.export.release.wheel import WHEEL_NAME, build_wheel
from dpviz.web.server.allowed_hosts import base_path

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
    token, fetches = request.path_params["token"], request.method == "GET"
    if (file := _WAITING.pop(token, None) if fetches else _WAITING.get(token)) is None:
        return PlainTextResponse(
            "This file was downloaded already, or is no longer kept.\n", 404, _HEADERS
        )
    after = BackgroundTask(_drop, file) if fetches else None  # a HEAD leaves it to be fetched
    return FileResponse(
        file.path, headers=_HEADERS, media_type=file.mime, filename=file.name, background=after
    )


def _drop(file: DownloadFile) -> None:
    file.drop()
