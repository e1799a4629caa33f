"""What changes of a class in the store, in one place for whoever teaches and for the students.

Each is a step of a change that somebody else has begun, and none looks whether that is allowed.
"""

import sqlite3
from collections.abc import Iterable


def increment_version(store: sqlite3.Connection, code: str) -> None:
    """Whoever looks next sees that the class is another."""
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def set_vote_flags(store: sqlite3.Connection, code: str, place: int, **what: bool) -> None:
    """Of the vote at this stop note what has changed."""
    store.execute("INSERT OR IGNORE INTO vote (code, place) VALUES (?, ?)", (code, place))
    for name, value in what.items():
        store.execute(
            f"UPDATE vote SET {name} = ? WHERE code = ? AND place = ?",  # noqa: S608 - ours
            (int(value), code, place),
        )


def delete_poll(store: sqlite3.Connection, code: str) -> None:
    """Nothing is left of a poll: of its text and its votes neither."""
    for table in ("poll", "prediction", "vote"):
        store.execute(f"DELETE FROM {table} WHERE code = ? AND place < 0", (code,))  # noqa: S608 - ours


def delete_seats(store: sqlite3.Connection, code: str, numbers: Iterable[int]) -> None:
    """Nobody has these seats any more, and nothing is left of what was done there."""
    for table in ("student", "prediction", "drawn", "mark"):
        store.executemany(
            f"DELETE FROM {table} WHERE code = ? AND number = ?",  # noqa: S608 - ours
            [(code, one) for one in numbers],
        )
