"""Databases to count in: each made for a test, filled by SQL, and ended with it."""

import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.until import until

_FOUND = shutil.which("initdb") or next(
    map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))[::-1]), None
)
POSTGRES = _FOUND is not None
_SERVER = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
MARIADB = _SERVER is not None and shutil.which("mariadb-install-db") is not None
PASSWORD = "p@ss/w:rd#7"  # of characters that an address has other uses for
_NOBODY_THERE = 2003
_WRITTEN = "p%40ss%2Fw%3Ard%237"


class Database:
    """An address, and a way to say SQL there."""

    def __init__(self, name: str, url: str, connect: Callable[[], Any]) -> None:
        self.name, self.url, self._connect = name, url, connect

    def sql(self, *statements: str, values: Sequence[Any] = ()) -> None:
        """Say these; the values go to the marks of the last."""
        with self._connect() as connection:
            for statement in statements:
                given = [values] if values and statement is statements[-1] else []
                connection.cursor().execute(statement, *given)

    def log(
        self,
        rows: Sequence[tuple[Any, Any]],
        kinds: tuple[str, str] = ("text", "text"),
        name: str = "log",
    ) -> str:
        """A table of (who, what), by its name."""
        mark = "%s" if self.name in ("postgres", "mysql") else "?"
        marks = ", ".join([f"({mark}, {mark})"] * len(rows))
        self.sql(
            f"drop table if exists {name}",
            f"create table {name} (who {kinds[0]}, what {kinds[1]})",
            f"insert into {name} values {marks}",
            values=[cell for row in rows for cell in row],
        )
        return name


def sqlite_at(folder: Path) -> Database:
    path = folder / "log.sqlite"
    return Database(
        "sqlite",
        f"sqlite://{path}",
        lambda: closing(sqlite3.connect(path, isolation_level=None)),  # committed at once
    )


def duckdb_at(folder: Path) -> Database:
    import duckdb

    path = folder / "log.duckdb"
    return Database("duckdb", f"duckdb://{path}", lambda: duckdb.connect(str(path)))


@contextmanager
def _folder_for(server: str) -> Iterator[tuple[Path, dict[str, Any], int]]:
    """A folder, how to start a process as who may run a server there, and a free port."""
    folder = Path(tempfile.mkdtemp(prefix="db"))  # short: a socket's name has at most 107 letters
    as_user: dict[str, Any] = {}
    if os.getuid() == 0:  # as whom servers refuse to run
        as_user = {"user": server, "group": pwd.getpwnam(server).pw_gid, "extra_groups": []}
        shutil.chown(folder, server)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    try:
        yield folder, as_user, port
    finally:
        shutil.rmtree(folder)


def _write_for_all(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


@contextmanager
def postgres_cluster() -> Iterator[str]:
    """A server of its own in Tokyo, which ends with the block: its address."""
    assert _FOUND is not None
    binaries = Path(_FOUND).parent
    with _folder_for("postgres") as (folder, as_user, port):

        def run(command: str, *more: str) -> None:
            words = [f"{binaries}/{command}", *more]
            subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_user)

        _write_for_all(folder / "password", PASSWORD)
        login = f"-U tester -A scram-sha-256 --pwfile={folder}/password"
        made = f"-D {folder}/data --no-sync -E UTF8 --locale=C.UTF-8"
        run("initdb", *f"{made} {login}".split())
        settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        control = f"-D {folder}/data -w -t 300 -l {folder}/log".split()
        run("pg_ctl", *control, "-o", f"{settings} -c timezone=Asia/Tokyo", "start")
        try:
            yield f"postgres://tester:{_WRITTEN}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", *control, "-m", "immediate", "stop")


def postgres_in(url: str) -> Database:
    import psycopg

    return Database("postgres", url, lambda: psycopg.connect(url))


@contextmanager
def mariadb_server() -> Iterator[str]:
    """The same of MariaDB, whose texts are compared without case, as it comes."""
    assert _SERVER is not None
    with _folder_for("mysql") as (folder, as_user, port):
        rights = "grant all on *.* to tester with grant option;"
        login = ["create database log;", f"create user tester identified by '{PASSWORD}';", rights]
        _write_for_all(folder / "login", "\n".join(login))
        # a server that starts clears its tmpdir
        data = f"--no-defaults --datadir={folder}/data --tmpdir={folder}"
        quick = (
            "--skip-log-bin --innodb-flush-log-at-trx-commit=0 --skip-name-resolve"
            " --default-time-zone=+09:00"
        )
        texts = "--character-set-server=utf8mb4 --collation-server=utf8mb4_general_ci"
        there = (
            f"--socket={folder}/socket --port={port} --bind-address=127.0.0.1"
            f" --init-file={folder}/login"
        )
        install = (
            f"mariadb-install-db {data} --auth-root-authentication-method=normal --skip-test-db"
        )
        with (folder / "said").open("wb") as said:
            told: dict[str, Any] = {"cwd": folder, "stdout": said, "stderr": said, **as_user}
            subprocess.run(install.split(), check=True, **told)
            command = [_SERVER, *f"{data} {quick} {texts} {there}".split()]
            running = subprocess.Popen(command, **told)
        try:
            _wait_until_it_answers(running, port)
            yield f"mysql://tester:{_WRITTEN}@127.0.0.1:{port}/log"
        finally:
            running.kill()
            running.wait()


def _wait_until_it_answers(running: "subprocess.Popen[bytes]", port: int) -> None:
    import pymysql

    def answers() -> bool:
        try:
            pymysql.connect(host="127.0.0.1", port=port, user="tester", password=PASSWORD).close()
        except pymysql.OperationalError as err:
            if err.args[0] != _NOBODY_THERE:
                raise
            return False
        return True

    until(answers, of=running)


def mariadb_in(url: str) -> Database:
    import pymysql

    parts = urlsplit(url)
    told: dict[str, Any] = {"host": parts.hostname, "port": parts.port, "user": parts.username}
    told |= {"password": PASSWORD, "database": "log", "charset": "utf8mb4", "autocommit": True}
    return Database("mysql", url, lambda: pymysql.connect(**told))
