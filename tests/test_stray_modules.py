"""A module in the current folder, such as `numpy.py`, is run by no process that dpviz starts."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dpviz
from dpviz.base.limited_process import FORKER, Limits
from dpviz.base.progress import ignore_progress
from dpviz.base.step_process import StepProcess
from dpviz.commands import serve
from dpviz.commands.site import Site
from dpviz.data.reading import read_upload
from dpviz.studies.worker_processes import worker_processes
from tests.base.works import Steps
from tests.data.reading.helpers import excel

STRAY = ("numpy", "pandas", "pickle", "multiprocessing", "signal", "random", "streamlit", "json")
PACKAGE = Path(dpviz.__file__).parent


def apart() -> None:
    FORKER.end()
    read_upload("votes.xlsx", excel([["item", "votes"], ["ash", 3], ["oak", 5]]))
    apart = StepProcess(Steps(3), Limits(500_000_000, 60.0))
    try:
        assert apart.compute_step("where", ignore_progress, {}) != os.getpid()
    finally:
        apart.end_process()


def pooled() -> None:
    with worker_processes(2) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()


def served() -> None:
    """A process of the app, as `serve` starts it: it says how it is used, which takes all of its
    modules.
    """
    site = Site(address="127.0.0.1", port=1, base="", hosts=("localhost",))
    command = serve._worker_command(site, "1")
    subprocess.run(
        [*command[: command.index("run")], "run", "--help"], check=True, capture_output=True
    )


WAYS: dict[str, Callable[[], None]] = {
    "base/limited_process.py": apart,
    "commands/serve.py": served,
    "studies/worker_processes.py": pooled,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_stray_module_is_not_run(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*STRAY, "openpyxl", "socket"):
        code = "import os; open('ran', 'a').close(); os._exit(9)"
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    # as where a script was started
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    WAYS[way]()
    assert not (tmp_path / "ran").exists()


def test_these_are_all_the_ways() -> None:
    starts = {"Popen", "ProcessPoolExecutor", "Process", "execv", "posix_spawn", "spawnv", "system"}
    texts = {file: file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py")}
    found = {
        str(file.relative_to(PACKAGE))
        for file, text in texts.items()
        if any(word in text for word in (*starts, "subprocess"))
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in starts)
        or (isinstance(node, ast.Attribute) and ast.unparse(node) == "subprocess.run")
    }
    assert found == set(WAYS)
