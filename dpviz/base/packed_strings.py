"""Texts in one buffer, each decoded when it is read: half the memory of Python's strings."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import eq
from typing import Any, Final

import numpy as np

FEW: Final = 10_000
"""Number of texts up to which packing does not pay."""
_ANY: Final = "surrogatepass"  # a label may hold what no encoding can write


class PackedStrings(Sequence[str]):
    """A sequence of texts, equal to a tuple of the same."""

    __slots__ = ("_buffer", "_ends")

    def __init__(self, texts: Iterable[str]) -> None:
        buffer, ends = bytearray(), array("q", [0])
        for text in texts:
            buffer += text.encode("utf-8", _ANY)
            ends.append(len(buffer))
        self._buffer, self._ends = bytes(buffer), np.array(ends)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in map(int, self._ends[1:]):
            yield self._buffer[start:end].decode("utf-8", _ANY)
            start = end

    def __getitem__(self, place: Any) -> Any:
        found = range(len(self))[place]
        if isinstance(found, range):
            return tuple(self[each] for each in found)
        return self._buffer[self._ends[found] : self._ends[found + 1]].decode("utf-8", _ANY)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PackedStrings | tuple)
            and len(self) == len(other)
            and all(map(eq, self, other))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))  # as a tuple that is equal

    def __repr__(self) -> str:
        return f"<{len(self):,} texts>"

    def __getstate__(self) -> tuple[bytes, Any]:
        return self._buffer, self._ends

    def __setstate__(self, state: tuple[bytes, Any]) -> None:
        self._buffer, self._ends = state


def pack_if_many(texts: Sequence[str]) -> Sequence[str]:
    """The texts as they are where they are few, else packed."""
    return texts if len(texts) <= FEW else PackedStrings(texts)
