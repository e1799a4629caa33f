"""What several lessons use: the class trip's votes, and chances and tables in words."""

from collections.abc import Iterable, Sequence

from dpviz.base.scores import Scores
from dpviz.data import EXAMPLES

__all__ = ["TRIP", "percent", "table"]

TRIP: Scores = EXAMPLES["class_trip"].scores()
"""The votes for a class trip: places, and how many children want to go there."""


def percent(p: float) -> str:
    """A chance in per cent, with one place; never none of it, never all of it.

    >>> [percent(p).replace(chr(0x202F), " ") for p in (0.4312, 1e-9, 0.99999)]
    ['43.1 %', '<0.1 %', '>99.9 %']
    """
    shown = "<0.1" if p < 0.001 else ">99.9" if p > 0.999 else f"{100 * p:.1f}"
    return f"{shown}\u202f%"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in markdown, its first column to the left and the others to the right."""
    lines = [heads, [":--"] + ["--:"] * (len(heads) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
