"""A module that lies in the current folder, as `numpy.py` may in /tmp, is run by no process that
dpviz starts.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dpviz
from dpviz.base.limited_process import LimitedProcess, Limits
from dpviz.base.progress import ignore_progress
from dpviz.commands import serve
from dpviz.commands.site import Site
from dpviz.data.reading import read_upload
from dpviz.studies.worker_processes import worker_processes
from tests.base.works import Steps
from tests.data.reading.helpers import excel

STRAY = (
    "numpy",
    "pandas",
    "pickle",
    "multiprocessing",
    "signal",
    "random",
    "streamlit",
    "openpyxl",
    "json",
    "socket",
)
PACKAGE = Path(dpviz.__file__).parent


def walled() -> None:
    read_upload("votes.xlsx", excel([["item", "votes"], ["ash", 3], ["oak", 5]]))


def apart() -> None:
    apart = LimitedProcess(Steps(3), Limits(500_000_000, 60.0))
    try:
        assert apart.compute_step("where", ignore_progress, {}) != os.getpid()
    finally:
        apart.end_process()


def pooled() -> None:
    with worker_processes(2) as pool:
        assert pool is not None
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
    "data/reading/limited_reading.py": walled,
    "studies/worker_processes.py": pooled,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_stray_module_is_not_run(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in STRAY:
        (tmp_path / f"{name}.py").write_text(
            "import os; open('ran', 'a').close(); os._exit(9)", encoding="utf-8"
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        sys, "path", [place for place in sys.path if place]
    )  # as where a script was started
    WAYS[way]()
    assert not (tmp_path / "ran").exists()


def test_these_are_all_the_ways() -> None:
    """Whatever else starts a process has to be among those above."""
    starts = {"Popen", "ProcessPoolExecutor", "Process", "execv", "posix_spawn", "spawnv", "system"}
    found = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in starts)
        or ast.unparse(node) == "subprocess.run"
    }
    assert found == set(WAYS)


def test_what_this_process_finds_the_others_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mechanisms of one's own may lie in a folder that the command was started from, `python -m
    dpviz --with mine`.
    """
    (tmp_path / "mine.py").write_text(
        "from tests.base.works import Steps\nclass Mine(Steps): pass", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from mine import Mine  # type: ignore[import-not-found]

    apart = LimitedProcess(Mine(3), Limits(500_000_000, 60.0))
    assert apart.compute_step("sum", ignore_progress, {"where": 4}) == 7
    apart.end_process()
