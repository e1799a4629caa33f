"""What stands in Streamlit's page before anything of ours has come: rules for the first second.

Streamlit shows a sidebar and grey boxes until a page's own rules are there, and moves them all once
they are. So its page is sent with a few rules of ours in it, whoever asks for it; it is then no
more the file that it was, and goes without the marks by which a browser would keep that.
"""

import gzip
from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.base import Markup, render_template
from dpviz.web.server.static_files import read_asset

_END, _STREAMLITS = b"</head>", b"<title>Streamlit</title>"
_OF_THE_FILE = ("etag", "last-modified", "accept-ranges")


class FirstPaintMiddleware:
    """An app whose page begins with rules of ours."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI asks for."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        begun: Message | None = None
        body = b""

        async def send_page(message: Message) -> None:
            """What the app answers; a page once it is whole."""
            nonlocal begun, body
            if message["type"] == "http.response.start" and _is_page(message):
                begun = message
                return
            if begun is None:
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            headers = MutableHeaders(scope=begun)
            if (
                "content-encoding" in headers
            ):  # Streamlit packs the page of an address below its root
                body = gzip.decompress(body)
                del headers["content-encoding"]
            if _STREAMLITS in body:
                body = body.replace(_END, _first() + _END, 1)
                for name in _OF_THE_FILE:
                    del headers[name]
            headers["content-length"] = str(len(body))
            await send(begun)
            await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, send_page)


def _is_page(message: Message) -> bool:
    headers = Headers(raw=message["headers"])
    html = headers.get("content-type", "").startswith("text/html")
    return message["status"] == 200 and html and headers.get("content-encoding", "gzip") == "gzip"


@cache
def _first() -> bytes:
    rules = Markup(read_asset("sidebar_drawer.css") + read_asset("first_paint.css"))
    return str(
        render_template(
            "dpviz.web.widgets",
            "first.html",
            rules=rules,
            script=Markup(read_asset("first_paint.js")),
        )
    ).encode()
