"""What goes to another process and comes back, in a file that both have open: scores that both have
are not sent again.

It goes piece by piece, so that neither holds its bytes beside what they stand for while the other
is not ready.
Invariants: what comes back is about the very scores that were handed over, in the memory that they
have already; only one of the two writes at a time.
"""

import pickle
from collections.abc import Callable, Iterable
from typing import IO, Any

from dpviz.base.packed_strings import PackedStrings
from dpviz.base.scores import Scores


class SharedScores:
    """The scores that two processes have, each in the same place; their names as well."""

    def __init__(self, scores: Iterable[Scores] = ()) -> None:
        self._both: list[object] = list(scores)
        self._both += [each.labels for each in scores if isinstance(each.labels, PackedStrings)]
        self._places = {id(each): place for place, each in enumerate(self._both)}

    def write(self, value: object, file: IO[bytes]) -> None:
        """Put something into the file, in the place of what was there."""
        file.seek(0)
        file.truncate()
        _write(value, file, lambda each: self._places.get(id(each)))

    def read(self, file: IO[bytes]) -> Any:
        """What the other process has put there."""
        file.seek(0)
        reader = pickle.Unpickler(file)  # noqa: S301 - what our own code has written
        reader.persistent_load = self._both.__getitem__  # type: ignore[method-assign]
        return reader.load()


def write_with_scores(value: object, file: IO[bytes]) -> tuple[SharedScores, int]:
    """What both have once the other process has taken the value, and where in the file it finds the
    scores of it.
    """
    met: dict[int, tuple[int, Scores]] = {}

    def place(each: object) -> int | None:
        return met.setdefault(id(each), (len(met), each))[0] if isinstance(each, Scores) else None

    _write(value, file, place)
    at, scores = file.tell(), [each for _, each in met.values()]
    _write(scores, file, lambda _: None)
    return SharedScores(scores), at


def read_with_scores(at: int, file: IO[bytes]) -> tuple[SharedScores, Any]:
    """The same in the other process: what both have, and the value."""
    file.seek(at)
    both = SharedScores(pickle.load(file))  # noqa: S301 - what our own code has written
    return both, both.read(file)


def _write(value: object, file: IO[bytes], place: Callable[[object], int | None]) -> None:
    writer = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    writer.persistent_id = place  # type: ignore[method-assign]
    writer.dump(value)
    file.flush()
