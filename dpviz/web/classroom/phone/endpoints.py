"""The routes of a student's page: page, joining, stream, answer, mark and draw.

Invariants: a repeated request changes nothing more; tokens lie in a cookie that scripts do not
see, never in a link or page.
"""

import asyncio
import json
import random
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from dpviz.base import ParameterError
from dpviz.teaching.classes import (
    LIMITS,
    ClassManager,
    ClassRefusal,
    ClassStoreUnavailable,
    Seat,
    parse_code,
)
from dpviz.web.classroom import access
from dpviz.web.classroom.phone import view
from dpviz.web.classroom.phone.guard import UnreadableRequest, guard_endpoint, request_ip_address
from dpviz.web.classroom.phone.rooms import join_room
from dpviz.web.server.allowed_hosts import base_path
from dpviz.web.server.static_compression import accepts_gzip

# seconds after which a stream that has nothing to say says so; a phone takes three without for a
# dead line
BEAT = 12.0
_LONGEST = 2000  # bytes of a request's body
_PATIENCE = 20.0  # seconds in which a request of at most so many bytes has come
# gzip that looks back 16 kB, about a phone's last view, in 96 kB of memory for each phone
_PACKED_AS = (16 + 14, 6)


def phone_routes() -> list[Route]:
    """Routes, below the path that the app is served at."""
    at = f"{base_path()}/join"
    acts: dict[str, tuple[Callable[..., object], tuple[str, ...]]] = {
        "/answer": (ClassManager.submit_answer, ("place", "choice", "again")),
        "/mark": (ClassManager.submit_guess, ("place", "value")),
        # until there are so many: a repeated request draws no more
        "/draw": (ClassManager.draw_student_release_counts, ("place", "setting", "upto")),
    }
    packed = [Middleware(GZipMiddleware, compresslevel=6)]  # which leaves streams as they are
    return [
        Route(at, guard_endpoint(_page), methods=["GET"], middleware=packed),
        Route(at, guard_endpoint(_join), methods=["POST"], middleware=packed),
        Route(f"{at}/events", guard_endpoint(_events), methods=["GET"]),
        *(
            Route(
                at + end,
                guard_endpoint(partial(_change, *act)),
                methods=["POST"],
                middleware=packed,
            )
            for end, act in acts.items()
        ),
    ]


async def _page(request: Request) -> Response:
    seat = await access.run_class_work(_seat, request)
    typed, secret = (request.query_params.get(name, "") for name in ("code", "door"))
    code = parse_code(typed)
    if seat is not None and code in {None, seat.code}:
        piece = await access.run_class_work(view.student_view_html, access.class_manager(), seat)
        return HTMLResponse(view.phone_page_html(piece, has_seat=True))
    return HTMLResponse(
        view.phone_page_html(
            view.code_form_html(
                code or typed[:12], link_secret=secret[:40], joins_by_itself=code is not None
            ),
            has_seat=False,
        )
    )


async def _join(request: Request) -> Response:
    """Take a seat, for the page's script or for a plain form."""
    asked = await _said(request)
    by_form = "json" not in request.headers.get("content-type", "")
    typed, secret = (_text(asked, name)[:40] for name in ("code", "door"))
    try:
        seat = await access.run_class_work(_come_in, request, typed, secret)
    except ClassStoreUnavailable:
        raise
    except (ClassRefusal, OSError) as refused:
        says = access.refusal_text(refused)
        if by_form:
            return HTMLResponse(
                view.phone_page_html(
                    view.code_form_html(typed[:12], says, link_secret=secret), has_seat=False
                ),
                409,
            )
        return JSONResponse({"says": says}, 409)
    answer: Response = (
        RedirectResponse(f"join?code={seat.code}", 303)
        if by_form
        else JSONResponse(
            {
                "code": seat.code,
                "html": await access.run_class_work(
                    view.student_view_html, access.class_manager(), seat
                ),
            }
        )
    )
    answer.set_cookie(
        access.STUDENT,
        seat.token,
        max_age=round(LIMITS.seconds + LIMITS.results),
        path=f"{base_path()}/",
        httponly=True,
        samesite="lax",
        secure=request.headers.get("x-forwarded-proto", request.url.scheme) == "https",
    )
    return answer


def _text(asked: Mapping[str, Any], name: str) -> str:
    return said if isinstance(said := asked.get(name), str) else ""


def _come_in(request: Request, typed: str, secret: str) -> Seat:
    if (before := _seat(request)) is not None and before.code == parse_code(typed):
        return before
    seat = access.class_manager().join(typed, door=secret, address=request_ip_address(request))
    if seat is None:
        raise ClassRefusal(
            "There is no class with this code. Type the six letters that the screen shows."
        )
    return seat


async def _events(request: Request) -> Response:
    """Stream of the phone's view, whenever it changes, with heartbeats first and in between."""
    seat = await access.run_class_work(_seat, request)
    told = _told(seat)
    headers = {"X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    if not accepts_gzip(request.headers):
        return StreamingResponse(told, media_type="text/event-stream", headers=headers)
    headers["Content-Encoding"] = "gzip"
    return StreamingResponse(_packed(told), media_type="text/event-stream", headers=headers)


async def _packed(told: AsyncGenerator[str, None]) -> AsyncIterator[bytes]:
    """Compress the stream, each event at once; repeated text takes a few bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, *_PACKED_AS)
    async with aclosing(told):
        async for event in told:
            yield packer.compress(event.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)


async def _told(seat: Seat | None) -> AsyncGenerator[str, None]:
    if seat is None:
        yield _event(view.class_over_html(), "over")
        return
    yield f"retry: {random.randint(500, 2500)}\n\n"  # noqa: S311 - that not all come back at once
    yield _beat()
    async with join_room(seat.code) as room:
        turn, before = 0, ""
        while not room.closing:
            access.class_manager().mark_present(seat.token)
            now = before
            if room.turn != turn:
                turn = room.turn
                now = await access.run_class_work(
                    view.student_view_html, access.class_manager(), seat
                )
            # after looking, so that the end is told once
            if await access.run_class_work(access.class_manager().find_seat, seat.token) is None:
                yield _event(
                    await access.run_class_work(view.seat_lost_html, access.class_manager(), seat),
                    "over",
                )
                return
            if now != before:
                before = now
                yield _event(now)
            if not await room.wait_for_update(turn, BEAT):
                yield _beat()


def _beat() -> str:
    """Heartbeat that scripts hear, unlike a comment, with the seconds between two."""
    return f"event: beat\ndata: {BEAT:g}\n\n"


def _event(html: str, name: str = "message") -> str:
    return f"event: {name}\ndata: {json.dumps({'html': html}, ensure_ascii=False)}\n\n"


async def _change(
    act: Callable[..., object], fields: tuple[str, ...], request: Request
) -> Response:
    """Do what was asked, and return the phone's new view."""
    asked, seat = await _said(request), await access.run_class_work(_seat, request)
    if seat is None:
        return JSONResponse({"says": "This class has ended.", "html": view.class_over_html()}, 409)

    def changed() -> dict[str, str]:
        says = ""
        try:
            act(access.class_manager(), seat, *(asked[name] for name in fields))
        except ClassStoreUnavailable:
            raise
        except ClassRefusal as refused:
            says = str(refused)
        except (ParameterError, KeyError, TypeError):
            says = "That cannot be chosen here."
        return {"says": says, "html": view.student_view_html(access.class_manager(), seat)}

    said = await access.run_class_work(changed)
    return JSONResponse(said, 409 if said["says"] else 200)


def _seat(request: Request) -> Seat | None:
    """This browser's seat in a class that still has results."""
    token = request.cookies.get(access.STUDENT)
    return access.class_manager().find_seat(token) if token else None


async def _said(request: Request) -> Mapping[str, Any]:
    """Fields of the request; none where it is too long or has no names."""
    body = b""
    try:
        async with asyncio.timeout(_PATIENCE):
            async for piece in request.stream():
                body += piece
                if len(body) > _LONGEST:
                    return {}
        if "json" in request.headers.get("content-type", ""):
            said = json.loads(body or b"{}")
            # a lone surrogate can be escaped, but not stored
            json.dumps(said, ensure_ascii=False).encode()
            return said if isinstance(said, dict) else {}
        return {name: values[0] for name, values in parse_qs(body.decode()).items()}
    except (ValueError, RecursionError, ClientDisconnect, TimeoutError) as err:
        raise UnreadableRequest from err
