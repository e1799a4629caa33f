"""What whoever teaches does: begin a class, take it from stop to stop, ask, show, let in, give up
seats, end.

Invariants: nothing changes a class but with the token of somebody who teaches it, and no class that
has ended; `place` is the index of a stop of its course.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dpviz.base import check_integer
from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_changes import (
    delete_poll,
    delete_seats,
    increment_version,
    set_vote_flags,
)
from dpviz.teaching.classes.class_limits import ClassRefusal
from dpviz.teaching.classes.class_reader import EMPTY, read_running_poll, token_digest
from dpviz.teaching.classes.class_state import new_code
from dpviz.teaching.classes.course import (
    build_course,
    check_lessons,
    find_question_place,
    first_experiment_place,
)
from dpviz.teaching.classes.teacher_access import TEACHES, TeacherAccess
from dpviz.teaching.poll import Poll

GONE = "This class has ended."
_LONGEST = 3600  # seconds of a timer


class TeacherActions(TeacherAccess):
    """The classes of a server, as whoever teaches one changes it."""

    def begin_class(self, *lessons: str, address: str = "") -> tuple[str, str]:
        """Begin a class on the lessons with these keys, from an address: its code, and the
        teacher's token.
        """
        keys, now = check_lessons(lessons), self._clock()
        token = secrets.token_urlsafe(16)
        self.delete_expired_classes()
        with self._store.write_transaction() as store:
            begun_by = join_throttle.address_digest(store, address)
            self._not_too_many(store, begun_by)
            if store.execute("SELECT count(*) FROM class").fetchone()[0] >= self._limits.classes:
                _make_room(store, self._limits.classes)
            code = new_code()
            while store.execute("SELECT 1 FROM class WHERE code = ?", (code,)).fetchone():
                code = new_code()
            store.execute(
                "INSERT INTO class (code, teacher, lessons, seed, began, setting, door, begun_by,"
                " heard) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    code,
                    token_digest(token),
                    " ".join(keys),
                    secrets.randbits(40),
                    now,
                    _start(keys, 0),
                    _door(),
                    begun_by,
                    now,
                ),
            )
        self._sweep_in(self._limits.empty)
        return code, token

    def record_key_attempt(self, is_right: bool, address: str) -> bool:
        """Whether the key was right that somebody at this address typed: a wrong one is a try that
        counts.
        """
        with self._store.write_transaction() as store:
            number = join_throttle.record_try(
                store, "key", address, self._clock(), self._limits.keys, self._limits.minute
            )
            if is_right:
                join_throttle.delete_try(store, number)
        return is_right

    def _not_too_many(self, store: sqlite3.Connection, begun_by: bytes) -> None:
        """Refuse another class to an address that has many, or many without anybody in them."""
        own = "SELECT count(*) FROM class WHERE begun_by = ? AND ended IS NULL"
        (under_way,) = store.execute(own, (begun_by,)).fetchone()
        (empty,) = store.execute(f"{own} AND {EMPTY}", (begun_by,)).fetchone()
        if under_way >= self._limits.begun or empty >= self._limits.begun_empty:
            many = (
                f"{empty} classes that nobody has joined"
                if empty < under_way
                else f"{under_way} classes"
            )
            raise ClassRefusal(
                f"From your network {many} are under way already. End one, or wait some minutes."
            )

    def move_to_stop(self, token: str, place: int) -> None:
        """Take everyone to this stop, with its control where it starts; an explanation shows the
        answer.
        """
        lessons = self._lessons(token)
        check_integer("place", place, low=0, high=len(build_course(lessons)) - 1)
        answered = (
            find_question_place(lessons, place)
            if build_course(lessons)[place].reveals_answer
            else None
        )
        with self._changing(token) as (store, code):
            if answered is not None:
                set_vote_flags(store, code, answered, shown=True)
            store.execute(
                "UPDATE class SET place = ?, setting = ? WHERE code = ?",
                (place, _start(lessons, place), code),
            )
            store.execute("DELETE FROM timer WHERE code = ?", (code,))
            delete_poll(store, code)

    def open_poll(self, token: str, poll: Poll) -> None:
        """Ask this of everyone in place of the stop, until the class goes on; a poll before goes
        with its votes.
        """
        with self._changing(token) as (store, code):
            delete_poll(store, code)
            store.execute(
                "INSERT INTO poll (code, place, says) VALUES (?, ?, ?)",
                (code, -1 - secrets.randbelow(2**40), json.dumps([poll.text, *poll.choices])),
            )
            store.execute("DELETE FROM timer WHERE code = ?", (code,))

    def show_poll_votes(self, token: str, shown: bool) -> None:
        """Show everyone how the poll was voted, or do not any more; from then on the votes stay as
        they are.
        """
        with self._changing(token) as (store, code):
            polled = read_running_poll(store, code)
            if polled is not None:
                set_vote_flags(store, code, polled.place, bars=shown)

    def close_poll(self, token: str) -> None:
        """Back to the stop; nothing of the poll stays."""
        with self._changing(token) as (store, code):
            delete_poll(store, code)

    def change_setting(self, token: str, place: int, setting: int) -> None:
        """Put the control of this stop to the setting with this index, for everyone who is still
        there.
        """
        experiment = build_course(self._lessons(token))[place].experiment
        check_integer(
            "setting",
            setting,
            low=0,
            high=0 if experiment is None else len(experiment.settings()) - 1,
        )
        with self._changing(token) as (store, code):
            store.execute(
                "UPDATE class SET setting = ? WHERE code = ? AND place = ?", (setting, code, place)
            )

    def show_question_answer(self, token: str, place: int) -> None:
        """Show everyone the answer to the question of this stop; from then on nobody answers there."""
        self._vote(token, place, shown=True)

    def ask_question_again(self, token: str, place: int) -> None:
        """Have everyone answer the question of this stop once more, after having talked about it."""
        self._vote(token, place, again=True)

    def show_class_answers(self, token: str, place: int, bars: bool) -> None:
        """Show everyone how the class answers the question of this stop, or do not any more."""
        self._vote(token, place, bars=bars)

    def show_exact_chances(self, token: str, place: int, shown: bool) -> None:
        """Show everyone the exact chances of what is drawn at this stop, or do not any more."""
        lessons = self._lessons(token)
        check_integer("place", place, low=0, high=len(build_course(lessons)) - 1)
        self._vote(token, first_experiment_place(lessons, place), bars=shown)

    def start_timer(self, token: str, seconds: int) -> None:
        """Have everyone see how much is left of so many seconds; none takes the timer away."""
        with self._changing(token) as (store, code):
            store.execute("DELETE FROM timer WHERE code = ?", (code,))
            if seconds:
                ends = self._clock() + check_integer("seconds", seconds, low=0, high=_LONGEST)
                store.execute(
                    "INSERT INTO timer (code, ends, seconds) VALUES (?, ?, ?)",
                    (code, ends, seconds),
                )

    def set_door_locked(self, token: str, locked: bool) -> None:
        """Lock the door, so that nobody new comes in, or open it."""
        with self._changing(token) as (store, code):
            store.execute("UPDATE class SET locked = ? WHERE code = ?", (int(locked), code))

    def free_seats(self, token: str, newest: int = 0) -> int:
        """Give up the seats of the `newest` who came, or of all who are away, with what they did;
        how many.
        """
        check_integer("newest", newest, low=0, high=self._limits.people)
        with self._changing(token) as (store, code):
            which = (
                store.execute(
                    "SELECT number FROM student WHERE code = ? ORDER BY came DESC LIMIT ?",
                    (code, newest),
                )
                if newest
                else store.execute(
                    "SELECT number FROM student WHERE code = ? AND abs(? - seen) >= ?",
                    (code, self._clock(), self._limits.away),
                )
            )
            numbers = [number for (number,) in which.fetchall()]
            delete_seats(store, code, numbers)
        return len(numbers)

    def end_class(self, token: str) -> None:
        """End the class: nobody answers or draws any more, its results stay for a while."""
        with self._changing(token) as (store, code):
            store.execute("UPDATE class SET ended = ? WHERE code = ?", (self._clock(), code))
            delete_poll(store, code)

    def delete_class(self, token: str) -> None:
        """Delete the class: nothing of it stays."""
        with self._store.write_transaction() as store:
            row = store.execute(
                f"DELETE FROM class WHERE {TEACHES} RETURNING code",  # noqa: S608 - ours
                (token_digest(token),),
            ).fetchone()
        self._store.truncate_write_log()
        if row is not None:
            self._known.pop(row[0], None)

    def _vote(self, token: str, place: int, **what: bool) -> None:
        check_integer("place", place, low=0, high=len(build_course(self._lessons(token))) - 1)
        with self._changing(token) as (store, code):
            set_vote_flags(store, code, place, **what)

    def _lessons(self, token: str) -> tuple[str, ...]:
        with self._store.read_transaction() as store:
            row = store.execute(
                f"SELECT lessons FROM class WHERE {TEACHES}",  # noqa: S608 - ours
                (token_digest(token),),
            ).fetchone()
        if row is None:
            raise ClassRefusal(GONE)
        return tuple(row[0].split())

    @contextmanager
    def _changing(self, token: str) -> Iterator[tuple[sqlite3.Connection, str]]:
        """A change by the teacher of a class that is still on: the store and the class's code."""
        with self._looking:  # else somebody could still put back what was
            with self._store.write_transaction() as store:
                row = store.execute(
                    f"SELECT code, began, ended FROM class WHERE {TEACHES}",  # noqa: S608 - ours
                    (token_digest(token),),
                ).fetchone()
                if row is None or self._over(*row[1:]):
                    raise ClassRefusal(GONE)
                yield store, row[0]
                increment_version(store, row[0])
            self._known.pop(row[0], None)

    def _over(self, began: float, ended: float | None) -> bool:
        return ended is not None or abs(self._clock() - began) >= self._limits.seconds


def _door() -> str:
    """96 random bits for a link."""
    return secrets.token_urlsafe(12)


def _make_room(store: sqlite3.Connection, most: int) -> None:
    """Delete the class that ended first; where all are under way, refuse."""
    first = store.execute(
        "SELECT code FROM class WHERE ended IS NOT NULL ORDER BY ended LIMIT 1"
    ).fetchone()
    if first is None:
        raise ClassRefusal(f"{most} classes are under way here already. Try again later.")
    store.execute("DELETE FROM class WHERE code = ?", first)


def _start(lessons: tuple[str, ...], place: int) -> int:
    """The index of the setting that the control of this stop starts at."""
    experiment = build_course(lessons)[place].experiment
    return 0 if experiment is None else experiment.settings().index(experiment.start)
