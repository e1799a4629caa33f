"""How much a session may have uploaded that waits to be read: a page reads one file at a time, and
lets it go.

Streamlit takes any number of files for a session that is connected, and keeps each until the
session is forgotten.
Invariant: what waits and what is on its way is at most the budget of one session, whatever it
sends.
"""

import re
from collections import Counter

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from dpviz.base.resource_budgets import current_budgets

_PLACE = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
_MB = 1_000_000


class UploadBudgetMiddleware:
    """An app that takes of a session as many bytes as its budget has left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()  # bytes on their way, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI asks for."""
        asked = (
            scope["type"] == "http"
            and scope["method"] in {"PUT", "POST"}
            and _PLACE.search(scope["path"])
        )
        if not asked:
            await self._app(scope, receive, send)
            return
        session, length = asked["session"], Headers(scope=scope).get("content-length", "")
        if not length.isascii() or not length.isdigit():
            await PlainTextResponse("Say how long the file is.\n", 411)(scope, receive, send)
            return
        size, most = int(length), current_budgets().uploaded
        if size + self._coming[session] + _waiting(session) > most:
            says = f"More than {most // _MB:,} MB wait to be read already.\n"
            await PlainTextResponse(says, 413)(scope, receive, send)
            return
        self._coming[session] += size
        try:
            await self._app(scope, receive, send)
        finally:
            self._coming[session] -= size
            self._coming += Counter()  # forget who has none left


def _waiting(session: str) -> int:
    """Bytes of files that the server holds for a session."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in list(manager.file_storage.get(session, {}).values()))
