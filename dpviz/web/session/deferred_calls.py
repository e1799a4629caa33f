"""What takes a while and must not be lost: it is done where a run begins, and again by the next if
a press ends that.

Streamlit ends a run as soon as somebody presses anything, and with it the callback that it is in:
what that had not yet put into the session is gone. So a callback that counts or reads only says
what is to be done.
Invariants: what was begun is done before anything is drawn, in the order in which it was asked for;
what is wrong with it is raised once.
"""

from collections.abc import Callable

from dpviz.web.session.slot import SessionValue

_WORK: SessionValue[list[Callable[[], None]]] = SessionValue("work", list)


def defer_to_next_run(work: Callable[[], None]) -> None:
    """Have this done where the next run begins; it may be done twice, and must come to the same
    then.
    """
    _WORK.value.append(work)


def run_deferred_work() -> None:
    """Do what is left to do; what a press cuts short is left to the run of that press."""
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
