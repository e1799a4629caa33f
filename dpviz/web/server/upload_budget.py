"""A limit on the bytes that a session may have uploaded and not yet read.

Invariant: files that wait and uploads under way together stay within one session's budget.
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
    """Middleware that refuses uploads above what is left of the session's budget."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: Counter[str] = Counter()  # bytes on their way, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
