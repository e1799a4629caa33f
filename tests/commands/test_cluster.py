"""`sweep --cluster` on a scheduler and workers in processes of their own, which real signals end."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpviz import Scores
from dpviz.__main__ import main
from dpviz.studies import Sweep, run_sweep
from dpviz.studies.executors import dask_executor
from tests.commands.test_command_line import hears_ctrl_c
from tests.studies.test_sweeps import ROOT, finished_tasks
from tests.until import until
from tests.web.own_process import run_apart

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

CELLS = 300
SWEEP = ("sweep", "--example", "class_trip", "-m", "canonical", "-e", f"0.1:10:{CELLS}", "-k", "2")


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.about, self.log = folder / "scheduler.json", folder / "log"
        self.output = folder / "remote.csv"
        self.running: list[subprocess.Popen[str]] = []

    def start(self, *argv: str, said: Any = None, **told: Any) -> "subprocess.Popen[str]":
        with self.log.open("a") as log:
            command, said = [sys.executable, "-m", *argv], log if said is None else said
            told = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": said, "text": True} | told
            self.running.append(subprocess.Popen(command, **told))
        return self.running[-1]

    def scheduler(self, *, failures: int = 3, silent: str = "5 minutes") -> "subprocess.Popen[str]":
        """It gives a cell up after so many failures, and a worker after so long a silence."""
        told = {"ALLOWED_FAILURES": str(failures), "WORKER_TTL": silent}
        environment = os.environ | {
            f"DASK_DISTRIBUTED__SCHEDULER__{name}": value for name, value in told.items()
        }
        own = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file"]
        scheduler = self.start(
            "distributed.cli.dask_scheduler", *own, str(self.about), env=environment
        )
        until(lambda: self.about.exists() and self.about.stat().st_size > 0, of=scheduler)
        return scheduler

    @property
    def address(self) -> str:
        return str(json.loads(self.about.read_text())["address"])

    def worker(self) -> "subprocess.Popen[str]":
        own = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--scheduler-file"]
        return self.start("distributed.cli.dask_worker", *own, str(self.about))

    def sweep(self, *more: str) -> "subprocess.Popen[str]":
        told = (*SWEEP, "--cluster", self.address, "-o", str(self.output), *more)
        command = self.start("dpviz", *told, said=subprocess.PIPE, preexec_fn=hears_ctrl_c)
        until(lambda: finished_tasks(self.output) >= 5, of=command)
        return command

    def end(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What the sweep gives without a cluster."""
    output = tmp_path_factory.mktemp("local") / "local.csv"
    assert main([*SWEEP, "-j", "1", "-o", str(output)]) == 0
    return output.read_bytes()


def goes_on_to_the_same_bytes(cluster: Cluster, local: bytes) -> None:
    """What is there stays, and the same sweep completes the file as if nothing had been."""
    assert 5 <= finished_tasks(cluster.output) < CELLS
    there = set(cluster.output.read_bytes().split(b"\n")[:-1])
    assert main([*SWEEP, "-j", "1", "-o", str(cluster.output)]) == 0
    assert cluster.output.read_bytes() == local
    assert there <= set(local.split(b"\n"))


def test_a_worker_that_ends_too_often_is_told_with_the_cell_and_the_file_goes_on(
    cluster: Cluster, local: bytes
) -> None:
    cluster.scheduler(failures=0)
    worker = cluster.worker()
    command = cluster.sweep()
    worker.kill()
    _, said = command.communicate(timeout=120)
    cell, again = said.removeprefix("dpviz: A worker of the cluster ended with ").split(
        " in hand, "
    )
    assert (
        again == "perhaps because memory ran out; the same command continues from"
        f" {cluster.output}.\n"
    )
    assert cell.startswith("Canonical at ε = ")
    assert cell.endswith(", k = 2 on class_trip")
    assert command.returncode == 1
    goes_on_to_the_same_bytes(cluster, local)


def test_without_workers_it_says_so_and_ends_after_the_wait(cluster: Cluster, local: bytes) -> None:
    cluster.scheduler()
    worker = cluster.worker()
    command = cluster.sweep("--wait", "0.5")
    worker.kill()
    _, said = command.communicate(timeout=120)
    waiting, lost = said.splitlines()
    at = f"dpviz: The cluster at {cluster.address} has"
    assert waiting == f"{at} no worker; waiting 0.5 s (--wait)."
    again = f"the same command continues from {cluster.output}."
    assert lost == f"{at} had no worker for 0.5 s; {again}"
    assert command.returncode == 1
    goes_on_to_the_same_bytes(cluster, local)


def test_a_result_that_never_comes_from_a_cluster_that_is_lost_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was on its way as the scheduler ended is neither given nor cancelled."""

    class Lost:
        status = "running"

        def __enter__(self) -> "Lost":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> SimpleNamespace:
            self.status = "connecting"
            return SimpleNamespace(cancel=lambda: None, status="pending")

        loop = SimpleNamespace(add_callback=lambda *_: None)

    monkeypatch.setattr("dpviz.commands.cluster._client", lambda address: Lost())
    assert main(["sweep", "--example", "class_trip", "--cluster", "tcp://there:1", "-k", "2"]) == 1
    assert capsys.readouterr().err == "dpviz: The cluster at tcp://there:1 was lost.\n"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of dask's own
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_may_leave_in_the_library_too(cluster: Cluster, sent: signal.Signals) -> None:
    """Killed, or silent with its line open, as a machine that is cut off."""
    import distributed

    cluster.scheduler(silent="4s")
    leaves, _ = cluster.worker(), cluster.worker()
    epsilons = [0.1 * 1.01**i for i in range(CELLS)]
    scores = {"trip": Scores([9.0, 14.0, 12.0, 2.0])}
    sweep = Sweep(scores=scores, epsilons=epsilons, ks=[2], figures=["top"])
    left: list[float] = []

    def leave(done: float) -> None:
        if not left and done > 0.05:
            left.append(done)
            leaves.send_signal(sent)

    with distributed.Client(cluster.address) as client:
        client.wait_for_workers(2)
        told = {"executor": client.get_executor(), "output": cluster.output}
        assert len(run_sweep(sweep, progress=leave, **told)) == CELLS
    assert left
    local = cluster.output.with_name("local.csv")
    run_sweep(sweep, output=local)
    assert cluster.output.read_bytes() == local.read_bytes()


def test_a_result_counts_though_the_worker_that_had_it_is_gone_since() -> None:
    """distributed's own executor then takes it for a failure: "not enough values to unpack"."""

    class Asked:
        status = "finished"

        def __await__(self) -> Iterator[Any]:
            self.status = "lost"
            yield from ()
            return ["a row"]

    loop = SimpleNamespace(add_callback=lambda follow, *given: run_apart(follow(*given)))
    client = SimpleNamespace(loop=loop, submit=lambda fn: Asked())
    assert dask_executor(client).submit(list).result(0) == ["a row"]
