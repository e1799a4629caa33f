"""A value kept on disk until it is read."""

import pickle
from tempfile import TemporaryFile
from typing import IO, Generic, TypeVar, cast

T = TypeVar("T")


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
