"""`reproduce` at the command line: the claims as a table, parts, what it says beforehand."""

import csv
import json
from pathlib import Path

import pytest

from dpviz.export.reproduction.claims import table
from dpviz.export.reproduction.claims.claim import CLAIMS
from dpviz.export.reproduction.report_jobs import ReportJob
from tests.commands.conftest import Run

FEW = (
    "canonical.movies",
    "free_gap.coverage",
    "large_margin.instability_fails",
    "candidates.best_of_k",
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "CLAIMS", {name: CLAIMS[name] for name in FEW})


def test_claims_as_csv_and_json(tmp_path: Path, run: Run) -> None:
    for name in ("claims.csv", "claims.json"):
        ran = run(f"reproduce -o {tmp_path / name} -j 1")
        assert ran.code == 0
        assert "3 things to compute: a few seconds with 1 at a time, if nothing else" in ran.err
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


def test_stopped_it_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    report, run_job = tmp_path / "report.csv", ReportJob.run

    def stopped(job: ReportJob) -> object:
        if job.arguments["name"] == "candidates.best_of_k":
            raise KeyboardInterrupt
        return run_job(job)

    line = f"reproduce -o {report} -j 1"
    with monkeypatch.context() as patch:
        patch.setattr(ReportJob, "run", stopped)
        ran = run(line)
    assert (ran.code, "The same command continues from" in ran.err) == (130, True)
    assert (tmp_path / "report.csv.unfinished").exists()
    ran = run(line)
    assert (ran.code, "1 thing to compute, 2 done before and kept" in ran.err) == (0, True)
    assert list(tmp_path.iterdir()) == [report]
