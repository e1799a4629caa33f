"""A disk that is full: commands say which file in one sentence, and leave nothing half."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands.conftest import Run

SCORES = "--example class_trip"


@contextmanager
def room(size: int) -> Iterator[None]:
    """Files of this process can have at most so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("table.csv", f"distribution {SCORES}"),
        ("sheet.html", f"decide {SCORES} -k 2 -m canonical"),
        ("counts.csv", "count LOG --person-column person --item-column item"),
        pytest.param("claims.csv", "reproduce -j 1", marks=pytest.mark.long),
    ],
)
def test_the_file_is_named_and_stays_as_it_was(
    tmp_path: Path, run: Run, name: str, line: str
) -> None:
    path, log = tmp_path / name, tmp_path / "log.csv"
    rows = [f"{i},item {i % 40}\n" for i in range(80)]
    log.write_text("".join(["person,item\n", *rows]), encoding="utf-8")
    path.write_text("old", encoding="utf-8")
    with room(150):
        ran = run(f"{line.replace('LOG', str(log))} -o {path} --quiet")
    named = f"{path}.unfinished" if line.startswith("reproduce") else str(path)
    assert (ran.code, ran.err.splitlines()[-1]) == (2, f"dpviz: File too large: {named}.")
    assert path.read_text(encoding="utf-8") == "old"
    assert not [one for one in os.listdir(tmp_path) if one.startswith(".")]


def test_a_sweep_goes_on_once_there_is_room(tmp_path: Path, run: Run) -> None:
    line = f"sweep {SCORES} -e 0.5 1 2 -k 2 -j 1 --quiet -o"
    path, whole = tmp_path / "sweep.csv", tmp_path / "whole.csv"
    with room(1000):
        stopped = run(f"{line} {path}")
    assert (stopped.code, stopped.err) == (2, f"dpviz: File too large: {path}.\n")
    assert 0 < path.stat().st_size <= 1000
    assert [run(f"{line} {one}").code for one in (path, whole)] == [0, 0]
    assert path.read_bytes() == whole.read_bytes()


def test_standard_output_is_named_too() -> None:
    command = [sys.executable, "-m", "dpviz", "distribution", *SCORES.split()]
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "dpviz: No space left on device: standard output.\n")
