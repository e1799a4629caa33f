"""Files written whole or held alone, and errors that name the file.

Invariant: a reader of `write_atomically` sees the old content or the new one, never a part; where
writing fails, for want of room or of leave, the error says which file it was, as the system does
only for opening.
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
    """An `OSError` in here is raised again as one of this file.

    >>> with name_file_in_errors("table.csv"):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device: 'table.csv'
    """
    try:
        yield
    except OSError as err:
        if err.errno is None:
            raise
        raise OSError(err.errno, err.strerror, str(name)) from err


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` into the file in one step: beside it first, then into its place.

    What is there and is no file, a pipe or a device, is written to, and a link leads to its file:
    neither is replaced.
    """
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
    """The file, made if it is not there, open to read and write, while no other process has it so;
    others wait.

    A link that leads to no file is refused: what it led to may have held something.
    """
    with name_file_in_errors(path), FileIO(_opened(path), "r+") as file:
        _lock(file)
        yield file


def is_broken_link(path: Path) -> bool:
    """Whether it is a link to a file that is not there."""
    return path.is_symlink() and not path.exists()


def _opened(path: Path) -> int:
    while True:
        with suppress(FileNotFoundError):
            return os.open(path, os.O_RDWR)
        if is_broken_link(path):
            raise OSError(errno.ENOENT, "It is a link that leads to no file")
        with suppress(FileExistsError):  # another process has made it meanwhile
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)  # which follows no link


def _lock(file: FileIO) -> None:
    """Wait for the file; it is free again once it is closed, however that comes."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - each system has one of the two

        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(file, fcntl.LOCK_EX)


def append_durably(file: FileIO, content: bytes) -> None:
    """Put `content` at the end of an open file and onto the disk, all of it or, where there is no
    room, nothing.
    """
    end = file.seek(0, os.SEEK_END)
    try:
        while content:
            content = content[file.write(content) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(end)
        raise
