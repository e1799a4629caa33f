"""One watcher a class for all phones of this process, which wait until their view has changed.

Invariant: nothing is read while nobody waits.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache

from dpviz.teaching.classes import ClassState
from dpviz.web.classroom.access import class_manager, run_class_work

EVERY = 0.25  # seconds between looks
FIGURES = 1.0  # seconds between which what others do is told


class Room:
    """A class as this process's phones see it; `turn` counts changes, 0 before the first look."""

    def __init__(self, code: str) -> None:
        self.turn, self.closing, self.people = 0, False, 0
        self._changed = asyncio.Event()
        self.task = asyncio.create_task(self._watch(code))

    async def wait_for_update(self, last_seen_turn: int, seconds: float) -> bool:
        """Wait for a newer turn for at most `seconds`, and say if there is one."""
        if self.turn == last_seen_turn and not self.closing:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)
        return self.turn != last_seen_turn

    async def _watch(self, code: str) -> None:
        before, told = (_steady_state(None), _figures(None)), 0.0
        while not self.closing:
            state = await run_class_work(_look, code)
            seen, now = (_steady_state(state), _figures(state)), time.monotonic()
            self.closing = is_server_stopping()
            late = seen != before and now - told >= FIGURES
            if seen[0] != before[0] or late or self.closing:
                before, told = seen, now
                self.turn += 1
                self._changed.set()
                self._changed = asyncio.Event()
            await asyncio.sleep(EVERY)


@asynccontextmanager
async def join_room(code: str) -> AsyncIterator[Room]:
    """Room of this class, while a phone is in it."""
    rooms = _rooms(asyncio.get_running_loop())
    if (room := rooms.get(code)) is None or room.task.done():
        room = rooms[code] = Room(code)
    room.people += 1
    try:
        yield room
    finally:
        room.people -= 1
        if room.people == 0:
            room.task.cancel()
            if rooms.get(code) is room:
                del rooms[code]


@cache
def _rooms(_loop: asyncio.AbstractEventLoop) -> dict[str, Room]:
    return {}


def _look(code: str) -> ClassState | None:
    return class_manager().read_state(code)


def _steady_state(state: ClassState | None) -> object:
    """State that everybody sees, except figures of what others do."""
    return state and (
        state.place,
        state.setting,
        state.vote,
        state.locked,
        state.over,
        state.timer,
        state.law_shown,
        state.polled and (state.polled.place, state.polled.shown),
    )


def _figures(state: ClassState | None) -> object:
    if state is None:
        return None
    return state.counts.tobytes(), (state.first, state.after) if state.class_answers_shown else None


def is_server_stopping() -> bool:
    """Say if the web server, which hears when it is told to end, is about to."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
