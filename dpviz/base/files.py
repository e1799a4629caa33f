"""Files written whole, and errors that name the file.

Invariant: a reader of `write_whole` sees the old content or the new one, never a part; where writing fails, for want
of room or of leave, the error says which file it was, as the system does only for opening.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(name: str | Path) -> Iterator[None]:
    """An `OSError` in here is raised again as one of this file.

    >>> with naming("table.csv"):
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


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` into the file in one step: beside it first, then into its place.

    What is there and is no file, a pipe or a device, is written to, and a link leads to its file: neither is replaced.
    """
    with naming(path):
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
