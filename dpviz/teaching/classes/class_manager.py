"""Classes as students use them: join, answer, guess and draw.

Invariant: draws are made here, from the student's seed; a student sends only the index of a choice,
a guess, or a number of draws.
"""

import math
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_reader import (
    read_question_flags,
    read_running_poll,
    read_student_draw_counts,
    token_digest,
)
from dpviz.teaching.classes.class_state import ClassState, Seat, student_seed
from dpviz.teaching.classes.class_store import (
    ClassRefusal,
    delete_seats,
    first_value,
    increment_version,
)
from dpviz.teaching.classes.course import build_course
from dpviz.teaching.classes.teacher_access import GONE
from dpviz.teaching.classes.teacher_actions import TeacherActions
from dpviz.teaching.lesson import FULL, RELEASES, Experiment

_MOVED = "The class has moved on meanwhile."


class ClassManager(TeacherActions):
    """Classes of a server, as one process sees and changes them."""

    def join(self, typed_code: str, *, door: str = "", address: str = "") -> Seat | None:
        """Take a free seat in the class that a link's secret `door`, else a `typed_code` code,
        names.
        """
        code = (self._behind(door) if door else None) or self._with_code(typed_code, address)
        state = None if code is None else self.read_state(code)
        if code is None or state is None:
            return None
        if state.over:
            raise ClassRefusal(GONE)
        if state.locked:
            raise ClassRefusal("The door of this class is locked. Ask the teacher to open it.")
        token, now = secrets.token_urlsafe(16), self.clock()
        with self._store.write_transaction() as store:
            base = first_value(store, "SELECT seed FROM class WHERE code = ?", (code,))
            if base is None:
                return None
            joined = join_throttle.record_and_count_events(
                store, "seat", address, now, self._limits.joined_within
            )
            if joined > self._limits.joined:
                raise ClassRefusal(
                    "Too many people joined from your network just now. Try again in some minutes."
                )
            number = self._free_number(store, code, now)
            store.execute(
                "INSERT INTO student (token, code, number, seen, came) VALUES (?, ?, ?, ?, ?)",
                (token_digest(token), code, number, now, now),
            )
            increment_version(store, code)
        return Seat(code, number, student_seed(base, number), token)

    def _behind(self, door: str) -> str | None:
        """Code of the class whose link has this secret."""
        # Looked for by the secret alone, so that nothing tells of codes.
        with self._store.read_transaction() as store:
            code = first_value(store, "SELECT code FROM class WHERE door = ?", (door,))
        return None if code is None else str(code)

    def _free_number(self, store: sqlite3.Connection, code: str, now: float) -> int:
        """Lowest free number; in a full class that of a seat which nobody has used."""
        taken = {
            number
            for (number,) in store.execute("SELECT number FROM student WHERE code = ?", (code,))
        }
        if len(taken) >= self._limits.people:
            unused = first_value(
                store,
                "SELECT number FROM student WHERE code = ?1 AND ?2 - seen >= ?3 AND NOT EXISTS"
                " (SELECT 1 FROM prediction p WHERE p.code = ?1 AND p.number = student.number) AND"
                " NOT EXISTS (SELECT 1 FROM drawn d WHERE d.code = ?1 AND d.number ="
                " student.number) ORDER BY seen LIMIT 1",
                (code, now, self._limits.unused),
            )
            if unused is None:
                raise ClassRefusal(f"This class is full: {self._limits.people} people are in it.")
            delete_seats(store, code, [unused])
            taken.remove(unused)
        return next(number for number in range(len(taken) + 1) if number not in taken)

    def submit_answer(
        self, seat: Seat, stop_index: int, choice: int, is_second_answer: bool = False
    ) -> None:
        """Record this student's answer at a stop; `is_second_answer` marks the second one, after a
        talk.
        """
        with self._writing(seat) as store:
            polled = read_running_poll(store, seat.code)
            if polled is None:
                keys, asked = store.execute(
                    "SELECT lessons, place FROM class WHERE code = ?", (seat.code,)
                ).fetchone()
                question = build_course(tuple(keys.split()))[asked].question
                choices = () if question is None else question.choices
            else:
                asked, choices = polled.place, polled.poll.choices
            vote = read_question_flags(store, seat.code, asked)
            if stop_index != asked or not choices:
                raise ClassRefusal(_MOVED)
            if vote.shown:
                raise ClassRefusal("The answer is shown already.")
            if vote.again is not is_second_answer:
                raise ClassRefusal(_MOVED)
            if vote.bars:
                raise ClassRefusal(
                    "The vote is closed." if polled is None else "The votes are shown already."
                )
            check_integer("choice", choice, low=0, high=len(choices) - 1)
            store.execute(
                "INSERT OR REPLACE INTO prediction (code, place, again, number, choice) VALUES (?,"
                " ?, ?, ?, ?)",
                (seat.code, asked, int(is_second_answer), seat.number, choice),
            )

    def draw_student_release_counts(
        self, seat: Seat, stop_index: int, setting: int, size: int
    ) -> Ints:
        """Draw until this student has `size` releases here; return all, shape (drawn, outcomes)."""
        check_integer("size", size, low=1, high=RELEASES)
        state, experiment = self._experiment_here(seat, stop_index)
        if state.setting != setting:
            raise ClassRefusal(_MOVED)
        # the first that the seed gives, so asking twice at once draws no others
        counts = experiment.draw_outcome_counts_per_law(state.setting_value, seat.seed, size)
        with self._writing(seat) as store:
            now = read_student_draw_counts(store, seat, state)
            if now[0].sum() >= size:  # drawn in another window meanwhile
                return now
            store.execute(
                "INSERT OR REPLACE INTO drawn (code, place, setting, number, counts) VALUES (?, ?,"
                " ?, ?, ?)",
                (*state.draws_key, seat.number, counts.astype("<i8").tobytes()),
            )
        return counts

    def submit_guess(self, seat: Seat, stop_index: int, value: int) -> None:
        """Record this student's guess of the chance asked for, until the exact one is shown."""
        check_integer("value", value, low=0, high=FULL)
        state, experiment = self._experiment_here(seat, stop_index)
        if experiment.guess is None:
            raise ClassRefusal(_MOVED)
        with self._writing(seat) as store:
            if read_question_flags(store, seat.code, state.experiment_stop_index).bars:
                raise ClassRefusal("The exact chances are shown already.")
            store.execute(
                "INSERT OR REPLACE INTO mark (code, place, number, value) VALUES (?, ?, ?, ?)",
                (seat.code, state.experiment_stop_index, seat.number, value),
            )

    def _experiment_here(self, seat: Seat, place: int) -> tuple[ClassState, Experiment]:
        """The class and its experiment at this stop; refuse where it is elsewhere."""
        state = self.read_state(seat.code)
        if state is None:
            raise ClassRefusal(GONE)
        if state.place != place or state.experiment is None:
            raise ClassRefusal(_MOVED)
        return state, state.experiment

    @contextmanager
    def _writing(self, seat: Seat) -> Iterator[sqlite3.Connection]:
        """Change the store for this student, within the limit of writes."""
        now = self.clock()
        with self._store.write_transaction() as store:
            row = store.execute(
                "SELECT since, writes, ends FROM student JOIN class USING (code) WHERE token = ?",
                (token_digest(seat.token),),
            ).fetchone()
            if row is None:
                there = store.execute(
                    "SELECT ends FROM class WHERE code = ?", (seat.code,)
                ).fetchone()
                raise ClassRefusal(
                    GONE
                    if there is None or there[0] <= now
                    else ("The teacher freed your seat. Open the link again to come back.")
                )
            if row[2] <= now:
                raise ClassRefusal(GONE)
            since, writes = row[:2] if 0 <= now - row[0] < self._limits.within else (now, 0)
            if writes >= self._limits.writes:
                wait = math.ceil(since + self._limits.within - now)
                raise ClassRefusal(f"That was too fast. Wait {wait} s, then go on.")
            yield store
            store.execute(
                "UPDATE student SET since = ?, writes = ?, seen = ?, changes = changes + 1 WHERE"
                " token = ?",
                (since, writes + 1, now, token_digest(seat.token)),
            )
            increment_version(store, seat.code)
