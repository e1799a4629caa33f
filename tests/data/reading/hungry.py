"""Readers that go wrong; on their own, so that nothing else is loaded with them."""

import ctypes
import os
import signal
from contextlib import suppress
from pathlib import Path


def hungry(content: bytes) -> int:
    """Takes all the memory that it can; gives by how much this process has grown."""
    before, taken = anonymous(), []
    with suppress(MemoryError):
        while len(taken) < 2_000:
            taken.append(b"x" * 1_000_000)
    del taken[-10:]  # room for what follows
    return anonymous() - before


def anonymous() -> int:
    """Bytes of this process that are no file's."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * next(
        int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")
    )


def crashes() -> None:
    ctypes.string_at(0)


def is_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fails() -> None:
    raise KeyError("no such key")


class Panic(BaseException):
    """As Rust's of pyo3, which is no Exception."""


def panics_without_memory() -> None:
    """Fails as a library does that could make no object, while all its others are held."""
    taken = []
    try:
        while len(taken) < 100_000_000:
            taken.append(b"x" * 1_000)
    except MemoryError:
        raise Panic("Python API call failed") from None


def panics() -> None:
    raise Panic("Python API call failed")
