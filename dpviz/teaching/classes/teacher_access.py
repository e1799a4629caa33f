"""Who teaches a class: the browser that began it, and consoles on other devices that it has let in.

A second device asks to be a console and shows a number; whoever teaches compares it with what the
first device says and lets it in. Invariants: no link, and nothing that a projector shows, is enough
to teach a class; a device that is not let in can do nothing; a class has at most `MOST` devices
waiting, the eldest of which goes first.
"""

import secrets
import sqlite3

from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_limits import ClassRefusal
from dpviz.teaching.classes.class_reader import ClassReader, token_digest
from dpviz.teaching.classes.class_state import read_code

TEACHES = "(teacher = ?1 OR code IN (SELECT code FROM console WHERE token = ?1 AND allowed = 1))"
"""Of which class a token's digest is that of a teacher, in the store's own words."""
MOST = 4


class TeacherAccess(ClassReader):
    """The classes of a server, with who may teach them."""

    def ask_to_teach(self, typed: str, *, address: str = "") -> tuple[str, int]:
        """A token that teaches nothing yet, and the number by which this device is known to whoever
        lets it in.
        """
        code = self._with_code(typed, address)
        if code is None:
            raise ClassRefusal("There is no class with this code.")
        token = secrets.token_urlsafe(16)
        with self._store.write_transaction() as store:
            rows = store.execute(
                "SELECT number, allowed FROM console WHERE code = ? ORDER BY asked", (code,)
            ).fetchall()
            waiting = [number for number, allowed in rows if not allowed]
            if len(waiting) >= MOST:
                store.execute(
                    "DELETE FROM console WHERE code = ? AND number = ?", (code, waiting[0])
                )
            taken = {number for number, _ in rows}
            number = next(
                n for n in iter(lambda: 1000 + secrets.randbelow(9000), None) if n not in taken
            )
            store.execute(
                "INSERT INTO console (token, code, number, asked) VALUES (?, ?, ?, ?)",
                (token_digest(token), code, number, self._clock()),
            )
        return token, number

    def _with_code(self, typed: str, address: str) -> str | None:
        """The code of a class that is there; one that is none is a try that counts."""
        code, now, limits = read_code(typed), self._clock(), self._limits
        if code is None:
            return None
        self._tried.raise_if_waiting(join_throttle.address_network(address), now)
        try:
            with self._store.write_transaction() as store:
                number = join_throttle.record_try(
                    store, "code", address, now, limits.lookups, limits.minute
                )
        except join_throttle.TooManyTries as refused:
            self._tried.add_refusal(join_throttle.address_network(address), now, refused)
            raise
        if self.read_state(code) is None:
            return None
        with self._store.write_transaction() as store:
            join_throttle.delete_try(store, number)
        return code

    def pending_device_numbers(self, token: str) -> tuple[int, ...]:
        """The numbers of the devices that wait to be let in to the class that this token teaches."""
        with self._store.read_transaction() as store:
            rows = store.execute(
                f"SELECT number FROM console WHERE allowed = 0 AND code IN (SELECT code FROM class WHERE {TEACHES})",  # noqa: S608 - ours
                (token_digest(token),),
            ).fetchall()
        return tuple(number for (number,) in rows)

    def allow_device(self, token: str, number: int) -> None:
        """Let the device with this number teach as well."""
        with self._store.write_transaction() as store:
            code = _taught(store, token)
            store.execute(
                "UPDATE console SET allowed = 1 WHERE code = ? AND number = ?", (code, number)
            )

    def find_class_code(self, token: str) -> str | None:
        """The code of the class that this token teaches, or taught, if its results are still there."""
        with self._store.read_transaction() as store:
            row = store.execute(
                f"SELECT code FROM class WHERE {TEACHES}",  # noqa: S608 - ours
                (token_digest(token),),
            ).fetchone()
        if row is None or self.read_state(row[0]) is None:
            return None
        self.mark_teacher_present(token)
        return str(row[0])


def _taught(store: sqlite3.Connection, token: str) -> str:
    row = store.execute(
        f"SELECT code FROM class WHERE {TEACHES}",  # noqa: S608 - ours
        (token_digest(token),),
    ).fetchone()
    if row is None:
        raise ClassRefusal("This class has ended.")
    return str(row[0])
