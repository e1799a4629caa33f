"""Style rules and a script put into Streamlit's page, for the first second.

Streamlit shows a sidebar and grey boxes until a page's own rules arrive, and then moves them all.
So its page is sent with a few of our rules in it. It then differs from the file on disk, and goes
without the headers by which a browser would cache that file.
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
    """Middleware that adds rules to the head of Streamlit's page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        begun: Message | None = None
        body = b""

        async def send_page(message: Message) -> None:
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
            # Streamlit compresses the page of an address below its root
            if "content-encoding" in headers:
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
