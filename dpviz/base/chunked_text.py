"""The text of a file in pieces, so that a large one is never whole in memory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dpviz.base.progress import Progress

MANY: Final = 100_000
"""Number of cells that are written in about a tenth of a second."""


@dataclass(frozen=True)
class ChunkedText:
    """A text that is made when it is read."""

    pieces: Callable[[Progress], Iterator[str]]
    cells: int

    @property
    def is_slow_to_write(self) -> bool:
        """True if writing it takes longer than a page should wait."""
        return self.cells > MANY


@dataclass(frozen=True)
class ChunkedTextWriter:
    text: ChunkedText
    path: str

    def compute_step(
        self, name: str, progress: Progress, previous_results: Mapping[str, Any]
    ) -> int:
        """Write the text, as the only step; return its number of characters."""
        with open(self.path, "r+", encoding="utf-8", newline="") as file:
            file.truncate()  # what an earlier try has written
            return sum(map(file.write, self.text.pieces(progress)))
