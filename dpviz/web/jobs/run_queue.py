"""Turns for script runs: a few pages and fragments of this process run at a time, in order.

Where two hundred run at once, all end late together, and the event loop sends nothing before.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TurnLimiter:
    """At most `at_once` threads have a turn, not counting those that have had it for `long`."""

    def __init__(self, at_once: int = 2, long: float = 0.5) -> None:
        self._at_once, self._long = at_once, long
        self._given = threading.Condition()
        self._since: dict[int, float] = {}  # by thread

    @contextmanager
    def take_turn(self) -> Iterator[None]:
        """Wait for a turn and keep it for the block; a nested call passes at once."""
        if threading.get_ident() in self._since:
            yield
            return
        with self._given:
            while (longest := self._until_free()) > 0:
                self._given.wait(longest)
            self._since[threading.get_ident()] = time.monotonic()
        try:
            yield
        finally:
            with self._given:
                del self._since[threading.get_ident()]
                self._given.notify()

    def _until_free(self) -> float:
        """Seconds until there is room even if nobody gives a turn back; 0 where there is."""
        ends = sorted(since + self._long for since in self._since.values())
        return (
            max(ends[-self._at_once] - time.monotonic(), 0.0) if len(ends) >= self._at_once else 0.0
        )


_TURNS = TurnLimiter()  # this process's
take_turn = _TURNS.take_turn
