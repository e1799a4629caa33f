"""Writes to the store that teachers and students share.

Each is part of a transaction that the caller has begun; none checks permission.
"""

import sqlite3
from collections.abc import Iterable


def increment_version(store: sqlite3.Connection, code: str) -> None:
    """Mark the class as changed for the next reader."""
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def set_vote_flags(store: sqlite3.Connection, code: str, place: int, **what: bool) -> None:
    """Set flags of the question at this stop."""
    store.execute("INSERT OR IGNORE INTO vote (code, place) VALUES (?, ?)", (code, place))
    for name, value in what.items():
        store.execute(
            f"UPDATE vote SET {name} = ? WHERE code = ? AND place = ?",  # noqa: S608 - ours
            (int(value), code, place),
        )


def delete_poll(store: sqlite3.Connection, code: str) -> None:
    """Delete a poll with its text and votes."""
    for table in ("poll", "prediction", "vote"):
        store.execute(f"DELETE FROM {table} WHERE code = ? AND place < 0", (code,))  # noqa: S608 - ours


def delete_seats(store: sqlite3.Connection, code: str, numbers: Iterable[int]) -> None:
    """Free these seats and delete what was done there."""
    for table in ("student", "prediction", "drawn", "mark"):
        store.executemany(
            f"DELETE FROM {table} WHERE code = ? AND number = ?",  # noqa: S608 - ours
            [(code, one) for one in numbers],
        )
