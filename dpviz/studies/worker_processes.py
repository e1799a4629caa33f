"""Worker processes that never outlive their parent, and signals handled between two steps.

Workers are spawned, ignore Ctrl-C, and import from the current folder only what the parent would.
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
    """Start Python in here without the current folder on its path; it gets our path later."""
    with _STARTING:
        before = os.environ.get(_SAFE_PATH, "")
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            os.environ[_SAFE_PATH] = before  # "" is none


class _Worker(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:
        with _safe_path():
            return SpawnProcess._Popen(process_obj)


class _Spawning(SpawnContext):  # forking a process that has threads is not safe
    Process = _Worker


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor]:
    """Executor of this many processes, ended with the block."""
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
def executor_factory(workers: int) -> Iterator[Callable[[], Executor]]:
    """Function that gives an executor of this many processes, and a new one at each call."""
    with ExitStack() as pools:
        yield lambda: pools.enter_context(worker_processes(workers))


def _nothing() -> None:
    """First task of a worker."""


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C for processes started in here, even while they load; here it waits."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def raise_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into `TerminationSignal` in here, so that work ends in order."""
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
    """Function to call between two steps, which raises the signal held back so far."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    # Python raises in the main thread anywhere: a lock may then never be released, or an error in a
    # finaliser is lost
    raising = {
        number: handler
        for number in (signal.SIGINT, signal.SIGTERM)
        if callable(handler := signal.getsignal(number))  # as opposed to ending us
    }
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
