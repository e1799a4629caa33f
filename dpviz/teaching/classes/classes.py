"""Classes: a teacher begins one, students join by its code, all see the same step, each draws with an own seed.

Invariants: draws are made here, from the student's seed by the lesson's own experiment, so nobody can send others, and
no data but a lesson's enter; what anybody sends is the index of a choice or how many draws. `state` says what a class
is, `reading` how a process sees it.
"""

import math
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes.limits import ClassRefusal
from dpviz.teaching.classes.reading import ClassReader, digest, drawn_by, seat_key
from dpviz.teaching.classes.state import ClassState, Seat, new_code, read_code, student_seed
from dpviz.teaching.lesson import LESSONS, RELEASES, Lesson

_GONE = "This class has ended."
_MOVED = "The class has moved on meanwhile."


class Classes(ClassReader):
    """The classes of a server, as one process of it sees and changes them."""

    # ---- the teacher -----------------------------------------------------------------------------

    def begin(self, lesson: str) -> tuple[str, str]:
        """Begin a class on the lesson with this key: its code, and the teacher's token."""
        setting = _start(LESSONS[lesson], 0)
        token = secrets.token_urlsafe(16)
        self.sweep()
        with self._store.writing() as store:
            if store.execute("SELECT count(*) FROM class").fetchone()[0] >= self._limits.classes:
                raise ClassRefusal(f"{self._limits.classes} classes are under way here already. Try again later.")
            code = new_code()
            while store.execute("SELECT 1 FROM class WHERE code = ?", (code,)).fetchone():
                code = new_code()
            store.execute(
                "INSERT INTO class (code, teacher, lesson, seed, began, setting) VALUES (?, ?, ?, ?, ?, ?)",
                (code, digest(token), lesson, secrets.randbits(40), self._clock(), setting),
            )
        self._sweep_in(self._limits.seconds)
        return code, token

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
            row = store.execute("SELECT lesson FROM class WHERE teacher = ?", (digest(token),)).fetchone()
        if row is None:
            raise ClassRefusal(_GONE)
        return LESSONS[row[0]]

    def _change(self, token: str, change: str, *values: int) -> None:
        set_ = f"UPDATE class SET {change}, version = version + 1 WHERE teacher = ? RETURNING code"  # noqa: S608 - ours
        with self._looking:  # else somebody could still put back what was
            with self._store.writing() as store:
                row = store.execute(set_, (*values, digest(token))).fetchone()
            if row is None:
                raise ClassRefusal(_GONE)
            self._known.pop(row[0], None)

    def end(self, token: str) -> None:
        """End the class: nothing of it stays."""
        with self._store.writing() as store:
            row = store.execute("DELETE FROM class WHERE teacher = ? RETURNING code", (digest(token),)).fetchone()
        self._store.wipe()
        if row is not None:
            self._known.pop(row[0], None)

    # ---- a student -------------------------------------------------------------------------------

    def join(self, typed: str) -> Seat | None:
        """A place in the class with this code, which nobody else has; None where there is no such class."""
        code = read_code(typed)
        if code is None or self.look(code) is None:
            return None
        token = secrets.token_urlsafe(16)
        with self._store.writing() as store:
            base = store.execute("SELECT seed FROM class WHERE code = ?", (code,)).fetchone()
            if base is None:
                return None
            number = store.execute("SELECT count(*) FROM student WHERE code = ?", (code,)).fetchone()[0]
            if number >= self._limits.people:
                raise ClassRefusal(f"This class is full: {self._limits.people} people are in it.")
            store.execute("INSERT INTO student (token, code, number) VALUES (?, ?, ?)", (digest(token), code, number))
            _changed(store, code)
        return Seat(code, number, student_seed(base[0], number), token)

    def predict(self, seat: Seat, step: int, choice: int) -> None:
        """This student's prediction at this step, in place of one before; refused once the answer is shown."""
        with self._writing(seat) as store:
            key, now, shown = store.execute(
                "SELECT lesson, step, shown FROM class WHERE code = ?", (seat.code,)
            ).fetchone()
            asked = LESSONS[key].steps[now]
            if now != step or asked.kind != "predict" or asked.question is None:
                raise ClassRefusal(_MOVED)
            if shown >> step & 1:
                raise ClassRefusal("The answer is shown already.")
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
            raise ClassRefusal(_MOVED)
        with self._store.reading() as store:
            before = drawn_by(store, seat, state)
        size = min((0 if before is None else int(before.sum())) + more, RELEASES)
        counts = state.experiment.counts(state.value, seat.seed, size)
        with self._writing(seat) as store:
            now = drawn_by(store, seat, state)
            if now is not None and now.sum() >= size:  # drawn meanwhile, in another window of the same browser
                return now
            store.execute(
                "INSERT OR REPLACE INTO drawn (code, step, setting, number, counts) VALUES (?, ?, ?, ?, ?)",
                (*seat_key(seat, state), counts.astype("<i8").tobytes()),
            )
        return counts

    @contextmanager
    def _writing(self, seat: Seat) -> Iterator[sqlite3.Connection]:
        """A change by this student, unless that is more than a person does."""
        now = self._clock()
        with self._store.writing() as store:
            row = store.execute("SELECT since, writes FROM student WHERE token = ?", (digest(seat.token),)).fetchone()
            if row is None:
                raise ClassRefusal(_GONE)
            since, writes = row if 0 <= now - row[0] < self._limits.within else (now, 0)
            if writes >= self._limits.writes:
                wait = math.ceil(since + self._limits.within - now)
                raise ClassRefusal(f"That was quick. Wait {wait} s, then go on.")
            yield store
            store.execute(
                "UPDATE student SET since = ?, writes = ? WHERE token = ?", (since, writes + 1, digest(seat.token))
            )
            _changed(store, seat.code)


def _changed(store: sqlite3.Connection, code: str) -> None:
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def _start(lesson: Lesson, step: int) -> int:
    """The index of the setting that the control of this step starts at."""
    experiment = lesson.steps[step].experiment
    return 0 if experiment is None else experiment.settings().index(experiment.start)
