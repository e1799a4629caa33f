"""The text of a file that may be large, piece by piece: whoever writes it down never has all of it
in memory.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dpviz.base.progress import Progress

MANY: Final = 100_000
"""So many cells are written in a tenth of a second."""


@dataclass(frozen=True)
class ChunkedText:
    """A text that is made when it is asked for."""

    pieces: Callable[[Progress], Iterator[str]]
    cells: int

    @property
    def is_large(self) -> bool:
        """Whether it takes more than a page's run."""
        return self.cells > MANY


@dataclass(frozen=True)
class ChunkedTextWriter:
    """Such a text, written into a file that is there."""

    text: ChunkedText
    path: str

    def compute_step(self, name: str, progress: Progress, done: Mapping[str, Any]) -> int:
        """Write it, as the one step of some work; how many characters it has."""
        length = 0
        with open(self.path, "r+", encoding="utf-8", newline="") as file:
            file.truncate()  # what an earlier try has written
            for piece in self.text.pieces(progress):
                length += file.write(piece)
        return length
