"""Reporting and cancelling long work.

A `Progress` is called with the fraction done, from 0 to 1, between steps of the work; it may raise
`dpviz.base.errors.Cancelled`, which ends the work there. Work that can last over 0.3 s takes one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from dpviz.base.former_names import former_members

T = TypeVar("T")

_FORETELLS = 5.0  # seconds of work before what is left is told

Progress = Callable[[float], None]


def ignore_progress(fraction: float) -> None:
    """The progress of work nobody watches."""


def portion(progress: Progress, start: float, stop: float) -> Progress:
    """A progress for one part of the work, which fills the stretch from `start` to `stop` of the
    whole.

    >>> seen = []
    >>> portion(seen.append, 0.5, 1.0)(0.5)
    >>> seen
    [0.75]
    """

    def report(fraction: float) -> None:
        progress(start + (stop - start) * fraction)

    return report


def iterate_with_progress(items: Sequence[T], progress: Progress) -> Iterator[tuple[T, Progress]]:
    """Every item with the progress of its own even share of the work, which is full once the next
    is asked for.

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


def monotone_progress(progress: Progress) -> Progress:
    """A progress that never tells a fraction below one it told before.

    >>> seen = []
    >>> watched = monotone_progress(seen.append)
    >>> watched(0.5), watched(0.1), watched(0.7)
    (None, None, None)
    >>> seen
    [0.5, 0.5, 0.7]
    """
    highest = 0.0

    def report(fraction: float) -> None:
        nonlocal highest
        highest = max(highest, fraction)
        progress(highest)

    return report


def time_left(passed: float, first: float, fraction: float) -> str:
    """About how long it still takes, if it goes on as in the seconds passed, from the `first`
    fraction; "" too early.

    >>> time_left(60.0, 0.0, 0.25), time_left(60.0, 0.5, 0.875), time_left(1.0, 0.0, 0.5)
    ('3 min left', '20 s left', '')
    """
    if passed < _FORETELLS or fraction < first + 0.01:
        return ""
    seconds = passed / (fraction - first) * (1 - fraction)
    return f"{seconds / 60:,.0f} min left" if seconds >= 90 else f"{seconds:.0f} s left"


def state_without_progress(holder: object) -> dict[str, Any]:
    """The state of an object to be pickled, its `progress` silent: who hears it does so in this
    process alone.
    """
    return {
        name: ignore_progress if name == "progress" else held for name, held in vars(holder).items()
    }


__getattr__ = former_members(__name__, silent="ignore_progress")  # in stored pickles
