"""Executors of a sweep's tasks, with a replacement where one has lost its workers.

A task whose worker is gone may be handed out again; an error that a task raises is a failure.
"""

import pickle
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from importlib.util import find_spec
from typing import Any
from weakref import WeakSet

from dpviz.base import ParameterError
from dpviz.studies.sweep import Row, SweepTask

Gives = Callable[[], Executor]
"""Function that gives an executor, and a new one where that has broken."""


class RenewableExecutor:
    """An executor, or a function that gives one, behind one `submit`."""

    def __init__(self, executor_source: Executor | Gives) -> None:
        self._given = executor_source
        self._executor = (
            executor_source if isinstance(executor_source, Executor) else executor_source()
        )
        self._handed: WeakSet[Future[Any]] = WeakSet()  # to this executor

    @property
    def is_local(self) -> bool:
        """True for processes of this machine, whose tasks are not taken back."""
        return isinstance(self._executor, ProcessPoolExecutor)

    def submit(self, task: SweepTask) -> "Future[list[Row]]":
        """Submit a task; the future has failed where the executor is broken."""
        call = picklable_call(task) if self.is_local else (SweepTask.rows, task)
        try:
            future: Future[list[Row]] = robust_executor(self._executor).submit(*call)
        except BrokenExecutor as err:
            future = Future()
            future.set_exception(err)
        self._handed.add(future)
        return future

    def replace_executor(self, lost_futures: "Iterable[Future[Any]]") -> bool:
        """Replace the executor that lost these futures; False if it was replaced already."""
        if self._handed.isdisjoint(lost_futures):
            return False
        if not isinstance(self._given, Executor):
            self._executor.shutdown(wait=False)
            self._executor, self._handed = self._given(), WeakSet()
        return True


def picklable_call(task: SweepTask) -> tuple[Callable[..., list[Row]], Any]:
    """Function and argument for a worker; raises `ParameterError` where they cannot be sent."""
    try:
        own = b"__main__" in pickle.dumps(task)
    # a function without a name, or a class in a function
    except (pickle.PicklingError, AttributeError, TypeError):
        own = True
    if own and find_spec("cloudpickle") is not None:
        import cloudpickle  # noqa: PLC0415 - only for these

        return _rows_of, cloudpickle.dumps(task)
    # worker processes run a script again, and find its classes there
    if own and not getattr(sys.modules["__main__"], "__file__", None):
        allowed = (
            "of a module that worker processes can import, or cloudpickle has to be there: pip"
            " install cloudpickle"
        )
        raise ParameterError("mechanism", task.design.mechanism, allowed)
    return SweepTask.rows, task


def _rows_of(packed: bytes) -> list[Row]:
    task: SweepTask = pickle.loads(packed)  # noqa: S301 - what `picklable_call` has packed
    return task.rows()


def worker_failure(future: "Future[Any]") -> BaseException | None:
    """The error if the future's worker is gone; None if the task ended."""
    if future.cancelled():  # not by us
        return BrokenExecutor("The executor has lost its tasks.")
    failed = future.exception()
    return failed if isinstance(failed, BrokenExecutor) else None


def dask_executor(client: Any) -> Executor:
    return _OfClient(client)


def robust_executor(executor: Executor) -> Executor:
    """The executor itself, or for dask's own one that survives lost workers."""
    if type(executor).__module__ != "distributed.cfexecutor":
        return executor
    return _OfClient(executor._client)  # type: ignore[attr-defined]


class _OfClient(Executor):
    """Workers of a dask client; dask's own executor takes a lost worker for a failed task."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        asked, ended = self._client.submit(fn, *args, **kwargs), Future[Any]()

        def given_up(ended: "Future[Any]") -> None:
            if ended.cancelled() and asked.status != "cancelled":
                asked.cancel()

        ended.add_done_callback(given_up)
        self._client.loop.add_callback(_follow, asked, ended)
        return ended


async def _follow(asked: Any, ended: "Future[Any]") -> None:
    """Set the future to the result of the dask task, even if it moved to another worker."""
    result, failed = None, None
    try:
        result = await asked
    except CancelledError:  # by the cluster
        ended.cancel()
    except BaseException as err:  # noqa: BLE001 - raised again where the result is asked for
        failed = err
    if ended.set_running_or_notify_cancel():
        ended.set_result(result) if failed is None else ended.set_exception(failed)
