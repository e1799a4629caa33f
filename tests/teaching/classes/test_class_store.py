"""The store: for its owner only, shared by processes, and empty of what was deleted."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.teaching.classes import ClassStoreUnavailable
from dpviz.teaching.classes.class_store import ENVIRONMENT, ClassStore, default_path


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "own" / "classes.sqlite"
    before = os.umask(0)
    try:
        store = ClassStore(path)
        with store.write_transaction() as connection:
            connection.execute(
                "INSERT INTO class (code, teacher, lessons, seed, began) VALUES ('ABCDEF', x'', '',"
                " 0, 0)"
            )
        files = sorted(tmp_path.rglob("*.sqlite*"))
        assert [file.name for file in files] == [
            f"classes.sqlite{end}" for end in ("", "-shm", "-wal")
        ]
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
    """Though this one opened the store twice: else the other finds no lock, and deletes the log
    that is written to.
    """
    path = tmp_path / "classes.sqlite"
    store, again = ClassStore(path), ClassStore(path)
    other = [
        sys.executable,
        "-c",
        "import sys, pathlib; from dpviz.teaching.classes.class_store import ClassStore; ",
    ]
    other[-1] += "ClassStore(pathlib.Path(sys.argv[1])).close()"
    subprocess.run([*other, str(path)], check=True)
    with store.write_transaction() as connection:
        connection.execute(
            "INSERT INTO class (code, teacher, lessons, seed, began) VALUES ('ABCDEF', x'', '',"
            " 0, 0)"
        )
    with sqlite3.connect(path) as read:  # as a server that has begun again
        assert read.execute("SELECT code FROM class").fetchall() == [("ABCDEF",)]
    again.close()
    store.close()


def test_a_store_that_is_locked_full_or_none_is_told_in_one_sentence_and_keeps_what_it_had(
    tmp_path: Path,
) -> None:
    path = tmp_path / "classes.sqlite"
    store, other = ClassStore(path), sqlite3.connect(path, isolation_level=None)
    store._connection.execute("PRAGMA busy_timeout=10")
    other.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(ClassStoreUnavailable, match="another program holds them"),
        store.write_transaction(),
    ):
        pass
    other.execute("COMMIT")
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count={pages}")
    with (
        pytest.raises(ClassStoreUnavailable, match="the disk that they are kept on is full"),
        store.write_transaction() as connection,
    ):
        connection.execute("INSERT INTO own (key) VALUES (zeroblob(100000))")
    store._connection.execute(f"PRAGMA max_page_count={10 * pages}")
    with store.write_transaction() as connection:
        assert connection.execute("SELECT count(*) FROM own").fetchone() == (1,)
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
    assert default_path().parent.parent == tmp_path
    assert default_path().parent.name == f"dpviz-{os.getuid()}"


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO prediction VALUES ('ABCDEF', 0, 0, 0, 'Ann')",
        "INSERT INTO drawn VALUES ('ABCDEF', 0, 0, 0, 'Ann')",
    ],
)
def test_no_text_goes_where_numbers_are(text: str, tmp_path: Path) -> None:
    import sqlite3

    store = ClassStore(tmp_path / "classes.sqlite")
    with store.write_transaction() as connection:
        connection.execute(
            "INSERT INTO class (code, teacher, lessons, seed, began) VALUES ('ABCDEF', x'', '',"
            " 0, 0)"
        )
    with (
        pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT"),
        store.write_transaction() as connection,
    ):
        connection.execute(text)
    with store.read_transaction() as connection:
        assert connection.execute("SELECT count(*) FROM class").fetchone() == (1,)
    store.close()


def test_tables_of_an_older_version_make_room(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "classes.sqlite"
    old = sqlite3.connect(path)
    old.executescript(
        "CREATE TABLE class (code TEXT, lesson TEXT); INSERT INTO class VALUES ('ABCDEF', 'ties')"
    )
    old.close()
    for _ in range(2):  # and those of this one stay
        store = ClassStore(path)
        with store.write_transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO class (code, teacher, lessons, seed, began) VALUES"
                " ('GHJKLM', x'', '', 0, 0)"
            )
            assert connection.execute("SELECT code FROM class").fetchall() == [("GHJKLM",)]
        store.close()
