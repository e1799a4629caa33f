"""A value in a file whose arrays another process maps: pages of the file, not copies."""

import mmap
import os
import pickle
from typing import IO, Any, Final

_HEAD: Final = 8  # bytes that say where the places of the arrays stand
_ALIGNED: Final = 64  # bytes, as arrays like to begin


def write_memory_map(value: object, file: IO[bytes]) -> None:
    """Write a value into an empty file."""
    arrays: list[pickle.PickleBuffer] = []
    file.seek(_HEAD)
    pickle.dump(value, file, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
    places = []
    for array in arrays:
        file.seek(-file.tell() % _ALIGNED, os.SEEK_CUR)
        places.append((file.tell(), array.raw().nbytes))
        file.write(array.raw())
    at = file.tell()
    pickle.dump(places, file, pickle.HIGHEST_PROTOCOL)
    file.seek(0)
    file.write(at.to_bytes(_HEAD, "little"))
    file.seek(0)


def read_memory_map(file: IO[bytes]) -> Any:
    """Read the value of a file, which must stay unchanged from now on."""
    file.seek(int.from_bytes(file.read(_HEAD), "little"))
    places = pickle.load(file)  # noqa: S301 - what our own code has written
    mapped = memoryview(mmap.mmap(file.fileno(), 0))
    file.seek(_HEAD)
    return pickle.load(file, buffers=[mapped[start : start + size] for start, size in places])  # noqa: S301
