"""Memory of this process's sessions: what each holds, and which end so that there is room.

Above the budget those end first that nobody has used for longest, connected or not.
Invariant: one that was used in the last minute is not ended; where that leaves no room, new data
are refused.
"""

import asyncio
import ctypes
import ctypes.util
import gc
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import pyarrow
import streamlit as st

from dpviz.base import WorkLost
from dpviz.base.resource_budgets import current_budgets, is_memory_over_budget
from dpviz.web.server.streamlit_internals import (
    close_session,
    is_session_connected,
    session_emptier,
)

_IDLE = 60.0  # seconds without a message after which a session may be ended
_WORTH = 1_000_000  # bytes: to end a session that holds less gains nothing
_LOOK = 10.0  # seconds
_REMEMBERED = 1_000  # sessions that were ended, as their browsers may come back
_LAST_RUN = 1.0  # seconds in which the last run of an ended session lets go of what it holds
_TOGETHER = 5.0  # seconds in which sessions end together
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # options of mallopt, as glibc's malloc.h numbers them
_LARGE = 1_000_000  # bytes
NO_ROOM = "The server has no memory left for this now. Try again in a few minutes."


@dataclass
class _Session:
    disconnect: Callable[[], None] = lambda: None  # ends its connection
    heard: float = field(default_factory=time.monotonic)
    held: int = 0  # bytes
    empty: Callable[[], None] = lambda: None  # drops all that it holds, once it has ended
    left: float | None = None  # since when nobody is connected


class SessionMemory:
    """Sessions of one process, by name; script threads reserve, all else is in the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._release: asyncio.TimerHandle | None = None

    def connect(self, name: str, disconnect: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        with self._lock:
            session = self._sessions.setdefault(name, _Session())
        session.disconnect, session.heard, session.left = disconnect, time.monotonic(), None

    def record_activity(self, name: str) -> None:
        if (session := self._sessions.get(name)) is not None:
            session.heard = time.monotonic()

    def disconnect(self, name: str) -> None:
        """Note the end of a connection: the session ends too, unless it is connected in time."""
        if (session := self._sessions.get(name)) is not None and not is_session_connected(name):
            session.left = time.monotonic()

    def reserve(self, name: str, size: int) -> None:
        """Count `size` bytes for a session; end others to make room, or raise `WorkLost`."""
        with self._lock:
            session = self._sessions.setdefault(name, _Session())
            before, session.held, session.empty = session.held, size, session_emptier()
            if not self._make_room(name) and size - before >= _WORTH:
                session.held = before
                raise WorkLost(NO_ROOM)

    def try_to_make_room(self, name: str) -> bool:
        """Say if there is memory for something large of this session; end others to make room."""
        with self._lock:
            return self._make_room(name)

    async def end_idle_sessions(self) -> None:
        """End sessions whose browser stays away, and idle ones while there is no room."""
        while True:
            await asyncio.sleep(_LOOK)
            for name, session in self._forget_left().items():
                self._end(name, session)
            self.try_to_make_room("")

    def _forget_left(self) -> dict[str, _Session]:
        """Sessions left for so long that Streamlit would end them once another one is left."""
        before = time.monotonic() - float(st.get_option("server.disconnectedSessionTTL"))
        with self._lock:
            left = [
                name
                for name, session in self._sessions.items()
                if session.left is not None
                and session.left < before
                and not is_session_connected(name)
            ]
            return {name: self._sessions.pop(name) for name in left}

    def was_ended(self, name: str) -> bool:
        return name in self._ended

    def _make_room(self, besides: str) -> bool:
        most, now, short = current_budgets().sessions, time.monotonic(), is_memory_over_budget()
        idle = [
            name
            for name, session in sorted(self._sessions.items(), key=lambda each: each[1].heard)
            if name != besides and session.held >= _WORTH and now - session.heard > _IDLE
        ]
        while short or self._held(besides) > most:
            if not idle or self._loop is None:
                return False
            self._loop.call_soon_threadsafe(self._end, idle[0], self._sessions.pop(idle[0]))
            del idle[0]
            short = False  # one at a time, as memory is less only once it has ended
        return True

    def _held(self, name: str) -> int:
        """Bytes of all sessions; 0 where this one alone holds any, as each is bounded itself."""
        others = sum(each.held for other, each in self._sessions.items() if other != name)
        own = self._sessions[name].held if name in self._sessions else 0
        return others + own if others >= _WORTH else 0

    def _end(self, name: str, session: _Session) -> None:
        self._ended[name] = None
        if len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        close_session(name)
        session.disconnect()
        loop = asyncio.get_running_loop()
        loop.call_later(_LAST_RUN, session.empty)
        if self._release is None:
            self._release = loop.call_later(_TOGETHER, self._return_memory)

    def _return_memory(self) -> None:
        self._release = None
        return_free_memory()


SESSIONS = SessionMemory()  # of this process


def configure_large_array_memory() -> None:
    """Have the memory of a large array go back to the system when it is freed."""
    # glibc raises its threshold for "large" with each freed array; `malloc_trim` misses its heaps
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
