"""What becomes of a session whose browser has gone: a tab that closed is forgotten soon, a line
that was cut waits.

A browser that closes a tab, or leaves for another page, ends its line with the code for "going
away"; one that sleeps or loses its network does not. Streamlit keeps both alike
(`server.disconnectedSessionTTL`).
Invariants: a session that somebody is connected to is never ended here; whoever comes back in time
finds it.
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
    """An app that forgets the session of a tab that has said that it closes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        _return_at_once()
        self._going: dict[str, asyncio.TimerHandle] = {}  # by session
        self._giving: asyncio.TimerHandle | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI asks for; of lines it is heard how they end, and told whose they
        are.
        """
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
        """It is there, or there again."""
        if (going := self._going.pop(session, None)) is not None:
            going.cancel()

    def _end(self, session: str) -> None:
        del self._going[session]
        if runtime.exists() and not runtime.get_instance().is_active_session(session):
            held = runtime.get_instance()._session_mgr.get_session_info(session)
            runtime.get_instance().close_session(session)
            asyncio.get_running_loop().call_later(_AFTER, self._empty, held)

    def _empty(self, ended: SessionInfo | None) -> None:
        """Let go of all that a session held: Streamlit's loop sleeps with the last one in a
        variable.

        It keeps that until another is sent something; what its parts and its state hold is most of
        its memory. Those who leave soon after each other have it given back together, as everybody
        waits meanwhile.
        """
        if ended is not None:
            ended.session.session_state.clear()
            ended.session._fragment_storage.clear()
        if self._giving is None:
            self._giving = asyncio.get_running_loop().call_later(_TOGETHER, self._give_back)

    def _give_back(self) -> None:
        self._giving = None
        return_free_memory()


def _session(message: Message) -> str:
    """The session that a message begins a run of; "" for any other."""
    try:
        told = ForwardMsg.FromString(message.get("bytes") or b"")
    except DecodeError:
        return ""
    return str(told.new_session.initialize.session_id)


def _return_at_once() -> None:
    """Have the memory of a large array go back to the system with it.

    The C library raises by itself, with each that it frees, what it takes for large: then it keeps
    them in a heap of each thread, the end of which `malloc_trim` does not give back. Arrow takes
    from the same library, not from a store of its own.
    """
    set_option = getattr(_c_library(), "mallopt", None)
    if set_option is not None:
        for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
            set_option(option, _LARGE)
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())


def return_free_memory() -> None:
    """Give memory that is free to the system, which keeps it for this process otherwise."""
    gc.collect()
    trim = getattr(_c_library(), "malloc_trim", None)
    if trim is not None:
        trim(0)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("c"))
