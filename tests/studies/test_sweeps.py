"""Figures of a sweep are the library's; every executor and every stop gives one table."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from dpviz import Cancelled, ParameterError, Scores
from dpviz.base.errors import TerminationSignal
from dpviz.studies import COLUMNS, FIGURES, Sweep, SweepTask, run_sweep
from dpviz.studies.design import Design
from dpviz.studies.sweep_journal import Journal
from dpviz.studies.worker_processes import defer_signals, raise_on_sigterm
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from tests.until import until

ROOT = Path(__file__).resolve().parents[2]
SMALL = Scores([9.0, 14.0, 14.0, 2.0, 7.0], labels=list("abcde"), monotonic=True)
OTHER = Scores([5.0, 1.0, 0.0], sensitivity=2.0)


LAPLACE = Design(parameters={"gamma": 0.0, "noise": "laplace"})
TOLD = {
    "scores": {"small": SMALL, "other": OTHER},
    "designs": [Design(), LAPLACE, Design(mechanism="peeling")],
    "epsilons": [0.5, 2.0],
    "ks": [1, 2, 4],
    "seed": 11,
}


def grid(**changes: Any) -> Sweep:
    return Sweep(**(TOLD | changes))


class Estimating(TopKMechanism):
    """Canonical without its exact law, so that a sweep has to draw."""

    name = "canonical"  # type: ignore[assignment]

    def _law(self, x: Any, progress: Any) -> None:
        return None

    def _sampler(self, x: Any, progress: Any) -> Any:
        return TOP_K["canonical"](epsilon=self.epsilon, k=self.k)._sampler(x, progress)


class Counting(Executor):
    """Runs each task when it is handed in, and remembers which it was."""

    def __init__(self) -> None:
        self.ran: list[SweepTask] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.ran.append(args[0])
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as err:  # noqa: BLE001 - as any executor
            future.set_exception(err)
        return future


def resumed(output: Path, table: pd.DataFrame, **changes: Any) -> list[SweepTask]:
    """Tasks that are run to complete a file, once the sweep has given the table."""
    executor = Counting()
    found = run_sweep(grid(**changes), output=output, executor=executor)
    pd.testing.assert_frame_equal(found, table, check_exact=True)
    return executor.ran


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return run_sweep(grid())


def test_every_row_is_the_librarys_figure(table: pd.DataFrame) -> None:
    assert list(table.columns) == list(COLUMNS)
    assert len(table) == len(FIGURES) * len(grid().designs) * 2 * (3 + 2)  # type: ignore[arg-type]
    vectors = {"small": SMALL, "other": OTHER}
    for row in table.itertuples():
        parameters: dict[str, Any] = dict(part.split("=") for part in row.parameters.split(";"))
        if "gamma" in parameters:
            parameters["gamma"] = float(parameters["gamma"])
        m = TOP_K[row.mechanism](epsilon=row.epsilon, k=row.k, **parameters)
        dist = m.distribution(vectors[row.data])
        expected = dist.share if row.figure == "share" else getattr(dist, row.figure)
        assert row.value == pytest.approx(expected, abs=1e-12)
        assert row.low <= row.value <= row.high
        assert (row.method, row.draws, row.d) == ("exact", 0, vectors[row.data].d)
        assert vectors[row.data].digest.startswith(row.digest)


def test_sizes_that_cannot_be_are_left_out_and_said(table: pd.DataFrame) -> None:
    (left,) = grid().excluded_sizes
    assert str(left) == "k = 4 is left out for other, which has only 3 items."
    assert table.loc[table["data"] == "other", "k"].max() == 2


def test_processes_give_the_same_table_and_file(table: pd.DataFrame, tmp_path: Path) -> None:
    run_sweep(grid(), output=tmp_path / "serial.csv")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = run_sweep(grid(), executor=pool, output=tmp_path / "pool.csv")
    pd.testing.assert_frame_equal(found, table, check_exact=True)
    assert (tmp_path / "pool.csv").read_bytes() == (tmp_path / "serial.csv").read_bytes()


def test_an_estimated_task_repeats_and_draws_by_itself() -> None:
    """Its random numbers come from the seed and from the task alone."""
    (task,) = grid(scores={"small": SMALL}, designs=[Design()], epsilons=[1.0], ks=[2]).tasks

    def drawn(epsilon: float, seed: int, k: int) -> SweepTask:
        return replace(task, mechanism=Estimating(epsilon=epsilon, k=k), samples=300, seed=seed)

    rows = drawn(0.5, 3, 2).rows()
    assert rows == drawn(0.5, 3, 2).rows()
    for row in rows:
        assert (row["method"], row["draws"]) == ("estimated", 300)
        assert row["low"] <= row["value"] <= row["high"] != row["low"]
    assert len({drawn(*each).own_seed for each in product((0.5, 0.6), (1, 2), (1, 2))}) == 8


class TestResume:
    def test_figures_of_a_half_written_task_are_not_written_twice(self, tmp_path: Path) -> None:
        output = tmp_path / "sweep.csv"
        sweep = grid(designs=[Design()])
        journal = Journal(output)
        journal.read_finished_rows(sweep)
        journal.append(sweep.tasks[0].rows()[:2])
        with pytest.raises(Cancelled):
            run_sweep(sweep, output=output, progress=stop_after(0.4))
        lines = output.read_text().splitlines()
        assert len(lines) > 2 + len(FIGURES)
        assert len(set(lines)) == len(lines)

    def test_rows_of_another_number_of_draws_are_another_sweep(self, tmp_path: Path) -> None:
        journal = Journal(tmp_path / "sweep.csv")
        sweep = grid(designs=[Design()], samples=300)
        assert journal.read_finished_rows(sweep) == {}
        journal.append(row | {"method": "estimated", "draws": 300} for row in sweep.tasks[0].rows())
        assert len(journal.read_finished_rows(sweep)) == len(FIGURES)
        with pytest.raises(ParameterError, match=r"sweep\.csv"):
            journal.read_finished_rows(grid(designs=[Design()], samples=400))

    def test_a_cancelled_sweep_goes_on_where_it_stopped(
        self, table: pd.DataFrame, tmp_path: Path
    ) -> None:
        output = tmp_path / "sweep.csv"
        with pytest.raises(Cancelled):
            run_sweep(grid(), output=output, progress=stop_after(0.4))
        finished = finished_tasks(output)
        assert 0 < finished < len(grid().tasks)
        assert len(resumed(output, table)) == len(grid().tasks) - finished

    @pytest.mark.parametrize("ending", ["csv", "jsonl"])
    def test_a_file_torn_anywhere_is_completed(self, ending: str, tmp_path: Path) -> None:
        quoted = {"a name, with \"quotes'": OTHER}
        told = {"designs": [Design()], "scores": quoted, "ks": [1, 2], "figures": ["top", "good"]}
        whole = tmp_path / f"whole.{ending}"
        expected = run_sweep(grid(**told), output=whole)
        content = whole.read_bytes()
        torn = tmp_path / f"torn.{ending}"
        for length in range(0, len(content) + 1, 31):
            torn.write_bytes(content[:length])
            ran = resumed(torn, expected, **told)
            assert torn.read_bytes() == content
            complete = content[:length].count(b"\n") - (ending == "csv")
            assert len(ran) == len(grid(**told).tasks) - max(complete, 0) // 2

    def test_a_larger_grid_adds_to_what_is_there(self, table: pd.DataFrame, tmp_path: Path) -> None:
        run_sweep(grid(ks=[2]), output=tmp_path / "sweep.csv")
        assert {task.mechanism.k for task in resumed(tmp_path / "sweep.csv", table)} == {1, 4}
        assert resumed(tmp_path / "sweep.csv", table) == []

    @pytest.mark.parametrize(
        "content", [b"name,age\nann,3\n", b"my notes", b"\n", b'{"figure": "top"}\n', b"\x00\xff\n"]
    )
    @pytest.mark.parametrize("ending", ["csv", "jsonl"])
    def test_a_file_of_something_else_is_left_alone(
        self, content: bytes, ending: str, tmp_path: Path
    ) -> None:
        output = tmp_path / f"mine.{ending}"
        output.write_bytes(content)
        sentence = "output must be a new file, or one that this very sweep began"
        with pytest.raises(ParameterError, match=sentence):
            run_sweep(grid(), output=output)
        assert output.read_bytes() == content

    @pytest.mark.parametrize(
        "changes", [{"seed": 12}, {"ks": [1]}, {"scores": {"small": OTHER}}, {"figures": ["top"]}]
    )
    def test_rows_of_another_sweep_are_not_mixed_in(
        self, changes: dict[str, Any], tmp_path: Path
    ) -> None:
        run_sweep(grid(), output=tmp_path / "sweep.csv")
        with pytest.raises(ParameterError, match="output must be"):
            run_sweep(grid(**changes), output=tmp_path / "sweep.csv")


KILLED = """
import sys
from pathlib import Path
from threading import Event
sys.path.insert(0, {root!r})
from tests.studies.test_sweeps import finished_tasks, grid
from dpviz.studies import run_sweep
def wait_for_the_end(fraction):
    if finished_tasks(Path({output!r})) >= 5:
        Event().wait()
if __name__ == "__main__":
    run_sweep(grid(), output={output!r}, progress=wait_for_the_end)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_sweep_loses_no_finished_row_and_does_nothing_twice(
    table: pd.DataFrame, tmp_path: Path
) -> None:
    output = tmp_path / "sweep.csv"
    script = tmp_path / "script.py"
    script.write_text(KILLED.format(root=str(ROOT), output=str(output)))
    process = subprocess.Popen([sys.executable, str(script)], cwd=ROOT)
    until(lambda: finished_tasks(output) >= 5, of=process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it ended before it could be killed"
    before = output.read_bytes()
    finished = finished_tasks(output)
    assert 5 <= finished < len(grid().tasks)
    assert len(resumed(output, table)) == len(grid().tasks) - finished
    assert set(before.split(b"\n")[:-1]) <= set(output.read_bytes().split(b"\n"))


def finished_tasks(output: Path) -> int:
    """Tasks all of whose rows are whole lines of a CSV journal."""
    if not output.exists():
        return 0
    return max(0, output.read_bytes().count(b"\n") - 1) // len(FIGURES)


def stop_after(fraction: float) -> Any:
    def progress(done: float) -> None:
        if done >= fraction:
            raise Cancelled

    return progress


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"scores": {}}, "scores must be a mapping of at least one name"),
        ({"scores": {"a": SMALL, "b": SMALL}}, "same content"),
        ({"scores": {"a": [1, 2]}}, "must be a dpviz.Scores"),
        ({"epsilons": []}, "epsilons must be a list of at least one"),
        ({"epsilons": [0.0]}, "epsilon must be a number above 0"),
        ({"ks": [0]}, "k must be a whole number from 1|k must be a whole number of at least 1"),
        ({"figures": ["best"]}, f"figures must be among {', '.join(FIGURES)}, hits, not 'best'"),
        ({"samples": 0}, "samples must be"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_bad_grids_are_refused_in_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        grid(**changes)


class Settling(Counting):
    """Settles each task of the largest k in its own way, without running it."""

    def __init__(self, settle: Callable[["Future[Any]"], object]) -> None:
        super().__init__()
        self.settle = settle

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if args[0].mechanism.k < 4:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        self.settle(future)
        return future


def test_what_a_worker_raises_comes_out_and_what_ended_is_kept(tmp_path: Path) -> None:
    failing = Settling(lambda future: future.set_exception(MemoryError("no")))
    with pytest.raises(MemoryError):
        run_sweep(grid(), output=tmp_path / "sweep.csv", executor=failing)
    done = sum(task.mechanism.k != 4 for task in grid().tasks)
    assert finished_tasks(tmp_path / "sweep.csv") == done


def test_tasks_that_the_executor_gave_up_are_not_taken_for_stopped() -> None:
    def give_up(future: "Future[Any]") -> None:
        future.cancel()
        future.set_running_or_notify_cancel()  # wakes who waits

    with pytest.raises(BrokenExecutor, match="has lost its tasks"):
        run_sweep(grid(), executor=Settling(give_up))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises; a shell starts what runs in the background with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Signalled(Counting):
    """Is sent a signal while it takes the third task, and is not done with it before that."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times, self.taken = times, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if len(self.ran) == 2:
            for _ in range(self.times):
                signal.raise_signal(signal.SIGINT)
        self.taken += 1
        return super().submit(fn, *args, **kwargs)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("times", "taken", "finished"), [(1, 4, 4), (2, 2, 0)])
def test_a_signal_is_heard_between_two_steps_and_a_second_one_at_once(
    times: int, taken: int, finished: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of one a lock may be taken, which would never be given back."""
    monkeypatch.setattr("dpviz.studies.sweep_runner._AHEAD", 4)
    before = signal.getsignal(signal.SIGINT)
    executor, output = Signalled(times), tmp_path / "sweep.csv"
    with pytest.raises(KeyboardInterrupt):
        run_sweep(grid(), executor=executor, output=output)
    assert (executor.taken, finished_tasks(output)) == (taken, finished)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("interruptible")
def test_a_signal_in_the_last_step_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), defer_signals():
        signal.raise_signal(signal.SIGINT)
    with raise_on_sigterm(), pytest.raises(TerminationSignal), defer_signals():
        signal.raise_signal(signal.SIGTERM)
