"""Processor time shared fairly: jobs in slices, sessions in turn, and a few script runs at a time.

At most one job a processor computes. The session goes on whose last slice ended longest ago,
however many jobs each has.
Invariants: a job alone never rests; a thread that has not reported for long blocks nobody, but a
process does.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dpviz.base.resource_budgets import current_budgets

_LOOK = 0.05  # seconds between looks at whether somebody was told to stop meanwhile
_AT_ONCE = 2  # jobs of a line that may wait
_FRONT = 1.0  # seconds that jobs of a place below 0 rest for urgent ones


@dataclass(eq=False)
class TimeClaim:
    """A job's claim: its session, and its `place` in a line; None: urgent."""

    session: str
    line: object = None
    place: int | None = None
    begun: float = field(default_factory=time.monotonic)
    since: float = 0.0  # when its slice began
    told: float = 0.0  # its last report


class ComputeScheduler:
    """At most `at_once` jobs compute, `of_one` a session, in slices where others wait."""

    def __init__(
        self, at_once: int, slice_: float = 0.1, long: float = 1.0, of_one: float = math.inf
    ) -> None:
        self._at_once, self._slice, self._long, self._of_one = at_once, slice_, long, of_one
        self._news = threading.Condition()
        self._computing: list[TimeClaim] = []
        self._waiting: dict[str, list[TimeClaim]] = {}  # by session, the first to come first
        self._last: dict[str, float] = {}  # by session: when a slice of it ended last

    def report_and_may_continue(self, claim: TimeClaim) -> bool:
        """Note a report, and say if the job computes and may do so until its next one."""
        with self._news:
            now = time.monotonic()
            over = self._waiting and now - claim.since >= self._slice
            if claim not in self._computing or over or not self._may_compute(claim, now):
                return False
            claim.told = now
            if not self._waiting:
                claim.since = now
            return True

    def wait_for_slice(self, claim: TimeClaim, stop: Callable[[], None]) -> None:
        """Wait for a turn; `stop` raises where the job is no longer wanted."""
        with self._news:
            self._waiting.setdefault(claim.session, []).append(claim)
        try:
            while not self._begin(claim):
                stop()
        finally:
            with self._news:
                self._forget(claim)

    def give_up_slice(self, claim: TimeClaim) -> None:
        """Give up this job's slice, for a while or for good."""
        with self._news:
            if claim not in self._computing:
                return
            self._computing.remove(claim)
            self._last[claim.session] = time.monotonic()
            there = {claim.session, *self._waiting, *(each.session for each in self._computing)}
            for gone in set(self._last) - there:
                del self._last[gone]
            self._news.notify_all()

    def _begin(self, claim: TimeClaim) -> bool:
        """Wait a moment for the turn of this claim, and take it if it comes."""
        with self._news:
            if not self._news.wait_for(lambda: self._next() is claim, _LOOK):
                return False
            self._forget(claim)
            self._computing.append(claim)
            claim.since = claim.told = time.monotonic()
            return True

    def _forget(self, claim: TimeClaim) -> None:
        left = [each for each in self._waiting.pop(claim.session, []) if each is not claim]
        if left:
            self._waiting[claim.session] = left

    def _next(self) -> TimeClaim | None:
        """TimeClaim whose turn it is; None while there is no room."""
        now = time.monotonic()
        if sum(now - each.told < self._long for each in self._computing) >= self._at_once:
            return None
        for session in sorted(self._waiting, key=lambda each: self._last.get(each, 0.0)):
            for claim in self._waiting[session]:
                if self._may_compute(claim, now):
                    return claim
        return None

    def _may_compute(self, claim: TimeClaim, now: float) -> bool:
        """Say if the claims of its own session let it compute."""
        computing = [each for each in self._computing if each.session == claim.session]
        if len(computing) - (claim in computing) >= self._of_one:
            return False
        if claim.place is None:
            return True
        own = (*computing, *self._waiting.get(claim.session, []))
        line = [each for each in own if each is not claim and each.line is claim.line]
        most = _FRONT if claim.place < 0 else math.inf
        urgent = any(each.place is None and now - each.begun < most for each in line)
        before = sum(
            each.place is not None and (each.place, each.begun) < (claim.place, claim.begun)
            for each in line
        )
        return not urgent and before < _AT_ONCE


SHARES = ComputeScheduler(max(os.cpu_count() or 1, 2))
"""Scheduler of this process's threads."""
PROCESSES = ComputeScheduler(
    min(current_budgets().workers, os.cpu_count() or 1), slice_=math.inf, long=math.inf, of_one=1
)
"""Scheduler of the worker processes for large work."""


# Where two hundred runs go at once, all end late together, and the event loop sends nothing before.
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
