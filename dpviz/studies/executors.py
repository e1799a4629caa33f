"""What computes the cells of a sweep: an executor, and another where it has lost its workers.

Invariant: a cell whose worker has left is no failure; whoever hands it out may hand it out again,
as a cell depends on nothing but itself. What the cell raises is a failure, whoever computed it.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from typing import Any
from weakref import WeakSet

Gives = Callable[[], Executor | None]
"""Gives an executor, and another one where that has broken."""


class RenewableExecutor:
    """An executor, or what gives them; `submit` and what became of it, with nothing to be known of
    their kind.
    """

    def __init__(self, given: Executor | Gives) -> None:
        self._gives = None if isinstance(given, Executor) else given
        self._executor = given if isinstance(given, Executor) else None
        self._handed: WeakSet[Future[Any]] = WeakSet()  # to this executor

    @property
    def is_local(self) -> bool:
        """Whether these are processes of this machine, whose cells are not taken back."""
        return isinstance(self._executor, ProcessPoolExecutor)

    def submit(self, fn: Callable[..., Any], *args: Any) -> "Future[Any]":
        """Have it computed; a future that has failed where the executor has broken meanwhile."""
        if self._executor is None and self._gives is not None:
            self._executor = self._gives()
        executor = self._executor
        try:
            future = (_Here() if executor is None else robust_executor(executor)).submit(fn, *args)
        except BrokenExecutor as err:
            future = Future()
            future.set_exception(err)
        self._handed.add(future)
        return future

    def replace_executor(self, gone: "Iterable[Future[Any]]") -> bool:
        """Take another executor, where one is to be had, once these are lost; False where that is
        done already.
        """
        if self._handed.isdisjoint(gone):
            return False
        if self._gives is not None and self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor, self._handed = None, WeakSet()
        return True


def worker_failure(future: "Future[Any]") -> BaseException | None:
    """Why nothing will come of it, where its worker is gone; None where it ended, whichever way."""
    if future.cancelled():  # not by us
        return BrokenExecutor("The executor has lost its tasks.")
    failed = future.exception()
    return failed if isinstance(failed, BrokenExecutor) else None


class _Here(Executor):
    """Computes each when it is handed in."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it computed now."""
        ended = Future[Any]()
        try:
            ended.set_result(fn(*args, **kwargs))
        except Exception as err:  # noqa: BLE001 - raised again where the result is asked for
            ended.set_exception(err)
        return ended


def dask_executor(client: Any) -> Executor:
    """The workers of a dask client."""
    return _OfClient(client)


def robust_executor(executor: Executor) -> Executor:
    """An executor as it is; that of a dask client as one that is not misled where a worker leaves."""
    if type(executor).__module__ != "distributed.cfexecutor":
        return executor
    return _OfClient(executor._client)  # type: ignore[attr-defined]


class _OfClient(Executor):
    """A dask client's workers; its own executor takes a result for a failure where the worker that
    had it is gone.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it computed there."""
        asked, ended = self._client.submit(fn, *args, **kwargs), Future[Any]()

        def given_up(ended: "Future[Any]") -> None:
            if ended.cancelled() and asked.status != "cancelled":
                asked.cancel()

        ended.add_done_callback(given_up)
        self._client.loop.add_callback(_follow, asked, ended)
        return ended


async def _follow(asked: Any, ended: "Future[Any]") -> None:
    """Hand on what becomes of it, however that changes afterwards."""
    result, failed = None, None
    try:
        result = await asked
    except CancelledError:  # by the cluster
        ended.cancel()
    except BaseException as err:  # noqa: BLE001 - raised again where the result is asked for
        failed = err
    if ended.set_running_or_notify_cancel():
        ended.set_result(result) if failed is None else ended.set_exception(failed)
