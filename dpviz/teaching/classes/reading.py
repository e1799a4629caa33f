"""What a process knows of the classes: each read at most every quarter of a second, for all of its people together.

Invariants: who somebody is, is told by a token of 128 random bits, of which the store has the digest; a class whose
time is over is gone for whoever looks, and is deleted then, or when its time ends if nobody does.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base import Ints, check_integer
from dpviz.teaching.classes.limits import LIMITS, ClassLimits
from dpviz.teaching.classes.state import STRIDE, ClassState, Mine, Seat, student_seed
from dpviz.teaching.classes.store import Store
from dpviz.teaching.lesson import LESSONS, Lesson

AGE = 0.25  # seconds that what a process knows of a class may be old


class ClassReader:
    """The classes of a server, as one process of it sees them."""

    def __init__(
        self, path: Path, limits: ClassLimits = LIMITS, clock: Callable[[], float] = time.time, age: float = AGE
    ) -> None:
        check_integer("people", limits.people, low=1, high=STRIDE)
        self._store = Store(path)
        self._limits, self._clock, self._age = limits, clock, age
        self._known: dict[str, tuple[float, ClassState | None]] = {}  # by code: when it was looked at, and what it was
        self._looking = threading.Lock()
        self._sweeper: threading.Timer | None = None
        self.sweep()

    def look(self, code: str) -> ClassState | None:
        """The class as it is, or was at most `age` seconds ago; None where there is none, or no more."""
        now = self._clock()
        known = self._known.get(code)
        if known is None or not 0 <= now - known[0] < self._age:
            with self._looking:  # one reads, for all
                known = self._known.get(code)
                if known is None or not 0 <= now - known[0] < self._age:
                    known = self._looked(code, None if known is None else known[1])
        return known[1]

    def _looked(self, code: str, before: ClassState | None) -> tuple[float, ClassState | None]:
        now = self._clock()
        self._store.wipe_again()
        with self._store.reading() as store:
            row = store.execute("SELECT version, began FROM class WHERE code = ?", (code,)).fetchone()
            over = row is None or abs(now - row[1]) >= self._limits.seconds
            if over:
                state = None
            elif before is not None and before.version == row[0]:
                state = before
            else:
                state = self._read(store, code)
        if over:
            self._known.pop(code, None)  # codes that never were would fill it
            if row is not None:
                self.sweep()
            return now, None
        known = self._known[code] = now, state
        return known

    def _read(self, store: sqlite3.Connection, code: str) -> ClassState:
        key, step, setting, shown, version, began = store.execute(
            "SELECT lesson, step, setting, shown, version, began FROM class WHERE code = ?", (code,)
        ).fetchone()
        students = store.execute("SELECT count(*) FROM student WHERE code = ?", (code,)).fetchone()[0]
        lesson = LESSONS[key]
        asked = lesson.prediction(step)
        question = None if asked is None else lesson.steps[asked].question
        answers = store.execute(
            "SELECT choice, count(*) FROM prediction WHERE code = ? AND step = ? GROUP BY choice", (code, asked)
        ).fetchall()
        drawn = store.execute(
            "SELECT counts FROM drawn WHERE code = ? AND step = ? AND setting = ?",
            (code, _place(lesson, step), setting),
        ).fetchall()
        return ClassState(
            code=code,
            lesson=key,
            step=step,
            setting=setting,
            shown=shown,
            version=version,
            ends=began + self._limits.seconds,
            students=students,
            predictions=tuple(dict(answers).get(n, 0) for n in range(len(question.choices))) if question else (),
            counts=np.sum([_counts(one) for (one,) in drawn], axis=0) if drawn else None,
            drawing=len(drawn),
        )

    def taught(self, token: str) -> str | None:
        """The code of the class that this teacher has, if it is still on."""
        with self._store.reading() as store:
            row = store.execute("SELECT code FROM class WHERE teacher = ?", (digest(token),)).fetchone()
        return None if row is None or self.look(row[0]) is None else row[0]

    def back(self, token: str) -> Seat | None:
        """The place that this token was given for, if its class is still on."""
        with self._store.reading() as store:
            row = store.execute(
                "SELECT code, number, seed FROM student JOIN class USING (code) WHERE token = ?", (digest(token),)
            ).fetchone()
        if row is None or self.look(row[0]) is None:
            return None
        code, number, base = row
        return Seat(code, number, student_seed(base, number), token)

    def mine(self, seat: Seat, state: ClassState) -> Mine:
        """What this student did where the class is."""
        with self._store.reading() as store:
            choice = store.execute(
                "SELECT choice FROM prediction WHERE code = ? AND step = ? AND number = ?",
                (seat.code, state.asked, seat.number),
            ).fetchone()
            return Mine(None if choice is None else choice[0], drawn_by(store, seat, state))

    def sweep(self) -> None:
        """Delete the classes whose time is over; see to it that this happens when that of the next one is."""
        now = self._clock()
        with self._store.writing() as store:
            gone = store.execute(
                "DELETE FROM class WHERE abs(? - began) >= ? RETURNING code", (now, self._limits.seconds)
            ).fetchall()
            first = store.execute("SELECT min(began) FROM class").fetchone()[0]
        if gone:
            self._store.wipe()
        for (code,) in gone:
            self._known.pop(code, None)
        if first is not None:
            self._sweep_in(first + self._limits.seconds - now)

    def _sweep_in(self, seconds: float) -> None:
        """Sweep then also if nobody looks any more; the next end is known already where one is waited for."""
        waiting = self._sweeper
        if waiting is None or not waiting.is_alive() or waiting is threading.current_thread():
            self._sweeper = threading.Timer(max(seconds, 1.0), self.sweep)
            self._sweeper.daemon = True
            self._sweeper.start()

    def close(self) -> None:
        """Leave the store to the other processes."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        self._store.close()


def digest(token: str) -> bytes:
    """What the store has of a token."""
    return hashlib.sha256(token.encode()).digest()


def drawn_by(store: sqlite3.Connection, seat: Seat, state: ClassState) -> Ints | None:
    """What this student drew where the class is."""
    row = store.execute(
        "SELECT counts FROM drawn WHERE code = ? AND step = ? AND setting = ? AND number = ?", seat_key(seat, state)
    ).fetchone()
    return None if row is None else _counts(row[0])


def seat_key(seat: Seat, state: ClassState) -> tuple[str, int, int, int]:
    """Where the draws of this student are kept: class, step, setting, number."""
    return seat.code, _place(LESSONS[state.lesson], state.step), state.setting, seat.number


def _place(lesson: Lesson, step: int) -> int:
    """The first step that has the same experiment: there its draws are kept."""
    experiment = lesson.steps[step].experiment
    return next(n for n, other in enumerate(lesson.steps) if other.experiment is experiment)


def _counts(stored: bytes) -> Ints:
    return np.frombuffer(stored, dtype="<i8").astype(np.int64)
