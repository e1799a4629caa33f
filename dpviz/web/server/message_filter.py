"""A filter for websocket messages from browsers, against abuse and against races at page changes.

Anybody may ask Streamlit to empty everybody's caches: only what pages send passes.
Streamlit goes back to a page that was left for a fragment or a press that is still on its way, and
the window stays empty; or it merges that with the navigation, which is lost.
Invariant: page requests pass; fragments and presses pass only for the page requested or begun last.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.web.server.session_memory import SESSIONS
from dpviz.web.server.streamlit_internals import (
    BackMsg,
    ForwardMsg,
    WidgetState,
    get_max_widget_state_size_bytes,
)

_RERUN = "rerun_script"
_SHORT_KINDS = frozenset(
    {"stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
)
_SHORT = 2**16  # bytes of a message of these kinds, and of an address
_PARTS = 10_000  # of a message: a page has some hundred controls of three parts each
_LONGEST = 2**16  # bytes of a message that may begin a page: longer ones are charts and tables
_RESTARTED = 1012  # RFC 6455's registry: "service restart"
_CLOSING: set[asyncio.Task[None]] = set()  # as the event loop itself holds none
_UNREADABLE = b"\xff"  # closes the connection, as Streamlit cannot read it


@dataclass
class _Place:
    """The page that the browser is at, and the requested one that has not begun."""

    page: str = ""
    awaited: str = ""

    def begin_page(self, page: str) -> None:
        self.page = page
        if page == self.awaited:
            self.awaited = ""

    def accepts_message(self, in_fragment: bool, page: str) -> bool:
        """Say if a message for `page` may pass; `in_fragment` marks a fragment or a press."""
        here = self.awaited or self.page
        if in_fragment:
            return not here or page == here
        self.awaited = page if page != self.page else ""
        return True


class MessageFilterMiddleware:
    """Middleware that drops messages no page sends, and those of a page that was left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        # a browser that connects again names its session, which may end before its next run
        before, session = (scope.get("subprotocols") or [])[2:3], ""
        place = _Place()

        async def hear() -> Message:
            while True:
                message = await receive()
                heard = message.get("bytes")
                if message["type"] != "websocket.receive" or not heard:
                    return message
                if len(heard) > get_max_widget_state_size_bytes():
                    return message  # Streamlit refuses it unread
                try:
                    if _may_pass(heard, place):
                        SESSIONS.record_activity(session)
                        return message
                except (DecodeError, ValueError):
                    return {**message, "bytes": _UNREADABLE}

        async def tell(message: Message) -> None:
            nonlocal session
            told = message.get("bytes") or b""
            if 0 < len(told) <= _LONGEST:
                kind = (begun := ForwardMsg.FromString(told)).WhichOneof("type")
                # "navigation" knows the page where an address named it
                if kind in {"new_session", "navigation"}:
                    place.begin_page(getattr(begun, kind).page_script_hash)
                if not session and (session := begun.new_session.initialize.session_id):
                    SESSIONS.connect(session, partial(_hang_up, send))
            await send(message)

        try:
            await self._app(scope, hear, tell)
        finally:
            SESSIONS.disconnect(session or "".join(before))


def _hang_up(send: Send) -> None:
    """End a connection from here; the browser then connects anew."""

    async def close() -> None:
        with suppress(RuntimeError, OSError):  # it has ended meanwhile
            await send({"type": "websocket.close", "code": _RESTARTED})

    closing = asyncio.create_task(close())
    _CLOSING.add(closing)
    closing.add_done_callback(_CLOSING.discard)


def _may_pass(heard: bytes, place: _Place) -> bool:
    # before parsing, which takes hundreds of megabytes for millions of parts
    if _parts_left(BackMsg.DESCRIPTOR, memoryview(heard), _PARTS) < 0:
        return False
    asked = BackMsg.FromString(heard)
    if (kind := asked.WhichOneof("type")) != _RERUN:
        return kind in _SHORT_KINDS and len(heard) <= _SHORT
    if len(asked.rerun_script.query_string) > _SHORT:
        return False
    controls = asked.rerun_script.widget_states.widgets
    within = bool(asked.rerun_script.fragment_id) or any(map(_is_press, controls))
    return place.accepts_message(within, asked.rerun_script.page_script_hash)


def _is_press(widget: WidgetState) -> bool:
    """Say if it is an event (a press, a component's message) and not a setting."""
    return (widget.WhichOneof("value") or "").endswith("trigger_value")


def _parts_left(kind: Descriptor, data: memoryview, left: int) -> int:
    """Subtract the parts of an unparsed message, at every depth; negative at the first too many."""
    for number, content in _fields(data):
        left -= 1
        if left < 0:
            break
        field = kind.fields_by_number.get(number)
        if content is not None and field is not None and field.message_type is not None:
            left = _parts_left(field.message_type, content, left)
    return left


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview | None]]:
    """Fields of a message as they come: number, and content where it has a length."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        content = None
        match key & 7:
            case 0:  # a number
                _, at = _varint(data, at)
            case 1:
                at += 8
            case 2:  # what has a length
                length, at = _varint(data, at)
                content = data[at : at + length]
                at += length
            case 5:
                at += 4
            case _:
                raise ValueError(f"wire type {key & 7} is none that a browser sends")
        yield key >> 3, content


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """Number that begins there, and the place after it."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte, at = data[at], at + 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
    raise ValueError("the message ends within a number, or the number does not end")
