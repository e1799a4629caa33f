"""The wall around what strangers send: bombs end in one sentence, sound files come through as they
are.
"""

import errno
import gzip
import os
import re
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dpviz import Scenario, Scores
from dpviz.base.errors import ParameterError
from dpviz.base.resource_budgets import SIZES
from dpviz.data.counting import count_proposal
from dpviz.data.reading import (
    IngestError,
    Table,
    files,
    limited_reading,
    read_items,
    read_pasted_text,
    read_safely,
    read_table,
    read_upload,
    scores_from,
)
from dpviz.data.reading.guessing import Proposal, ReadingChoices, propose_reading
from dpviz.data.reading.guessing import guessed_table as door
from dpviz.data.reading.guessing.columns import TableMeaning
from dpviz.data.reading.input_rules import MAX_CELLS, MAX_MEMORY, MAX_ROWS
from dpviz.studies.data_spec import DataSpec
from tests.data.reading.bombs import BOMBS, bomb, zeros
from tests.data.reading.helpers import excel, parquet, refusal
from tests.data.reading.hungry import hungry

COLUMNS = b",".join(b'{"c%d":1}' % i for i in range(20_000))


# One that takes its while for each reader, and those that take none; the others come with the long
# run.
FEW = {"texts.xlsx", "corners.xlsx", "apart.xlsx", "nested.parquet", "rows.csv", "lists.json"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FEW else [pytest.mark.long]) for name in BOMBS]
)
def test_a_bomb_ends_in_a_sentence_about_a_limit(name: str) -> None:
    told = refusal(read_upload, name, bomb(name))
    assert told.startswith(f"'{name}' ")
    assert "limit" in told


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("packed.csv", gzip.compress(b"1\n" * 25_000_000), "'packed.csv' is a gzip file, not text"),
        (
            "line.csv",
            b"a" * 40_000_000,
            "Row 1 of 'line.csv' has a cell of more than 131,072 characters.",
        ),
        (
            "quotes.csv",
            b'"' * 40_000_000,
            "Row 1 of 'quotes.csv' has a cell of more than 131,072 characters.",
        ),
        ("zeros.csv", b"a,1\n" * 9_000_000 + b"\0,1\n", "'zeros.csv' holds binary data, not text"),
        ("blank.csv", b"\n" * 40_000_000, "'blank.csv' is empty."),
        ("half.csv", "a,1\n".encode("utf-16") + b"\0", "'half.csv' is not UTF-16-LE text (line 1)"),
        (
            "columns.json",
            b"[" + COLUMNS + b"]",
            "'columns.json' has more than 10,000,000 cells, which is the limit.",
        ),
        (
            "deep.json",
            b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
            "'deep.json' is nested too deeply.",
        ),
    ],
    ids=["packed", "line", "quotes", "zeros", "blank", "half", "columns", "deep"],
)
def test_other_nonsense_ends_in_its_own_sentence(name: str, content: bytes, sentence: str) -> None:
    assert refusal(read_upload, name, content).startswith(sentence)


@pytest.mark.parametrize("size", [1, 50_000_000])
def test_reader_and_file_have_so_much_memory_together(size: int) -> None:
    together = limited_reading.read_in_process("a.csv", hungry, b"x" * size) + size
    assert 0.7 * MAX_MEMORY < together < 0.95 * MAX_MEMORY


def test_a_reader_in_rust_that_is_out_of_memory_does_not_ask_for_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To print where it was, which ended in waiting for ever."""
    monkeypatch.setenv("RUST_BACKTRACE", "1")
    assert limited_reading.read_in_process("a.xlsx", os.getenv, "RUST_BACKTRACE") == "0"


def test_lists_scenarios_and_pasted_text_stand_behind_the_wall_too() -> None:
    told = re.compile(
        "needs more than (10 seconds|300 MB of memory) to read, which is the limit"
    ).search
    assert told(refusal(read_items, "items.txt", b"".join(b"%d\n" % i for i in range(5_000_000))))
    assert told(refusal(read_safely, "pasted scores", read_pasted_text, "a,1\n" * 4_000_000))
    values = (
        b'{"dpviz": "scenario", "version": 1, "scores": {"values": ['
        + b"[]," * 16_000_000
        + b"[]]}}"
    )
    assert told(refusal(read_safely, "s.json", Scenario.from_json, values))


def test_what_is_short_or_sound_is_read_as_before() -> None:
    assert read_items("items.txt", b"tea\n\nrye\n") == ("tea", "rye")
    assert read_items("The list", " \n") is None
    assert (
        refusal(read_items, "The list", "tea")
        == "The list has 1 items; a selection needs at least 2."
    )
    assert "at most 50 are allowed" in refusal(read_items, "items.txt", b"a" * 50_000_001)
    many = Scenario(
        data=DataSpec(source="uploaded"), scores=Scores(np.arange(200_000.0)), k=1
    ).to_json()
    opened = read_safely("s.json", Scenario.from_json, many)
    assert opened.scores is not None
    assert opened.scores.d == 200_000


@pytest.mark.long
def test_a_million_items_with_names_are_read() -> None:
    labels, values = [f"name of item {i}" for i in range(1_000_000)], np.arange(1_000_000)
    scores = scores_from(read_upload("many.parquet", parquet({"item": labels, "count": values})))
    assert (scores.d, scores.label(7)) == (1_000_000, "name of item 7")


@pytest.mark.long
def test_of_a_wide_file_as_many_columns_are_read_as_fit() -> None:
    table = read_upload("zeros.parquet", zeros())
    assert len(table.columns) == MAX_CELLS // 500_000
    assert table.left_out == 900 - len(table.columns)


def test_columns_named_like_scores_are_read_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.reading.parquet.MAX_CELLS", 4)
    content = parquet({"a": [1, 2], "b": [3, 4], "item": ["x", "y"], "count": [5, 6]})
    table = read_table("a.parquet", content)
    assert (table.columns, table.left_out) == (("item", "count"), 2)
    asked = read_table("a.parquet", content, columns=("b",))
    assert (asked.columns, asked.left_out) == (("b",), 0)


def test_more_cells_than_are_allowed_are_refused_while_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dpviz.data.reading.delimited_text.MAX_CELLS", 6)
    assert len(read_table("a.csv", b"item,count\na,1\nb,2\nc,3\n").frame) == 3
    told = refusal(read_table, "a.csv", b"item,count\na,1\nb,2\nc,3\nd,4\n")
    assert told == "'a.csv' has more than 6 cells, which is the limit."


@pytest.mark.parametrize("name", ["a.xlsx", "a.parquet", "a.csv"])
def test_a_sound_file_comes_through_the_wall_as_it_is(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SHORT", 0)
    content = {
        "a.xlsx": excel([["item", "count"], ["ash", 3], ["oak", 5]]),
        "a.parquet": parquet({"item": ["ash", "oak"], "count": [3, 5]}),
        "a.csv": b"item,count\nash,3\noak,5\n",
    }[name]
    scores = scores_from(read_upload(name, content))
    assert (scores.labels, scores.values.tolist()) == (("ash", "oak"), [3.0, 5.0])


def test_what_the_reader_says_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SHORT", 0)
    assert "Row 3 of 'a.csv' has 1 cell" in refusal(
        read_upload, "a.csv", b"item,count\nash,3\noak\n"
    )
    with pytest.raises(ParameterError):
        limited_reading.read_in_process("a.csv", read_table, "a.csv", b"1\n2\n", kind="nonsense")


def test_time_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_reading, "_PATIENCE", 0)
    with pytest.raises(IngestError, match="more than 10 seconds"):
        limited_reading.read_in_process("a.csv", read_table, "a.csv", b"1\n2\n")


def test_without_processes_a_file_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert scores_from(read_upload("a.xlsx", excel([["a", 1], ["b", 2]]))).values.tolist() == [
        1.0,
        2.0,
    ]


def test_what_is_no_workbook_at_all_is_refused_without_a_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        subprocess, "Popen", lambda *arguments, **options: pytest.fail("a process was begun")
    )
    assert "cannot be read as an Excel workbook" in refusal(read_upload, "a.xlsx", b"1\n2\n")


@pytest.mark.parametrize("full", [errno.EAGAIN, errno.ENOMEM])
def test_where_no_process_can_be_begun_now_nothing_is_read_without_the_wall(
    monkeypatch: pytest.MonkeyPatch, full: int
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(full, os.strerror(full))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    told = refusal(read_upload, "a.xlsx", excel([["a", 1], ["b", 2]]))
    assert told == "The server has no room to read 'a.xlsx' now."


def test_a_log_of_many_rows_is_counted_elsewhere_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = "".join(f"p{n % 50},item {n * n % 7}\n" for n in range(300))
    given = (
        propose_reading("log.csv", f"person,item\n{rows}".encode())
        .with_kind(log=True)
        .with_column(item="item", other="person")
    )
    here = [count_proposal(given, most=most) for most in (None, 2)]
    monkeypatch.setattr(limited_reading, "MANY_ROWS", 10)
    begun: list[object] = []
    popen = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *command, **how: begun.append(1) or popen(*command, **how)
    )
    for most, counted in zip((None, 2), here, strict=True):
        there = count_proposal(given, most=most)
        assert (there.kept, there.scores.digest) == (counted.kept, counted.scores.digest)
    assert len(begun) == 2


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        (b"Anna 12\nBen 7\nCem 9\n", ("name", "number")),
        (b"item,count\nash,1 234 \xe2\x82\xac\noak,56 \xe2\x82\xac\n", ("item", "count")),
        (b"item,count\nash,1\noak,2\n", None),
    ],
)
def test_cells_of_many_rows_are_mended_elsewhere(
    monkeypatch: pytest.MonkeyPatch, content: bytes, mended: tuple[str, str] | None
) -> None:
    here = propose_reading("a.csv", content)
    monkeypatch.setattr(door, "MANY_ROWS", 1)
    begun: list[object] = []
    popen = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *command, **how: begun.append(1) or popen(*command, **how)
    )
    there = propose_reading("a.csv", content)
    assert begun == ([] if mended is None else [1])
    assert there.guesses == here.guesses
    assert mended in {None, there.table.columns}
    assert there.table.frame.to_numpy().tolist() == here.table.frame.to_numpy().tolist()


def test_every_cell_of_many_is_looked_at_elsewhere_once_and_where_that_takes_too_much_nothing_is_remarked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = propose_reading("votes.csv", b"item;votes\ntea;1.234\nrye;2.345\ntea;3.456\n")
    here = given.remarks
    monkeypatch.setattr(limited_reading, "MANY_ROWS", 2)
    begun: list[object] = []
    popen = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *command, **how: begun.append(1) or popen(*command, **how)
    )
    many = replace(given)
    assert many.remarks == many.remarks == here
    assert [remark.says.split()[0] for remark in here] == ["'1.234'", "'tea'"]
    assert len(begun) == 1
    monkeypatch.setattr(
        limited_reading, "current_budgets", lambda: SimpleNamespace(worker=1_000_000, seconds=20.0)
    )
    assert replace(given).remarks == ()


@pytest.mark.parametrize(
    ("people", "items"),
    [(None, 1_000), pytest.param(5_000_000, 999_000, marks=pytest.mark.long)],
)
def test_as_many_rows_as_are_allowed_are_counted_on_the_smallest_machine(
    monkeypatch: pytest.MonkeyPatch, people: int | None, items: int
) -> None:
    """Of a log that is all numbers, with as many people as rows where they are told."""
    monkeypatch.setattr(limited_reading, "current_budgets", lambda: SIZES[2])
    rows = np.arange(MAX_ROWS)
    columns = {"item": rows % items / 8} | ({} if people is None else {"who": rows * 7.0 % people})
    given = Proposal(
        name="log",
        content=None,
        said=ReadingChoices(),
        table=Table("log", pd.DataFrame(columns), range(1, MAX_ROWS + 1)),
        meant=TableMeaning(log=True, item="item", other=None if people is None else "who"),
        guesses=(),
    )
    counted = count_proposal(given)
    assert counted.scores.d == items
    assert counted.scores.values.sum() == MAX_ROWS
    assert counted.kept.largest == 1


def test_what_it_takes_to_count_too_many_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"item": [f"item {n}" for n in range(300_000)]})
    log = Table("log", frame, np.arange(1, len(frame) + 1))
    given = Proposal(
        name="log",
        content=None,
        said=ReadingChoices(),
        table=log,
        meant=TableMeaning(log=True, item="item", other=None),
        guesses=(),
    )
    small = SimpleNamespace(worker=60_000_000, seconds=20.0)
    monkeypatch.setattr(limited_reading, "current_budgets", lambda: small)
    monkeypatch.setattr(limited_reading, "ENGINE", 0)
    told = refusal(count_proposal, given)
    assert told.startswith("'log' needs more than 60 MB of memory to count, which is the limit")
