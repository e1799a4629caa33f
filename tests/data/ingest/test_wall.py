"""The wall around what strangers send: bombs end in one sentence, sound files come through as they are."""

import subprocess

import pytest

from dpviz.base.errors import ParameterError
from dpviz.data.ingest import IngestError, files, read_table, read_upload, scores_from, wall
from dpviz.data.ingest.limits import MAX_CELLS
from tests.data.ingest.bombs import bombs, zeros
from tests.data.ingest.helpers import excel, parquet, refusal


@pytest.mark.parametrize("name", ["row.xlsx", "wide.xlsx", "corners.xlsx", "lists.parquet", "row.csv", "rows.csv"])
def test_a_bomb_ends_in_a_sentence_about_a_limit(name: str) -> None:
    told = refusal(read_upload, name, bombs()[name])
    assert told.startswith(f"'{name}' ")
    assert "limit" in told


def test_a_list_of_lists_ends_in_a_sentence() -> None:
    assert "300 MB" in refusal(read_upload, "lists.json", bombs()["lists.json"])


def test_of_a_wide_file_as_many_columns_are_read_as_fit() -> None:
    table = read_upload("zeros.parquet", zeros())
    assert len(table.columns) == MAX_CELLS // 500_000
    assert table.left_out == 900 - len(table.columns)


def test_columns_named_like_scores_are_read_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.ingest.parquet.MAX_CELLS", 4)
    content = parquet({"a": [1, 2], "b": [3, 4], "item": ["x", "y"], "count": [5, 6]})
    table = read_table("a.parquet", content)
    assert (table.columns, table.left_out) == (("item", "count"), 2)
    asked = read_table("a.parquet", content, columns=("b",))
    assert (asked.columns, asked.left_out) == (("b",), 0)


def test_more_cells_than_are_allowed_are_refused_while_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.ingest.delimited.MAX_CELLS", 6)
    assert len(read_table("a.csv", b"item,count\na,1\nb,2\nc,3\n").frame) == 3
    told = refusal(read_table, "a.csv", b"item,count\na,1\nb,2\nc,3\nd,4\n")
    assert told == "'a.csv' has more than 6 cells, which is the limit."


@pytest.mark.parametrize("name", ["a.xlsx", "a.parquet", "a.csv"])
def test_a_sound_file_comes_through_the_wall_as_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SHORT", 0)
    content = {
        "a.xlsx": excel([["item", "count"], ["ash", 3], ["oak", 5]]),
        "a.parquet": parquet({"item": ["ash", "oak"], "count": [3, 5]}),
        "a.csv": b"item,count\nash,3\noak,5\n",
    }[name]
    scores = scores_from(read_upload(name, content))
    assert (scores.labels, scores.values.tolist()) == (("ash", "oak"), [3.0, 5.0])


def test_what_the_reader_says_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SHORT", 0)
    assert "Row 3 of 'a.csv' has 1 cell" in refusal(read_upload, "a.csv", b"item,count\nash,3\noak\n")
    with pytest.raises(ParameterError):
        wall.behind_wall("a.csv", read_table, "a.csv", b"1\n2\n", kind="nonsense")


def test_time_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wall, "_PATIENCE", 0)
    with pytest.raises(IngestError, match="more than 10 seconds"):
        wall.behind_wall("a.csv", read_table, "a.csv", b"1\n2\n")


def test_without_processes_a_file_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert scores_from(read_upload("a.xlsx", excel([["a", 1], ["b", 2]]))).values.tolist() == [1.0, 2.0]
