"""Tables of other libraries come in as they are, by the Arrow interface too."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow
import pytest

from dpviz import ParameterError, Scores, count, read_table, scores_from

VOTES = {"name": ["ash", "box", "cat"], "votes": [3, 5, 2]}
LOG = {"who": [1, 2, 1, None], "what": ["tea", "tea", "rye", "rye"]}


class Spoken:
    """A library that nobody knows: columns with names, and the Arrow interface."""

    def __init__(self, table: pyarrow.Table) -> None:
        self._table = table
        self.columns = table.column_names

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def of_duckdb(columns: dict[str, Any]) -> Any:
    return duckdb.connect().from_arrow(pyarrow.table(columns))


KINDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pyarrow": pyarrow.table,
    "duckdb": of_duckdb,
    "another": lambda columns: Spoken(pyarrow.table(columns)),
}
every_kind = pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)


@every_kind
def test_two_columns_become_scores(made: Callable[[dict[str, Any]], Any]) -> None:
    told: dict[str, Any] = {"monotonic": True, "contributions": 2}
    known = Scores(VOTES["votes"], labels=VOTES["name"], **told)
    given = made(VOTES)
    assert Scores.from_frame(given, score="votes", label="name", **told) == known
    assert scores_from(given).labels == known.labels
    column = r"values must be one column: Scores.from_frame\(frame, score=…, label=…\)"
    with pytest.raises(ParameterError, match=column):
        Scores(given)


@every_kind
def test_a_log_is_counted(made: Callable[[dict[str, Any]], Any]) -> None:
    told: dict[str, Any] = {"missing": "skip", "items": ["rye", "tea", "gin"], "contributions": 2}
    counts = count(made(LOG), person="who", item="what", **told)
    assert counts.table.to_dict("list") == {"item": ["tea", "rye", "gin"], "score": [2, 1, 0]}
    assert (counts.left_out, counts.scores.contributions, counts.scores.names_known) == (1, 2, True)
    with pytest.raises(ParameterError, match="1 of 4 rows has no person"):
        count(made(LOG), person="who", item="what")


def test_people_known_by_large_numbers_stay_apart_where_some_are_missing() -> None:
    """A float would make one of two numbers beyond 2^53."""
    who = [2**53, 2**53 + 1, None, 2**53]
    log = pyarrow.table({"who": who, "what": list("aaab")})
    counts = count(log, person="who", item="what", missing="skip")
    assert counts.table["score"].tolist() == [2, 1]


def test_an_index_that_says_something_names_the_items() -> None:
    frame = pd.DataFrame({"votes": [3, 5]}, index=["ash", "box"])
    assert Scores.from_frame(frame, score="votes").labels == ("ash", "box")
    assert Scores.from_frame(frame.reset_index(), score="votes").labels is None
    years = pd.DataFrame({"year": [2025, 2026], "votes": [1.5, 2.5]})
    assert Scores.from_frame(years, score="votes", label="year").labels == ("2025", "2026")


def test_columns_of_other_libraries_are_scores() -> None:
    for column in (pyarrow.array([3, 5]), pyarrow.chunked_array([[3], [5]]), pd.Index([3, 5])):
        assert Scores(column).values.tolist() == [3.0, 5.0]
    with pytest.raises(ParameterError, match=r"values\[1\] must be a finite number, not nan"):
        Scores(pyarrow.array([3, None]))


FRAME = pd.DataFrame(VOTES)
NAMELESS = pd.DataFrame({"name": ["a", None], "votes": [1, 2]})


@pytest.mark.parametrize(
    ("given", "names", "said"),
    [
        (VOTES, {"score": "votes"}, "frame must be a table of pandas, polars, pyarrow or another"),
        (np.eye(2), {"score": "votes"}, "frame must be a table of pandas"),
        (FRAME, {"score": "points"}, "score must be one of the columns 'name', 'votes', not 'po"),
        (
            FRAME,
            {"score": "votes", "label": "n"},
            "label must be one of the columns 'name', 'votes'",
        ),
        (FRAME, {"score": "name"}, r"values\[0\] must be a finite number, not 'ash'"),
        (NAMELESS, {"score": "votes", "label": "name"}, "in row 2 must be a name, not None"),
    ],
)
def test_what_is_no_such_table_is_told(given: Any, names: dict[str, str], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Scores.from_frame(given, **names)


@pytest.mark.parametrize("labels", [None, ["ash", "oak"]])
def test_a_file_keeps_what_one_person_can_change(labels: list[str] | None, tmp_path: Path) -> None:
    says: dict[str, Any] = {"sensitivity": 2.0, "monotonic": True}
    says |= {"contributions": 3, "names_known": False}
    scores = Scores([3.0, 5.0], labels=labels, **says)
    scores.frame().to_parquet(tmp_path / "scores.parquet")
    back = pd.read_parquet(tmp_path / "scores.parquet")
    columns = {"score": "score", "label": labels and "item"}
    assert Scores.from_frame(back, **columns) == scores
    assert Scores.from_frame(back, **columns, sensitivity=1.0).sensitivity == 1.0


def test_a_number_is_one_name_whatever_holds_it() -> None:
    """A whole number has no point, in a frame and in every kind of file that has numbers; a text
    stays as typed.
    """
    frame, names = pd.DataFrame({"item": [7.0, 8.0, 9.5], "score": [3, 2, 1]}), ("7", "8", "9.5")
    workbook = io.BytesIO()
    frame.to_excel(workbook, index=False)
    assert Scores.from_frame(frame, score="score", label="item").labels == names
    assert Scores(frame.set_index("item")["score"]).labels == names
    assert Scores({7.0: 3, 8.0: 2, 9.5: 1}).labels == names
    texts, typed = frame.astype({"item": str}), ("7.0", "8.0", "9.5")
    for name, content, labels in (
        ("a.parquet", frame.to_parquet(), names),
        ("a.xlsx", workbook.getvalue(), names),
        ("a.json", frame.to_json(orient="records").encode(), names),
        ("a.csv", texts.to_csv(index=False).encode(), typed),
        ("a.parquet", texts.to_parquet(), typed),
    ):
        assert scores_from(read_table(name, content)).labels == labels


def test_a_label_in_two_rows_is_refused_unless_it_is_said_what_it_means() -> None:
    frame = pd.DataFrame({"name": ["tea", "rye", "tea"], "votes": [3, 5, 7]})
    how = {"score": "votes", "label": "name"}
    with pytest.raises(ParameterError, match="label in row 3 must be another label than in row 1"):
        Scores.from_frame(frame, **how)
    assert Scores.from_frame(frame, **how, duplicates="sum") == Scores({"tea": 10, "rye": 5})
    kept = Scores.from_frame(frame, **how, duplicates="keep")
    assert kept == Scores([3, 5, 7], labels=["tea", "rye", "tea"])
    with pytest.raises(ParameterError, match="duplicates must be one of"):
        Scores.from_frame(frame, **how, duplicates="nix")
    counts = pd.Series([1, 2], index=["a", "a"], name="n").to_frame()
    with pytest.raises(ParameterError, match="the label in row 2"):
        Scores.from_frame(counts, score="n")
