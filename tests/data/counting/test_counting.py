"""Counting event logs: pandas, DuckDB and SQLite give the counts that sets in plain Python give."""

import csv
import gzip
import json
import pickle
import sqlite3
import sys
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz import Cancelled, OneShot, ParameterError
from dpviz.__main__ import main
from dpviz.base import NAMES_UNKNOWN
from dpviz.data.counting import Counts, MissingCells, RowFilter, count_files, count_in_engine
from dpviz.data.reading import IngestError, read_table
from dpviz.data.score_sources import scores_from
from dpviz.studies.scenario import Scenario

# What ibis itself calls that newer versions of DuckDB and pandas have other names for.
quiet = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
]
pytestmark = [*quiet, pytest.mark.usefixtures("one_duckdb")]

PEOPLE = [
    *("ann", " ann", "ann\u00a0", "bo", "Bo", "b\u00f3", "c,d", 'quo"ted', "\u6c34"),
    *("e f", "e\tf", "007", "7"),
]
ITEMS = ["tea", "tea ", "\u3000tea", "rye", "=1+1", "gin\n", "gin", "\U0001f378", "Tea"]

COLUMNS = ("--person-column", "who", "--item-column", "what")

Rows = list[tuple[str, str]]


def events(size: int = 400, missing: float = 0.0) -> Rows:
    rng = np.random.default_rng(5)
    rows = [(str(rng.choice(PEOPLE)), str(rng.choice(ITEMS))) for _ in range(size)]
    blank = rng.random((size, 2)) < missing
    return [("" if b[0] else p, "  " if b[1] else i) for (p, i), b in zip(rows, blank, strict=True)]


def alike(text: str, *, canonical: bool = True) -> str:
    """Said again in Python: runs of control characters become a blank, blanks around go, form C."""
    runs = groupby(text, lambda letter: unicodedata.category(letter) in ("Cc", "Zl", "Zp"))
    spaced = "".join(" " if control else "".join(run) for control, run in runs)
    return unicodedata.normalize("NFC", spaced).strip() if canonical else spaced.strip()


def oracle(rows: Rows, *, canonical: bool = True) -> tuple[dict[str, int], int]:
    """(distinct people per item, rows left out)."""
    people: dict[str, set[str]] = {}
    left_out = 0
    for person, item in rows:
        who, what = alike(person, canonical=canonical), alike(item, canonical=canonical)
        if who and what:
            people.setdefault(what, set()).add(who)
        else:
            left_out += 1
    return {item: len(each) for item, each in people.items()}, left_out


def found(counts: Counts) -> dict[str, int]:
    return dict(zip(counts.table["item"], counts.table["score"].tolist(), strict=True))


def write_csv(path: Path, rows: Rows, delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(
            [("who", "what"), *rows]
        )
    return path


def write_json_lines(path: Path, rows: Sequence[tuple[str | None, str | None]]) -> str:
    named = (zip(("who", "what"), row, strict=True) for row in rows)
    records = [{name: cell for name, cell in row if cell is not None} for row in named]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return str(path)


def write_parquet(path: Path, rows: Rows) -> Path:
    pd.DataFrame(rows, columns=["who", "what"]).to_parquet(path)
    return path


def write_sqlite(path: Path, rows: Rows) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute("create table log (who text, what text)")
        connection.executemany("insert into log values (?, ?)", rows)
    connection.close()
    return f"sqlite://{path}"


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "parquet"])
def test_files_give_the_counts_of_plain_sets(kind: str, tmp_path: Path) -> None:
    rows = events()
    path = tmp_path / f"log.{kind}"
    if kind == "parquet":
        write_parquet(path, rows)
    else:
        write_csv(path, rows, {"csv": ",", "tsv": "\t", "csv.gz": ";"}[kind])
    if kind == "csv.gz":
        path.write_bytes(gzip.compress(path.read_bytes()))
    counts = count_files([str(path)], "who", "what")
    assert found(counts) == oracle(rows)[0]
    assert (counts.rows, counts.left_out, counts.engine) == (len(rows), 0, "duckdb")
    assert (counts.scores.sensitivity, counts.scores.monotonic) == (1.0, True)
    order = list(zip((-counts.table["score"]).tolist(), counts.table["item"], strict=True))
    assert order == sorted(order)


def write_duckdb(path: Path, rows: Rows) -> str:
    import duckdb

    frame = pd.DataFrame(rows, columns=["who", "what"])
    with duckdb.connect(str(path)) as connection:
        connection.register("given", frame)
        connection.execute("create table log as select * from given")
    return f"duckdb://{path}"


def test_an_engine_without_unicode_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.counting.count_expression._FORM_C", {})
    rows = [*events(), ("e\u0301", "tea"), ("\u00e9", "tea")]
    counts = count_in_engine(write_duckdb(tmp_path / "log.db", rows), "log", "who", "what")
    assert found(counts) == oracle(rows, canonical=False)[0]
    assert found(counts)["tea"] == oracle(rows)[0]["tea"] + 1
    assert "one person in two Unicode forms counts twice." in counts.notes[0]
    rows += [("ann", "e\u0301"), ("ann", "\u00e9")]
    with pytest.raises(IngestError, match="item '\u00e9' in two Unicode forms, which duckdb"):
        count_in_engine(write_duckdb(tmp_path / "again.db", rows), "log", "who", "what")


def test_several_files_are_one_log(tmp_path: Path) -> None:
    rows = events()
    for i in range(3):
        folder = tmp_path / f"day {i}"
        folder.mkdir()
        write_csv(folder / "log[1].csv", rows[i::3])
    counts = count_files([str(tmp_path / "**" / "*.csv")], "who", "what")
    assert found(counts) == oracle(rows)[0]
    one = count_files([str(tmp_path / "day 0" / "log[1].csv")], "who", "what")
    assert found(one) == oracle(rows[0::3])[0]


def test_missing_people_and_items_are_one_question(tmp_path: Path) -> None:
    rows = events(missing=0.1)
    expected, left_out = oracle(rows)
    log = [str(write_csv(tmp_path / "log.csv", rows))]
    people, items = (sum(not alike(row[side]) for row in rows) for side in (0, 1))
    question = f"{people} of 400 rows have no person, and {items} no item. Leave them out?"
    with pytest.raises(MissingCells) as asked:
        count_files(log, "who", "what")
    assert str(asked.value) == f"{question} Use --missing skip, or in Python missing='skip'."
    again = pickle.loads(pickle.dumps(asked.value))
    assert (again.question, str(again)) == (question, str(asked.value))
    assert (again.rows, again.people, again.items) == (400, people, items)
    counts = count_files(log, "who", "what", missing="skip")
    assert (found(counts), counts.left_out, counts.rows) == (expected, left_out, len(rows))
    assert counts.notes[0].startswith(f"{left_out} of 400 rows are left out")


@pytest.mark.parametrize(
    "people",
    [
        [1, 2, 2, 3, 4],
        [1.0, 2.0, 2.0, 3.0, np.nan],
        [1.5, 2.0, 2.0, 3.0, np.nan],
        [True, False, False, True, True],
        pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-02", "2024-01-03", None]),
    ],
    ids=["int", "whole float", "float", "bool", "date"],
)
def test_columns_of_other_types(people: Any, tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    pd.DataFrame({"who": people, "what": [10.0, 10.0, 10.0, 20.0, np.nan]}).to_parquet(path)
    counts = count_files([str(path)], "who", "what", missing="skip")
    assert (found(counts), counts.left_out) == ({"10": 2, "20": 1}, 1)


@pytest.mark.usefixtures("own_duckdb")
def test_more_than_memory_goes_to_disk(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "log.parquet"
    # i and i + 1 share a person but not an item, so every row is a new pair
    pair = "'person ' || (i // 2) as who, 'item ' || (i % 7) as what"
    duckdb.sql(f"copy (select {pair} from range(1400000) r(i)) to '{path}'")
    counts = count_files([str(path)], "who", "what", memory="60MB", temporary=str(tmp_path))
    assert found(counts) == {f"item {i}": 200_000 for i in range(7)}
    assert [each.name for each in tmp_path.iterdir()] == ["log.parquet"]


@pytest.mark.usefixtures("own_duckdb")
def test_it_reports_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.counting.embedded_duckdb._POLL", 0.001)
    path = tmp_path / "log.parquet"
    pairs = pd.DataFrame({"who": np.arange(300_000) // 2, "what": np.arange(300_000) % 7})
    pairs.astype(str).to_parquet(path)
    told: list[float] = []
    count_files([str(path)], "who", "what", progress=told.append)
    assert told[-1] == 1.0
    assert all(0.0 <= fraction <= 1.0 for fraction in told)
    assert len(told) > 3

    def stop(fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        count_files([str(path)], "who", "what", temporary=str(tmp_path), progress=stop)
    assert [each.name for each in tmp_path.iterdir()] == ["log.parquet"]


RAGGED = "cannot be read as CSV"
KINDS = "is no CSV, TSV, JSON lines or Parquet file by its ending; save"
REFUSED = {  # by what is wrong: a file's name and content, and what is said of it
    "one item": ("log.csv", "who,what\nann,tea\nbo,tea\n", "has only one item; a selection needs"),
    "no rows": ("log.csv", "who,what\n", "has no item; a selection|has a header but no rows"),
    "long item": ("log.csv", f"who,what\nann,{'x' * 201}\nbo,tea\n", "201 characters; at most 200"),
    "no person": ("log.csv", "a,b\n1,2\n", "person must be one of the columns 'a', 'b', not 'who'"),
    "short row": ("log.csv", "who,what,x\nann,tea,1\nbo,rye\ncy,tea,1\n", RAGGED),
    "long row": ("log.csv", "who,what\nann,tea\nbo,rye\ncy,tea,1\n", RAGGED),
    "longer than the header": ("log.csv", "who,what\nann,tea,1\nbo,rye,2\n", RAGGED),
    "below a title": ("log.csv", "a report\n\nwho,what\nann,tea\nbo,rye\n", RAGGED),
    "open quotation mark": ("log.csv", 'who,what\n"ann,tea\nbo,rye\n', RAGGED),
    "damaged": ("log.parquet", "PAR1 but not really", "cannot be read as PARQUET"),
    "XML": ("log.xml", '{"who": "ann", "what": "tea"}', KINDS),
    "JSON": ("log.json.gz", '{"who": "ann", "what": "tea"}', KINDS),
    "empty lines": ("log.ndjson", "\n  ", "is empty"),
    "no person's key": ("log.ndjson", '{"a": 1, "b": 2}', "one of the columns 'a', 'b', not 'who'"),
    "no item's key": ("log.ndjson", '{"who": 1, "b": 2}', "the columns 'b', 'who', not 'what'"),
    "no ending": ("log", "who,what\nann,tea\nbo,rye\n", KINDS),
}


@pytest.mark.parametrize("wrong", REFUSED)
def test_logs_that_cannot_be_scores(wrong: str, tmp_path: Path) -> None:
    name, content, sentence = REFUSED[wrong]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError, match=sentence):
        count_files([str(path)], "who", "what")


def test_too_many_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.counting.counts.MAX_ITEMS", 3)
    monkeypatch.setattr("dpviz.data.counting.count_expression.MAX_ITEMS", 3)
    path = write_csv(tmp_path / "log.csv", [("ann", item) for item in "abcdef"])
    with pytest.raises(IngestError, match="more than 3 items"):
        count_files([str(path)], "who", "what")


@pytest.mark.parametrize("name", ["log.csv", "log.csv.gz"])
@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"a,b,c\n", "Expected Number of Columns: 2 Found: 3"),
        (b"a\n", "Expected Number of Columns: 2 Found: 1"),
        (b"a,\xff\xfe\n", "Invalid unicode"),
        (b'"a,b\nc,d\n', "unterminated quote"),
    ],
    ids=["long", "short", "no text", "an open quotation mark"],
)
def test_a_late_broken_row_is_told(name: str, row: bytes, reason: str, tmp_path: Path) -> None:
    rows = b"who,what\n" + b"".join(b"p%d,item %d\n" % (i, i % 50) for i in range(60_000)) + row
    whole, path = tmp_path / "whole.csv", tmp_path / name
    whole.write_bytes(b"who,what\nann,tea\n")
    path.write_bytes(gzip.compress(rows) if name.endswith(".gz") else rows)
    with pytest.raises(IngestError, match=f"CSV Error on Line: 60002: .*{reason}") as refused:
        count_files([str(whole), str(path)], "who", "what", kind="csv", encoding="utf-8")
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"patterns": ["-"]}, "--kind must be given for standard input"),
        ({"patterns": []}, "the files must be at least one"),
        ({"patterns": ["nix*.csv"]}, r"No file matches 'nix\*\.csv'"),
        ({"kind": "excel"}, "kind must be one of csv, tsv, jsonl, parquet"),
        ({"engine": "spark"}, "engine must be one of auto, pandas, duckdb"),
        ({"missing": "guess"}, "missing must be one of refuse, skip"),
        ({"memory": "lots"}, "memory must be a size such as 1GB"),
    ],
)
def test_bad_options(told: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "log.csv", events(20))
    options = {"patterns": [str(path)], "person": "who", "item": "what"} | told
    with pytest.raises(ParameterError, match=sentence):
        count_files(options.pop("patterns"), **options)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("log.db", "connect must be an address such as duckdb://log.db"),
        ("sqlite:///nowhere/log.db", "There is no file /nowhere/log.db to connect to"),
        ("duckdb:///nowhere/log.db", "There is no file /nowhere/log.db to connect to"),
        ("nix://user:hunter2@host/db", "Could not connect to nix"),
    ],
)
def test_addresses_that_lead_nowhere_keep_their_secrets(url: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence) as refused:
        count_in_engine(url, "log", "who", "what")
    assert "hunter2" not in str(refused.value)


def test_only_databases_need_ibis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = events(20)
    path, url = write_csv(tmp_path / "log.csv", rows), write_sqlite(tmp_path / "log.db", rows)
    monkeypatch.setitem(sys.modules, "ibis", None)
    tea = RowFilter(where="what LIKE '%e%'")
    assert set(found(count_files([str(path)], "who", "what", chosen=tea))) == {"tea", "Tea", "rye"}
    with pytest.raises(IngestError, match=r"pip install 'dpviz\[count\]'"):
        count_in_engine(url, "log", "who", "what")


def test_an_engine_of_files_is_outdated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write_csv(tmp_path / "log.csv", events(20)))
    with pytest.warns(DeprecationWarning, match="DuckDB counts every file now"):
        count_files([path], "who", "what", engine="pandas")
    assert main(["count", path, *COLUMNS, "--engine", "pandas"]) == 0
    assert "DuckDB counts every file now" in capsys.readouterr().err


def test_the_app_takes_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = events()
    log, output = write_csv(tmp_path / "log.csv", rows), tmp_path / "scores.csv"
    assert main(["count", str(log), *COLUMNS, "-o", str(output)]) == 0
    scores = scores_from(read_table("scores.csv", output.read_bytes()), monotonic=True)
    counts = oracle(rows)[0]
    counts["'=1+1"] = counts.pop("=1+1")
    assert dict(zip(scores.labels, scores.values.tolist(), strict=True)) == counts
    assert "changes each score by at most 1, all in the same" in capsys.readouterr().err


def test_the_scenario_of_the_command_is_what_the_other_commands_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("ann", "tea"), ("ann", "rye"), ("bo", "tea"), ("cy", "tea"), ("cy", "ale")]
    log, items = write_csv(tmp_path / "log.csv", rows), tmp_path / "items.txt"
    votes = str(tmp_path / "votes.json")
    items.write_text("\ufefftea\nrye\n\n gin\n", encoding="utf-8")
    argv = ["count", str(log), *COLUMNS, "--contributions", "1"]
    assert main([*argv, "--items", str(items), "--format", "scenario", "-o", votes]) == 0
    said = capsys.readouterr().err
    assert "Left out, as their items are not in the catalogue: 1 row." in said
    assert "and counts in at most 1 item." in said
    scenario = Scenario.from_json(Path(votes).read_bytes())
    assert (scenario.data.contributions, scenario.data.items_known, scenario.k) == (1, True, 2)
    assert set(scenario.load().labels) == {"tea", "rye", "gin"}
    method = ["-m", "one_shot", "--noise", "laplace", "-k", "1"]
    assert main(["distribution", "--scenario", votes, *method]) == 0
    ran = capsys.readouterr()
    top = OneShot(epsilon=1.0, k=1, noise="laplace").distribution(scenario.load()).top
    assert f'"top",{top}' in ran.out
    assert "ε also covers the noisy counts" in ran.err
    assert main([*argv, "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)["scenario"]
    assert (content["data"]["contributions"], content["data"]["items_known"]) == (1, False)
    assert "scores" not in content
    assert main([*argv, "--format", "scenario", "-o", votes]) == 0
    capsys.readouterr()
    assert main(["distribution", "--scenario", votes, "-k", "1"]) == 0
    assert NAMES_UNKNOWN in capsys.readouterr().err


def test_the_command_counts_in_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = events(missing=0.1)
    url = write_sqlite(tmp_path / "log.db", rows)
    argv = ["count", "--connect", url, "--table", "log", *COLUMNS]
    assert main(argv) == 2
    assert "Leave them out? Use --missing skip" in capsys.readouterr().err
    assert main([*argv, "--missing", "skip", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert f"{oracle(rows)[1]} of 400 rows are left out" in printed.err
    assert '"item": "=1+1"' in printed.out
