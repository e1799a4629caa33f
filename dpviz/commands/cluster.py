"""A dask.distributed cluster to compute on; `WorkLost` is one sentence if it is lost."""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from typing import Any

from dpviz.base import ParameterError, Progress, WorkLost
from dpviz.commands.base import ProgressMeter, print_to_stderr
from dpviz.studies.executors import dask_executor
from dpviz.studies.sweep_runner import failed_task_text

_LOOK = 1.0  # seconds between looks at who is there
_ANSWERS = "5s"  # within which it has to say so


@contextmanager
def connect_cluster(
    address: str, wait_seconds: float, meter: ProgressMeter
) -> Iterator[tuple[Executor, Progress]]:
    """The cluster as an executor, and a progress that notices if it is lost for `wait_seconds`
    seconds.
    """
    with _unlogged(), _client(address) as client:
        try:
            yield dask_executor(client), _Watch(client, address, wait_seconds, meter)
        except WorkLost:
            raise
        except Exception as err:
            if isinstance(err, BrokenExecutor) or client.status != "running":
                raise _lost(address) from err  # whatever a client without its scheduler raises
            if often := _workers_killed(err):
                ended = "ended" if often == 1 else f"ended {often:,} times"
                sentence = (
                    f"A worker of the cluster {ended} with {failed_task_text(err)} in hand,"
                    " perhaps because memory ran out"
                )
                raise WorkLost(sentence) from err
            # what its machines raise that cannot read a task
            if isinstance(err, (ImportError, RuntimeError)):
                raise ParameterError(
                    "--cluster", address, "one that has this same dpviz installed"
                ) from err
            raise


def _lost(address: str) -> WorkLost:
    return WorkLost(f"The cluster at {address} was lost")  # no full stop: the caller adds to it


class _Watch:
    """Progress that raises if the scheduler is gone or has had no worker for `wait` seconds."""

    def __init__(self, client: Any, address: str, wait: float, progress: Progress) -> None:
        self._client, self._address, self._wait, self._progress = client, address, wait, progress
        self._looked = time.monotonic()
        self._waiting_since: float | None = None

    def __call__(self, fraction: float) -> None:
        if self._client.status != "running":  # a result that was on its way then never comes
            raise _lost(self._address)
        if time.monotonic() - self._looked >= _LOOK:
            self._look()
            self._looked = time.monotonic()
        self._progress(fraction)

    def _look(self) -> None:
        now = time.monotonic()
        trouble = self._trouble()
        if trouble is None:
            self._waiting_since = None
            return
        at_present, until_now = trouble
        if self._waiting_since is None:
            self._waiting_since = now
            print_to_stderr(
                f"The cluster at {self._address} {at_present}; waiting {self._wait:g} s (--wait)."
            )
        elif now - self._waiting_since >= self._wait:
            raise WorkLost(f"The cluster at {self._address} {until_now} for {self._wait:g} s")

    def _trouble(self) -> tuple[str, str] | None:
        """Why nobody computes, in the present and in the past tense; None if somebody does."""
        try:
            threads = self._client.nthreads(callback_timeout=_ANSWERS)
        except OSError:
            return "does not answer", "has not answered"
        return None if threads else ("has no worker", "has had no worker")


def _workers_killed(err: Exception) -> int:
    """Number of workers that ended with the task that the cluster gave up."""
    from distributed import KilledWorker  # noqa: PLC0415 - an extra, and slow to import

    return int(err.allowed_failures) + 1 if isinstance(err, KilledWorker) else 0


@contextmanager
def _unlogged() -> Iterator[None]:
    """Log nothing: a lost cluster logs a screenful, and one sentence says it."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _client(address: str) -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as err:
        raise ParameterError(
            "--cluster",
            address,
            "left out until distributed is installed: pip install 'dpviz[cluster]'",
        ) from err
    try:
        return distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as err:
        raise ParameterError(
            "--cluster", address, "the address of a running scheduler, such as tcp://host:8786"
        ) from err
