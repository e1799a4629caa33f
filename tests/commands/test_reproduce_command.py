"""`reproduce` at the command line: the claims as a table, parts, what it says beforehand."""

import csv
import json
from pathlib import Path

import pytest

from dpviz.__main__ import main
from dpviz.export.reproduction.claims import table
from dpviz.export.reproduction.claims.claim import CLAIMS
from dpviz.export.reproduction.report_jobs import ReportJob

FEW = (
    "canonical.movies",
    "free_gap.coverage",
    "large_margin.instability_fails",
    "candidates.best_of_k",
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "CLAIMS", {name: CLAIMS[name] for name in FEW})


def test_claims_as_csv_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("claims.csv", "claims.json"):
        assert main(["reproduce", "-o", str(tmp_path / name), "-j", "1"]) == 0
    assert (
        "3 things to compute: a few seconds with 1 at a time, if nothing else runs."
        in capsys.readouterr().err
    )
    with (tmp_path / "claims.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    content = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    assert [row["claim"] for row in rows] == [row["claim"] for row in content["rows"]] == list(FEW)
    assert [row["verdict"] for row in rows] == ["needs the data", "differs", "agrees", "agrees"]
    movies, coverage, _, best = content["rows"]
    assert (movies["exact"], movies["lowest"]) == (None, 17_700)
    assert 0.71 < coverage["exact"] < 0.72
    assert {row["unit"] for row in rows} == {"share", "as printed"}
    assert float(rows[3]["exact"]) == pytest.approx(best["exact"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.csv", "claims.json"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--output must be an HTML file to write"),
        (
            ["-o", "x.xml"],
            "--output must be a file that ends in .csv, .txt, .json, .jsonl, .ndjson, .html, .htm",
        ),
        (["-o", "x.csv", "--only", "zipf"], "--only must be claims where a table is asked for"),
        (["-o", "x.html", "--only", "gaps"], "data must be given for gaps"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    options: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", *options]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_stopped_it_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.csv"
    run = ReportJob.run

    def stopped(job: ReportJob) -> object:
        if job.arguments["name"] == "candidates.best_of_k":
            raise KeyboardInterrupt
        return run(job)

    with monkeypatch.context() as patch:
        patch.setattr(ReportJob, "run", stopped)
        assert main(["reproduce", "-o", str(report), "-j", "1"]) == 130
    assert "The same command continues from" in capsys.readouterr().err
    assert (tmp_path / "report.csv.unfinished").exists()
    assert main(["reproduce", "-o", str(report), "-j", "1"]) == 0
    assert "1 thing to compute, 2 done before and kept" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [report]
