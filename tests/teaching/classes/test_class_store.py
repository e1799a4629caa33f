"""The store: for its owner only, shared by processes, and empty of what was deleted; whole whatever ends a process."""

import os
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpviz.teaching.classes import ClassManager, ClassStoreUnavailable
from dpviz.teaching.classes.class_store import ENVIRONMENT, ClassStore, default_path
from tests.teaching.classes.looks import KEY, ROOT, joined

A_CLASS = "class (code, teacher, lessons, seed, began) VALUES ('ABCDEF', x'', '', 0, 0)"
OTHER = """
import sys, pathlib
from dpviz.teaching.classes.class_store import ClassStore
ClassStore(pathlib.Path(sys.argv[1])).close()
"""


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "own" / "classes.sqlite"
    before = os.umask(0)
    try:
        store = ClassStore(path)
        with store.write_transaction() as connection:
            connection.execute(f"INSERT INTO {A_CLASS}")
        files = sorted(tmp_path.rglob("*.sqlite*"))
        ends = ("", "-shm", "-wal")
        assert [file.name for file in files] == [f"classes.sqlite{end}" for end in ends]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        store.close()
    finally:
        os.umask(before)


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    path.touch(0o644)
    ClassStore(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "everyones"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="somebody else could read or change them"):
        ClassStore(folder / "classes.sqlite")


def test_a_link_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / "classes.sqlite").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="Classes are not kept in"):
        ClassStore(tmp_path / "classes.sqlite")


def test_another_process_that_ends_takes_nothing_along(tmp_path: Path) -> None:
    """Though this one opened the store twice: else the other finds no lock, and deletes the log."""
    path = tmp_path / "classes.sqlite"
    store, again = ClassStore(path), ClassStore(path)
    subprocess.run([sys.executable, "-c", OTHER, path], check=True)
    with store.write_transaction() as connection:
        connection.execute(f"INSERT INTO {A_CLASS}")
    with sqlite3.connect(path) as read:  # as a server that has begun again
        assert read.execute("SELECT code FROM class").fetchall() == [("ABCDEF",)]
    again.close()
    store.close()


def test_a_store_that_is_locked_full_or_none_is_told_in_one_sentence_and_keeps_what_it_had(
    tmp_path: Path,
) -> None:
    path = tmp_path / "classes.sqlite"
    store, other = ClassStore(path), sqlite3.connect(path, isolation_level=None)
    ask = store._connection.execute
    ask("PRAGMA busy_timeout=10")
    other.execute("BEGIN IMMEDIATE")
    held = pytest.raises(ClassStoreUnavailable, match="another program holds them")
    with held, store.write_transaction():
        pass
    other.execute("COMMIT")
    pages = ask("PRAGMA page_count").fetchone()[0]
    ask(f"PRAGMA max_page_count={pages}")
    full = pytest.raises(ClassStoreUnavailable, match="the disk that they are kept on is full")
    with full, store.write_transaction():
        ask("INSERT INTO own (key) VALUES (zeroblob(100000))")
    ask(f"PRAGMA max_page_count={10 * pages}")
    with store.write_transaction():
        assert ask("SELECT count(*) FROM own").fetchone() == (1,)
    store.close()
    other.close()
    (tmp_path / "poem").write_text("no store at all, but a poem " * 100)
    with pytest.raises(ClassStoreUnavailable, match="is something else"):
        ClassStore(tmp_path / "poem")


def test_the_environment_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "here"))
    assert default_path() == tmp_path / "here"
    monkeypatch.delenv(ENVIRONMENT)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert default_path().parent == tmp_path / f"dpviz-{os.getuid()}"


@pytest.mark.parametrize("table", ["prediction", "drawn"])
def test_no_text_goes_where_numbers_are(table: str, tmp_path: Path) -> None:
    store = ClassStore(tmp_path / "classes.sqlite")
    with store.write_transaction() as connection:
        connection.execute(f"INSERT INTO {A_CLASS}")
    refused = pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT")
    with refused, store.write_transaction() as connection:
        connection.execute(f"INSERT INTO {table} VALUES ('ABCDEF', 0, 0, 0, 'Ann')")
    with store.read_transaction() as connection:
        assert connection.execute("SELECT count(*) FROM class").fetchone() == (1,)
    store.close()


def test_tables_of_an_older_version_make_room(tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    old = sqlite3.connect(path)
    old.executescript(
        "CREATE TABLE class (code TEXT, lesson TEXT); INSERT INTO class VALUES ('GHJKLM', 'ties')"
    )
    old.close()
    for _ in range(2):  # and those of this one stay
        store = ClassStore(path)
        with store.write_transaction() as connection:
            connection.execute(f"INSERT OR IGNORE INTO {A_CLASS}")
            assert connection.execute("SELECT code FROM class").fetchall() == [("ABCDEF",)]
        store.close()


def test_a_clock_that_is_set_two_days_ahead_ends_no_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "classes.sqlite", time.time
    classes = ClassManager(path, age=0.0)
    code, _ = classes.begin_class("ties")
    monkeypatch.setattr(time, "time", lambda: real() + 2 * 24 * 3600.0)
    later = ClassManager(path, age=0.0)  # a process that is started again
    for each in (classes, later):
        each.delete_expired_classes()
        state = each.read_state(code)
        assert state is not None
        assert not state.over
        each.close()


SAVES = """
import sys
from pathlib import Path
from dpviz.teaching.classes import ClassManager
classes = ClassManager(Path(sys.argv[1]), age=0.0)
while True:
    classes.move_to_stop(sys.argv[2], 1)
    classes.move_to_stop(sys.argv[2], 0)
    print("saved", flush=True)
"""


def test_a_process_that_ends_while_it_saves_leaves_the_class_whole(tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    here = ClassManager(path, age=0.0)
    code, token = here.begin_class(KEY)
    command, env = [sys.executable, "-c", SAVES, path, token], {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=os.environ | env, stdout=subprocess.PIPE) as saving:
        assert saving.stdout is not None
        for _ in range(5):
            assert saving.stdout.readline() == b"saved\n"
        saving.kill()
    joined(here, code)  # nothing is locked
    here.close()
    again = ClassManager(path, age=0.0)
    again.move_to_stop(token, 1)
    again.close()
    with sqlite3.connect(path) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    store.close()
