"""Classes: a teacher begins one on some lessons, students join by its code, all see the same stop, each draws alone.

Invariants: draws are made here, from the student's seed by the lesson's own experiment, so nobody can send others, and
no data but a lesson's and a poll's votes enter; what a student sends is the index of a choice or how many draws.
`state` says what a class is, `reading` how a process sees it.
"""

import json
import math
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from dpviz.base import Ints, check_integer
from dpviz.teaching.classes import tries
from dpviz.teaching.classes.consoles import TEACHES, Consoles
from dpviz.teaching.classes.course import asked, checked, course, first_with
from dpviz.teaching.classes.limits import ClassRefusal
from dpviz.teaching.classes.reading import EMPTY, digest, drawn_by, mark_key, polled_in, seat_key, vote_at
from dpviz.teaching.classes.state import ClassState, Seat, new_code, read_code, student_seed
from dpviz.teaching.found_out import FULL
from dpviz.teaching.lesson import RELEASES
from dpviz.teaching.poll import Poll

_GONE = "This class has ended."
_LONGEST = 3600  # seconds of a timer
_MOVED = "The class has moved on meanwhile."
_FREED = "Your seat was given up by whoever teaches. Open the link again to come back."


class Classes(Consoles):
    """The classes of a server, as one process of it sees and changes them."""

    # ---- the teacher -----------------------------------------------------------------------------

    def begin(self, *lessons: str, address: str = "") -> tuple[str, str]:
        """Begin a class on the lessons with these keys, from an address: its code, and the teacher's token."""
        keys, now = checked(lessons), self._clock()
        token = secrets.token_urlsafe(16)
        self.sweep()
        with self._store.writing() as store:
            begun_by = tries.known_as(store, address)
            self._not_too_many(store, begun_by)
            if store.execute("SELECT count(*) FROM class").fetchone()[0] >= self._limits.classes:
                _make_room(store, self._limits.classes)
            code = new_code()
            while store.execute("SELECT 1 FROM class WHERE code = ?", (code,)).fetchone():
                code = new_code()
            store.execute(
                "INSERT INTO class (code, teacher, lessons, seed, began, setting, door, begun_by, heard) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    code,
                    digest(token),
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

    def right(self, is_right: bool, address: str) -> bool:
        """Whether the key was right that somebody at this address typed: a wrong one is a try that counts."""
        with self._store.writing() as store:
            number = tries.take(store, "key", address, self._clock(), self._limits.keys, self._limits.minute)
            if is_right:
                tries.forgive(store, number)
        return is_right

    def _not_too_many(self, store: sqlite3.Connection, begun_by: bytes) -> None:
        """Refuse another class to an address that has many, or many without anybody in them."""
        own = "SELECT count(*) FROM class WHERE begun_by = ? AND ended IS NULL"
        (under_way,) = store.execute(own, (begun_by,)).fetchone()
        (empty,) = store.execute(f"{own} AND {EMPTY}", (begun_by,)).fetchone()
        if under_way >= self._limits.begun or empty >= self._limits.begun_empty:
            many = f"{empty} classes that nobody has joined" if empty < under_way else f"{under_way} classes"
            raise ClassRefusal(f"From your network {many} are under way already. End one, or wait some minutes.")

    def move(self, token: str, place: int) -> None:
        """Take everyone to this stop, with its control where it starts; an explanation shows the answer."""
        lessons = self._lessons(token)
        check_integer("place", place, low=0, high=len(course(lessons)) - 1)
        answered = asked(lessons, place) if course(lessons)[place].tells else None
        with self._changing(token) as (store, code):
            if answered is not None:
                _note(store, code, answered, shown=True)
            store.execute(
                "UPDATE class SET place = ?, setting = ? WHERE code = ?", (place, _start(lessons, place), code)
            )
            store.execute("DELETE FROM timer WHERE code = ?", (code,))
            _close_poll(store, code)

    def ask(self, token: str, poll: Poll) -> None:
        """Ask this of everyone in place of the stop, until the class goes on; a poll before goes with its votes."""
        with self._changing(token) as (store, code):
            _close_poll(store, code)
            store.execute(
                "INSERT INTO poll (code, place, says) VALUES (?, ?, ?)",
                (code, -1 - secrets.randbelow(2**40), json.dumps([poll.text, *poll.choices])),
            )
            store.execute("DELETE FROM timer WHERE code = ?", (code,))

    def show_poll(self, token: str, shown: bool) -> None:
        """Show everyone how the poll was voted, or do not any more; from then on the votes stay as they are."""
        with self._changing(token) as (store, code):
            polled = polled_in(store, code)
            if polled is not None:
                _note(store, code, polled.place, bars=shown)

    def close_poll(self, token: str) -> None:
        """Back to the stop; nothing of the poll stays."""
        with self._changing(token) as (store, code):
            _close_poll(store, code)

    def set(self, token: str, place: int, setting: int) -> None:
        """Put the control of this stop to the setting with this index, for everyone who is still there."""
        experiment = course(self._lessons(token))[place].experiment
        check_integer("setting", setting, low=0, high=0 if experiment is None else len(experiment.settings()) - 1)
        with self._changing(token) as (store, code):
            store.execute("UPDATE class SET setting = ? WHERE code = ? AND place = ?", (setting, code, place))

    def show(self, token: str, place: int) -> None:
        """Show everyone the answer to the question of this stop; from then on nobody answers there."""
        self._vote(token, place, shown=True)

    def discuss(self, token: str, place: int) -> None:
        """Have everyone answer the question of this stop once more, after having talked about it."""
        self._vote(token, place, again=True)

    def reveal(self, token: str, place: int, bars: bool) -> None:
        """Show everyone how the class answers the question of this stop, or do not any more."""
        self._vote(token, place, bars=bars)

    def unveil(self, token: str, place: int, shown: bool) -> None:
        """Show everyone the exact chances of what is drawn at this stop, or do not any more."""
        lessons = self._lessons(token)
        check_integer("place", place, low=0, high=len(course(lessons)) - 1)
        self._vote(token, first_with(lessons, place), bars=shown)

    def time(self, token: str, seconds: int) -> None:
        """Have everyone see how much is left of so many seconds; none takes the timer away."""
        with self._changing(token) as (store, code):
            store.execute("DELETE FROM timer WHERE code = ?", (code,))
            if seconds:
                ends = self._clock() + check_integer("seconds", seconds, low=0, high=_LONGEST)
                store.execute("INSERT INTO timer (code, ends, seconds) VALUES (?, ?, ?)", (code, ends, seconds))

    def lock(self, token: str, locked: bool) -> None:
        """Lock the door, so that nobody new comes in, or open it."""
        with self._changing(token) as (store, code):
            store.execute("UPDATE class SET locked = ? WHERE code = ?", (int(locked), code))

    def free(self, token: str, newest: int = 0) -> int:
        """Give up the seats of the `newest` who came, or of all who are away, with what they did; how many."""
        check_integer("newest", newest, low=0, high=self._limits.people)
        with self._changing(token) as (store, code):
            which = (
                store.execute("SELECT number FROM student WHERE code = ? ORDER BY came DESC LIMIT ?", (code, newest))
                if newest
                else store.execute(
                    "SELECT number FROM student WHERE code = ? AND abs(? - seen) >= ?",
                    (code, self._clock(), self._limits.away),
                )
            )
            numbers = [number for (number,) in which.fetchall()]
            _give_up(store, code, numbers)
        return len(numbers)

    def end(self, token: str) -> None:
        """End the class: nobody answers or draws any more, its results stay for a while."""
        with self._changing(token) as (store, code):
            store.execute("UPDATE class SET ended = ? WHERE code = ?", (self._clock(), code))
            _close_poll(store, code)

    def delete(self, token: str) -> None:
        """Delete the class: nothing of it stays."""
        with self._store.writing() as store:
            row = store.execute(f"DELETE FROM class WHERE {TEACHES} RETURNING code", (digest(token),)).fetchone()  # noqa: S608 - ours
        self._store.wipe()
        if row is not None:
            self._known.pop(row[0], None)

    def _vote(self, token: str, place: int, **what: bool) -> None:
        check_integer("place", place, low=0, high=len(course(self._lessons(token))) - 1)
        with self._changing(token) as (store, code):
            _note(store, code, place, **what)

    def _lessons(self, token: str) -> tuple[str, ...]:
        with self._store.reading() as store:
            row = store.execute(f"SELECT lessons FROM class WHERE {TEACHES}", (digest(token),)).fetchone()  # noqa: S608 - ours
        if row is None:
            raise ClassRefusal(_GONE)
        return tuple(row[0].split())

    @contextmanager
    def _changing(self, token: str) -> Iterator[tuple[sqlite3.Connection, str]]:
        """A change by the teacher of a class that is still on: the store and the class's code."""
        with self._looking:  # else somebody could still put back what was
            with self._store.writing() as store:
                row = store.execute(
                    f"SELECT code, began, ended FROM class WHERE {TEACHES}",  # noqa: S608 - ours
                    (digest(token),),
                ).fetchone()
                if row is None or self._over(*row[1:]):
                    raise ClassRefusal(_GONE)
                yield store, row[0]
                _changed(store, row[0])
            self._known.pop(row[0], None)

    def _over(self, began: float, ended: float | None) -> bool:
        return ended is not None or abs(self._clock() - began) >= self._limits.seconds

    # ---- a student -------------------------------------------------------------------------------

    def join(self, typed: str, *, door: str = "", address: str = "") -> Seat | None:
        """A place in a class, which nobody else has; None where there is no such class.

        The class is found by the secret `door` of its link; else by the code that was `typed`, which is a try.
        """
        code = self._behind(door) or self._with_code(typed, address)
        state = None if code is None else self.look(code)
        if code is None or state is None:
            return None
        if state.over:
            raise ClassRefusal(_GONE)
        if state.locked:
            raise ClassRefusal("The door of this class is locked. Ask whoever teaches it to open it.")
        token, now = secrets.token_urlsafe(16), self._clock()
        with self._store.writing() as store:
            base = store.execute("SELECT seed FROM class WHERE code = ?", (code,)).fetchone()
            if base is None:
                return None
            if tries.count(store, "seat", address, now, self._limits.joined_within) >= self._limits.joined:
                raise ClassRefusal("Very many came in from your network just now. Try again in some minutes.")
            number = self._free_number(store, code, now)
            store.execute(
                "INSERT INTO student (token, code, number, seen, came) VALUES (?, ?, ?, ?, ?)",
                (digest(token), code, number, now, now),
            )
            _changed(store, code)
        return Seat(code, number, student_seed(base[0], number), token)

    def _behind(self, door: str) -> str | None:
        """The class whose link has this secret: looked for by it alone, so that nothing tells of codes."""
        if not door:
            return None
        with self._store.reading() as store:
            row = store.execute("SELECT code FROM class WHERE door = ?", (door,)).fetchone()
        return None if row is None else str(row[0])

    def _with_code(self, typed: str, address: str) -> str | None:
        """The code of a class that is there; one that is none is a try that counts."""
        code, now, limits = read_code(typed), self._clock(), self._limits
        if code is None:
            return None
        self._tried.pass_by(tries.network(address), now)
        try:
            with self._store.writing() as store:
                number = tries.take(store, "code", address, now, limits.lookups, limits.minute)
        except tries.TriedTooOften as refused:
            self._tried.wait(tries.network(address), now, refused)
            raise
        if self.look(code) is None:
            return None
        with self._store.writing() as store:
            tries.forgive(store, number)
        return code

    def _free_number(self, store: sqlite3.Connection, code: str, now: float) -> int:
        """The lowest number that nobody has; in a full class that of a seat which nobody has used."""
        taken = {number for (number,) in store.execute("SELECT number FROM student WHERE code = ?", (code,))}
        if len(taken) >= self._limits.people:
            unused = store.execute(
                "SELECT number FROM student WHERE code = ?1 AND abs(?2 - seen) >= ?3 AND NOT EXISTS (SELECT 1 FROM "
                "prediction p WHERE p.code = ?1 AND p.number = student.number) AND NOT EXISTS (SELECT 1 FROM drawn d "
                "WHERE d.code = ?1 AND d.number = student.number) ORDER BY seen LIMIT 1",
                (code, now, self._limits.unused),
            ).fetchone()
            if unused is None:
                raise ClassRefusal(f"This class is full: {self._limits.people} people are in it.")
            _give_up(store, code, unused)
            taken -= set(unused)
        return next(number for number in range(len(taken) + 1) if number not in taken)

    def predict(self, seat: Seat, place: int, choice: int, again: bool = False) -> None:
        """This student's answer at this stop, in place of one before; refused once the answer is shown.

        `again` where the class has talked about it: then it is the second, and the first stays what it was. Of a poll
        the place is below 0.
        """
        with self._writing(seat) as store:
            if isinstance(place, int) and place < 0:
                polled = polled_in(store, seat.code)
                if polled is None or polled.place != place or again:
                    raise ClassRefusal(_MOVED)
                if polled.shown:
                    raise ClassRefusal("The votes are shown already.")
                _give(store, seat, place, again, choice, len(polled.poll.choices))
                return
            keys, now = store.execute("SELECT lessons, place FROM class WHERE code = ?", (seat.code,)).fetchone()
            question = course(tuple(keys.split()))[now].question
            if now != place or question is None:
                raise ClassRefusal(_MOVED)
            vote = vote_at(store, seat.code, place)
            if vote.shown:
                raise ClassRefusal("The answer is shown already.")
            if vote.again is not again:
                raise ClassRefusal(_MOVED)
            _give(store, seat, place, vote.again, choice, len(question.choices))

    def draw(self, seat: Seat, state: ClassState, more: int) -> Ints:
        """`more` draws of this student where the class is; all of them, shape (drawn, outcomes).

        They are the next of the releases that the student's seed gives: asking twice at once gives no others.
        """
        check_integer("more", more, low=1, high=RELEASES)
        if state.experiment is None:
            raise ClassRefusal(_MOVED)
        with self._store.reading() as store:
            before = drawn_by(store, seat, state)
        size = min((0 if before is None else int(before[0].sum())) + more, RELEASES)
        counts = state.experiment.all_counts(state.value, seat.seed, size)
        with self._writing(seat) as store:
            now = drawn_by(store, seat, state)
            if now is not None and now[0].sum() >= size:  # drawn meanwhile, in another window of the same browser
                return now
            store.execute(
                "INSERT OR REPLACE INTO drawn (code, place, setting, number, counts) VALUES (?, ?, ?, ?, ?)",
                (*seat_key(seat, state), counts.astype("<i8").tobytes()),
            )
        return counts

    def mark(self, seat: Seat, place: int, value: int) -> None:
        """Where this student expects the chance that is asked for here, in place of a mark before.

        Refused once the exact chances are shown.
        """
        state = self.look(seat.code)
        check_integer("value", value, low=0, high=FULL)
        if state is None or state.place != place or state.experiment is None or state.experiment.guess is None:
            raise ClassRefusal(_MOVED)
        with self._writing(seat) as store:
            if vote_at(store, *mark_key(state)).bars:
                raise ClassRefusal("The exact chances are shown already.")
            store.execute(
                "INSERT OR REPLACE INTO mark (code, place, number, value) VALUES (?, ?, ?, ?)",
                (*mark_key(state), seat.number, value),
            )

    def draw_up_to(self, seat: Seat, place: int, setting: int, size: int) -> None:
        """Draw until this student has so many draws at this stop and setting; nothing where these are there."""
        state = self.look(seat.code)
        if state is None or (state.place, state.setting) != (place, setting):
            raise ClassRefusal(_MOVED)
        more = check_integer("size", size, low=1, high=RELEASES) - self.mine(seat, state).draws
        if more > 0:
            self.draw(seat, state, more)

    @contextmanager
    def _writing(self, seat: Seat) -> Iterator[sqlite3.Connection]:
        """A change by this student, unless that is more than a person does."""
        now = self._clock()
        with self._store.writing() as store:
            row = store.execute(
                "SELECT since, writes, began, ended FROM student JOIN class USING (code) WHERE token = ?",
                (digest(seat.token),),
            ).fetchone()
            if row is None:
                there = store.execute("SELECT began, ended FROM class WHERE code = ?", (seat.code,)).fetchone()
                raise ClassRefusal(_GONE if there is None or self._over(*there) else _FREED)
            if self._over(*row[2:]):
                raise ClassRefusal(_GONE)
            since, writes = row[:2] if 0 <= now - row[0] < self._limits.within else (now, 0)
            if writes >= self._limits.writes:
                wait = math.ceil(since + self._limits.within - now)
                raise ClassRefusal(f"That was quick. Wait {wait} s, then go on.")
            yield store
            store.execute(
                "UPDATE student SET since = ?, writes = ?, seen = ?, changes = changes + 1 WHERE token = ?",
                (since, writes + 1, now, digest(seat.token)),
            )
            _changed(store, seat.code)


def _changed(store: sqlite3.Connection, code: str) -> None:
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def _give(store: sqlite3.Connection, seat: Seat, place: int, again: bool, choice: int, choices: int) -> None:
    """This student's answer there, in place of one before."""
    check_integer("choice", choice, low=0, high=choices - 1)
    store.execute(
        "INSERT OR REPLACE INTO prediction (code, place, again, number, choice) VALUES (?, ?, ?, ?, ?)",
        (seat.code, place, int(again), seat.number, choice),
    )


def _close_poll(store: sqlite3.Connection, code: str) -> None:
    """Nothing is left of a poll: of its text and its votes neither."""
    for table in ("poll", "prediction", "vote"):
        store.execute(f"DELETE FROM {table} WHERE code = ? AND place < 0", (code,))  # noqa: S608 - ours


def _give_up(store: sqlite3.Connection, code: str, numbers: Iterable[int]) -> None:
    """Nobody has these seats any more, and nothing is left of what was done there."""
    for table in ("student", "prediction", "drawn", "mark"):
        store.executemany(f"DELETE FROM {table} WHERE code = ? AND number = ?", [(code, one) for one in numbers])  # noqa: S608 - ours


def _door() -> str:
    """96 random bits for a link."""
    return secrets.token_urlsafe(12)


def _note(store: sqlite3.Connection, code: str, place: int, **what: bool) -> None:
    """Of the vote at this stop note what has changed."""
    store.execute("INSERT OR IGNORE INTO vote (code, place) VALUES (?, ?)", (code, place))
    for name, value in what.items():
        store.execute(f"UPDATE vote SET {name} = ? WHERE code = ? AND place = ?", (int(value), code, place))  # noqa: S608 - ours


def _make_room(store: sqlite3.Connection, most: int) -> None:
    """Delete the class that ended first; where all are under way, refuse."""
    first = store.execute("SELECT code FROM class WHERE ended IS NOT NULL ORDER BY ended LIMIT 1").fetchone()
    if first is None:
        raise ClassRefusal(f"{most} classes are under way here already. Try again later.")
    store.execute("DELETE FROM class WHERE code = ?", first)


def _start(lessons: tuple[str, ...], place: int) -> int:
    """The index of the setting that the control of this stop starts at."""
    experiment = course(lessons)[place].experiment
    return 0 if experiment is None else experiment.settings().index(experiment.start)
