"""A value that is seldom wanted, on disk until it is."""

import pickle
from tempfile import TemporaryFile
from typing import IO, Any, Generic, TypeVar, cast

T = TypeVar("T")


class SpilledValue(Generic[T]):
    """It lies in a file that has no name and goes with this, or with the process; each time it is
    read anew.

    Examples
    --------
    >>> SpilledValue([1, 2]).load()
    [1, 2]
    """

    def __init__(self, value: T) -> None:
        self._file = _opened()
        pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def load(self) -> T:
        """The value."""
        self._file.seek(0)
        return cast(T, pickle.load(self._file))  # noqa: S301 - what this has written

    def __getstate__(self) -> bytes:
        self._file.seek(0)
        return self._file.read()

    def __setstate__(self, content: bytes) -> None:
        self._file = _opened()
        self._file.write(content)

    def __del__(self) -> None:
        self._file.close()


def _opened() -> IO[bytes]:
    file: Any = TemporaryFile()  # noqa: SIM115 - as long as the value
    return cast(IO[bytes], file)
