"""The wall around what strangers send: bombs end in one sentence, sound files come through."""

import errno
import gzip
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz import Scenario, Scores
from dpviz.base.errors import ParameterError
from dpviz.base.limited_process import FORKER, Limits, can_start_worker
from dpviz.base.resource_budgets import SIZES
from dpviz.data.counting import count_proposed_log
from dpviz.data.reading import (
    IngestError,
    Table,
    limited_reading,
    read_in_limited_process,
    read_pasted_text,
    read_table,
    read_upload,
)
from dpviz.data.reading.guessing import Proposal, ReadingChoices, propose_reading
from dpviz.data.reading.guessing.item_lists import read_catalogue
from dpviz.data.reading.input_rules import MAX_CELLS, MAX_MEMORY, MAX_ROWS
from dpviz.data.score_sources import scores_from
from dpviz.studies.data_spec import DataSpec
from tests.data.reading.bombs import BOMBS, bomb, zeros
from tests.data.reading.helpers import excel, parquet, refusal
from tests.data.reading.hungry import (
    crashes,
    fails,
    hungry,
    is_killed,
    panics,
    panics_without_memory,
)

LITTLE = 60_000_000
TOO_MUCH = "needs more than 60 MB of memory to read, which is the limit"


# One that takes its while for each reader, and those that take none.
@pytest.mark.twins("texts.xlsx", "corners.xlsx", "records.parquet", "rows.csv")
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_in_a_sentence_about_a_limit(name: str) -> None:
    told = refusal(read_upload, name, bomb(name))
    assert told.startswith(f"'{name}' ")
    assert "limit" in told


LONG = "has a cell of more than 131,072 characters."
NONSENSE: dict[str, tuple[Callable[[], bytes], str]] = {
    "packed.csv": (
        lambda: gzip.compress(b"1\n" * 500_000) * 320,
        "unpacked has more than 300,000,000 bytes",
    ),
    "line.csv": (lambda: b"a" * 10_000_000, LONG),
    "quotes.csv": (lambda: b'"' * 10_000_000, LONG),
    "zeros.csv": (lambda: b"a,1\n" * 9_000_000 + b"\0,1\n", "holds binary data, not text"),
    "blank.csv": (lambda: b"\n" * 40_000_000, "is empty."),
    "half.csv": (lambda: "a,1\n".encode("utf-16") + b"\0", "is not UTF-16 text (line 2)"),
    "columns.json": (
        lambda: b"[" + b",".join(b'{"c%d":1,"d":1}' % i for i in range(20_000)) + b"]",
        "has more than 10,000,000 cells, which is the limit.",
    ),
    "deep.json": (lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "is nested too deeply."),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_other_nonsense_ends_in_its_own_sentence(name: str) -> None:
    content, sentence = NONSENSE[name]
    assert f"'{name}' {sentence}" in refusal(read_upload, name, content())


@pytest.mark.parametrize("size", [1, 50_000_000])
def test_reader_and_file_have_so_much_memory_together(size: int) -> None:
    together = limited_reading.read_in_limited_process("a.csv", hungry, b"x" * size) + size
    assert 0.7 * MAX_MEMORY < together < 0.95 * MAX_MEMORY


def test_a_reader_in_rust_without_memory_asks_for_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """To print where it was, which ended in waiting for ever."""
    monkeypatch.setenv("RUST_BACKTRACE", "1")
    assert limited_reading.read_in_limited_process("a.xlsx", os.getenv, "RUST_BACKTRACE") == "0"


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader may take so little that a small file is too much."""
    limits = Limits(LITTLE, limited_reading._READING.limits.seconds)
    small = limited_reading._READING._replace(limits=limits)
    monkeypatch.setattr(limited_reading, "_READING", small)


@pytest.mark.usefixtures("little_memory")
def test_lists_scenarios_and_pasted_text_stand_behind_the_wall_too() -> None:
    assert read_catalogue("items.txt", b"tea\nrye\n") == ("tea", "rye")  # so much is enough
    items = b"".join(b"%d\n" % i for i in range(400_000))
    assert TOO_MUCH in refusal(read_catalogue, "items.txt", items)
    assert TOO_MUCH in refusal(
        read_in_limited_process, "pasted scores", read_pasted_text, "a,1\n" * 400_000
    )
    start = b'{"dpviz": "scenario", "version": 1, "scores": {"values": ['
    values = start + b"[]," * 1_000_000 + b"[]]}}"
    assert TOO_MUCH in refusal(read_in_limited_process, "s.json", Scenario.from_json, values)


def test_what_is_short_or_sound_is_read_as_before() -> None:
    assert read_catalogue("The list", " \n") is None
    assert "has 1 items; a selection needs at least 2." in refusal(
        read_catalogue, "The list", "tea"
    )
    assert "at most 50 are allowed" in refusal(read_catalogue, "items.txt", b"a" * 50_000_001)
    many = Scenario(data=DataSpec(source="uploaded"), scores=Scores(np.arange(200_000.0)), k=1)
    opened = read_in_limited_process("s.json", Scenario.from_json, many.to_json())
    assert opened.scores == many.scores


@pytest.mark.long
def test_of_a_wide_file_as_many_columns_are_read_as_fit() -> None:
    table = read_upload("zeros.parquet", zeros())
    assert len(table.columns) == MAX_CELLS // 500_000


def test_columns_named_like_scores_are_read_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("dpviz.data.reading.parquet.MAX_CELLS", 4)
    monkeypatch.setattr(limited_reading, "can_start_worker", lambda: False)
    content = parquet({"a": [1, 2], "b": [3, 4], "item": ["x", "y"], "count": [5, 6]})
    table = read_table("a.parquet", content)
    assert table.columns == ("item", "count")
    (remark,) = table.remarks
    assert remark.says == "2 of 4 columns are left out, as the file is too large: 'a', 'b'."
    assert scores_from(table).values.tolist() == [5.0, 6.0]
    path = tmp_path / "a.parquet"
    path.write_bytes(content)
    assert scores_from(path, score="b").values.tolist() == [3.0, 4.0]  # which was not left out
    asked = read_table("a.parquet", content, columns=("b",))
    assert asked.columns == ("b",)


def test_too_many_cells_are_refused_while_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.data.reading.delimited_text.MAX_CELLS", 6)
    assert len(read_table("a.csv", b"item,count\na,1\nb,2\nc,3\n").frame) == 3
    told = refusal(read_table, "a.csv", b"item,count\na,1\nb,2\nc,3\nd,4\n")
    assert told == "'a.csv' has more than 6 cells, which is the limit."


def test_what_the_reader_gives_and_says_comes_through() -> None:
    scores = scores_from(read_upload("a.xlsx", excel([["item", "n"], ["ash", 3], ["oak", 5]])))
    assert (scores.labels, scores.values.tolist()) == (("ash", "oak"), [3.0, 5.0])
    ragged = b"item,count\nash,3\noak\n"
    assert "Row 3 of 'a.csv' has 1 cell" in refusal(read_upload, "a.csv", ragged)
    with pytest.raises(ParameterError):
        limited_reading.read_in_limited_process(
            "a.csv", read_table, "a.csv", b"1\n2\n", kind="nonsense"
        )


@pytest.mark.usefixtures("little_memory")
def test_a_reader_that_fails_for_want_of_memory_says_the_limit() -> None:
    told = refusal(limited_reading.read_in_limited_process, "a.xlsx", panics_without_memory)
    assert told.startswith(f"'a.xlsx' {TOO_MUCH}: ")


@pytest.mark.parametrize("way", [crashes, is_killed, fails, panics])
def test_a_reader_that_fails_is_told_for_what_it_is(
    way: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    told = refusal(limited_reading.read_in_limited_process, "a.csv", way)
    assert told == "'a.csv' could not be read: the reader failed."
    assert ("KeyError: 'no such key'" in caplog.text) == (way is fails)


def test_the_process_that_forks_is_started_again_once_it_has_ended() -> None:
    assert read_catalogue("items.txt", b"tea\nrye\n") == ("tea", "rye")
    process = FORKER.process
    assert process is not None
    process.kill()
    process.wait()
    assert read_catalogue("items.txt", b"tea\nrye\n") == ("tea", "rye")
    assert FORKER.process is not process


def test_whatever_a_stranger_sends_is_read_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    forked: list[object] = []
    hand_over = FORKER.hand_over

    def heard(*handed: Any) -> Any:
        forked.append(handed)
        return hand_over(*handed)

    monkeypatch.setattr(FORKER, "hand_over", heard)
    given = propose_reading("votes.csv", b"item;votes\ntea;1.234\nrye;2.345\noat;3.456\n")
    assert given.remarks
    assert len(forked) == 1, "every cell was looked at where the file was read"
    assert given.with_choices(decimal=".").scores().d == 3
    log = given.with_choices(item="item", person=None)
    assert count_proposed_log(log).scores.values.tolist() == [1.0, 1.0, 1.0]
    before = len(forked)
    assert before > 2
    read_catalogue("items.txt", "tea\nrye")
    propose_reading("pasted scores", "tea, 1\nrye, 2")
    read_upload("a.csv", b"1\n2\n")
    assert len(forked) == before + 3


def test_time_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_reading, "_PATIENCE", 1e-6)
    with pytest.raises(IngestError, match="more than 10 seconds"):
        limited_reading.read_in_limited_process("a.csv", read_table, "a.csv", b"1\n2\n")


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[OSError], None]:
    """No process can be begun, for this reason."""

    def end(reason: OSError) -> None:
        def refuse(*_of: object, **_how: object) -> None:
            raise reason

        FORKER.end()
        monkeypatch.setattr(subprocess, "Popen", refuse)

    return end


def test_without_processes_a_file_is_still_read(no_process: Callable[[OSError], None]) -> None:
    no_process(OSError("no processes here"))
    scores = scores_from(read_upload("a.xlsx", excel([["a", 1], ["b", 2]])))
    assert scores.values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("full", [errno.EAGAIN, errno.ENOMEM])
def test_where_no_process_can_be_begun_now_nothing_is_read_without_the_wall(
    no_process: Callable[[OSError], None], full: int
) -> None:
    no_process(OSError(full, os.strerror(full)))
    told = refusal(read_upload, "a.xlsx", excel([["a", 1], ["b", 2]]))
    assert told == "The server has no room to read 'a.xlsx' now."


@pytest.mark.parametrize(
    ("people", "items"), [(None, 1_000), pytest.param(5_000_000, 999_000, marks=pytest.mark.long)]
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
        said=ReadingChoices(item="item", person=None if people is None else "who"),
        source=Table("log", pd.DataFrame(columns), range(1, MAX_ROWS + 1)),
    )
    counted = count_proposed_log(given)
    assert counted.scores.d == items
    assert counted.scores.values.sum() == MAX_ROWS


def test_what_it_takes_to_count_too_many_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"item": [f"item {n}" for n in range(300_000)]})
    log = Table("log", frame, np.arange(1, len(frame) + 1))
    said = ReadingChoices(item="item", person=None)
    given = Proposal(name="log", content=None, said=said, source=log)
    small = SimpleNamespace(worker=60_000_000, seconds=20.0)
    monkeypatch.setattr(limited_reading, "current_budgets", lambda: small)
    monkeypatch.setattr(limited_reading, "ENGINE", 0)
    told = refusal(count_proposed_log, given)
    assert told.startswith("'log' needs more than 60 MB of memory to count, which is the limit")


def test_a_worker_starts_no_worker() -> None:
    assert can_start_worker()
    assert not read_in_limited_process("a.csv", can_start_worker)
