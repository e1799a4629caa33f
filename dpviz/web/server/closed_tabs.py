"""Early end of sessions whose tab was closed; a session that only lost its connection waits.

A browser that closes a tab or leaves the site ends the websocket with the code "going away"; one
that sleeps or loses its network does not. Streamlit keeps both alike
(`server.disconnectedSessionTTL`).
Invariants: a connected session is never ended here; a person who comes back in time finds it.
"""

import asyncio
import ctypes
import ctypes.util
import gc
from functools import cache

import pyarrow
from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.session_manager import SessionInfo

_GOING_AWAY = 1001  # RFC 6455, 7.4.1
_AFTER = 1.0  # seconds in which its last run lets go of what it holds
_TOGETHER = 5.0  # seconds
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # options of mallopt, as glibc's malloc.h numbers them
_LARGE = 1_000_000  # bytes
_SOON = 90.0  # seconds: a page that the browser goes back to may take its session up again


class TabCloseMiddleware:
    """Middleware that ends the session of a tab that says that it closes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        _return_at_once()
        self._going: dict[str, asyncio.TimerHandle] = {}  # by session
        self._giving: asyncio.TimerHandle | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; note how each websocket ends, and whose it is."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        session, code = "", 0

        async def hear() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = message.get("code") or 0
            return message

        async def tell(message: Message) -> None:
            nonlocal session
            if not session and (session := _session(message)):
                self._stays(session)
            await send(message)

        try:
            await self._app(scope, hear, tell)
        finally:
            if session and code == _GOING_AWAY:
                self._stays(session)
                self._going[session] = asyncio.get_running_loop().call_later(
                    _SOON, self._end, session
                )

    def _stays(self, session: str) -> None:
        if (going := self._going.pop(session, None)) is not None:
            going.cancel()

    def _end(self, session: str) -> None:
        del self._going[session]
        if runtime.exists() and not runtime.get_instance().is_active_session(session):
            held = runtime.get_instance()._session_mgr.get_session_info(session)
            runtime.get_instance().close_session(session)
            asyncio.get_running_loop().call_later(_AFTER, self._empty, held)

    def _empty(self, ended: SessionInfo | None) -> None:
        """Drop all that a session held, as a variable of Streamlit keeps the last one alive."""
        if ended is not None:
            ended.session.session_state.clear()
            ended.session._fragment_storage.clear()
        if self._giving is None:
            self._giving = asyncio.get_running_loop().call_later(_TOGETHER, self._give_back)

    def _give_back(self) -> None:
        self._giving = None
        return_free_memory()


def _session(message: Message) -> str:
    """Session whose run a message begins; "" for any other message."""
    try:
        told = ForwardMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return ""
    return str(told.new_session.initialize.session_id)


def _return_at_once() -> None:
    """Have the memory of a large array go back to the system when it is freed.

    glibc raises its threshold for "large" with each freed array, and `malloc_trim` misses its
    heaps.
    """
    if (set_option := getattr(_c_library(), "mallopt", None)) is not None:
        for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
            set_option(option, _LARGE)
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())


def return_free_memory() -> None:
    """Give free memory back to the system, which otherwise keeps it for this process."""
    gc.collect()
    if (trim := getattr(_c_library(), "malloc_trim", None)) is not None:
        trim(0)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("c"))
