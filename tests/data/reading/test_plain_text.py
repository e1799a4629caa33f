"""Long plain text is read at once, and as it is read row by row; what stated limits allow is read."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.data.counting import count_proposed_log
from dpviz.data.reading import delimited_text
from dpviz.data.reading.guessing import propose_reading
from dpviz.data.reading.input_rules import MAX_BYTES, MAX_ITEMS, FileReadOptions, IngestError
from dpviz.data.reading.table import Table

CELL = st.one_of(
    st.sampled_from(["", " ", "7", "1.5", "ash", "ünder", "item", "a b", "\t"]),
    st.integers().map(str),
)
ROWS = st.integers(2, 3).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), max_size=6)
)


def _outcome(text: str, how: FileReadOptions, long: int) -> Table | str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited_text, "_LONG", long)
        try:
            return delimited_text.read_delimited("a.csv", text, how)
        except IngestError as err:
            return str(err)


@given(
    rows=ROWS,
    delimiter=st.sampled_from(",;|"),
    end=st.sampled_from(["\n", "\r\n"]),
    how=st.sampled_from([None, 0, 1]).map(lambda above: FileReadOptions(above=above)),
    last=st.sampled_from(["", "Source: me", "total", '"quoted"', "1,\n,2"]),
)
def test_a_long_text_is_read_as_row_by_row(
    rows: list[list[str]], delimiter: str, end: str, how: FileReadOptions, last: str
) -> None:
    text = "".join(delimiter.join(row) + end for row in rows) + last
    table, slow = (_outcome(text, how, long) for long in (-1, len(text)))
    if isinstance(table, str) or isinstance(slow, str):
        assert table == slow  # refused in the same words
        return
    assert table.frame.equals(slow.frame)
    assert list(table.rows) == list(slow.rows)
    for what in ("header", "delimiter", "unit", "remarks"):
        assert getattr(table, what) == getattr(slow, what)


PLAIN = "item,count\nash,3\noak,5\n"


@pytest.mark.parametrize(
    ("text", "at_once"),
    [
        (PLAIN, True),
        (PLAIN.replace("\n", "\r\n"), True),
        (PLAIN[:-1], True),
        ("Votes of 2026\n\n" + PLAIN, True),
        (PLAIN + '"elm",2\n', False),
        (PLAIN + "\nelm,2\n", False),
        (PLAIN + ",\nelm,2\n", False),
        ("sep=,\n" + PLAIN, False),
    ],
)
def test_long_text_without_special_cases_is_read_at_once(
    text: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited_text, "_LONG", 1)
    table = delimited_text.read_delimited("a.csv", text)
    assert isinstance(table.rows, range) is at_once
    assert table.frame.iloc[:2].to_dict("list") == {"item": ["ash", "oak"], "count": ["3", "5"]}


@pytest.mark.parametrize("cell", [csv.field_size_limit() + 1, 2_000_000])
def test_a_cell_that_is_too_long_is_refused_alike(cell: int) -> None:
    with pytest.raises(IngestError, match="has a cell of more than 131,072 characters"):
        delimited_text.read_delimited("a.csv", PLAIN * 25_000 + "x" * cell + ",1\n")


@pytest.mark.parametrize("many", [60_000, pytest.param(MAX_ITEMS, marks=pytest.mark.long)])
def test_as_many_names_of_32_letters_as_are_allowed_are_read(many: int) -> None:
    letters = np.random.default_rng(0).integers(ord("a"), ord("z") + 1, (many, 32)).astype(np.uint8)
    rows = zip(letters.view("S32")[:, 0].tolist(), range(many), strict=True)
    content = b"item,count\n" + b"".join(b"%s,%d\n" % row for row in rows)
    assert len(content) < MAX_BYTES
    scores = propose_reading("names.csv", content).scores()
    assert (scores.d, float(scores.values[-1])) == (many, many - 1)


@pytest.mark.parametrize("rows", [110_000, pytest.param(2_000_000, marks=pytest.mark.long)])
def test_as_many_rows_as_a_file_holds_are_counted(rows: int) -> None:
    lines = (b"p%07d,item %04d\n" % (n % 500_000, n * 7919 % 1000) for n in range(rows))
    content = b"person,item\n" + b"".join(lines)
    assert len(content) < MAX_BYTES
    given = propose_reading("rows.csv", content).with_choices(log=True)
    counted = count_proposed_log(given.with_column(item="item", other="person"))
    assert (counted.scores.d, counted.scores.values.sum()) == (1000, min(rows, 500_000))


def test_beyond_it_is_told_which_limit_and_by_how_much() -> None:
    with pytest.raises(IngestError, match=r"'a.csv' has 60\.0 MB; at most 50 are allowed\."):
        propose_reading("a.csv", b"a,1\n" * 15_000_000)
    many = b"item,count\n" + b"".join(b"n%d,1\n" % n for n in range(MAX_ITEMS + 1))
    with pytest.raises(IngestError, match=r"are 1,000,001 items; at most 1,000,000 are allowed\."):
        propose_reading("a.csv", many).scores()
