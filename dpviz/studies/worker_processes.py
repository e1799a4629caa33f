"""Work that ends in order: worker processes that never outlive their parent, and signals heard
between two steps.

Workers are spawned, quiet on Ctrl-C, and run nothing that lies in the current folder and that this
process would not find. SIGTERM counts as Ctrl-C, and both are raised between two steps rather than
in the middle of one: Python raises in the main thread wherever that is. Where it is taking a lock
that another thread waits for, the lock is never given back; where it is clearing an object away,
what is raised is lost.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, NoReturn

from dpviz.base import TerminationSignal

_SAFE_PATH = "PYTHONSAFEPATH"
_STARTING = threading.Lock()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Python that is started in here does not look in the current folder first; it is told later
    what we find.
    """
    with _STARTING:
        before = os.environ.get(_SAFE_PATH, "")
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            os.environ[_SAFE_PATH] = before  # "" is none


class _Worker(SpawnProcess):
    """A process that is started so, whenever the pool does that."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:
        with _safe_path():
            return SpawnProcess._Popen(process_obj)


class _Spawning(SpawnContext):  # forking a process that has threads is not safe
    Process = _Worker


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor | None]:
    """An executor on that many processes, or None for 1: the work is done in this process then.

    Whatever ends the block early ends the workers too.
    """
    if workers <= 1:
        yield None
        return
    with _safe_path():  # to count what is shared, a process of Python's own is started here already
        pool = ProcessPoolExecutor(workers, mp_context=_Spawning(), initializer=_start_worker)
    try:
        with _interrupts_held_back():
            for _ in range(workers):
                pool.submit(_nothing)  # starts a worker
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()  # what they compute is not wanted any more
        raise
    pool.shutdown()


@contextmanager
def renewable_processes(workers: int) -> Iterator[Callable[[], Executor | None]]:
    """What gives an executor on that many processes, and another one where a process has ended."""
    with ExitStack() as pools:
        yield lambda: pools.enter_context(worker_processes(workers))


def _nothing() -> None:
    """The work that a worker is started with."""


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C, not even while they load; for us it only waits
    until the end.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """A worker leaves Ctrl-C to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def raise_on_sigterm() -> Iterator[None]:
    """SIGTERM, which a cluster's queue or a shutdown sends, raises `TerminationSignal` in here, so that
    work ends in order.
    """
    if threading.current_thread() is not threading.main_thread():  # none other hears signals
        yield
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TerminationSignal

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def defer_signals() -> Iterator[Callable[[], None]]:
    """A function to be called between two steps of the work in here: what SIGINT and SIGTERM raise
    is raised there.

    Once one has come a second is not held back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    raising = {
        number: handler for number, handler in handlers.items() if callable(handler)
    }  # as opposed to ending us
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
