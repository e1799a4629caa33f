"""What is said on standard error while a command works: sentences, and on a terminal how far it is.

Invariant: the line that shows how far it is gives way to every sentence, and is gone at the end.
"""

import sys
import time

from dpviz.base.progress import time_left

_QUIET = 0.5  # seconds before the line shows
_STEP = 0.1  # seconds between two of them
_WIDTH = 56  # of the longest line, which a shorter one has to cover


def say(sentence: str) -> None:
    """One line on standard error."""
    if sys.stderr is not None:
        sys.stderr.write(f"{_cleared() if sys.stderr.isatty() else ''}dpviz: {sentence}\n")
        sys.stderr.flush()


def _cleared() -> str:
    return f"\r{'':{_WIDTH}}\r"


class Meter:
    """A progress that shows on a terminal, once the work lasts, how much is done and about how long it still takes.

    What is done is told in per cent, or where the work is `counting` cells in cells.
    """

    def __init__(self, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._first = 1.0  # the fraction that was there to begin with, where work goes on
        self._cells = 0

    def counting(self, cells: int) -> None:
        """From now on the work is so many cells, whatever was done before."""
        self._cells, self._first, self._begun = cells, 1.0, time.monotonic()

    def __call__(self, fraction: float) -> None:
        """Show this fraction done, unless another was shown just now."""
        if not self._shows:
            return
        self._first, now = min(self._first, fraction), time.monotonic()
        if now - self._begun < _QUIET or (now - self._last < _STEP and fraction < 1):
            return
        self._last = now
        sys.stderr.write(_cleared() if fraction >= 1 else f"\r{self._told(fraction, now - self._begun):{_WIDTH}}")
        sys.stderr.flush()

    def _told(self, fraction: float, passed: float) -> str:
        done = f"{100 * fraction:4.0f} %"
        if self._cells:
            whole = int(fraction * self._cells + 1e-6)  # a cell that is done counts, whatever rounding took off it
            done = f"cells {whole:,} of {self._cells:,}"
        left = time_left(passed, self._first, fraction)
        return f"{done} · {left}" if left else done
