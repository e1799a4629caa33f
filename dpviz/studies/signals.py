"""Signals that end work in order: SIGTERM as Ctrl-C, and both between two steps rather than in the middle of one.

Python raises in the main thread wherever that is. Where it is taking a lock that another thread waits for, the lock is
never given back; where it is clearing an object away, what is raised is lost.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from dpviz.base.errors import Terminated


@contextmanager
def terminating() -> Iterator[None]:
    """SIGTERM, which a cluster's queue or a shutdown sends, raises `Terminated` in here, so that work ends in order."""
    if threading.current_thread() is not threading.main_thread():  # none other hears signals
        yield
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def between_steps() -> Iterator[Callable[[], None]]:
    """A function to be called between two steps of the work in here: what SIGINT and SIGTERM raise is raised there.

    Once one has come a second is not held back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    raising = {number: handler for number, handler in handlers.items() if callable(handler)}  # as opposed to ending us
    came: list[int] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if came:
            raising[signal.Signals(number)](number, frame)
        came.append(number)

    def let_go() -> None:
        if came:
            number = signal.Signals(came[0])
            raising[number](number, None)

    try:
        for number in raising:
            signal.signal(number, hold)
        yield let_go
    finally:
        for number, handler in raising.items():
            signal.signal(number, handler)
    let_go()
