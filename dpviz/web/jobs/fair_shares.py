"""Processor time shared fairly among jobs: at most one job a processor, in slices, sessions in
turn.

A job asks for time at each of its reports. Where others wait and its slice is over it rests, and
the session goes on whose last slice ended longest ago, however many jobs each has. Large work runs
in one of a few worker processes, at most one a session, until its end or its budget's.
Invariants: a job alone never rests; a thread that has not reported for long blocks nobody, but a
process does.
"""

import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable

from dpviz.base.resource_budgets import current_budgets

_LOOK = 0.05  # seconds between looks at whether somebody was told to stop meanwhile


class ComputeScheduler:
    """At most `at_once` jobs compute, `of_one` a session, in slices where others wait."""

    def __init__(
        self, at_once: int, slice_: float = 0.1, long: float = 1.0, of_one: float = math.inf
    ) -> None:
        self._at_once, self._slice, self._long, self._of_one = at_once, slice_, long, of_one
        self._news = threading.Condition()
        # by thread: session, since when, last report
        self._computing: dict[int, tuple[str, float, float]] = {}
        self._waiting: dict[int, str] = {}  # by thread, the first to come first
        self._last: dict[str, float] = {}  # by session: when a slice of it ended last

    def wait_for_slice(self, session: str, stop: Callable[[], None]) -> None:
        """Go on, or wait for a turn first; `stop` raises where the job is no longer wanted."""
        me = threading.get_ident()
        with self._news:
            now = time.monotonic()
            if me in self._computing:
                _, since, _ = self._computing[me]
                if not self._waiting or now - since < self._slice:
                    self._computing[me] = session, since if self._waiting else now, now
                    return
                self._end(me)
            self._waiting[me] = session
        try:
            while not self._begun(me, session):
                stop()
        finally:
            with self._news:
                self._waiting.pop(me, None)

    def give_up_slice(self) -> None:
        """Give up this thread's slice, for a while or for good."""
        with self._news:
            self._end(threading.get_ident())

    def _begun(self, me: int, session: str) -> bool:
        """Wait a moment for the turn of thread `me`, and take it if it comes."""
        with self._news:
            if not self._news.wait_for(lambda: self._next() == me, _LOOK):
                return False
            now = time.monotonic()
            del self._waiting[me]
            self._computing[me] = session, now, now
            return True

    def _next(self) -> int | None:
        """Thread whose turn it is; None while there is no room."""
        now = time.monotonic()
        if sum(now - told < self._long for _, _, told in self._computing.values()) >= self._at_once:
            return None
        computing = Counter(session for session, _, _ in self._computing.values())
        waiting = {
            thread: each for thread, each in self._waiting.items() if computing[each] < self._of_one
        }
        return min(waiting, key=lambda thread: self._last.get(waiting[thread], 0.0), default=None)

    def _end(self, me: int) -> None:
        if (ended := self._computing.pop(me, None)) is None:
            return
        self._last[ended[0]] = time.monotonic()
        there = {
            *self._waiting.values(),
            *(session for session, _, _ in self._computing.values()),
            ended[0],
        }
        for gone in set(self._last) - there:
            del self._last[gone]
        self._news.notify_all()


SHARES = ComputeScheduler(max(os.cpu_count() or 1, 2))
"""Scheduler of this process's threads."""
PROCESSES = ComputeScheduler(
    min(current_budgets().workers, os.cpu_count() or 1), slice_=math.inf, long=math.inf, of_one=1
)
"""Scheduler of the worker processes for large work."""
