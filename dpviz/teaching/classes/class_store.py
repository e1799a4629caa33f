"""Store of classes that all processes of a server share: SQLite in write-ahead mode.

Invariants: tables hold no name, no data of anybody, and no typed text but a running poll; deleted
data are overwritten, and the write log is emptied; any failure of SQLite is one
`ClassStoreUnavailable`, and leaves the data as they were.
"""

import logging
import os
import secrets
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENVIRONMENT = "DPVIZ_CLASSES"  # the variable that names the file
TEACH_KEY = "DPVIZ_TEACH_KEY"  # that which has the key to begin classes
_PATIENCE = 3.0  # seconds in which another process's write ends: all of this process wait meanwhile
_VERSION = 7  # of the tables
_WHY = {
    sqlite3.SQLITE_BUSY: "another program holds them",
    sqlite3.SQLITE_LOCKED: "another program holds them",
    sqlite3.SQLITE_FULL: "the disk that they are kept on is full",
    sqlite3.SQLITE_READONLY: "the file that they are kept in may not be written to",
    sqlite3.SQLITE_NOTADB: "the file that they are kept in is something else",
}
_log = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS class (
    code TEXT PRIMARY KEY CHECK (length(code) = 6),
    teacher BLOB UNIQUE NOT NULL,
    lessons TEXT NOT NULL,
    seed INTEGER NOT NULL,
    began REAL NOT NULL,
    ends REAL NOT NULL DEFAULT 0,
    place INTEGER NOT NULL DEFAULT 0,
    setting INTEGER NOT NULL DEFAULT 0,
    locked INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 0,
    door TEXT UNIQUE,
    begun_by BLOB,
    heard REAL NOT NULL DEFAULT 0,
    timer_ends REAL,
    timer_seconds REAL,
    poll_place INTEGER CHECK (poll_place < 0),
    poll TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vote (
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    place INTEGER NOT NULL,
    again INTEGER NOT NULL DEFAULT 0,
    shown INTEGER NOT NULL DEFAULT 0,
    bars INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (code, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS student (
    token BLOB PRIMARY KEY,
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    number INTEGER NOT NULL,
    since REAL NOT NULL DEFAULT 0,
    writes INTEGER NOT NULL DEFAULT 0,
    seen REAL NOT NULL DEFAULT 0,
    came REAL NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (code, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS prediction (
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    place INTEGER NOT NULL,
    again INTEGER NOT NULL,
    number INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    PRIMARY KEY (code, place, again, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark (
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    place INTEGER NOT NULL,
    number INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (code, place, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS drawn (
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    place INTEGER NOT NULL,
    setting INTEGER NOT NULL,
    number INTEGER NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (code, place, setting, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS console (
    token BLOB PRIMARY KEY,
    code TEXT NOT NULL REFERENCES class ON DELETE CASCADE,
    number INTEGER NOT NULL,
    asked REAL NOT NULL,
    allowed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (code, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS try (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    address BLOB NOT NULL,
    at REAL NOT NULL,
    until REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS own (
    key BLOB NOT NULL,
    boot TEXT NOT NULL DEFAULT '',
    epoch REAL NOT NULL DEFAULT 0
) STRICT;
"""


class ClassRefusal(Exception):
    """A refusal, with a sentence for the person who asked."""


class ClassStoreUnavailable(ClassRefusal):
    """The store of classes is locked, its disk is full, or its file is no store."""


@dataclass(frozen=True, kw_only=True)
class ClassLimits:
    """Limits on what classes take of the server."""

    classes: int = 100  # at once, on all processes together
    people: int = 300  # in a class
    seconds: float = 3 * 3600.0  # then it ends
    results: float = 24 * 3600.0  # after its end, for which its results stay
    away: float = 30.0  # since one was heard of last; then one is not there any more
    writes: int = 20  # predictions and draws of a person ...
    within: float = 10.0  # ... in so many seconds
    empty: float = 600.0  # seconds without student and teacher, after which a class ends
    unused: float = 60.0  # after which an unused seat makes way for somebody in a full class
    lookups: int = 100  # of typed codes that no class has, on all processes together,
    keys: int = 20  # wrong keys to begin a class, on all processes together ...
    minute: float = 60.0  # ... in so many seconds
    begun: int = 30  # classes that an address may have under way
    begun_empty: int = 10  # of these without a student
    joined: int = 1000  # seats that an address may take ...
    joined_within: float = 600.0  # ... in so many seconds: three lecture halls behind one address


LIMITS = ClassLimits()


def default_path() -> Path:
    """File that `DPVIZ_CLASSES` names, else one in a temporary folder of this user."""
    path = os.environ.get(ENVIRONMENT)
    if path:
        return Path(path)
    folder = f"dpviz-{os.getuid()}" if hasattr(os, "getuid") else "dpviz"
    return Path(tempfile.gettempdir()) / folder / "classes.sqlite"


class ClassStore:
    """One connection, used by the threads of this process in turn."""

    def __init__(self, path: Path) -> None:
        _claim(path)
        self._lock = threading.RLock()
        with _answering():
            self._connection = sqlite3.connect(
                path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except ClassStoreUnavailable:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        """Create the tables; drop those of an older version, whose classes are over."""
        with _answering():
            for pragma in (
                "journal_mode=WAL",
                "synchronous=NORMAL",
                "secure_delete=ON",
                "foreign_keys=ON",
            ):
                self._connection.execute(f"PRAGMA {pragma}")
        with self.write_transaction() as store:
            if first_value(store, "PRAGMA user_version") != _VERSION:
                for (table,) in store.execute(
                    "SELECT name FROM sqlite_schema WHERE type = 'table'"
                ).fetchall():
                    store.execute(f'DROP TABLE IF EXISTS "{table}"')
                store.execute(f"PRAGMA user_version = {_VERSION}")
            for statement in _SCHEMA.split(";"):
                store.execute(statement)
            if first_value(store, "SELECT count(*) FROM own") == 0:
                store.execute("INSERT INTO own (key) VALUES (?)", (secrets.token_bytes(32),))
            self._epoch = _epoch(store)

    def clock(self) -> float:
        """Seconds, as all processes count them; they go on where the machine's clock is set."""
        return self._epoch + time.monotonic()

    @contextmanager
    def read_transaction(self) -> Iterator[sqlite3.Connection]:
        """Read the store as it is at one moment."""
        yield from self._transaction("BEGIN")

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Read and write alone; an exception undoes everything."""
        yield from self._transaction("BEGIN IMMEDIATE")

    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, _answering():
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise

    def truncate_write_log(self) -> None:
        """Empty the write log, which holds deleted data, unless another process reads it now."""
        with self._lock, _answering():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._connection.close()  # the log goes with the last process


def _epoch(store: sqlite3.Connection) -> float:
    """The time at which this start of the machine began, as its first process took it."""
    boot, now = _boot(), time.time() - time.monotonic()
    if boot and first_value(store, "SELECT boot FROM own") == boot:
        return float(first_value(store, "SELECT epoch FROM own"))
    store.execute("UPDATE own SET boot = ?, epoch = ?", (boot, now))
    return now


def _boot() -> str:
    """Name of this start of the machine; "" where the system does not tell it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@contextmanager
def _answering() -> Iterator[None]:
    """Turn errors of SQLite into `ClassStoreUnavailable`; programming errors stay."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError):
        raise
    except sqlite3.Error as err:
        _log.warning("the store of classes: %s", err)
        why = _WHY.get(getattr(err, "sqlite_errorcode", 0) & 0xFF, "their file cannot be used")
        raise ClassStoreUnavailable(
            f"The server cannot open its classes now: {why}. Try again in a moment."
        ) from err


def _claim(path: Path) -> None:
    """Create the file and its folder for this user alone; refuse those of others."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # An existing file is not opened: closing it would drop this process's locks on an open store.
    # Another process could then take itself for the last and delete the log.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    if hasattr(os, "getuid"):
        file, folder = path.lstat(), path.parent.stat()
        shared = (
            folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not folder.st_mode & stat.S_ISVTX
        )
        strange = not stat.S_ISREG(file.st_mode) or file.st_uid != os.getuid()
        if strange or folder.st_uid not in {0, os.getuid()} or shared:
            raise PermissionError(
                f"Classes are not kept in {path}: somebody else could read or change them."
            )
        path.chmod(0o600)


def first_value(store: sqlite3.Connection, query: str, values: tuple[object, ...] = ()) -> Any:
    """First value of the first row that a query finds; None where there is no row."""
    row = store.execute(query, values).fetchone()
    return None if row is None else row[0]


def increment_version(store: sqlite3.Connection, code: str) -> None:
    """Mark the class as changed for the next reader."""
    store.execute("UPDATE class SET version = version + 1 WHERE code = ?", (code,))


def set_vote_flags(store: sqlite3.Connection, code: str, stop_index: int, **what: bool) -> None:
    store.execute("INSERT OR IGNORE INTO vote (code, place) VALUES (?, ?)", (code, stop_index))
    for name, value in what.items():
        store.execute(
            f"UPDATE vote SET {name} = ? WHERE code = ? AND place = ?",  # noqa: S608 - ours
            (int(value), code, stop_index),
        )


def update_class(store: sqlite3.Connection, code: str, **columns: object) -> None:
    names = ", ".join(f"{name} = ?" for name in columns)
    store.execute(
        f"UPDATE class SET {names} WHERE code = ?",  # noqa: S608 - ours
        (*columns.values(), code),
    )


def delete_poll(store: sqlite3.Connection, code: str) -> None:
    """Delete a poll with its text and votes."""
    update_class(store, code, poll_place=None, poll=None)
    for table in ("prediction", "vote"):
        store.execute(f"DELETE FROM {table} WHERE code = ? AND place < 0", (code,))  # noqa: S608 - ours


def delete_seats(store: sqlite3.Connection, code: str, numbers: Iterable[int]) -> None:
    """Free these seats and delete what was done there."""
    for table in ("student", "prediction", "drawn", "mark"):
        store.executemany(
            f"DELETE FROM {table} WHERE code = ? AND number = ?",  # noqa: S608 - ours
            [(code, one) for one in numbers],
        )
