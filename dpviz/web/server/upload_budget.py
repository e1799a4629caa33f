"""A limit on the bytes of a session's uploads that are under way or wait to be read."""

import re
from collections import Counter

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dpviz.base.resource_budgets import current_budgets
from dpviz.web.server.session_memory import NO_ROOM, SESSIONS
from dpviz.web.server.streamlit_internals import held_upload_bytes

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
            await PlainTextResponse("The request must give the length of the file.\n", 411)(
                scope, receive, send
            )
            return
        if not SESSIONS.try_to_make_room(session):
            await PlainTextResponse(f"{NO_ROOM}\n", 413)(scope, receive, send)
            return
        size, most = int(length), current_budgets().uploaded
        if size + self._coming[session] + held_upload_bytes(session) > most:
            says = f"Uploads wait to be read already; together they may have {most // _MB:,} MB.\n"
            await PlainTextResponse(says, 413)(scope, receive, send)
            return
        self._coming[session] += size
        try:
            await self._app(scope, receive, send)
        finally:
            self._coming[session] -= size
            self._coming += Counter()  # forget who has none left
