"""Actions of a teacher: begin a class, move it on, ask, show, free seats, end it.

Invariants: only a teacher's token changes a class, and an ended class does not change.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dpviz.base import check_integer
from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_reader import EMPTY, read_running_poll, token_digest
from dpviz.teaching.classes.class_state import new_code
from dpviz.teaching.classes.class_store import (
    ClassRefusal,
    delete_poll,
    delete_seats,
    first_value,
    increment_version,
    set_vote_flags,
    update_class,
)
from dpviz.teaching.classes.course import (
    build_course,
    check_lessons,
    find_question_stop_index,
    first_stop_index_of_experiment,
)
from dpviz.teaching.classes.teacher_access import (
    GONE,
    TEACHES,
    TeacherAccess,
    read_taught_class_columns,
)
from dpviz.teaching.poll import Poll

_LONGEST = 3600  # seconds of a timer


class TeacherActions(TeacherAccess):
    """Classes of a server, as a teacher changes them."""

    def begin_class(self, *lessons: str, address: str = "") -> tuple[str, str]:
        """Begin a class on these lessons; return its code and the teacher's token."""
        keys, now = check_lessons(lessons), self.clock()
        token = secrets.token_urlsafe(16)
        self.delete_expired_classes()
        with self._store.write_transaction() as store:
            begun_by = join_throttle.address_digest(store, address)
            self._not_too_many(store, begun_by)
            if first_value(store, "SELECT count(*) FROM class") >= self._limits.classes:
                _make_room(store, self._limits.classes, now)
            taken = {code for (code,) in store.execute("SELECT code FROM class")}
            code = next(code for code in iter(new_code, None) if code not in taken)
            store.execute(
                "INSERT INTO class (code, teacher, lessons, seed, began, ends, setting, door,"
                " begun_by, heard) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    code,
                    token_digest(token),
                    " ".join(keys),
                    secrets.randbits(40),
                    now,
                    now + self._limits.seconds,
                    _start(keys, 0),
                    secrets.token_urlsafe(12),  # 96 random bits for its link
                    begun_by,
                    now,
                ),
            )
        return code, token

    def record_key_attempt(self, is_right: bool, address: str) -> bool:
        """Count a wrong key as a try of this address; return `is_right`."""
        now, limits = self.clock(), self._limits
        with self._store.write_transaction() as store:
            join_throttle.refuse_many_tries(store, "key", address, now, limits.keys, limits.minute)
            if not is_right:
                join_throttle.record_and_count_events(store, "key", address, now, limits.minute)
        return is_right

    def _not_too_many(self, store: sqlite3.Connection, begun_by: bytes) -> None:
        """Refuse another class to an address that has many, or many empty ones."""
        own, values = (
            "SELECT count(*) FROM class WHERE begun_by = ? AND ends > ?",
            (begun_by, self.clock()),
        )
        under_way = first_value(store, own, values)
        empty = first_value(store, f"{own} AND {EMPTY}", values)
        if under_way >= self._limits.begun or empty >= self._limits.begun_empty:
            many = (
                f"{empty} classes that nobody has joined"
                if empty < under_way
                else f"{under_way} classes"
            )
            raise ClassRefusal(
                f"Your network already has {many} open classes. End one, or wait some minutes."
            )

    def move_to_stop(self, token: str, stop_index: int) -> None:
        """Take everyone to this stop, its control at the start; an explanation shows the answer."""
        lessons = self._check_place(token, stop_index)
        reveals = build_course(lessons)[stop_index].reveals_answer
        answered = find_question_stop_index(lessons, stop_index) if reveals else None
        with self._changing(token) as (store, code):
            if answered is not None:
                set_vote_flags(store, code, answered, shown=True)
            delete_poll(store, code)
            setting = _start(lessons, stop_index)
            update_class(store, code, place=stop_index, setting=setting, timer_ends=None)

    def open_poll(self, token: str, poll: Poll) -> None:
        """Ask everyone this poll in place of the stop; an earlier poll goes with its votes."""
        with self._changing(token) as (store, code):
            delete_poll(store, code)
            place, text = -1 - secrets.randbelow(2**40), json.dumps([poll.text, *poll.choices])
            update_class(store, code, poll_place=place, poll=text, timer_ends=None)

    def show_poll_votes(self, token: str, visible: bool) -> None:
        """Show or hide the votes of the poll; while they are shown nobody votes."""
        with self._changing(token) as (store, code):
            polled = read_running_poll(store, code)
            if polled is not None:
                set_vote_flags(store, code, polled.place, bars=visible)

    def close_poll(self, token: str) -> None:
        """Return to the stop; nothing of the poll stays."""
        with self._changing(token) as (store, code):
            delete_poll(store, code)

    def change_setting(self, token: str, stop_index: int, setting: int) -> None:
        """Set the control for everyone, if the class is still at this stop."""
        experiment = build_course(self._check_place(token, stop_index))[stop_index].experiment
        settings = 1 if experiment is None else len(experiment.settings())
        check_integer("setting", setting, low=0, high=settings - 1)
        with self._changing(token) as (store, code):
            store.execute(
                "UPDATE class SET setting = ? WHERE code = ? AND place = ?",
                (setting, code, stop_index),
            )

    def set_question_flags(self, token: str, stop_index: int, **flags: bool) -> None:
        """Set flags of `QuestionFlags` for this stop's question."""
        self._check_place(token, stop_index)
        with self._changing(token) as (store, code):
            set_vote_flags(store, code, stop_index, **flags)

    def show_exact_chances(self, token: str, stop_index: int, visible: bool) -> None:
        """Show or hide the exact chances of this stop's experiment."""
        lessons = self._check_place(token, stop_index)
        self.set_question_flags(
            token, first_stop_index_of_experiment(lessons, stop_index), bars=visible
        )

    def start_timer(self, token: str, seconds: int) -> None:
        """Show everyone a timer of this number of seconds; 0 removes it."""
        check_integer("seconds", seconds, low=0, high=_LONGEST)
        ends = self.clock() + seconds if seconds else None
        with self._changing(token) as (store, code):
            update_class(store, code, timer_ends=ends, timer_seconds=seconds)

    def set_joining_locked(self, token: str, locked: bool) -> None:
        with self._changing(token) as (store, code):
            update_class(store, code, locked=int(locked))

    def free_newest_or_absent_seats(self, token: str, newest: int = 0) -> int:
        """Free the `newest` seats, or those of all who are away; return their number."""
        check_integer("newest", newest, low=0, high=self._limits.people)
        with self._changing(token) as (store, code):
            which = (
                store.execute(
                    "SELECT number FROM student WHERE code = ? ORDER BY came DESC LIMIT ?",
                    (code, newest),
                )
                if newest
                else store.execute(
                    "SELECT number FROM student WHERE code = ? AND ? - seen >= ?",
                    (code, self.clock(), self._limits.away),
                )
            )
            numbers = [number for (number,) in which.fetchall()]
            delete_seats(store, code, numbers)
        return len(numbers)

    def end_class(self, token: str) -> None:
        """End the class; its results stay for a while."""
        with self._changing(token) as (store, code):
            delete_poll(store, code)
            update_class(store, code, ends=self.clock())

    def delete_class(self, token: str) -> None:
        with self._store.write_transaction() as store:
            code = first_value(
                store,
                f"DELETE FROM class WHERE {TEACHES} RETURNING code",  # noqa: S608 - ours
                (token_digest(token),),
            )
        self._store.truncate_write_log()
        self._known.pop(code, None)

    def _check_place(self, token: str, place: int) -> tuple[str, ...]:
        """Lessons of the class, which must have this stop."""
        with self._store.read_transaction() as store:
            lessons = tuple(read_taught_class_columns(store, token, "lessons")[0].split())
        check_integer("place", place, low=0, high=len(build_course(lessons)) - 1)
        return lessons

    @contextmanager
    def _changing(self, token: str) -> Iterator[tuple[sqlite3.Connection, str]]:
        """The store and the class's code, within one change by its teacher."""
        with self._looking:  # else somebody could still put back what was
            with self._store.write_transaction() as store:
                code, ends = read_taught_class_columns(store, token, "code, ends")
                if ends <= self.clock():
                    raise ClassRefusal(GONE)
                yield store, code
                increment_version(store, code)
            self._known.pop(code, None)


def _make_room(store: sqlite3.Connection, most: int, now: float) -> None:
    """Delete the class that ended first; refuse where all are under way."""
    first = store.execute(
        "SELECT code FROM class WHERE ends <= ? ORDER BY ends LIMIT 1", (now,)
    ).fetchone()
    if first is None:
        raise ClassRefusal(f"This server already has {most} open classes. Try again later.")
    store.execute("DELETE FROM class WHERE code = ?", first)


def _start(lessons: tuple[str, ...], place: int) -> int:
    """Index of the setting that this stop's control starts at."""
    experiment = build_course(lessons)[place].experiment
    return 0 if experiment is None else experiment.settings().index(experiment.start)
