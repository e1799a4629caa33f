"""Files written atomically or locked, and errors that name the file.

Invariant: a reader of `write_atomically` sees the old content or the new one, never a part.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path


@contextmanager
def name_file_in_errors(name: str | Path) -> Iterator[None]:
    """Raise every `OSError` in the block again with the name of this file."""
    try:
        yield
    except OSError as err:
        if err.errno is None:
            raise
        # the system names the file where opening fails, but not where writing does
        raise OSError(err.errno, err.strerror, str(name)) from err


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file's content in one step; a pipe or a device is written to, a link followed."""
    with name_file_in_errors(path):
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        path = path.resolve()
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            beside.write_bytes(content)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def lock_file(path: Path) -> Iterator[FileIO]:
    """Open the file to read and write, made if need be; other processes wait until it closes."""
    # a link that leads to no file is refused: its target may have held something
    with name_file_in_errors(path), FileIO(_opened(path), "r+") as file:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - each system has one of the two

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX)
        yield file  # free again once it is closed, however that comes


def is_broken_link(path: Path) -> bool:
    """True if the path is a link to a file that is not there."""
    return path.is_symlink() and not path.exists()


def _opened(path: Path) -> int:
    while True:
        with suppress(FileNotFoundError):
            return os.open(path, os.O_RDWR)
        if is_broken_link(path):
            raise OSError(errno.ENOENT, "It is a link that leads to no file")
        with suppress(FileExistsError):  # another process has made it meanwhile
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)  # which follows no link


def append_durably(file: FileIO, content: bytes) -> None:
    """Append `content` to an open file and flush it to the disk, or on failure append nothing."""
    end = file.seek(0, os.SEEK_END)
    try:
        while content:
            content = content[file.write(content) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(end)
        raise
