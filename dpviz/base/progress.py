"""Progress and cancelling of work that can last over 0.3 s."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_FORETELLS = 5.0  # seconds of work before what is left is told

# called with the fraction done, from 0 to 1; may raise `Cancelled`, which ends the work there
Progress = Callable[[float], None]


def ignore_progress(fraction: float) -> None: ...


def portion(progress: Progress, start: float, stop: float) -> Progress:
    """Progress of a part of the work, from fraction `start` to `stop` of the whole."""

    def report(fraction: float) -> None:
        progress(start + (stop - start) * fraction)

    return report


def iterate_with_progress(items: Sequence[T], progress: Progress) -> Iterator[tuple[T, Progress]]:
    """Every item, with the progress of its own even share of the work.

    >>> seen = []
    >>> for item, part in iterate_with_progress("ab", seen.append):
    ...     part(0.5)
    >>> seen
    [0.25, 0.5, 0.75, 1.0]
    """
    for i, item in enumerate(items):
        part = portion(progress, i / len(items), (i + 1) / len(items))
        yield item, part
        part(1.0)


def slices_with_progress(length: int, size: int, progress: Progress) -> Iterator[slice]:
    """Slices of at most `size` that make up `length`, each reported once it is done."""
    for start in range(0, length, size):
        stop = min(start + size, length)
        yield slice(start, stop)
        progress(stop / length)


def monotone_progress(progress: Progress) -> Progress:
    """Progress that never reports a smaller fraction than before.

    >>> seen: list[float] = []
    >>> list(map(monotone_progress(seen.append), (0.5, 0.1, 0.7))) and seen
    [0.5, 0.5, 0.7]
    """
    highest = 0.0

    def report(fraction: float) -> None:
        nonlocal highest
        highest = max(highest, fraction)
        progress(highest)

    return report


def time_left(seconds_passed: float, first_fraction: float, fraction: float) -> str:
    """Time still needed, after `seconds_passed` seconds from the `first_fraction` fraction; "" too
    early.
    """
    if seconds_passed < _FORETELLS or fraction < first_fraction + 0.01:
        return ""
    seconds = seconds_passed / (fraction - first_fraction) * (1 - fraction)
    return f"{seconds / 60:,.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"


def state_without_progress(holder: object) -> dict[str, Any]:
    """State of an object to be pickled, with a `progress` that reports to nobody."""
    return {
        name: ignore_progress if name == "progress" else held for name, held in vars(holder).items()
    }


silent = ignore_progress  # the former name, in stored pickles
