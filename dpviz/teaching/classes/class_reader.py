"""Reading of classes: a process reads each at most every quarter second, for all its people.

Invariants: a token of 128 random bits identifies a person, and the store keeps its digest. A class
that nobody joined, and whose teacher is away for some minutes, is deleted. An ended class does not
change; its results are deleted after their time even if nobody looks.
"""

import hashlib
import json
import math
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_state import (
    STRIDE,
    ClassState,
    QuestionFlags,
    RunningPoll,
    Seat,
    StopAnswers,
    StudentStopRecord,
    Timer,
    student_seed,
)
from dpviz.teaching.classes.class_store import (
    LIMITS,
    ClassLimits,
    ClassStore,
    ClassStoreUnavailable,
    first_value,
)
from dpviz.teaching.classes.course import (
    build_course,
    find_question_stop_index,
    first_stop_index_of_experiment,
)
from dpviz.teaching.lesson import Experiment
from dpviz.teaching.poll import Poll

AGE = 0.25  # seconds that what a process knows of a class may be old
_SWEEPS = 60.0  # seconds between deletions of what is over
_TELLS = 5.0  # seconds between which this process tells the others whom it heard of
# Of a class that nobody has joined, as SQL has it.
EMPTY = "NOT EXISTS (SELECT 1 FROM student WHERE student.code = class.code)"


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
        self.clock = self._store.clock if clock is None else clock  # of a class's moments
        # By code: when it was looked at, and what it was.
        self._known: dict[str, tuple[float, ClassState]] = {}
        self._looking = threading.Lock()
        # By digest of the token: when students and teachers were heard of, since others were told.
        self._heard: dict[bytes, float] = {}
        self._told = -_TELLS
        self._sweep()

    def read_state(self, code: str) -> ClassState | None:
        """Class as it was at most `age` seconds ago; None where there is none any more."""
        with self._looking:  # one reads, for all
            looked_at, state = self._known.get(code, (-math.inf, None))
            if not 0 <= self.clock() - looked_at < self._age:
                try:
                    state = self._looked(code, state)
                except ClassStoreUnavailable:
                    if state is None:
                        raise
        return state

    def mark_present(self, token: str) -> None:
        """Note that a student or a teacher was heard of."""
        self._heard[token_digest(token)] = self.clock()

    def _looked(self, code: str, before: ClassState | None) -> ClassState | None:
        now = self.clock()
        self._tell(now)
        with self._store.read_transaction() as store:
            row = store.execute(
                "SELECT version, ends FROM class WHERE code = ?", (code,)
            ).fetchone()
            gone = row is None or now >= row[1] + self._limits.results
            if not gone:
                same = before is not None and before.version == row[0]
                state = before if before is not None and same else self._read(store, code)
                here = first_value(
                    store,
                    "SELECT count(*) FROM student WHERE code = ? AND ? - seen < ?",
                    (code, now, self._limits.away),
                )
                state = replace(state, here=here, over=now >= row[1])
        if gone:
            self._known.pop(code, None)  # codes that never were would fill it
            if row is not None:
                self.delete_expired_classes()
            return None
        self._known[code] = now, state
        return state

    def _tell(self, now: float) -> None:
        """Tell the other processes, through the store, who was heard of."""
        if self._heard and now - self._told >= _TELLS:
            self._told, heard, self._heard = now, self._heard, {}
            when = [(seen, token) for token, seen in heard.items()]
            with self._store.write_transaction() as store:
                store.executemany("UPDATE student SET seen = ? WHERE token = ?", when)
                store.executemany("UPDATE class SET heard = ? WHERE teacher = ?", when)

    def _read(self, store: sqlite3.Connection, code: str) -> ClassState:
        keys, place, setting, locked, version, began, door, ends, seconds = store.execute(
            "SELECT lessons, place, setting, locked, version, began, door, timer_ends,"
            " timer_seconds FROM class WHERE code = ?",
            (code,),
        ).fetchone()
        lessons = tuple(keys.split())
        asked = find_question_stop_index(lessons, place)
        tried = first_stop_index_of_experiment(lessons, place)
        first, after = _answers(store, code, lessons, place if asked is None else asked)
        counts, drawing = _drawn(store, code, lessons, place, setting)
        return ClassState(
            code=code,
            lessons=lessons,
            place=place,
            setting=setting,
            vote=QuestionFlags() if asked is None else read_question_flags(store, code, asked),
            version=version,
            began=began,
            over=False,
            locked=bool(locked),
            door=door,
            students=first_value(store, "SELECT count(*) FROM student WHERE code = ?", (code,)),
            here=0,
            first=first,
            after=after,
            counts=counts,
            drawing=drawing,
            timer=None if ends is None else Timer(ends, seconds),
            law_shown=read_question_flags(store, code, tried).bars,
            polled=read_running_poll(store, code),
            marks=_marks(store, code, tried),
        )

    def class_draw_and_person_counts(self, state: ClassState, setting: int) -> tuple[Ints, int]:
        """Everyone's draws at this stop and setting, and the number of people who drew."""
        with self._store.read_transaction() as store:
            return _drawn(store, state.code, state.lessons, state.place, setting)

    def answers_by_stop(self, state: ClassState) -> tuple[StopAnswers, ...]:
        """Answers and marks of the class at each stop where anybody gave some."""
        with self._store.read_transaction() as store:
            given = [
                StopAnswers(
                    place,
                    stop,
                    *_answers(store, state.code, state.lessons, place),
                    _marks(store, state.code, place),
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

    def student_stop_record(self, seat: Seat, state: ClassState) -> StudentStopRecord:
        """Answers, draws and guess of this student here; in a poll the vote is `first`."""
        place = state.question_stop_index if state.polled is None else state.polled.place
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
                (seat.code, state.experiment_stop_index, seat.number),
            )
            changes = first_value(
                store, "SELECT changes FROM student WHERE token = ?", (token_digest(seat.token),)
            )
            return StudentStopRecord(
                choices.get(0),
                choices.get(1),
                read_student_draw_counts(store, seat, state),
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

    def _sweep(self) -> None:
        """Delete what is over now, and again every minute."""
        with suppress(ClassStoreUnavailable):
            self.delete_expired_classes()
        self._sweeper = threading.Timer(_SWEEPS, self._sweep)
        self._sweeper.daemon = True
        self._sweeper.start()

    def delete_expired_classes(self) -> None:
        """Delete classes that are over, also from the write log."""
        now, limits = self.clock(), self._limits
        with self._store.write_transaction() as store:
            join_throttle.delete_expired_tries(store, now)
            gone = store.execute(
                "DELETE FROM class WHERE ? >= ends + ?"  # noqa: S608 - ours
                f" OR ({EMPTY} AND ? - heard >= ?) RETURNING code",
                (now, limits.results, now, limits.empty),
            ).fetchall()
        self._store.truncate_write_log()
        for (code,) in gone:
            self._known.pop(code, None)

    def close(self) -> None:
        self._sweeper.cancel()
        self._store.close()


def token_digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def read_student_draw_counts(store: sqlite3.Connection, seat: Seat, state: ClassState) -> Ints:
    drawn = store.execute(
        "SELECT counts FROM drawn WHERE code = ? AND place = ? AND setting = ? AND number = ?",
        (*state.draws_key, seat.number),
    )
    return _total(drawn.fetchall(), state.experiment)


def _drawn(
    store: sqlite3.Connection, code: str, lessons: tuple[str, ...], place: int, setting: int
) -> tuple[Ints, int]:
    """Draws of all students together at a stop and setting, and how many drew."""
    drawn = store.execute(
        "SELECT counts FROM drawn WHERE code = ? AND place = ? AND setting = ?",
        (code, first_stop_index_of_experiment(lessons, place), setting),
    ).fetchall()
    return _total(drawn, build_course(lessons)[place].experiment), len(drawn)


def read_question_flags(store: sqlite3.Connection, code: str, stop_index: int) -> QuestionFlags:
    row = store.execute(
        "SELECT again, shown, bars FROM vote WHERE code = ? AND place = ?", (code, stop_index)
    ).fetchone()
    return QuestionFlags() if row is None else QuestionFlags(*map(bool, row))


def read_running_poll(store: sqlite3.Connection, code: str) -> RunningPoll | None:
    """Poll that is asked in place of the stop, or None."""
    query = "SELECT poll_place, poll FROM class WHERE code = ? AND poll IS NOT NULL"
    row = store.execute(query, (code,)).fetchone()
    if row is None:
        return None
    place, (text, *choices) = row[0], json.loads(row[1])
    votes = _votes(store, code, place)
    given = tuple(votes.get((0, n), 0) for n in range(len(choices)))
    return RunningPoll(
        place, Poll(text, choices), given, read_question_flags(store, code, place).bars
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
    store: sqlite3.Connection, code: str, lessons: tuple[str, ...], place: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts of first and second answers by choice; the second are empty before a talk."""
    question = build_course(lessons)[place].question
    if question is None:
        return (), ()
    given = _votes(store, code, place)
    first, after = (
        tuple(given.get((n, choice), 0) for choice in range(len(question.choices))) for n in (0, 1)
    )
    return first, after if read_question_flags(store, code, place).again else ()


def _marks(store: sqlite3.Connection, code: str, place: int) -> tuple[int, ...]:
    """Guesses that are kept at this stop, rising."""
    return tuple(
        value
        for (value,) in store.execute(
            "SELECT value FROM mark WHERE code = ? AND place = ? ORDER BY value", (code, place)
        )
    )


def _total(drawn: list[tuple[bytes]], experiment: Experiment | None) -> Ints:
    """Sum of stored draws, shape (drawn, outcomes)."""
    shape = (
        (1, 0)
        if experiment is None
        else (len(experiment.drawn_law_names), len(experiment.outcomes))
    )
    kept = [np.frombuffer(counts, dtype="<i8").reshape(shape) for (counts,) in drawn]
    return np.asarray(np.sum([np.zeros(shape, np.int64), *kept], axis=0), np.int64)
