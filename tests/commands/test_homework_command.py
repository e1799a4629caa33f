"""`homework` writes a folder of sheets, and gives the key as its table."""

from pathlib import Path

import pandas as pd
import pytest

from dpviz.__main__ import main


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "seminar.toml"
    path.write_text('title = "Ours"\nminutes = 60\nlessons = ["ties", "what_k_costs"]')
    (tmp_path / "names.txt").write_text("Ann\n\n Bo \n", encoding="utf-8")
    return path


def test_names_come_from_a_file_and_lessons_without_a_question_are_named(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["homework", "seminar.toml", "--names", "names.txt", "-o", "key.csv"]) == 0
    key = pd.read_csv("key.csv")
    assert key["name"].tolist() == ["Ann", "Bo"]
    assert sorted(path.name for path in Path("homework/sheets").iterdir()) == [
        "001.html", "001.md", "002.html", "002.md",
    ]  # fmt: skip
    assert "sheet 2, Bo" in Path("homework/sheets/002.md").read_text(encoding="utf-8")
    assert "no question of this kind: When places tie" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--students or --names must be one of the two"),
        (["--students", "0"], "--students must be"),
        (["--students", "2", "--names", "names.txt"], "one of the two, not 'both'"),
        (["--students", "2", "--folder", "."], "--folder must be a folder that does not exist yet"),
    ],
)
def test_options_that_do_not_go_are_refused_in_one_sentence(
    session: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["homework", "seminar.toml", *options]) == 2
    assert said in capsys.readouterr().err
    assert not Path("homework").exists()
