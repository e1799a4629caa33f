"""Reading of classes: a process reads each at most every quarter second, for all its people.

Invariants: a class that nobody joined, and whose teacher is away for some minutes, is deleted. A
token of 128 random bits identifies a person; the store keeps its digest. An ended class does not
change; its results stay for their time, and are deleted then even if nobody looks.
"""

import hashlib
import json
import math
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_limits import LIMITS, ClassLimits, ClassStoreUnavailable
from dpviz.teaching.classes.class_state import (
    STRIDE,
    ClassState,
    QuestionProgress,
    RunningPoll,
    Seat,
    StopAnswers,
    StudentProgress,
    Timer,
    student_seed,
)
from dpviz.teaching.classes.class_store import ClassStore, first_value
from dpviz.teaching.classes.course import first_place_of_experiment
from dpviz.teaching.poll import Poll

AGE = 0.25  # seconds that what a process knows of a class may be old
_TELLS = 5.0  # seconds between which this process tells the others whom it heard of
# Of a class that nobody has joined, as SQL has it.
EMPTY = "ended IS NULL AND NOT EXISTS (SELECT 1 FROM student WHERE student.code = class.code)"


class ClassReader:
    """Classes of a server, as one process sees them."""

    def __init__(
        self,
        path: Path,
        limits: ClassLimits = LIMITS,
        clock: Callable[[], float] | None = None,
        age: float = AGE,
    ) -> None:
        check_integer("people", limits.people, low=1, high=STRIDE)
        self._store = ClassStore(path)
        self._limits, self._age = limits, age
        self._clock = self._store.clock if clock is None else clock
        # By code: when it was looked at, and what it was.
        self._known: dict[str, tuple[float, ClassState | None]] = {}
        self._looking = threading.Lock()
        # By digest of the token: when students and teachers were heard of, since others were told.
        self._heard: dict[bytes, float] = {}
        self._attended: dict[bytes, float] = {}
        self._told = -_TELLS
        self._tried = join_throttle.RecentRefusals()
        self._sweeper: threading.Timer | None = None
        self._sweeps_at = math.inf
        self.delete_expired_classes()

    def current_time(self) -> float:
        """Time by which moments of classes are told."""
        return self._clock()

    def read_state(self, code: str) -> ClassState | None:
        """Class as it was at most `age` seconds ago; None where there is none any more."""
        now = self._clock()
        known = self._known.get(code)
        if known is None or not 0 <= now - known[0] < self._age:
            with self._looking:  # one reads, for all
                known = self._known.get(code)
                if known is None or not 0 <= now - known[0] < self._age:
                    try:
                        known = self._looked(code, None if known is None else known[1])
                    except ClassStoreUnavailable:
                        if known is None:
                            raise
        return known[1]

    def mark_student_present(self, seat: Seat) -> None:
        self._heard[token_digest(seat.token)] = self._clock()

    def mark_teacher_present(self, token: str) -> None:
        self._attended[token_digest(token)] = self._clock()

    def _looked(self, code: str, before: ClassState | None) -> tuple[float, ClassState | None]:
        now = self._clock()
        self._store.retry_log_truncation()
        self._tell(now)
        with self._store.read_transaction() as store:
            row = store.execute(
                "SELECT version, began, ended FROM class WHERE code = ?", (code,)
            ).fetchone()
            gone = row is None or self._gone(now, *row[1:])
            if gone:
                state = None
            else:
                same = before is not None and before.version == row[0]
                state = before if before is not None and same else self._read(store, code)
                here = first_value(
                    store,
                    "SELECT count(*) FROM student WHERE code = ? AND abs(? - seen) < ?",
                    (code, now, self._limits.away),
                )
                over = row[2] is not None or abs(now - row[1]) >= self._limits.seconds
                if (here, over) != (state.here, state.over):
                    state = replace(state, here=here, over=over)
        if gone:
            self._known.pop(code, None)  # codes that never were would fill it
            if row is not None:
                self.delete_expired_classes()
            return now, None
        known = self._known[code] = now, state
        return known

    def _tell(self, now: float) -> None:
        """Tell the other processes, through the store, who was heard of."""
        if (self._heard or self._attended) and abs(now - self._told) >= _TELLS:
            self._told, heard, self._heard = now, self._heard, {}
            attended, self._attended = self._attended, {}
            with self._store.write_transaction() as store:
                for set_to, all_heard in (
                    ("UPDATE student SET seen = ? WHERE token = ?", heard),
                    ("UPDATE class SET heard = ? WHERE teacher = ?", attended),
                ):
                    store.executemany(set_to, [(when, token) for token, when in all_heard.items()])

    def _gone(self, now: float, began: float, ended: float | None) -> bool:
        if ended is None:
            return abs(now - began) >= self._limits.seconds + self._limits.results
        return abs(now - ended) >= self._limits.results

    def _read(self, store: sqlite3.Connection, code: str) -> ClassState:
        keys, place, setting, locked, version, began, ended, door = store.execute(
            "SELECT lessons, place, setting, locked, version, began, ended, door FROM class WHERE"
            " code = ?",
            (code,),
        ).fetchone()
        timer = store.execute("SELECT ends, seconds FROM timer WHERE code = ?", (code,)).fetchone()
        state = ClassState(
            code=code,
            lessons=tuple(keys.split()),
            place=place,
            setting=setting,
            vote=QuestionProgress(),
            version=version,
            began=began,
            ends=began + self._limits.seconds,
            over=ended is not None,
            locked=bool(locked),
            door=door,
            students=first_value(store, "SELECT count(*) FROM student WHERE code = ?", (code,)),
            here=0,
            first=(),
            after=(),
            counts=None,
            drawing=0,
            timer=None if timer is None else Timer(*timer),
            law_shown=read_question_progress(
                store, code, first_place_of_experiment(tuple(keys.split()), place)
            ).bars,
            polled=read_running_poll(store, code),
        )
        if state.question_place is not None:
            vote = read_question_progress(store, code, state.question_place)
            first, after = _answers(store, state, state.question_place)
            state = replace(state, vote=vote, first=first, after=after)
        if state.experiment is None:
            return state
        counts, drawing = _drawn(store, state, setting)
        marks = _marks(store, *guess_marks_key(state))
        return replace(state, counts=counts, drawing=drawing, marks=marks)

    def class_draw_counts(self, state: ClassState, setting: int) -> tuple[Ints | None, int]:
        """Everyone's draws at this stop and setting, and the number of people who drew."""
        with self._store.read_transaction() as store:
            return _drawn(store, state, setting)

    def answers_by_stop(self, state: ClassState) -> tuple[StopAnswers, ...]:
        """Answers and marks of the class at each stop where anybody gave some."""
        with self._store.read_transaction() as store:
            given = [
                StopAnswers(
                    place, stop, *_answers(store, state, place), _marks(store, state.code, place)
                )
                for place, stop in enumerate(state.course_stops)
            ]
        return tuple(one for one in given if sum(one.first) + sum(one.after) + len(one.marks))

    def find_seat(self, token: str) -> Seat | None:
        """Seat of this token, while its class or results are kept."""
        with self._store.read_transaction() as store:
            row = store.execute(
                "SELECT code, number, seed FROM student JOIN class USING (code) WHERE token = ?",
                (token_digest(token),),
            ).fetchone()
        if row is None or self.read_state(row[0]) is None:
            return None
        code, number, base = row
        return Seat(code, number, student_seed(base, number), token)

    def student_progress(self, seat: Seat, state: ClassState) -> StudentProgress:
        """Answers, draws and guess of this student here; in a poll the vote is `first`."""
        place = state.question_place if state.polled is None else state.polled.place
        with self._store.read_transaction() as store:
            choices = dict(
                store.execute(
                    "SELECT again, choice FROM prediction WHERE code = ? AND place = ? AND"
                    " number = ?",
                    (seat.code, place, seat.number),
                ).fetchall()
            )
            mark = first_value(
                store,
                "SELECT value FROM mark WHERE code = ? AND place = ? AND number = ?",
                (*guess_marks_key(state), seat.number),
            )
            changes = first_value(
                store, "SELECT changes FROM student WHERE token = ?", (token_digest(seat.token),)
            )
            return StudentProgress(
                choices.get(0),
                choices.get(1),
                read_student_draws(store, seat, state),
                None if state.experiment is None else mark,
                changes or 0,
            )

    def latest_answers(self, seat: Seat) -> dict[int, int]:
        """Latest answer of this student to each question, by place."""
        with self._store.read_transaction() as store:
            return dict(
                store.execute(
                    "SELECT place, choice FROM prediction WHERE code = ? AND number = ? ORDER BY"
                    " again",
                    (seat.code, seat.number),
                ).fetchall()
            )

    def delete_expired_classes(self) -> None:
        """Delete classes that are over, and schedule the next deletion."""
        now, limits = self._clock(), self._limits
        with self._store.write_transaction() as store:
            join_throttle.delete_expired_tries(store, now)
            gone = store.execute(
                "DELETE FROM class WHERE CASE WHEN ended IS NULL THEN abs(? - began) >= ?"  # noqa: S608 - ours
                " ELSE abs(? - ended) >= ? END "
                f"OR ({EMPTY} AND abs(? - heard) >= ?) RETURNING code",
                (now, limits.seconds + limits.results, now, limits.results, now, limits.empty),
            ).fetchall()
            first = first_value(
                store,
                f"SELECT min(CASE WHEN {EMPTY} THEN heard + ? "  # noqa: S608 - ours
                "ELSE coalesce(ended, began + ?) + ? END) FROM class",
                (limits.empty, limits.seconds, limits.results),
            )
        if gone:
            self._store.truncate_write_log()
        for (code,) in gone:
            self._known.pop(code, None)
        if first is not None:
            self._sweep_in(first - now)

    def _sweep_in(self, seconds: float) -> None:
        """Schedule a deletion, unless an earlier one is scheduled."""
        at = time.monotonic() + max(seconds, 1.0)
        if at < self._sweeps_at:
            if self._sweeper is not None:
                self._sweeper.cancel()
            self._sweeps_at = at
            self._sweeper = threading.Timer(at - time.monotonic(), self._sweep_by_itself)
            self._sweeper.daemon = True
            self._sweeper.start()

    def _sweep_by_itself(self) -> None:
        self._sweeps_at = math.inf
        try:
            self.delete_expired_classes()
        except ClassStoreUnavailable:
            self._sweep_in(60.0)

    def close(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
        self._store.close()


def token_digest(token: str) -> bytes:
    """Digest of a token, as the store keeps it."""
    return hashlib.sha256(token.encode()).digest()


def read_student_draws(store: sqlite3.Connection, seat: Seat, state: ClassState) -> Ints | None:
    """Draws of this student at this stop and setting, or None."""
    counts = first_value(
        store,
        "SELECT counts FROM drawn WHERE code = ? AND place = ? AND setting = ? AND number = ?",
        student_draws_key(seat, state),
    )
    return None if counts is None else _counts(counts, state)


def _drawn(store: sqlite3.Connection, state: ClassState, setting: int) -> tuple[Ints | None, int]:
    drawn = store.execute(
        "SELECT counts FROM drawn WHERE code = ? AND place = ? AND setting = ?",
        (state.code, first_place_of_experiment(state.lessons, state.place), setting),
    ).fetchall()
    total = np.sum([_counts(one, state) for (one,) in drawn], axis=0) if drawn else None
    return total, len(drawn)


def student_draws_key(seat: Seat, state: ClassState) -> tuple[str, int, int, int]:
    """Key of these draws in the store: class, stop, setting, number."""
    return (
        seat.code,
        first_place_of_experiment(state.lessons, state.place),
        state.setting,
        seat.number,
    )


def read_question_progress(store: sqlite3.Connection, code: str, place: int) -> QuestionProgress:
    row = store.execute(
        "SELECT again, shown, bars FROM vote WHERE code = ? AND place = ?", (code, place)
    ).fetchone()
    return QuestionProgress() if row is None else QuestionProgress(*map(bool, row))


def read_running_poll(store: sqlite3.Connection, code: str) -> RunningPoll | None:
    """Poll that is asked in place of the stop, or None."""
    row = store.execute("SELECT place, says FROM poll WHERE code = ?", (code,)).fetchone()
    if row is None:
        return None
    place, (text, *choices) = row[0], json.loads(row[1])
    votes = _votes(store, code, place)
    given = tuple(votes.get((0, n), 0) for n in range(len(choices)))
    return RunningPoll(
        place, Poll(text, choices), given, read_question_progress(store, code, place).bars
    )


def _votes(store: sqlite3.Connection, code: str, place: int) -> dict[tuple[int, int], int]:
    """People by answer at this place: (after the talk, choice) → count."""
    return {
        (again, choice): count
        for again, choice, count in store.execute(
            "SELECT again, choice, count(*) FROM prediction WHERE code = ? AND place = ? GROUP BY"
            " again, choice",
            (code, place),
        )
    }


def _answers(
    store: sqlite3.Connection, state: ClassState, place: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts of first and second answers by choice; the second are empty before a talk."""
    question = state.course_stops[place].question
    if question is None:
        return (), ()
    given = _votes(store, state.code, place)
    first, after = (
        tuple(given.get((n, choice), 0) for choice in range(len(question.choices))) for n in (0, 1)
    )
    return first, after if read_question_progress(store, state.code, place).again else ()


def _marks(store: sqlite3.Connection, code: str, place: int) -> tuple[int, ...]:
    """Guesses that are kept at this stop, rising."""
    marks = "SELECT value FROM mark WHERE code = ? AND place = ? ORDER BY value"
    return tuple(value for (value,) in store.execute(marks, (code, place)))


def guess_marks_key(state: ClassState) -> tuple[str, int]:
    """Key of the guesses in the store: class, stop."""
    return state.code, first_place_of_experiment(state.lessons, state.place)


def _counts(stored: bytes, state: ClassState) -> Ints:
    drawn = 1 if state.experiment is None else len(state.experiment.drawn_names)
    return np.frombuffer(stored, dtype="<i8").astype(np.int64).reshape(drawn, -1)
