"""Databases to count in: each made for a test, filled by SQL, and ended with it. PostgreSQL where it is installed."""

import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["PASSWORD", "POSTGRES", "Database", "duckdb_at", "postgres_cluster", "postgres_in", "sqlite_at"]

_FOUND = shutil.which("initdb") or next(map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))[::-1]), None)
POSTGRES = _FOUND is not None
PASSWORD = "p@ss/w:rd#7"  # of characters that an address has other uses for
_WRITTEN = "p%40ss%2Fw%3Ard%237"


class Database:
    """An address, and a way to say SQL there."""

    def __init__(self, name: str, url: str, run: Callable[[str, Sequence[Any] | None], None]) -> None:
        self.name, self.url, self._run = name, url, run

    def sql(self, *statements: str) -> None:
        for statement in statements:
            self._run(statement, None)

    def log(self, rows: Sequence[tuple[Any, Any]], kinds: tuple[str, str] = ("text", "text"), name: str = "log") -> str:
        """A table of (who, what), by its name."""
        self.sql(f"drop table if exists {name}", f"create table {name} (who {kinds[0]}, what {kinds[1]})")
        mark = "%s" if self.name == "postgres" else "?"
        cells = [cell for row in rows for cell in row]
        self._run(f"insert into {name} values " + ", ".join([f"({mark}, {mark})"] * len(rows)), cells)
        return name


def sqlite_at(folder: Path) -> Database:
    path = folder / "log.sqlite"

    def run(statement: str, values: Sequence[Any] | None) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute(statement, values or ())
        connection.close()

    return Database("sqlite", f"sqlite://{path}", run)


def duckdb_at(folder: Path) -> Database:
    import duckdb

    path = folder / "log.duckdb"

    def run(statement: str, values: Sequence[Any] | None) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute(statement, values)

    return Database("duckdb", f"duckdb://{path}", run)


@contextmanager
def postgres_cluster() -> Iterator[str]:
    """A server of its own, which ends with the block: its address. It refuses to run as root."""
    assert _FOUND is not None
    binaries = Path(_FOUND).parent
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # short: the name of a socket has at most 107 characters
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    as_user = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if os.getuid() == 0 else {}

    def run(*command: str) -> None:
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_user)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o644)
        if as_user:
            shutil.chown(folder, user)
        login = ["-U", "tester", "-A", "scram-sha-256", f"--pwfile={folder}/password"]
        run(str(binaries / "initdb"), "-D", f"{folder}/data", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", *login)
        settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        control = [str(binaries / "pg_ctl"), "-D", f"{folder}/data", "-w", "-t", "300", "-l", f"{folder}/log"]
        run(*control, "-o", settings, "start")
        try:
            yield f"postgres://tester:{_WRITTEN}@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def postgres_in(url: str) -> Database:
    import psycopg

    def run(statement: str, values: Sequence[Any] | None) -> None:
        with psycopg.connect(url) as connection:
            connection.execute(statement, values)

    return Database("postgres", url, run)
