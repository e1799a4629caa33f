"""Callbacks that run at the beginning of the next run, and again if that run is interrupted.

Streamlit ends a run, and any callback in it, as soon as somebody presses anything.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from dpviz.web.session.slot import SessionValue

_WORK: SessionValue[list[Callable[[], None]]] = SessionValue("work", list)


def defer_to_next_run(work: Callable[..., None], *given: Any, **named: Any) -> None:
    """Queue work for the beginning of the next run; it may run twice, so it must be idempotent."""
    _WORK.value.append(partial(work, *given, **named))


def run_deferred_work() -> None:
    """Do the queued work; what an interruption cuts short is left for the next run."""
    left = _WORK.value
    while left:
        work = left[0]
        try:
            work()
        except Exception:
            _done(left, work)
            raise
        _done(left, work)


def _done(left: list[Callable[[], None]], work: Callable[[], None]) -> None:
    if left and left[0] is work:  # else another run has done it meanwhile
        left.pop(0)
