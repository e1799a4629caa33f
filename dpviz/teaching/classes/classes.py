"""Classes: a teacher begins one, students join by its code, all see the same step, each draws with an own seed.

Symbols: a class has a lesson, a step, a setting of the step's control (its index), and a bit for each step whose
answer is shown; a student a number from 0 and the seed  base·1024 + number,  so that two never share one.
Invariants: who somebody is, is told by a token of 128 random bits, of which the store has the digest; draws are made
here, from the student's seed by the lesson's own experiment, so nobody can send others, and no data but a lesson's
enter; what anybody sends is the index of a choice or how many draws. All processes read the store; each reads a class
at most every quarter of a second, for all of its people together.
"""

import hashlib
import math
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base.arrays import Ints
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer
from dpviz.teaching.classes.codes import new_code, read_code
from dpviz.teaching.classes.limits import LIMITS, Limits, Refused
from dpviz.teaching.classes.store import Store
from dpviz.teaching.lesson import LESSONS, RELEASES, Experiment, Lesson

__all__ = ["ClassState", "Classes", "Mine", "Seat", "student_seed"]

AGE = 0.25  # seconds that what a process knows of a class may be old
_STRIDE = 1024  # seeds of a class, one for each student that there can be
_GONE = "This class has ended."
_MOVED = "The class has moved on meanwhile."


@dataclass(frozen=True, eq=False)
class ClassState:
    """What a class shows at one moment; nothing of it tells one student from another."""

    code: str
    lesson: str
    step: int
    setting: int
    shown: int
    version: int
    ends: float
    students: int
    predictions: tuple[int, ...]  # by choice, of the question asked last; empty where none was
    counts: Ints | None  # everyone's draws at this step and setting, by outcome; None where nothing is drawn
    drawing: int  # how many people these are of

    @property
    def asked(self) -> int | None:
        """The step whose question was asked last."""
        return LESSONS[self.lesson].prediction(self.step)

    @property
    def answer_shown(self) -> bool:
        """Whether the answer to that question is shown."""
        return self.asked is not None and bool(self.shown >> self.asked & 1)

    @property
    def experiment(self) -> Experiment | None:
        """What is drawn at this step."""
        return LESSONS[self.lesson].steps[self.step].experiment

    @property
    def value(self) -> float:
        """The setting itself."""
        return 0.0 if self.experiment is None else self.experiment.settings()[self.setting]


@dataclass(frozen=True)
class Seat:
    """A student's place in a class."""

    code: str
    number: int
    seed: int
    token: str


@dataclass(frozen=True, eq=False)
class Mine:
    """What one student did: the choice at the question asked last, and the draws at this step and setting."""

    prediction: int | None
    counts: Ints | None

    @property
    def draws(self) -> int:
        """How many draws these are."""
        return 0 if self.counts is None else int(self.counts.sum())


def student_seed(base: int, number: int) -> int:
    """The seed of student `number` of the class with this base: different for each.

    >>> student_seed(5, 0), student_seed(5, 1), student_seed(6, 0)
    (5120, 5121, 6144)
    """
    return base * _STRIDE + check_integer("number", number, low=0, high=_STRIDE - 1)


class Classes:
    """The classes of a server, as one process of it sees them."""

    def __init__(
        self, path: Path, limits: Limits = LIMITS, clock: Callable[[], float] = time.time, age: float = AGE
    ) -> None:
        check_integer("people", limits.people, low=1, high=_STRIDE)
        self._store = Store(path)
        self._limits, self._clock, self._age = limits, clock, age
        self._known: dict[str, tuple[float, ClassState | None]] = {}  # by code: when it was looked at, and what it was
        self._looking = threading.Lock()
        self._sweeper: threading.Timer | None = None
        self.sweep()

    # ---- the teacher -----------------------------------------------------------------------------

    def begin(self, lesson: str) -> tuple[str, str]:
        """Begin a class on the lesson with this key: its code, and the teacher's token."""
        setting = _start(LESSONS[lesson], 0)
        token = secrets.token_urlsafe(16)
        self.sweep()
        with self._store.writing() as store:
            if store.execute("SELECT count(*) FROM class").fetchone()[0] >= self._limits.classes:
                raise Refused(f"{self._limits.classes} classes are under way here already. Try again later.")
            code = new_code()
            while store.execute("SELECT 1 FROM class WHERE code = ?", (code,)).fetchone():
                code = new_code()
            row = code, _digest(token), lesson, secrets.randbits(40), self._clock(), setting
            store.execute(
                "INSERT INTO class (code, teacher, lesson, seed, began, setting) VALUES (?, ?, ?, ?, ?, ?)", row
            )
        self._sweep_in(self._limits.seconds)
        return code, token

    def taught(self, token: str) -> str | None:
        """The code of the class that this teacher has, if it is still on."""
        with self._store.reading() as store:
            row = store.execute("SELECT code FROM class WHERE teacher = ?", (_digest(token),)).fetchone()
        return None if row is None or self.look(row[0]) is None else row[0]

    def move(self, token: str, step: int) -> None:
        """Take everyone to this step, with its control where it starts; an explanation shows the answer."""
        lesson = self._lesson(token)
        check_integer("step", step, low=0, high=len(lesson.steps) - 1)
        asked = lesson.prediction(step)
        shown = 1 << asked if asked is not None and lesson.steps[step].kind in {"tell", "explain"} else 0
        self._change(token, "step = ?, setting = ?, shown = shown | ?", step, _start(lesson, step), shown)

    def set(self, token: str, step: int, setting: int) -> None:
        """Put the control of this step to the setting with this index, for everyone who is still there."""
        experiment = self._lesson(token).steps[step].experiment
        check_integer("setting", setting, low=0, high=0 if experiment is None else len(experiment.settings()) - 1)
        self._change(token, "setting = CASE step WHEN ? THEN ? ELSE setting END", step, setting)

    def show(self, token: str, asked: int) -> None:
        """Show everyone the answer to the question of this step; from then on nobody predicts there."""
        check_integer("step", asked, low=0, high=len(self._lesson(token).steps) - 1)
        self._change(token, "shown = shown | (1 << ?)", asked)

    def _lesson(self, token: str) -> Lesson:
        with self._store.reading() as store:
            row = store.execute("SELECT lesson FROM class WHERE teacher = ?", (_digest(token),)).fetchone()
        if row is None:
            raise Refused(_GONE)
        return LESSONS[row[0]]

    def _change(self, token: str, change: str, *values: int) -> None:
        set_ = f"UPDATE class SET {change}, version = version + 1 WHERE teacher = ? RETURNING code"  # noqa: S608 - ours
        with self._looking:  # else somebody could still put back what was
            with self._store.writing() as store:
                row = store.execute(set_, (*values, _digest(token))).fetchone()
            if row is None:
                raise Refused(_GONE)
            self._known.pop(row[0], None)

    def end(self, token: str) -> None:
        """End the class: nothing of it stays."""
        with self._store.writing() as store:
            row = store.execute("DELETE FROM class WHERE teacher = ? RETURNING code", (_digest(token),)).fetchone()
        self._store.wipe()
        if row is not None:
            self._known.pop(row[0], None)

    # ---- everyone --------------------------------------------------------------------------------

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

    # ---- a student -------------------------------------------------------------------------------

    def join(self, typed: str) -> Seat | None:
        """A place in the class with this code, which nobody else has; None where there is no such class."""
        try:
            code = read_code(typed)
        except ParameterError:
            return None
        if self.look(code) is None:
            return None
        token = secrets.token_urlsafe(16)
        with self._store.writing() as store:
            base = store.execute("SELECT seed FROM class WHERE code = ?", (code,)).fetchone()
            if base is None:
                return None
            number = store.execute("SELECT count(*) FROM student WHERE code = ?", (code,)).fetchone()[0]
            if number >= self._limits.people:
                raise Refused(f"This class is full: {self._limits.people} people are in it.")
            store.execute("INSERT INTO student (token, code, number) VALUES (?, ?, ?)", (_digest(token), code, number))
            _changed(store, code)
        return Seat(code, number, student_seed(base[0], number), token)

    def back(self, token: str) -> Seat | None:
        """The place that this token was given for, if its class is still on."""
        with self._store.reading() as store:
            row = store.execute(
                "SELECT code, number, seed FROM student JOIN class USING (code) WHERE token = ?", (_digest(token),)
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
            return Mine(None if choice is None else choice[0], _drawn(store, seat, state))

    def predict(self, seat: Seat, step: int, choice: int) -> None:
        """This student's prediction at this step, in place of one before; refused once the answer is shown."""
        with self._writing(seat) as store:
            key, now, shown = store.execute(
                "SELECT lesson, step, shown FROM class WHERE code = ?", (seat.code,)
            ).fetchone()
            asked = LESSONS[key].steps[now]
            if now != step or asked.kind != "predict" or asked.question is None:
                raise Refused(_MOVED)
            if shown >> step & 1:
                raise Refused("The answer is shown already.")
            check_integer("choice", choice, low=0, high=len(asked.question.choices) - 1)
            store.execute(
                "INSERT OR REPLACE INTO prediction (code, step, number, choice) VALUES (?, ?, ?, ?)",
                (seat.code, step, seat.number, choice),
            )

    def draw(self, seat: Seat, state: ClassState, more: int) -> Ints:
        """`more` draws of this student where the class is; all of them by outcome, shape (outcomes,).

        They are the next of the releases that the student's seed gives: asking twice at once gives no others.
        """
        check_integer("more", more, low=1, high=RELEASES)
        if state.experiment is None:
            raise Refused(_MOVED)
        with self._store.reading() as store:
            before = _drawn(store, seat, state)
        size = min((0 if before is None else int(before.sum())) + more, RELEASES)
        counts = state.experiment.counts(state.value, seat.seed, size)
        with self._writing(seat) as store:
            now = _drawn(store, seat, state)
            if now is not None and now.sum() >= size:  # drawn meanwhile, in another window of the same browser
                return now
            store.execute(
                "INSERT OR REPLACE INTO drawn (code, step, setting, number, counts) VALUES (?, ?, ?, ?, ?)",
                (*_key(seat, state), counts.astype("<i8").tobytes()),
            )
        return counts

    @contextmanager
    def _writing(self, seat: Seat) -> Iterator[sqlite3.Connection]:
        """A change by this student, unless that is more than a person does."""
        now = self._clock()
        with self._store.writing() as store:
            row = store.execute("SELECT since, writes FROM student WHERE token = ?", (_digest(seat.token),)).fetchone()
            if row is None:
                raise Refused(_GONE)
            since, writes = row if 0 <= now - row[0] < self._limits.within else (now, 0)
            if writes >= self._limits.writes:
                wait = math.ceil(since + self._limits.within - now)
                raise Refused(f"That was quick. Wait {wait} s, then go on.")
            yield store
            store.execute(
                "UPDATE student SET since = ?, writes = ? WHERE token = ?", (since, writes + 1, _digest(seat.token))
            )
            _changed(store, seat.code)

    # ---- the end ---------------------------------------------------------------------------------

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


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _changed(store: sqlite3.Connection, code: str) -> None:
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def _drawn(store: sqlite3.Connection, seat: Seat, state: ClassState) -> Ints | None:
    """What this student drew where the class is."""
    row = store.execute(
        "SELECT counts FROM drawn WHERE code = ? AND step = ? AND setting = ? AND number = ?", _key(seat, state)
    ).fetchone()
    return None if row is None else _counts(row[0])


def _key(seat: Seat, state: ClassState) -> tuple[str, int, int, int]:
    return seat.code, _place(LESSONS[state.lesson], state.step), state.setting, seat.number


def _place(lesson: Lesson, step: int) -> int:
    """The first step that has the same experiment: there its draws are kept."""
    experiment = lesson.steps[step].experiment
    return next(n for n, other in enumerate(lesson.steps) if other.experiment is experiment)


def _start(lesson: Lesson, step: int) -> int:
    """The index of the setting that the control of this step starts at."""
    experiment = lesson.steps[step].experiment
    return 0 if experiment is None else experiment.settings().index(experiment.start)


def _counts(stored: bytes) -> Ints:
    return np.frombuffer(stored, dtype="<i8").astype(np.int64)
