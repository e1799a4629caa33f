"""A disk that is full: commands say which file in one sentence, and leave nothing half."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import resource, sys
from dpviz.__main__ import main
_, room, *argv = sys.argv
resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), resource.RLIM_INFINITY))
sys.exit(main(argv))
"""
SCORES = ("--example", "class_trip")


def run(
    room: int, *argv: object, stdout: int | None = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(room), *map(str, argv)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.twins(2)
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("table.csv", "distribution --example class_trip"),
        ("sheet.html", "decide --example class_trip -k 2"),
        ("claims.csv", "reproduce -j 1"),
        ("counts.csv", "count LOG --person-column person --item-column item"),
    ],
)
def test_the_file_is_named_and_stays_as_it_was(tmp_path: Path, name: str, line: str) -> None:
    path, log = tmp_path / name, tmp_path / "log.csv"
    rows = [f"{i},item {i % 40}\n" for i in range(80)]
    log.write_text("".join(["person,item\n", *rows]), encoding="utf-8")
    path.write_text("old", encoding="utf-8")
    ran = run(150, *line.replace("LOG", str(log)).split(), "-o", path, "--quiet")
    assert ran.returncode == 2
    named = f"{path}.unfinished" if line.startswith("reproduce") else str(path)
    assert ran.stderr.splitlines()[-1] == f"dpviz: File too large: {named}."
    assert "Traceback" not in ran.stderr
    assert path.read_text(encoding="utf-8") == "old"
    assert not [one for one in os.listdir(tmp_path) if one.startswith(".")]


def test_a_sweep_goes_on_once_there_is_room(tmp_path: Path) -> None:
    argv = ("sweep", *SCORES, "-e", "0.5", "1", "2", "-k", "2", "-j", "1", "--quiet", "-o")
    path, whole = tmp_path / "sweep.csv", tmp_path / "whole.csv"
    stopped = run(1000, *argv, path)
    assert (stopped.returncode, stopped.stderr) == (2, f"dpviz: File too large: {path}.\n")
    assert 0 < path.stat().st_size <= 1000
    for one in (path, whole):
        assert run(10**6, *argv, one).returncode == 0
    assert path.read_bytes() == whole.read_bytes()


def test_standard_output_is_named_too() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ran = run(10**6, "distribution", *SCORES, stdout=full.fileno())
    assert (ran.returncode, ran.stderr) == (2, "dpviz: No space left on device: standard output.\n")
