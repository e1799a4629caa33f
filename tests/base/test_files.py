"""Writing whole files: the old content or the new, and errors that name the file."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.base.files import append_durably, lock_file, write_atomically


def test_a_write_gives_all_of_the_new_content_or_keeps_the_old_and_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    for content in (b"old and long", b"old"):
        write_atomically(path, content)
        assert path.read_bytes() == content

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path, link = tmp_path / "elsewhere" / "a.csv", tmp_path / "link.csv"
    link.symlink_to(path)
    for content in (b"old", b"new"):  # before there is a file, and after
        write_atomically(link, content)
        assert link.is_symlink()
        assert path.read_bytes() == content


def test_only_one_process_at_a_time_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "record"
    code = f"""
from pathlib import Path
from dpviz.base.files import append_durably, lock_file
for _ in range(200):
    with lock_file(Path({str(path)!r})) as file:
        append_durably(file, b"%d\\n" % file.read().count(b"\\n"))
"""
    root = Path(__file__).resolve().parents[2]
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=root) for _ in range(2)]
    assert [each.wait(120) for each in running] == [0, 0]
    assert path.read_text() == "".join(f"{n}\n" for n in range(400))


def test_an_append_without_room_leaves_the_file_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record"
    path.write_bytes(b"old\n")

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught, lock_file(path) as file:
        append_durably(file, b"new\n")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old\n"


def test_locking_follows_a_link_but_refuses_a_broken_one(tmp_path: Path) -> None:
    there, gone = tmp_path / "there", tmp_path / "gone"
    there.write_bytes(b"old\n")
    for name in (there, gone):
        (tmp_path / f"to {name.name}").symlink_to(name)
    with lock_file(tmp_path / "to there") as file:
        append_durably(file, b"new\n")
    assert there.read_bytes() == b"old\nnew\n"
    broken = tmp_path / "to gone"
    with pytest.raises(OSError, match="a link that leads to no file") as caught, lock_file(broken):
        pass
    assert caught.value.filename == str(broken)
    assert not gone.exists()
