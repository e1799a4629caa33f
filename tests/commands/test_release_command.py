"""`release` in an empty folder, as whoever was given a sheet runs it: one list and one record."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpviz.base import first_code_block

ROOT = Path(__file__).resolve().parents[2]
ROWS = "item,count\nZoo,90\nLake,340\nCastle,220\nFarm,20\n"
BEST = '"item"\n"Castle"\n"Lake"\n'
DECIDE = (
    "decide --file counts.csv --monotonic -k 2 --releases 2 --decided-on past -m canonical -e 0.5"
)
RELEASE = "release sheet.json counts.csv"


@pytest.fixture
def folder(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counts.csv").write_text(ROWS, encoding="utf-8")
    assert run(f"{DECIDE} -o sheet.json")[0] == 0
    return tmp_path


def records(folder: Path) -> list[Path]:
    return list(folder.glob("release-record-*.jsonl"))


def recorded(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]


def test_the_whole_plan(folder: Path, run: Any) -> None:
    (folder / "items.txt").write_text("Farm\nZoo\nCastle\nLake\n", encoding="utf-8")
    line = f"{RELEASE} --items items.txt"
    code, out, err = run(line)
    assert (code, out) == (0, BEST)
    assert "Release 1 of 2 is recorded in release-record-" in err
    assert "The names were not checked" not in err
    code, out, err = run(line)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "Release 1 of 2 has been made: its ε is spent" in err
    assert run(f"{line} --number 2 -o list.csv")[0] == 0
    assert (folder / "list.csv").read_text(encoding="utf-8") == BEST
    for number in (1, 2, 3):
        code, out, err = run(f"{line} --number {number}")
        assert (code, out, err.count("\n")) == (2, "", 1)
    (record,) = records(folder)
    assert [line["release"] for line in recorded(record)] == [1, 2]


def test_a_record_elsewhere(folder: Path, run: Any) -> None:
    line = f"{RELEASE} --record kept.jsonl --format json"
    code, out, _ = run(line)
    assert code == 0
    assert json.loads(out)["rows"] == [{"item": "Castle"}, {"item": "Lake"}]
    assert run(line)[0] == 2
    assert records(folder) == []
    assert len(recorded(folder / "kept.jsonl")) == 1


OWN_FILE = "must be a file of its own"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nowhere.json counts.csv", "No such file or directory: nowhere.json"),
        ("counts.csv counts.csv", "counts.csv is no decision sheet that can be read"),
        ("sheet.json nowhere.csv", "No such file or directory: nowhere.csv"),
        ("sheet.json sheet.json", "A file with one table is needed"),
        ("sheet.json .", "Is a directory"),
        ("sheet.json counts.csv --number 0", "--number must be a whole number of at least 1"),
        ("sheet.json counts.csv --number 2", "Release 1 of 2 comes next, not 2"),
        ("sheet.json counts.csv --scores", "--scores must be left out: ε of this release covers"),
        ("sheet.json counts.csv --items nowhere.txt", "No such file or directory: nowhere.txt"),
        ("sheet.json counts.csv --items short.txt", "which is not on the list"),
        ("sheet.json counts.csv --record counts.csv", f"--record {OWN_FILE}"),
        ("sheet.json counts.csv -o counts.csv", f"--output {OWN_FILE}"),
        ("sheet.json counts.csv --record r.csv -o r.csv", f"--output {OWN_FILE}"),
        ("sheet.json counts.csv --items items.csv -o items.csv", f"--output {OWN_FILE}"),
        ("sheet.json counts.csv --record no/folder/r", "No such file or directory: no/folder/r"),
        ("sheet.json counts.csv -o no/folder/l.csv", "--output must be a file in a folder that"),
    ],
)
def test_bad_input_gets_one_sentence_and_writes_nothing(
    folder: Path, run: Any, line: str, message: str
) -> None:
    (folder / "short.txt").write_text("Farm\nZoo\n", encoding="utf-8")
    (folder / "items.csv").write_text("Farm\nZoo\nCastle\nLake\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, err = run(f"release {line}")
    assert (code, out) == (2, "")
    assert message in err.splitlines()[-1]
    assert "is recorded" not in err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("option", ["", "--record kept.jsonl"], ids=["beside the sheet", "named"])
def test_a_record_whose_place_is_a_link_to_nothing_is_refused_and_nothing_is_drawn(
    option: str, folder: Path, run: Any
) -> None:
    line = f"{RELEASE} {option}"
    assert run(line)[0] == 0
    record = folder / "kept.jsonl" if option else records(folder)[0]
    elsewhere = folder / "elsewhere"  # as a disk that is not there
    record.rename(elsewhere)
    record.symlink_to(elsewhere)
    assert run(f"{line} --number 2")[0] == 0  # the link leads to the record
    elsewhere.unlink()
    code, out, err = run(line)
    assert (code, out, elsewhere.exists()) == (2, "", False)
    assert "is a link that leads to no file" in err
    assert err.count("\n") == 1


def by_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_of_many_processes_at_once_exactly_one_draws(folder: Path) -> None:
    code = """
import os, select, sys
import opendp.prelude, pyarrow.pandas_compat, scipy.optimize  # once for all
import dpviz.commands.release, dpviz.data.reading.guessing.item_lists, dpviz.studies.link
from dpviz.__main__ import main
from dpviz.base import first_code_block
from dpviz.export.release import ReleaseRecord, release_record
enter, write = ReleaseRecord.add_release, release_record.append_durably
held, begin = os.pipe()
as_far, near = os.pipe()

def together(*given, **told):  # each has seen that nothing is recorded yet
    os.close(begin)
    os.read(held, 1)  # ends once nobody holds the other end any more
    enter(*given, **told)

def late(*given):  # whom nothing keeps out is as far by then
    os.close(near)
    select.select([as_far], [], [], 0.5)
    write(*given)

ReleaseRecord.add_release, release_record.append_durably = together, late
for number in range(3):  # what is imported once all of them have
    if os.fork() == 0:
        for name, stream in (("out", 1), ("err", 2)):
            os.dup2(os.open(f"{name}.{number}", os.O_CREAT | os.O_WRONLY), stream)
        sys.exit(main(["release", "sheet.json", "counts.csv"]))
os.close(begin)
os.close(near)
print(*sorted(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(3)))
"""
    ended = by_python(code)
    assert (ended.stdout, ended.stderr) == ("0 2 2\n", "")
    out, err = (
        [(folder / f"{name}.{number}").read_text("utf-8") for number in range(3)]
        for name in ("out", "err")
    )
    assert sorted(out) == ["", "", BEST]
    assert sum("has been made" in each for each in err) == 2
    (record,) = records(folder)
    assert len(recorded(record)) == 1


def test_a_process_killed_after_its_record_has_spent(folder: Path, run: Any) -> None:
    code = """
import os, signal
from dpviz.__main__ import main
from dpviz.export.release import release_tools
release_tools.ReleaseTool.prepare_draw = lambda *given: lambda: os.kill(os.getpid(), signal.SIGKILL)
main(["release", "sheet.json", "counts.csv"])
"""
    killed = by_python(code)
    assert (killed.returncode, killed.stdout) == (-9, "")
    assert "is spent, even if the list is lost" in killed.stderr
    ended, out, err = run(RELEASE)
    assert (ended, out) == (2, "")
    assert "its ε is spent" in err


@pytest.mark.parametrize("ending", ["json", "html", "py"])
def test_after_the_review_date_it_is_refused_unless_that_date_is_named(
    folder: Path, run: Any, ending: str
) -> None:
    for name, day in (("late", "2020-02-29"), ("early", "2999-12-31")):
        sheet = folder / f"{name}.{'json' if ending == 'json' else 'html'}"
        assert run(f"{DECIDE} --review-date {day} -o {sheet}")[0] == 0
        if ending == "py":
            script = first_code_block(sheet.read_text(encoding="utf-8"))
            (folder / f"{name}.py").write_text(script or "", encoding="utf-8")
    late, early = (f"release {name}.{ending} counts.csv" for name in ("late", "early"))
    code, out, err = run(late)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "The review date on the sheet, 2020-02-29, has passed" in err
    assert run(f"{late} --past-review 2020-02-28")[0] == 2
    assert run(f"{early} --past-review 2999-12-31")[0] == 2
    assert run(f"{late} --past-review soon")[0] == 2
    assert records(folder) == []
    assert run(f"{late} --past-review 2020-02-29")[0] == 0
    assert run(early)[0] == 2  # reviewed, it is still of the same releases
    assert run(f"{early} --number 2")[0] == 0
    (record,) = records(folder)
    assert [line.get("past_review") for line in recorded(record)] == ["2020-02-29", None]
