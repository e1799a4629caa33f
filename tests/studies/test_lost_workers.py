"""A sweep goes on to the same table when a worker leaves, through any executor."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz.studies import run_sweep
from dpviz.studies.worker_processes import executor_factory
from tests.studies.test_sweeps import Counting, finished_tasks, grid
from tests.until import until


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return run_sweep(grid())


class Losing(Counting):
    """Loses every so many-th task that it is handed, in its way."""

    def __init__(self, every: int, how: Callable[["Future[Any]"], Any]) -> None:
        super().__init__()
        self.every, self.how, self.handed = every, how, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.handed += 1
        if self.handed % self.every:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        self.how(future)
        return future


def cancelled(future: "Future[Any]") -> None:
    future.cancel()
    future.set_running_or_notify_cancel()


def broken(future: "Future[Any]") -> None:
    future.set_exception(BrokenExecutor("gone"))


@pytest.mark.parametrize("how", [cancelled, broken])
def test_a_task_that_is_lost_is_handed_out_again(
    how: Any, table: pd.DataFrame, tmp_path: Path
) -> None:
    executor = Losing(3, how)
    found = run_sweep(grid(), executor=executor, output=tmp_path / "sweep.csv")
    pd.testing.assert_frame_equal(found, table, check_exact=True)
    assert len(executor.ran) == len(grid().tasks) < executor.handed
    run_sweep(grid(), output=tmp_path / "serial.csv")
    assert (tmp_path / "sweep.csv").read_bytes() == (tmp_path / "serial.csv").read_bytes()


def kill_one(after: int, output: Path) -> None:
    """End one of this process's workers, once so many tasks are in the file."""
    until(lambda: finished_tasks(output) >= after)
    os.kill(min(process.pid or 0 for process in multiprocessing.active_children()), signal.SIGKILL)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_worker_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    sweep = grid(epsilons=[0.05 * i for i in range(1, 30)])
    output = tmp_path / "sweep.csv"
    killer = threading.Thread(target=kill_one, args=(5, output), daemon=True)
    killer.start()
    with executor_factory(2) as give:
        pools: list[Executor] = []

        def given() -> Executor:
            pools.append(give())
            return pools[-1]

        found = run_sweep(sweep, executor=given, output=output)
    killer.join()
    assert len(pools) == 2
    pd.testing.assert_frame_equal(found, run_sweep(sweep), check_exact=True)
