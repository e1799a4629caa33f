"""The commands in README.md and in the documentation give the output that stands below them."""

import csv
import re
import shlex
from pathlib import Path

import pytest

from dpviz.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = [
    block
    for page in (ROOT / "README.md", *sorted((ROOT / "assets" / "docs").rglob("*.md")))
    for block in re.findall(
        r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]


def cells(text: str) -> list[object]:
    found: list[object] = []
    for cell in (cell for row in csv.reader(text.splitlines()) for cell in row):
        try:
            found.append(float(cell))
        except ValueError:
            found.append(cell)
    return found


def about(cell: object) -> object:
    """The last digits of a number may differ from machine to machine."""
    return pytest.approx(cell, rel=1e-5, abs=1e-9) if isinstance(cell, float) else cell


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][2:40])
def test_commands_give_what_is_shown(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, shown in re.findall(
        r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE
    ):
        argv = shlex.split(command)
        if argv[0] == "cat":
            path = Path(argv[1])
            if not path.exists():  # what a reader is supposed to have
                path.write_text(shown, encoding="utf-8")
            printed = path.read_text(encoding="utf-8")
        else:
            assert argv[:3] == ["python", "-m", "dpviz"]
            alone = ["-j", "1"] if argv[3] == "sweep" else []  # the same rows, without processes
            main([*argv[3:], *alone])
            captured = capsys.readouterr()
            printed = captured.out + captured.err
        assert cells(printed) == [about(cell) for cell in cells(shown)]


def test_there_are_commands_to_check() -> None:
    assert len(BLOCKS) >= 9
