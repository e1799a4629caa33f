"""A typed value in the session, declared once, and callbacks that it keeps for the next run.

Streamlit ends a run, and any callback in it, as soon as somebody presses anything. So callbacks run
again if that run is interrupted.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

T = TypeVar("T")


class SessionValue(Generic[T]):
    """The session's value under a name, with its first value."""

    def __init__(self, name: str, make_first: Callable[[], T]) -> None:
        self.name, self._first = f"dpviz.{name}", make_first

    @property
    def value(self) -> T:
        """Current value; changes inside it change the session's."""
        if self.name not in st.session_state:
            self.put(self._first())
        value: T = st.session_state[self.name]
        return value

    def put(self, value: T) -> None:
        st.session_state[self.name] = value


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
