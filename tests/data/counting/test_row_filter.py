"""Rows chosen by a condition and a window of time, alike in every engine."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import ParameterError
from dpviz.__main__ import main
from dpviz.base import ignore_progress
from dpviz.data.counting import Counts, RowFilter, count_files, count_in_engine
from dpviz.data.counting.distinct_people import LogRows, count_distinct_people
from dpviz.data.counting.row_filter import ALLOWED
from dpviz.data.reading import IngestError
from dpviz.privacy.neighbours import neighbouring
from tests.data.counting.test_counting import COLUMNS, found, quiet

pytest.importorskip("ibis")
pytestmark = [*quiet, pytest.mark.usefixtures("one_duckdb")]

MOMENTS = [
    *("2024-01-01", "2024-01-02", "2024-02-01", "2024-01-31T23:59", "2024-02-01", "2024-01-05"),
    *(None, "2025-01-01"),
]
LOG = pd.DataFrame(
    {
        "who": ["ann", "ann", "ann", "bo", "bo", "cy", "cy", "dee"],
        "what": ["tea", "rye", "gin", "tea", "gin", "tea", "rye", "gin"],
        "year": [2022, 2023, 2024, 2023, 2024, 2022, 2024, 2023],
        "land": ["CH", "CH", "FR", "ch", None, "CH", "DE", "FR"],
        "paid": [1.5, -2.0, 3.0, 0.0, 2.5, 9.0, None, 1.0],
        "at": pd.to_datetime(MOMENTS, format="ISO8601"),
    }
)

CONDITIONS: dict[str, Any] = {
    "year >= 2023": lambda r: r.year >= 2023,
    "2023 > year": lambda r: r.year < 2023,
    "land = 'CH'": lambda r: r.land == "CH",
    "land <> 'CH' AND year IN (2023, 2024)": lambda r: (
        r.land is not None and r.land != "CH" and r.year in (2023, 2024)
    ),
    "NOT (land = 'CH' OR year = 2024)": lambda r: r.land not in (None, "CH") and r.year != 2024,
    "land IS NULL": lambda r: r.land is None,
    "land IS NOT NULL AND paid BETWEEN -2 AND 1.5": lambda r: (
        r.land is not None and -2 <= r.paid <= 1.5
    ),
    "land LIKE 'C%' OR what LIKE '%e%'": lambda r: (r.land or "").startswith("C") or "e" in r.what,
    "what LIKE '%n' and paid > -1e0": lambda r: r.what.endswith("n") and r.paid > -1,
    "who < what": lambda r: r.who < r.what,
    "at < '2024-02-01'": lambda r: r.at < pd.Timestamp("2024-02-01"),
}


def rows_of(condition: Any) -> dict[str, int]:
    """Distinct people per item of the rows that a condition in plain Python keeps."""
    people: dict[str, set[str]] = {}
    for row in LOG.astype(object).where(LOG.notna(), None).itertuples():
        try:
            kept = condition(row)
        except TypeError:  # compared with what is missing
            kept = False
        if kept:
            people.setdefault(row.what, set()).add(row.who)
    return {item: len(each) for item, each in people.items()}


def counted(
    place: str, folder: Path, chosen: RowFilter, log: pd.DataFrame = LOG, **told: Any
) -> Counts:
    """Counts of a file, or of a view in a database, with these rows; it is written once."""
    path = folder / f"log.{place}"
    if path.exists():
        pass
    elif place == "duckdb":
        import duckdb

        with duckdb.connect(str(path)) as database:
            database.register("given", log)
            database.execute("create table log as from given; create view kept as from log")
    elif place == "sqlite":
        with closing(sqlite3.connect(path)) as connection:
            moments = log["at"].astype(str).replace({"NaT": None, "None": None})
            log.assign(at=moments).to_sql("log", connection, index=False)
            connection.execute("create view kept as select * from log")
    elif place == "jsonl":
        log.to_json(path, orient="records", lines=True)
    else:
        log.to_csv(path, index=False) if place == "csv" else log.to_parquet(path)
    if place in ("duckdb", "sqlite"):
        return count_in_engine(f"{place}://{path}", "kept", "who", "what", chosen=chosen, **told)
    return count_files([str(path)], "who", "what", chosen=chosen, **told)


PLACES = ("csv", "parquet", "duckdb", "sqlite")


@pytest.mark.parametrize("place", PLACES)
def test_conditions_keep_what_plain_python_keeps(place: str, tmp_path: Path) -> None:
    for text, condition in CONDITIONS.items():
        if place == "sqlite" and text.startswith("at "):  # which has moments as texts
            continue
        if len(expected := rows_of(condition)) > 1:
            assert found(counted(place, tmp_path, RowFilter(where=text))) == expected, text
        else:
            with pytest.raises(ParameterError, match=r"has (only one|no) item"):
                counted(place, tmp_path, RowFilter(where=text))


@pytest.mark.parametrize("place", PLACES)
def test_windows_have_their_first_moment_and_not_their_last(place: str, tmp_path: Path) -> None:
    end = "2024-02-01T00:00:00Z"
    for since, until in ("2024-01-02", end[:10]), ("2024-01-01T01:00+01:00", None), (None, end):
        low = datetime.fromisoformat("0001-01-01" if since is None else since)
        high = datetime.fromisoformat("9999-01-01" if until is None else until)
        low, high = (t.astimezone(UTC).replace(tzinfo=None) if t.tzinfo else t for t in (low, high))
        counts = counted(place, tmp_path, RowFilter(since=since, until=until, time="at"))
        assert found(counts) == rows_of(lambda r, low=low, high=high: low <= r.at < high)


def test_moments_with_a_zone_are_of_utc(tmp_path: Path) -> None:
    moments = ["2024-01-01T00:30+01:00", "2024-01-01T00:30+00:00", "2024-01-01T02:00+00:00"]
    at = pd.to_datetime(moments, utc=True).tz_convert("Asia/Tokyo")
    log = pd.DataFrame({"who": ["a", "b", "b"], "what": ["x", "x", "y"], "at": at})
    chosen = RowFilter(since="2024-01-01", time="at")
    assert found(counted("parquet", tmp_path, chosen, log)) == {"x": 1, "y": 1}


@pytest.mark.parametrize("place", [*PLACES, "jsonl"])
def test_zones_of_texts_count(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    texts = [
        *("2024-01-01T00:30+01:00", "2024-01-01T00:30Z", "2023-12-31T22:30-05:00"),
        *("2024-01-01 00:30", "2023-12-31"),
    ]
    log = pd.DataFrame({"who": list("abcde"), "what": ["x", "x", "y", "y", "y"], "at": texts})
    counts = counted(place, tmp_path, RowFilter(since="2024-01-01", time="at"), log)
    assert found(counts) == {"x": 1, "y": 2}


@pytest.mark.parametrize("odd", ["soon", "31.01.2024"])
@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("sqlite", r"^Column 'at' holds texts that are no moments, such as '{}', in 1 row\.$"),
        ("csv", "duckdb could not count the events: .*{}"),
    ],
)
def test_texts_that_are_no_moments_are_never_left_out_silently(
    place: str, sentence: str, odd: str, tmp_path: Path
) -> None:
    log = pd.DataFrame({"who": list("abc"), "what": list("xyy"), "at": ["2024-02-01", odd, None]})
    with pytest.raises(IngestError, match=sentence.format(odd)):
        counted(place, tmp_path, RowFilter(since="2024-01-01", time="at"), log)


LATE = RowFilter(where="n >= 2")


@settings(max_examples=6, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("uvwxyz"), st.integers(0, 3)),
        min_size=1,
        max_size=30,
    ),
    most=st.integers(1, 3),
)
def test_neighbours_stay_so_with_a_condition(
    one_duckdb: Any, rows: list[tuple[str, str, int]], most: int
) -> None:
    """Contributions are bounded among the rows that are left, so that nobody loses an item to a row
    not counted.
    """

    def scores(kept: list[tuple[str, str, int]]) -> Any:
        cells = [(who, what, n) for who, what, n in (*kept, ("d", "u", 3), ("d", "v", 3))]
        with one_duckdb() as connection:
            connection.register("log", pd.DataFrame(cells, columns=["who", "what", "n"]))
            return count_distinct_people(
                LogRows(connection=connection, person="who", item="what"),
                column_names=("who", "what"),
                row_filter=LATE,
                missing="refuse",
                items=list("uvwxyz"),
                contributions=most,
                progress=ignore_progress,
            ).scores

    whole = scores(rows)
    assert whole == scores([row for row in rows if row[2] >= 2])
    without = [row for row in rows if row[0] != rows[0][0]]
    assert neighbouring(whole, scores(without))


@pytest.mark.twins(9)
@pytest.mark.parametrize(
    "where",
    [
        "who IN (SELECT who FROM log)",
        "EXISTS (SELECT 1)",
        "count(*) > 3",
        "row_number() OVER () < 3",
        "year > (SELECT 2)",
        "1 = 1",
        "year",
        "lower(land) = 'ch'",
        "random() < 0.5",
        "year >= 2023; DROP TABLE log",
        "year >= 2023) OR (1 = 1",
        "SELECT 1",
        "log.year = 2023",
        "year = NULL",
        "year >=",
        "land = 'CH",
        "land LIKE what",
        "land LIKE '%'",
        "land LIKE 'C_'",
        "year = '2023'",
        "year + 1 = 2024",
    ],
)
def test_what_is_no_condition_on_single_rows_is_refused(where: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"^where must be ") as refused:
        counted("duckdb", tmp_path, RowFilter(where=where))
    assert refused.value.allowed == ALLOWED or "LIKE" in where or "'2023'" in where


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"where": "rowid < 3"}, "where must be one of the columns 'who', 'what', .*, not 'rowid'"),
        ({"where": " "}, "where must be a text"),
        ({"since": "2024-01-01"}, "time must be given with since or until"),
        ({"since": "soon", "time": "at"}, "since must be a date or a moment such as 2024-01-31"),
        ({"since": "2024-02-01", "until": "2024-02-01", "time": "at"}, "until must be later than"),
        ({"time": "at"}, "time must be left out without since and until"),
        ({"since": "2024-01-01", "time": "nix"}, "time must be one of the columns"),
        ({"since": "2024-01-01", "time": "year"}, "dates or moments; 'year' is of type int64"),
        ({"where": "at > 'soon'"}, "where must be a date or a moment"),
    ],
)
def test_what_cannot_be_chosen_is_told(told: dict[str, str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=sentence):
        counted("duckdb", tmp_path, RowFilter(**told))


def test_the_command_tells_its_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LOG.to_csv(tmp_path / "log.csv", index=False)
    rows = ["--where", "land = 'CH'", "--since", "2024-01-02", "--time-column", "at"]
    assert main(["count", str(tmp_path / "log.csv"), *COLUMNS, *rows]) == 0
    out, err = capsys.readouterr()
    assert out.split() == ['"item","score"', '"rye",1', '"tea",1']
    assert "dpviz: Only rows where land = 'CH' are counted." in err
    assert "dpviz: Only rows from 2024-01-02 on are counted, by column 'at'." in err
