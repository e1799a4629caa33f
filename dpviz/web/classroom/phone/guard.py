"""Checks of a phone's request: a page of another site changes and reads nothing here."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlparse

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dpviz.teaching.classes import ClassStoreUnavailable
from dpviz.web.classroom.access import visitor_ip_address
from dpviz.web.server.streamlit_internals import is_allowed_origin, is_host_allowed


class UnreadableRequest(Exception):
    """A request whose body is not what its type says."""


Endpoint = Callable[[Request], Awaitable[Response]]
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src"
        " 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src data:"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def guard_endpoint(endpoint: Endpoint) -> Endpoint:
    """Endpoint that answers allowed requests only."""

    async def answered(request: Request) -> Response:
        host, origin = request.headers.get("host"), request.headers.get("origin")
        if not is_host_allowed(host):
            return PlainTextResponse("dpviz does not answer to this name.\n", 421, _HEADERS)
        if origin is not None and _foreign(origin, host):
            return PlainTextResponse("This request comes from another website.\n", 403, _HEADERS)
        try:
            answer = await endpoint(request)
        except ClassStoreUnavailable as away:  # the page's script asks again by itself
            answer = PlainTextResponse(f"{away}\n", 503, {"Retry-After": "3"})
        except UnreadableRequest:
            answer = JSONResponse({"says": "The data sent cannot be read."}, 400)
        answer.headers.update(_HEADERS)
        return answer

    return answered


def _foreign(origin: str, host: str | None) -> bool:
    try:
        return urlparse(origin).netloc != host and not is_allowed_origin(origin)
    except ValueError:  # no address at all
        return True


def request_ip_address(request: Request) -> str:
    return visitor_ip_address(
        "" if request.client is None else request.client.host,
        request.headers.get("x-forwarded-for", ""),
    )
