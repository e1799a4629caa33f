"""One watcher a class for all phones of this process, which wait until their view has changed.

Invariants: nothing is read while nobody waits, and a class at most four times a second. Others'
draws are told at most once a second. Waiting ends when the server is told to stop.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dpviz.teaching.classes import ClassState
from dpviz.web.classroom.access import run_class_work
from dpviz.web.classroom.steering import steady_state
from dpviz.web.server.shutdown import is_server_stopping

EVERY = 0.25  # seconds between looks
FIGURES = 1.0  # seconds between which what others do is told
Look = Callable[[str], ClassState | None]


class Room:
    """A class as this process's phones see it; `turn` counts changes, 0 before the first look."""

    def __init__(self, code: str, look: Look) -> None:
        self.turn, self.closing, self.people = 0, False, 0
        self._code, self._look = code, look
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._steady: object = None
        self._figures: object = None
        self._told = 0.0
        self.task = asyncio.create_task(self._watch())

    async def wait_for_update(self, turn: int, seconds: float) -> bool:
        """Wait for a newer turn for at most `seconds`, and say if there is one."""
        if self.turn == turn and not self.closing:
            await asyncio.wait([self._changed], timeout=seconds)
        return self.turn != turn

    async def _watch(self) -> None:
        while not self.closing:
            state = await run_class_work(self._look, self._code)
            steady, figures, now = steady_state(state), _figures(state), time.monotonic()
            late = figures != self._figures and now - self._told >= FIGURES
            self.closing = is_server_stopping()
            if steady != self._steady or late or self.closing:
                self._steady, self._figures, self._told = steady, figures, now
                self.turn += 1
                changed, self._changed = self._changed, asyncio.get_running_loop().create_future()
                changed.set_result(None)
            await asyncio.sleep(EVERY)


class Rooms:
    """The classes that phones of this process are in."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._rooms: dict[str, Room] = {}

    @asynccontextmanager
    async def join_room(self, code: str) -> AsyncIterator[Room]:
        """Room of this class, while a phone is in it."""
        if (room := self._rooms.get(code)) is None or room.task.done():
            room = self._rooms[code] = Room(code, self._look)
        room.people += 1
        try:
            yield room
        finally:
            room.people -= 1
            if room.people == 0:
                room.task.cancel()
                if self._rooms.get(code) is room:
                    del self._rooms[code]


def _figures(state: ClassState | None) -> object:
    if state is None:
        return None
    drawn = None if state.counts is None else state.counts.tobytes()
    return drawn, (state.first, state.after) if state.class_answers_shown else None
