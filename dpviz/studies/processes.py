"""Worker processes for independent work: spawned, quiet on Ctrl-C, and never outliving their parent."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor | None]:
    """An executor on that many processes, or None for 1: the work is done in this process then.

    Whatever ends the block early ends the workers too.
    """
    if workers <= 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")  # forking a process that has threads is not safe
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
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


def _nothing() -> None:
    """The work that a worker is started with."""


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C, not even while they load; for us it only waits until the end."""
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
