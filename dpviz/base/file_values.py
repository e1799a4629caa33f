"""Values in files: mapped by another process, exchanged with it, or kept until they are read.

Scores that both processes hold are not sent again. Only one of two processes writes at a time.
"""

import mmap
import os
import pickle
from collections.abc import Callable, Iterable
from tempfile import TemporaryFile
from typing import IO, Any, Final, Generic, TypeVar, cast

from dpviz.base.packed_strings import PackedStrings
from dpviz.base.scores import Scores

T = TypeVar("T")

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


class SharedScores:
    """Scores that two processes hold, each under the same number; their packed labels too."""

    def __init__(self, scores: Iterable[Scores] = ()) -> None:
        self._both: list[object] = list(scores)
        self._both += [each.labels for each in scores if isinstance(each.labels, PackedStrings)]
        self._places = {id(each): place for place, each in enumerate(self._both)}

    def write(self, value: object, file: IO[bytes]) -> None:
        """Replace the file's content by a value."""
        file.seek(0)
        file.truncate()
        _write(value, file, lambda each: self._places.get(id(each)))

    def read(self, file: IO[bytes]) -> Any:
        file.seek(0)
        reader = pickle.Unpickler(file)  # noqa: S301 - what our own code has written
        reader.persistent_load = self._both.__getitem__  # type: ignore[method-assign]
        return reader.load()


def write_value_and_scores(value: object, file: IO[bytes]) -> tuple[SharedScores, int]:
    """Write a value, then its scores; return the shared scores and their offset in the file."""
    met: dict[int, tuple[int, Scores]] = {}

    def place(each: object) -> int | None:
        return met.setdefault(id(each), (len(met), each))[0] if isinstance(each, Scores) else None

    _write(value, file, place)
    at, scores = file.tell(), [each for _, each in met.values()]
    _write(scores, file, lambda _: None)
    return SharedScores(scores), at


def read_scores_and_value(scores_offset: int, file: IO[bytes]) -> tuple[SharedScores, Any]:
    file.seek(scores_offset)
    both = SharedScores(pickle.load(file))  # noqa: S301 - what our own code has written
    return both, both.read(file)


def _write(value: object, file: IO[bytes], place: Callable[[object], int | None]) -> None:
    writer = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    writer.persistent_id = place  # type: ignore[method-assign]
    writer.dump(value)
    file.flush()


class SpilledValue(Generic[T]):
    """A value in a temporary file without a name, unpickled anew at each `load`."""

    def __init__(self, value: T) -> None:
        self._file = cast(IO[bytes], TemporaryFile())  # noqa: SIM115 - as long as the value
        pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def load(self) -> T:
        self._file.seek(0)
        return cast(T, pickle.load(self._file))  # noqa: S301 - what this has written

    def __getstate__(self) -> bytes:
        self._file.seek(0)
        return self._file.read()

    def __setstate__(self, content: bytes) -> None:
        self._file = cast(IO[bytes], TemporaryFile())  # noqa: SIM115 - as long as the value
        self._file.write(content)

    def __del__(self) -> None:
        self._file.close()
