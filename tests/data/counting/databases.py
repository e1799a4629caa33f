"""Databases to count in: each made for a test, filled by SQL, and ended with it. Servers where they
are installed.
"""

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
from urllib.parse import urlsplit

from tests.until import until

__all__ = [
    "MARIADB",
    "PASSWORD",
    "POSTGRES",
    "Database",
    "duckdb_at",
    "mariadb_in",
    "mariadb_server",
    "postgres_cluster",
    "postgres_in",
    "sqlite_at",
]

_FOUND = shutil.which("initdb") or next(
    map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))[::-1]), None
)
POSTGRES = _FOUND is not None
_SERVER = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
MARIADB = _SERVER is not None and shutil.which("mariadb-install-db") is not None
PASSWORD = "p@ss/w:rd#7"  # of characters that an address has other uses for
_NOBODY_THERE = 2003
_WRITTEN = "p%40ss%2Fw%3Ard%237"


Statement = tuple[str, Sequence[Any] | None]  # with the values of its marks


class Database:
    """An address, and a way to say SQL there: statements by one connection, which may cost more
    than they do.
    """

    def __init__(self, name: str, url: str, run: Callable[[Sequence[Statement]], None]) -> None:
        self.name, self.url, self._run = name, url, run

    def sql(self, *statements: str) -> None:
        self._run([(statement, None) for statement in statements])

    def log(
        self,
        rows: Sequence[tuple[Any, Any]],
        kinds: tuple[str, str] = ("text", "text"),
        name: str = "log",
    ) -> str:
        """A table of (who, what), by its name."""
        mark = "%s" if self.name in ("postgres", "mysql") else "?"
        marks = ", ".join([f"({mark}, {mark})"] * len(rows))
        made = f"create table {name} (who {kinds[0]}, what {kinds[1]})", None
        filled = f"insert into {name} values {marks}", [cell for row in rows for cell in row]
        self._run([(f"drop table if exists {name}", None), made, filled])
        return name


def sqlite_at(folder: Path) -> Database:
    path = folder / "log.sqlite"

    def run(statements: Sequence[Statement]) -> None:
        with sqlite3.connect(path) as connection:
            for statement, values in statements:
                connection.execute(statement, values or ())
        connection.close()

    return Database("sqlite", f"sqlite://{path}", run)


def duckdb_at(folder: Path) -> Database:
    import duckdb

    path = folder / "log.duckdb"

    def run(statements: Sequence[Statement]) -> None:
        with duckdb.connect(str(path)) as connection:
            for statement, values in statements:
                connection.execute(statement, values)

    return Database("duckdb", f"duckdb://{path}", run)


def _user_of(server: str) -> tuple[str, dict[str, Any]]:
    """Who runs a server, and how to start a process as them: servers refuse to run as root."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid()).pw_name, {}
    return server, {"user": server, "group": pwd.getpwnam(server).pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def postgres_cluster() -> Iterator[str]:
    """A server of its own, which ends with the block: its address."""
    assert _FOUND is not None
    binaries = Path(_FOUND).parent
    folder = Path(
        tempfile.mkdtemp(prefix="pg")
    )  # short: the name of a socket has at most 107 characters
    user, as_user = _user_of("postgres")

    def run(*command: str) -> None:
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_user)

    port = _free_port()
    try:
        (folder / "password").write_text(PASSWORD, encoding="utf-8")
        (folder / "password").chmod(0o644)
        if as_user:
            shutil.chown(folder, user)
        login = ["-U", "tester", "-A", "scram-sha-256", f"--pwfile={folder}/password"]
        run(
            str(binaries / "initdb"),
            "-D",
            f"{folder}/data",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            *login,
        )
        settings = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        control = [
            str(binaries / "pg_ctl"),
            "-D",
            f"{folder}/data",
            "-w",
            "-t",
            "300",
            "-l",
            f"{folder}/log",
        ]
        run(*control, "-o", settings, "start")
        try:
            yield f"postgres://tester:{_WRITTEN}@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def postgres_in(url: str) -> Database:
    import psycopg

    def run(statements: Sequence[Statement]) -> None:
        with psycopg.connect(url) as connection:
            for statement, values in statements:
                connection.execute(statement, values)

    return Database("postgres", url, run)


@contextmanager
def mariadb_server() -> Iterator[str]:
    """A server of its own, which ends with the block: its address. Its texts are compared without
    case, as it comes.
    """
    assert _SERVER is not None
    folder = Path(tempfile.mkdtemp(prefix="my"))
    user, as_user = _user_of("mysql")
    if as_user:
        shutil.chown(folder, user)
    port = _free_port()
    rights = "grant all on *.* to tester with grant option;"
    login = ["create database log;", f"create user tester identified by '{PASSWORD}';", rights]
    (folder / "login").write_text("\n".join(login), encoding="utf-8")
    (folder / "login").chmod(0o644)
    data = [
        "--no-defaults",
        f"--datadir={folder}/data",
        f"--tmpdir={folder}",
    ]  # a server that starts clears its tmpdir
    quick = [
        "--skip-log-bin",
        "--innodb-flush-log-at-trx-commit=0",
        "--skip-name-resolve",
        "--default-time-zone=+09:00",
    ]
    texts = ["--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci"]
    there = [
        f"--socket={folder}/socket",
        f"--port={port}",
        "--bind-address=127.0.0.1",
        f"--init-file={folder}/login",
    ]
    install = [
        "mariadb-install-db",
        *data,
        "--auth-root-authentication-method=normal",
        "--skip-test-db",
    ]
    try:
        with (folder / "said").open("wb") as said:
            subprocess.run(install, check=True, cwd=folder, stdout=said, stderr=said, **as_user)
            running = subprocess.Popen(
                [str(_SERVER), *data, *quick, *texts, *there],
                cwd=folder,
                stdout=said,
                stderr=said,
                **as_user,
            )
        try:
            _wait_until_it_answers(running, port)
            yield f"mysql://tester:{_WRITTEN}@127.0.0.1:{port}/log"
        finally:
            running.kill()
            running.wait()
    finally:
        shutil.rmtree(folder)


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

    def run(statements: Sequence[Statement]) -> None:
        told: dict[str, Any] = {"host": parts.hostname, "port": parts.port, "user": parts.username}
        with pymysql.connect(
            **told, password=PASSWORD, database="log", charset="utf8mb4"
        ) as connection:
            for statement, values in statements:
                connection.cursor().execute(statement, values)
            connection.commit()

    return Database("mysql", url, run)
