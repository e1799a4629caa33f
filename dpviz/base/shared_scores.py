"""Values exchanged by two processes in a shared file; scores that both hold are not sent again.

Invariants: a value that is read refers to the very scores that its reader holds; only one of the
two processes writes at a time. Pickling goes straight into the file, without a copy in memory.
"""

import pickle
from collections.abc import Callable, Iterable
from typing import IO, Any

from dpviz.base.packed_strings import PackedStrings
from dpviz.base.scores import Scores


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


def write_with_scores(value: object, file: IO[bytes]) -> tuple[SharedScores, int]:
    """Write a value, then its scores; return the shared scores and their offset in the file."""
    met: dict[int, tuple[int, Scores]] = {}

    def place(each: object) -> int | None:
        return met.setdefault(id(each), (len(met), each))[0] if isinstance(each, Scores) else None

    _write(value, file, place)
    at, scores = file.tell(), [each for _, each in met.values()]
    _write(scores, file, lambda _: None)
    return SharedScores(scores), at


def read_with_scores(at: int, file: IO[bytes]) -> tuple[SharedScores, Any]:
    file.seek(at)
    both = SharedScores(pickle.load(file))  # noqa: S301 - what our own code has written
    return both, both.read(file)


def _write(value: object, file: IO[bytes], place: Callable[[object], int | None]) -> None:
    writer = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    writer.persistent_id = place  # type: ignore[method-assign]
    writer.dump(value)
    file.flush()
