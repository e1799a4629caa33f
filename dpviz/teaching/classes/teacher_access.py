"""Permission to teach a class: the browser that began it, and devices that it lets in.

A second device asks and shows a number; the teacher compares it with that on the first device.
Invariants: no link, and nothing that a projector shows, is enough to teach; a device that is not
let in can do nothing; at most `MOST` devices wait, and the oldest goes first.
"""

import secrets
import sqlite3
from typing import Any

from dpviz.teaching.classes import join_throttle
from dpviz.teaching.classes.class_reader import ClassReader, token_digest
from dpviz.teaching.classes.class_state import parse_code
from dpviz.teaching.classes.class_store import ClassRefusal, first_value

TEACHES = "(teacher = ?1 OR code IN (SELECT code FROM console WHERE token = ?1 AND allowed = 1))"
"""SQL condition: the token's digest ?1 is that of a teacher of the class."""
MOST = 4
GONE = "This class has ended."


class TeacherAccess(ClassReader):
    """Classes of a server, with who may teach them."""

    def register_waiting_device(self, typed_code: str, *, address: str = "") -> tuple[str, int]:
        """Token of a device that teaches nothing yet, and the number it is known by."""
        code = self._with_code(typed_code, address)
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
                (token_digest(token), code, number, self.clock()),
            )
        return token, number

    def _with_code(self, typed: str, address: str) -> str | None:
        """Code of a class that is there; a wrong code is a try that counts."""
        code, now, limits = parse_code(typed), self.clock(), self._limits
        if code is None:
            return None
        with self._store.write_transaction() as store:
            join_throttle.refuse_many_tries(
                store, "code", address, now, limits.lookups, limits.minute
            )
            if first_value(store, "SELECT 1 FROM class WHERE code = ?", (code,)):
                return code
            join_throttle.record_and_count_events(store, "code", address, now, limits.minute)
        return None

    def pending_device_numbers(self, token: str) -> tuple[int, ...]:
        with self._store.read_transaction() as store:
            waiting = store.execute(
                "SELECT number FROM console WHERE allowed = 0 AND code IN"  # noqa: S608 - ours
                f" (SELECT code FROM class WHERE {TEACHES})",
                (token_digest(token),),
            )
            return tuple(number for (number,) in waiting)

    def allow_device(self, token: str, number: int) -> None:
        with self._store.write_transaction() as store:
            (code,) = read_taught_class_columns(store, token, "code")
            store.execute(
                "UPDATE console SET allowed = 1 WHERE code = ? AND number = ?", (code, number)
            )

    def refuse_device(self, token: str, number: int) -> None:
        with self._store.write_transaction() as store:
            (code,) = read_taught_class_columns(store, token, "code")
            store.execute(
                "DELETE FROM console WHERE code = ? AND number = ? AND allowed = 0", (code, number)
            )

    def is_device_registered(self, token: str) -> bool:
        """True while this device waits, and once it is let in."""
        with self._store.read_transaction() as store:
            asked = "SELECT 1 FROM console WHERE token = ?"
            return bool(first_value(store, asked, (token_digest(token),)))

    def find_taught_class_marking_presence(self, token: str) -> str | None:
        """Code of the class that this token teaches or taught, while its results are kept."""
        with self._store.read_transaction() as store:
            code = first_value(
                store,
                f"SELECT code FROM class WHERE {TEACHES}",  # noqa: S608 - ours
                (token_digest(token),),
            )
        if code is None or self.read_state(code) is None:
            return None
        self.mark_present(token)
        return str(code)


def read_taught_class_columns(store: sqlite3.Connection, token: str, columns: str) -> Any:
    """These columns of the class that a token teaches; refuse where there is none."""
    row = store.execute(
        f"SELECT {columns} FROM class WHERE {TEACHES}",  # noqa: S608 - ours
        (token_digest(token),),
    ).fetchone()
    if row is None:
        raise ClassRefusal(GONE)
    return row
