"""`homework` writes a folder of sheets, and gives the key as its table."""

from pathlib import Path

import pandas as pd
import pytest

from dpviz.__main__ import main


def test_names_come_from_a_file_and_lessons_without_a_question_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text('title = "Ours"\nminutes = 60\nlessons = ["ties", "what_k_costs"]')
    Path("names.txt").write_text("Ann\n\n Bo \n", encoding="utf-8")
    for wrong in ([], ["--students", "2", "--names", "names.txt"], ["--students", "0"]):
        assert main(["homework", "s.toml", *wrong]) == 2
        assert "--students" in capsys.readouterr().err
    assert main(["homework", "s.toml", "--names", "names.txt", "-o", "key.csv"]) == 0
    assert "no question of this kind: When places tie" in capsys.readouterr().err
    assert pd.read_csv("key.csv")["name"].tolist() == ["Ann", "Bo"]
    assert len(list(Path("homework/sheets").iterdir())) == 4
    assert "sheet 2, Bo" in Path("homework/sheets/002.md").read_text(encoding="utf-8")
    assert main(["homework", "s.toml", "--names", "names.txt"]) == 2
    assert "--folder must be a folder that does not exist yet" in capsys.readouterr().err
