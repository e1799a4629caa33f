"""`decide` and `release` on a log whose names nobody knew: a plan, its sheet, and lists made from
what occurs.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from dpviz.__main__ import main

LOG = (
    "--file log.csv --person-column person --item-column query -k 3 --releases 2 --decided-on past"
)
TWO = "-m threshold_counts -m limited_domain"
WORDS = 8


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main([part for text in argv for part in text.split()])
    return code, *capsys.readouterr()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Search words of 900 people, some of them written by one alone; and the names that could have
    been known.
    """
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    chances = 1 / np.arange(1, WORDS + 1)
    rows = [
        f"p{person},word {word}\n"
        for person in range(900)
        for word in set(rng.choice(WORDS, size=2, p=chances / chances.sum()).tolist())
    ]
    rows += [f"p{person},only {person}\n" for person in range(0, 900, 60)]
    (tmp_path / "log.csv").write_text("".join(["person,query\n", *rows]), encoding="utf-8")
    (tmp_path / "names.txt").write_text(
        "".join(f"word {word}\n" for word in range(WORDS)), encoding="utf-8"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "called"), [("threshold_counts", "Threshold"), ("gaussian_counts", "Gaussian")]
)
def test_counting_for_a_threshold_asks_for_the_items_of_one_person(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, called: str
) -> None:
    count = f"count log.csv --person-column person --item-column query -m {name}"
    code, out, told = ran(capsys, count)
    assert (code, out) == (2, "")
    assert told.startswith(f"dpviz: --contributions must be given for {called}")
    assert "the items that one person can count in" in told
    assert ran(capsys, count, "--contributions 2 --format scenario -o counts.json")[0] == 0
    made = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    assert ([one["mechanism"] for one in made["designs"]], made["data"]["contributions"]) == (
        [name],
        2,
    )
    code, out, told = ran(capsys, "distribution --scenario counts.json -k 3 --show length")
    assert (code, len(out.splitlines())) == (0, 5)
    assert (
        ran(capsys, "count log.csv --person-column person --item-column query -m limited_domain")[0]
        == 0
    )


def decided(folder: Path) -> dict[str, object]:
    return json.loads((folder / "sheet.json").read_text(encoding="utf-8"))["decision"]


def test_a_log_leads_to_a_list_of_names_without_anybody_saying_that_they_were_known(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = ran(capsys, "decide", LOG, TWO, "--contributions 2 -o sheet.json")
    assert code == 0
    sheet = decided(folder)
    assert sheet["mechanism"]["name"] == "threshold_counts"  # type: ignore[index]
    assert (sheet["delta"], sheet["delta_of_all"]) == (2.5e-7, 1e-6)
    assert "of 3 items on average, all 3 in" in err
    assert sheet["published"]["items"] is None  # type: ignore[index]
    ran(
        capsys,
        "count log.csv --person-column person --item-column query --contributions 2 -o counts.csv",
    )
    code, out, err = ran(capsys, "release sheet.json counts.csv")
    assert code == 0
    head, *names = out.splitlines()  # drawn: not all three of them each time
    assert head == '"item"'
    assert set(names) <= {f'"word {word}"' for word in range(WORDS)}
    assert len(set(names)) == len(names) <= 3
    assert "The names were not checked" not in err
    assert "δ = 2.5e-07 for one person is spent" in err
    code, _, err = ran(capsys, "release sheet.json counts.csv --number 2 --items names.txt")
    assert (code, err.count("\n")) == (2, 1)
    (folder / "few.csv").write_text("word 0,900\nonly 1,1\n", encoding="utf-8")
    assert ran(capsys, "release sheet.json few.csv --number 2")[:2] == (0, '"item"\n"word 0"\n')


@pytest.mark.long
def test_a_list_of_names_makes_it_cost_less(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    totals = {}
    for said in ("", "--items names.txt"):
        assert ran(capsys, "decide", LOG, said, "-o sheet.json")[0] == 0
        totals[said] = decided(folder)["total"]["epsilon"]  # type: ignore[index]
    assert totals["--items names.txt"] < 0.7 * totals[""]


def test_delta_of_one_release_is_not_said_by_a_mechanism(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = ran(capsys, "decide", LOG, "-m limited_domain:delta=1e-3")
    assert (code, "--own-share" in err) == (2, True)
    assert ran(capsys, "decide", LOG, "-m limited_domain --own-share 0.25 -o sheet.json")[0] == 0
    assert decided(folder)["delta"] == 0.25 * 1e-6 / 2
