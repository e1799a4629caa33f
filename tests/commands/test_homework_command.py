"""`homework` writes a folder of sheets, and gives the key as its table."""

from pathlib import Path

import pandas as pd
import pytest

from tests.commands.conftest import Run


def test_names_come_from_a_file_and_lessons_without_a_question_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text('title = "Ours"\nminutes = 60\nlessons = ["ties", "what_k_costs"]')
    Path("names.txt").write_text("Ann\n\n Bo \n", encoding="utf-8")
    for wrong in ("", "--students 2 --names names.txt", "--students 0"):
        ran = run(f"homework s.toml {wrong}")
        assert (ran.code, "--students" in ran.err) == (2, True)
    ran = run("homework s.toml --names names.txt -o key.csv")
    assert (ran.code, "no question of this kind: When places tie" in ran.err) == (0, True)
    assert pd.read_csv("key.csv")["name"].tolist() == ["Ann", "Bo"]
    assert len(list(Path("homework/sheets").iterdir())) == 4
    assert "sheet 2, Bo" in Path("homework/sheets/002.md").read_text(encoding="utf-8")
    ran = run("homework s.toml --names names.txt")
    assert (ran.code, "--folder must be a folder that does not exist" in ran.err) == (2, True)
