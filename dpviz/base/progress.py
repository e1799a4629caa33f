"""Reporting and cancelling long work.

A `Progress` is called with the fraction done, from 0 to 1, between steps of the work; it may raise
`dpviz.base.errors.Cancelled`, which ends the work there. Work that can last over 0.3 s takes one.
"""

from collections.abc import Callable

__all__ = ["Progress", "portion", "rising", "silent"]

Progress = Callable[[float], None]


def silent(fraction: float) -> None:
    """The progress of work nobody watches."""


def portion(progress: Progress, start: float, stop: float) -> Progress:
    """A progress for one part of the work, which fills the stretch from `start` to `stop` of the whole.

    >>> seen = []
    >>> portion(seen.append, 0.5, 1.0)(0.5)
    >>> seen
    [0.75]
    """

    def report(fraction: float) -> None:
        progress(start + (stop - start) * fraction)

    return report


def rising(progress: Progress) -> Progress:
    """A progress that never tells a fraction below one it told before.

    >>> seen = []
    >>> watched = rising(seen.append)
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
