"""Where the app is: the path, and the names that it answers to; a page asked for under another is
none of ours (421).

Streamlit looks at the name of its own line only and sends its files to whoever asks. A site that
leads its own name here (DNS rebinding) would be let in by a browser as that site; so it gets
nothing at all.
Invariant: which names there are is Streamlit's `server.allowedHosts`, which `dpviz app` and `dpviz
serve` set. Where nobody has set it, as where Streamlit alone starts the app, any name does, and
`access_warning` says so.
"""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

_ALIVE = "/_stcore/health"  # asked by what watches a container, by its address; it tells nothing
_SAYS = "dpviz is not served under this name here; --host NAME of `dpviz app` adds one.\n"


class AllowedHostsMiddleware:
    """An app that is there under its own names; lines are refused by Streamlit itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI asks for."""
        if (
            scope["type"] == "http"
            and not scope["path"].endswith(_ALIVE)
            and not _ours(Headers(scope=scope))
        ):
            await PlainTextResponse(_SAYS, 421)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _ours(headers: Headers) -> bool:
    return "*" in config.get_option("server.allowedHosts") or is_host_allowed(headers.get("host"))


def base_path() -> str:
    """The path that the app is served at: empty, or with a slash in front only."""
    path = str(config.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def access_warning() -> str:
    """What to say as the app starts, where nobody said who may reach it and by which names; else
    nothing.
    """
    if config.get_option("server.allowedHosts"):
        return ""
    reached = (
        ""
        if config.get_option("server.address")
        else "Whoever reaches this machine reaches the app, and it"
    )
    return (
        f"dpviz: {reached or 'It'} answers to any name. For yourself alone, start it by `python -m"
        " dpviz app`. Where people know it by a name, set that: --server.allowedHosts NAME, or"
        " STREAMLIT_SERVER_ALLOWED_HOSTS=NAME.\n"
    )
