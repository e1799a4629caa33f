"""Host names that the app answers to (others get status 421), its path, and its address for phones.

Streamlit checks its websocket only; a site that points its own name here (DNS rebinding) would
look to a browser like that site. Without `server.allowedHosts` every name is allowed.
"""

import os
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dpviz.base import OPEN_METRICS, REACHED_AT
from dpviz.web.server.streamlit_internals import is_host_allowed

_ALIVE = "/_stcore/health"  # a container's health check asks by address; the answer reveals nothing

_OTHER_NAME = "dpviz does not answer to this name. Add it by `dpviz app --host NAME`.\n"
_FOR_OPERATORS = ("/_stcore/metrics", "/_stcore/script-health-check")


class AllowedHostsMiddleware:
    """Middleware that refuses requests under other names; Streamlit refuses websockets itself."""

    # Starlette's TrustedHostMiddleware knows no names of IPv6. What Streamlit tells operators is for
    # the processes of `dpviz serve` alone, which nginx hides.

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._app
        if scope["type"] == "http":
            host, names = Headers(scope=scope).get("host"), st.get_option("server.allowedHosts")
            if not (scope["path"].endswith(_ALIVE) or "*" in names or is_host_allowed(host)):
                answer = PlainTextResponse(_OTHER_NAME, 421)
            elif scope["path"].endswith(_FOR_OPERATORS) and OPEN_METRICS not in os.environ:
                answer = PlainTextResponse("This address is not open here.\n", 404)
        await answer(scope, receive, send)


def base_path() -> str:
    """Path that the app is served at: empty, or with a slash in front only."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def open_access_warning() -> str:
    """Warning for the console where no allowed hosts are set; else empty."""
    if st.get_option("server.allowedHosts"):
        return ""
    reached = (
        ""
        if st.get_option("server.address")
        else " Everyone who can reach this machine can reach the app."
    )
    return (
        f"dpviz: The app answers to any name.{reached} To use it alone, start it with `python -m"
        " dpviz app`. To allow one name only, set --server.allowedHosts NAME or"
        " STREAMLIT_SERVER_ALLOWED_HOSTS=NAME.\n"
    )


def phone_reachable_url() -> str:
    """App's address, from the command line, else from this browser; "" where none is reachable."""
    if told := os.environ.get(REACHED_AT):
        return told
    here = (st.context.url or "").rpartition("/")[0]
    return "" if is_local_address(here) else here


def is_local_address(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host in {"", "localhost", "::1"} or host.startswith("127.")
