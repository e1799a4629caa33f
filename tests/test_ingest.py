"""Data from outside: what is read, how, and in which words the rest is refused."""

import datetime
import io
import json
import pickle
import zipfile
from decimal import Decimal

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.errors import Cancelled, ParameterError
from dpviz.ingest import (
    KINDS,
    MAX_BYTES,
    MAX_EDIT_ROWS,
    MAX_ITEMS,
    IngestError,
    Table,
    count_people,
    delimited,
    edit_frame,
    files,
    paste,
    read_frame,
    read_table,
    scores_from,
    workbook,
)
from dpviz.ingest import table as tables
from dpviz.ingest.numbers import numbers
from dpviz.scores import Scores
from tests.benchmarks.fuzz_ingest import fuzz, outcome, pasted, samples


def csv_scores(text, **options):
    return scores_from(read_table("data.csv", text.encode()), **options)


def refusal(function, *arguments, **options):
    """The sentence with which an IngestError refuses."""
    with pytest.raises(IngestError) as caught:
        function(*arguments, **options)
    return str(caught.value)


def excel(rows, *, title="Sheet", more=()):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for name, content in more:
        page = book.create_sheet(name)
        for row in content:
            page.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def parquet(columns, **options):
    target = io.BytesIO()
    pq.write_table(pa.table(columns), target, **options)
    return target.getvalue()


class TestDelimited:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_finds_the_delimiter(self, delimiter):
        text = "\n".join(delimiter.join(row) for row in (["item", "count"], ["ash", "3"], ["oak", "5"]))
        table = read_table("data.csv", text.encode())
        assert (table.delimiter, table.columns, table.header) == (delimiter, ("item", "count"), True)
        assert scores_from(table).labels == ("ash", "oak")
        assert scores_from(table).values.tolist() == [3, 5]

    def test_quoted_fields(self):
        scores = csv_scores('item,count\n"ash, old",3\n"a ""b""",5\n"two\nlines",7\n')
        assert scores.labels == ("ash, old", 'a "b"', "two lines")

    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    def test_line_endings(self, ending):
        assert csv_scores(ending.join(["item,count", "a,1", "b,2", ""])).values.tolist() == [1, 2]

    def test_delimiter_in_every_label_does_not_mislead(self):
        assert csv_scores("Smith; John,5\nDoe; Jane,6\n").labels == ("Smith; John", "Doe; Jane")
        assert csv_scores("item;count\na, b;5\nc, d;6\n").labels == ("a, b", "c, d")

    def test_decimal_comma_with_semicolons(self):
        assert csv_scores("item;value\na;1,5\nb;1.234,25\n").values.tolist() == [1.5, 1234.25]
        assert csv_scores("a;1,5\nb;2,5\n").values.tolist() == [1.5, 2.5]

    def test_spreadsheet_note_of_the_delimiter(self):
        table = read_table("data.csv", b"sep=;\r\nitem;count\r\na;1\r\nb;2\r\n")
        assert scores_from(table).values.tolist() == [1, 2]
        assert table.where(0) == "Row 3"

    def test_one_column_with_and_without_header(self):
        assert csv_scores("count\n3\n1\n").values.tolist() == [3, 1]
        assert csv_scores("3\n1\n").values.tolist() == [3, 1]
        assert csv_scores("3\n1\n").labels is None

    def test_one_row_of_numbers_is_a_column(self):
        assert csv_scores("3,1,4,1,5\n").values.tolist() == [3, 1, 4, 1, 5]

    def test_header_can_be_said(self):
        text = b"tea,milk\nrye,oat\n"
        assert read_table("a.csv", text).header
        table = read_table("a.csv", text, header=False)
        assert table.columns == ("column 1", "column 2")
        assert len(table.frame) == 2
        named = read_table("a.csv", b"alpha,2024\nb,1\nc,2\n", header=True)
        assert scores_from(named).d == 2

    def test_index_column_without_a_name(self):
        assert csv_scores(",foo\nash,3\noak,5\n").labels == ("ash", "oak")

    def test_blank_rows_are_left_out_but_counted(self):
        table = read_table("a.csv", b"\nitem,count\n\na,1\n,\nb,x\n\n")
        assert [table.where(i) for i in range(2)] == ["Row 4", "Row 6"]
        assert refusal(scores_from, read_table("a.csv", b"item,count\n\na,1\nb,2\nc,x\n")).startswith("Row 5: ")

    def test_blank_row_within_one_column_is_a_missing_score(self):
        assert refusal(csv_scores, "count\n3\n\n4\n\n") == "Row 3: the score in column 'count' is empty."

    def test_ragged_rows(self):
        assert refusal(csv_scores, "item,count\na,1\nb,2,3\n") == (
            "Row 3 of 'data.csv' has 3 cells, where the first has 2 cells."
        )
        assert refusal(csv_scores, "item,count\na,1\nb\n").startswith("Row 3 of 'data.csv' has 1 cell,")

    def test_unclosed_quote(self):
        assert refusal(csv_scores, 'item,count\na,1\n"b,2\nc,3\n') == (
            "Row 3 of 'data.csv' opens a quotation mark that is never closed, as when a file is cut short."
        )

    def test_misplaced_quote(self):
        assert refusal(csv_scores, 'item,count\n"a"b,1\nc,2\n') == (
            "Row 2 of 'data.csv' has a quotation mark in the wrong place."
        )

    def test_gigantic_cell(self):
        assert "has a cell of more than" in refusal(csv_scores, "item,count\n" + "x" * 200_000 + ",1\nb,2\n")

    def test_two_columns_alike(self):
        assert refusal(csv_scores, "item,count,count\na,1,2\nb,1,2\n") == (
            "Two columns of 'data.csv' are called 'count'; give each its own name."
        )

    @pytest.mark.parametrize("text", ["", " \n\n", "\ufeff", ",,\n,,\n"])
    def test_empty(self, text):
        assert refusal(csv_scores, text) == "'data.csv' is empty."

    def test_header_alone(self):
        assert refusal(csv_scores, "item,count\n") == "'data.csv' has a header but no rows."

    def test_too_many_columns(self):
        wide = ",".join(f"c{i}" for i in range(1_001))
        assert "has 1,001 columns; at most 1,000 are allowed" in refusal(csv_scores, f"{wide}\n{wide}\n")

    def test_too_many_rows(self, monkeypatch):
        monkeypatch.setattr(delimited, "MAX_ROWS", 3)
        assert refusal(csv_scores, "1\n2\n3\n4\n5\n") == "'data.csv' has more than 3 rows, which is the limit."

    def test_tsv_with_commas_in_every_label(self):
        table = read_table("data.tsv", b"a,1\t5\nb,2\t6\n")
        assert scores_from(table).labels == ("a,1", "b,2")


class TestEncoding:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_marked_or_utf8(self, encoding):
        table = read_table("a.csv", "item,count\nbéla,1\n🌳,2\n".encode(encoding))
        assert scores_from(table).labels == ("béla", "🌳")
        assert table.columns == ("item", "count")

    def test_latin_1_only_if_said(self):
        content = "item,count\nash,0\nbéla,1\n".encode("cp1252")
        assert refusal(read_table, "a.csv", content) == (
            "'a.csv' is not UTF-8 text (line 3): save it as UTF-8, or say which encoding it has."
        )
        for encoding in ("cp1252", "latin-1"):
            assert scores_from(read_table("a.csv", content, encoding=encoding)).labels == ("ash", "béla")

    def test_unknown_encoding(self):
        with pytest.raises(ParameterError, match="encoding must be one of utf-8, "):
            read_table("a.csv", b"1\n2\n", encoding="klingon")

    def test_utf16_without_mark_is_not_mojibake(self):
        content = "item,count\na,1\nb,2\n".encode("utf-16-le")
        assert "holds binary data" in refusal(read_table, "a.csv", content)
        assert scores_from(read_table("a.csv", content, encoding="utf-16-le")).d == 2

    @pytest.mark.parametrize(
        ("content", "what"), [(b"PK\x03\x04..", "a zip or Excel file"), (b"PAR1....", "a Parquet file")]
    )
    def test_another_kind_under_a_text_name(self, content, what):
        assert refusal(read_table, "a.csv", content) == f"'a.csv' is {what}, not text; give it its right ending."

    def test_junk(self):
        junk = np.random.default_rng(1).bytes(1000)
        for kind in KINDS:
            assert refusal(read_table, "junk", junk, kind=kind)


class TestNumbers:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            (["1", "-2.5", "+3", ".5", "5.", "1e3", " 7 ", "\u22124"], [1, -2.5, 3, 0.5, 5, 1000, 7, -4]),
            (["1,234,567", "12"], [1234567, 12]),
            (["1,234", "1,234.5"], [1234, 1234.5]),
            (["1,234", "5.5"], [1234, 5.5]),
            (["1.234", "1,5"], [1234, 1.5]),
            (["1,5", "12,25"], [1.5, 12.25]),
            (["1.234.567", "1"], [1234567, 1]),
            (["9007199254740993", "1"], [9007199254740992, 1]),
        ],
    )
    def test_one_way_for_a_column(self, cells, expected):
        assert numbers(pd.Series(cells)).tolist() == expected

    @pytest.mark.parametrize(
        ("cells", "why"),
        [
            (["5", "abc"], "Row 3: the score 'abc' in column 'count' is not a number."),
            (["5", ""], "Row 3: the score in column 'count' is empty."),
            (["5", "NaN"], "Row 3: the score 'NaN' in column 'count' is not a number."),
            (["5", "inf"], "Row 3: the score 'inf' in column 'count' is not a number."),
            (["5", "1e999"], "Row 3: the score '1e999' in column 'count' is too large for a floating-point number."),
            (["5", "9" * 400], "is too large for a floating-point number."),
            (["5", "9" * 4000], "is not a number."),
            (["5", "1_000"], "Row 3: the score '1_000' in column 'count' is not a number."),
            (["5", "0x1F"], "is not a number."),
            (["5", "\uff11"], "is not a number."),
            (["5", "\u0661"], "is not a number."),
            (["5", "12%"], "is not a number."),
            (["5", "1 234"], "is not a number."),
            (["5", "1,23,456"], "is not a number."),
            (["5", "true"], "Row 3: the score 'true' in column 'count' is not a number."),
            (["5", "1,234"], "Row 3: the score '1,234' in column 'count' can be read in two ways"),
            (["1,234.5", "1.234,5"], "Row 2: the score '1,234.5' in column 'count' can be read in two ways"),
        ],
    )
    def test_refuses_with_the_row(self, cells, why):
        table = read_table("a.csv", pd.DataFrame({"item": ["a", "b"], "count": cells}).to_csv(index=False).encode())
        assert why in refusal(scores_from, table)

    def test_doubt_is_settled_by_saying_the_sign(self):
        table = read_table("a.csv", b'item,count\na,"1,234"\nb,5\n')
        assert scores_from(table, decimal=".").values.tolist() == [1234, 5]
        assert scores_from(table, decimal=",").values.tolist() == [1.234, 5]
        with pytest.raises(ParameterError, match="decimal must be a point or a comma"):
            scores_from(table, decimal="x")

    def test_dots_that_may_group_thousands(self):
        table = read_table("a.csv", b"item;count\na;1.234\nb;17\n")
        assert refusal(scores_from, table).startswith("Row 2: the score '1.234' in column 'count' can be read in two")
        assert scores_from(table, decimal=",").values.tolist() == [1234, 17]
        assert scores_from(table, decimal=".").values.tolist() == [1.234, 17]
        assert csv_scores("item;count\na;1.234\nb;0.5\n").values.tolist() == [1.234, 0.5]
        assert csv_scores("item,count\na,1.234\nb,17\n").values.tolist() == [1.234, 17]

    def test_said_sign_that_does_not_fit(self):
        assert refusal(csv_scores, "item;count\na;1,5\nb;2\n", decimal=".") == (
            "Row 2: the score '1,5' in column 'count' is not a number with a point (1,234.5) before its decimals."
        )

    @pytest.mark.parametrize(
        ("cell", "why"),
        [
            (True, "is true or false, not a number"),
            (None, "is empty"),
            (pd.NA, "is empty"),
            (float("nan"), "is missing"),
            (float("inf"), "is not finite"),
            (10**400, "is too large"),
            (Decimal("sNaN"), "is missing"),
            (datetime.date(2024, 1, 5), "is not a number"),
            ([1], "is not a number"),
            (1j, "is not a number"),
        ],
    )
    def test_cells_that_are_not_text(self, cell, why):
        table = read_frame(pd.DataFrame({"item": ["a", "b"], "count": pd.Series([4, cell], dtype=object)}))
        message = refusal(scores_from, table, "count")
        assert message.startswith("Row 2: the score")
        assert why in message

    @given(st.lists(st.floats(allow_nan=False, allow_infinity=False, max_value=1e290, min_value=-1e290), min_size=2))
    def test_every_float_survives_its_own_text(self, values):
        text = "score\n" + "\n".join(map(repr, values))
        assert csv_scores(text).values.tolist() == values


class TestColumns:
    def test_guesses(self):
        table = read_table("a.csv", b"id,city,share,votes,note\n1,Ulm,.5,7,x\n2,Bonn,.6,8,y\n")
        assert table.score_column == "votes"
        assert table.label_column == "city"
        assert table.numeric_columns == ("id", "share", "votes")
        assert table.text_columns == ("city", "note")

    def test_numbering_is_no_score(self):
        assert read_table("a.csv", b"id,points\n1,5\n2,6\n").score_column == "points"

    def test_chosen(self):
        table = read_table("a.csv", b"id,city,share,votes\n1,Ulm,.5,7\n2,Bonn,.6,8\n")
        scores = scores_from(table, "share", "id", sensitivity=0.25, monotonic=True)
        assert scores == Scores([0.5, 0.6], labels=["1", "2"], sensitivity=0.25, monotonic=True)
        assert scores_from(table, label=None).labels is None
        with pytest.raises(
            ParameterError, match="score must be one of the columns 'id', 'city', 'share', 'votes', not"
        ):
            scores_from(table, "nope")
        with pytest.raises(ParameterError, match="label must be one of the columns"):
            scores_from(table, label="nope")

    def test_no_numbers(self):
        assert refusal(csv_scores, "item,kind\na,b\nc,d\n") == (
            "No column of 'data.csv' holds numbers; a score must be a number."
        )

    def test_one_bad_cell_is_named_though_the_column_is_guessed(self):
        assert refusal(csv_scores, "item,count\na,1\nb,abc\nc,2\n") == (
            "Row 3: the score 'abc' in column 'count' is not a number."
        )

    def test_one_item(self):
        assert "only 1 item" in refusal(csv_scores, "item,count\na,1\n")

    def test_bad_sensitivity(self):
        with pytest.raises(ParameterError, match="sensitivity must be"):
            csv_scores("a,1\nb,2\n", sensitivity=0.0)

    def test_too_many_items(self, monkeypatch):
        monkeypatch.setattr(tables, "MAX_ITEMS", 3)
        assert refusal(csv_scores, "1\n2\n3\n4\n") == "There are 4 items; at most 3 are allowed."

    def test_million_items(self):
        text = "item,count\n" + "\n".join(f"i{i},{i}" for i in range(MAX_ITEMS))
        scores = csv_scores(text)
        assert scores.d == MAX_ITEMS
        assert scores.values[-1] == MAX_ITEMS - 1
        assert scores.labels[-1] == f"i{MAX_ITEMS - 1}"


class TestLabels:
    @pytest.mark.parametrize(
        "label",
        ["=HYPERLINK(1)", "<b>x</b>", "🌳👩‍👧", "\u05e9\u05dc\u05d5\u05dd", "+1", " spaced ", "a\u202eb", "x" * 200],
    )
    def test_are_data(self, label):
        content = pd.DataFrame({"item": [label, label], "count": [1, 2]}).to_csv(index=False).encode()
        assert scores_from(read_table("a.csv", content)).labels == (label, label)

    def test_control_characters_become_one_space(self):
        assert csv_scores('item,count\n"a\r\n\x07b",1\nc\u2028d,2\n').labels == ("a b", "c d")

    def test_too_long(self):
        assert refusal(csv_scores, f"item,count\na,1\n{'x' * 201},2\n") == (
            "Row 3: the label in column 'item' has 201 characters; at most 200 are allowed."
        )

    def test_empty_label_goes_by_its_place(self):
        assert csv_scores("item,count\na,1\n,2\n").labels == ("a", "item 2")

    def test_numbers_and_dates_as_labels(self):
        day = datetime.datetime(2024, 1, 5)  # noqa: DTZ001 - as Excel has them
        content = excel([["item", "count"], [5, 1], [5.0, 2], [2.5, 3], [day, 4], [True, 5], ["x", 6]])
        assert scores_from(read_table("a.xlsx", content), "count", "item").labels == (
            "5", "5", "2.5", "2024-01-05", "True", "x",
        )  # fmt: skip

    def test_lone_surrogates_are_replaced(self):
        scores = scores_from(read_table("a.json", b'{"a\\ud800": 1, "b": 2}'))
        assert scores.labels == ("a\ufffd", "b")
        assert scores_from(paste("a\ud800, 1\nb, 2")).labels[0] == "a\ufffd"
        assert refusal(read_table, "\ud800.csv", b"").encode()


class TestExcel:
    def test_first_sheet_unless_named(self):
        content = excel([["item", "count"], ["a", 1], ["b", 2]], more=[("Other", [["x", 7], ["y", 8], ["z", 9]])])
        table = read_table("a.xlsx", content)
        assert (table.sheets, table.sheet) == (("Sheet", "Other"), "Sheet")
        assert scores_from(table).values.tolist() == [1, 2]
        assert scores_from(read_table("a.xlsx", content, sheet="Other")).labels == ("x", "y", "z")
        assert refusal(read_table, "a.xlsx", content, sheet="No") == (
            "'a.xlsx' has no sheet called 'No'; it has 'Sheet', 'Other'."
        )

    def test_table_away_from_the_corner(self):
        content = excel([[], [None, None, "item", "count"], [], [None, None, "a", 1], [None, None, "b", "x"]])
        table = read_table("a.xlsx", content)
        assert table.columns == ("item", "count")
        assert refusal(scores_from, table, "count") == "Row 5: the score 'x' in column 'count' is not a number."

    def test_cells_that_are_no_scores(self):
        for cell, why in [(True, "is true or false"), (None, "is empty"), ("#DIV/0!", "is not a number")]:
            content = excel([["item", "count"], ["a", 1], ["b", cell], ["c", 3]])
            message = refusal(scores_from, read_table("a.xlsx", content))
            assert message.startswith("Row 3: the score")
            assert why in message

    def test_empty_sheet(self):
        assert refusal(read_table, "a.xlsx", excel([])) == "The sheet read from 'a.xlsx' is empty."
        assert refusal(read_table, "a.xlsx", excel([["item", "count"]])) == "'a.xlsx' has a header but no rows."

    def test_cut_short(self):
        content = excel([["a", 1], ["b", 2]])
        for length in (5, 100, len(content) // 2, len(content) - 5):
            assert "cannot be read as an Excel workbook" in refusal(read_table, "a.xlsx", content[:length])

    def test_old_format(self):
        message = refusal(read_table, "a.xlsx", b"\xd0\xcf\x11\xe0" + b"\0" * 100)
        assert "is an old or a password-protected Excel file" in message

    def test_zip_bomb(self):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package, package.open("xl/a.xml", "w") as part:
            for _ in range(301):
                part.write(b" " * 1_000_000)
        assert len(target.getvalue()) < 1_000_000
        assert refusal(read_table, "a.xlsx", target.getvalue()) == (
            "'a.xlsx' unpacks to more than 300 MB, which is the limit."
        )

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_xml_bomb(self, encoding):
        bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
        target = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(excel([["a", 1], ["b", 2]]))) as sound, zipfile.ZipFile(target, "w") as package:
            for name in sound.namelist():
                part = bomb.encode(encoding) if name.endswith("sheet1.xml") else sound.read(name)
                package.writestr(name, part)
        assert "declares XML entities" in refusal(read_table, "a.xlsx", target.getvalue())

    def test_a_row_number_beyond_the_limit_ends_the_reading(self, monkeypatch):
        monkeypatch.setattr(workbook, "MAX_ROWS", 1000)
        target = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(excel([["a", 1], ["b", 2]]))) as sound, zipfile.ZipFile(target, "w") as package:
            for name in sound.namelist():
                part = sound.read(name)
                package.writestr(name, part.replace(b'<row r="2"', b'<row r="999999999"').replace(b'r="A2"', b""))
        assert "has more than 1,000 rows" in refusal(read_table, "a.xlsx", target.getvalue())


class TestParquet:
    def test_reads(self):
        content = parquet({"item": ["a", "b", "a"], "count": [3, 5, 2]}, row_group_size=1)
        scores = scores_from(read_table("a.parquet", content))
        assert scores.labels == ("a", "b", "a")
        assert scores.values.tolist() == [3, 5, 2]

    def test_decimal_numbers(self):
        content = parquet({"count": pa.array([Decimal("1.25"), Decimal("2.50")])})
        assert scores_from(read_table("a.parquet", content)).values.tolist() == [1.25, 2.5]

    @pytest.mark.parametrize(
        ("column", "why"),
        [
            (pa.array([1, None]), "Row 2: the score in column 'count' is missing (NaN)."),
            (pa.array([1.0, float("inf")]), "Row 2: the score inf in column 'count' is not finite."),
            (pa.array([True, False]), "Row 1: the score True in column 'count' is true or false, not a number."),
            (pa.array([[1], [2]]), "Row 1: the score [1] in column 'count' is not a number."),
        ],
    )
    def test_refuses_with_the_row(self, column, why):
        assert refusal(scores_from, read_table("a.parquet", parquet({"count": column})), "count") == why

    def test_cut_short(self):
        content = parquet({"item": ["a", "b"], "count": [3, 5]})
        for length in (1, 8, len(content) // 2, len(content) - 1):
            assert "cannot be read as a Parquet file" in refusal(read_table, "a.parquet", content[:length])

    def test_text_that_is_not_utf8(self):
        column = pa.array([b"a", b"\xff\xfe"]).view(pa.string())
        content = parquet({"item": column, "count": [1, 2]})
        assert "cannot be read as a Parquet file" in refusal(read_table, "a.parquet", content)

    def test_limits_come_before_the_data(self):
        rows = pa.table({"count": pa.DictionaryArray.from_arrays(np.zeros(5_000_001, np.int8), ["x"])})
        target = io.BytesIO()
        pq.write_table(rows, target)
        assert refusal(read_table, "a.parquet", target.getvalue()) == (
            "'a.parquet' has 5,000,001 rows; at most 5,000,000 are allowed."
        )

    def test_one_long_text_repeated_stays_small(self):
        column = pa.DictionaryArray.from_arrays(np.zeros(1_000_000, np.int8), ["x" * 1_000_000])
        content = parquet({"item": column, "count": np.arange(1_000_000)})
        table = read_table("a.parquet", content)  # 1 TB if it were written out
        assert "has 1,000,000 characters" in refusal(scores_from, table)

    def test_empty(self):
        assert refusal(read_table, "a.parquet", parquet({"count": pa.array([], pa.int64())})) == "'a.parquet' is empty."


class TestJson:
    @pytest.mark.parametrize(
        ("value", "labels"),
        [
            ([3, 5], None),
            ({"a": 3, "b": 5}, ("a", "b")),
            ([["a", 3], ["b", 5]], ("a", "b")),
            ([{"item": "a", "count": 3}, {"item": "b", "count": 5}], ("a", "b")),
            ({"item": ["a", "b"], "count": [3, 5]}, ("a", "b")),
            ({"item": {"0": "a", "1": "b"}, "count": {"0": 3, "1": 5}}, ("a", "b")),
            ({"data": [{"item": "a", "count": 3}, {"item": "b", "count": 5}]}, ("a", "b")),
            ({"scores": [3, 5]}, None),
        ],
    )
    def test_shapes(self, value, labels):
        scores = scores_from(read_table("a.json", json.dumps(value).encode()))
        assert scores.values.tolist() == [3, 5]
        assert scores.labels == labels

    def test_equal_labels_both_stay(self):
        assert scores_from(read_table("a.json", b'{"a": 1, "a": 2}')).values.tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("[1, NaN]", "Entry 2: the score in column 'value' is missing (NaN)."),
            ("[1, Infinity]", "Entry 2: the score inf in column 'value' is not finite."),
            ("[1, null]", "Entry 2: the score in column 'value' is empty."),
            ("[1, true]", "Entry 2: the score True in column 'value' is true or false, not a number."),
            ('[1, 2, "abc"]', "Entry 3: the score 'abc' in column 'value' is not a number."),
            ("[1, 1" + "0" * 400 + "]", "Entry 2: the score inf in column 'value' is not finite."),
            ("[1, 1" + "0" * 399 + "]", "is too large for a floating-point number."),
            ("[1, " + "9" * 5000 + "]", "Entry 2: the score inf in column 'value' is not finite."),
            ('{"a": 1, "b": [2]}', "Entry 2: the score '[list]' in column 'score' is not a number."),
            ('[{"item": "a", "count": 1}, {"item": "b"}]', "Entry 2: the score in column 'count' is empty."),
            ("[5]", "There is only 1 item in 'a.json'; a selection needs at least 2."),
            ("[1, 2", "'a.json' is not JSON (line 1, character 6)."),
            ("[" * 100_000, "'a.json' is nested too deeply."),
            ("5", "'a.json' must hold a JSON list or object, not '5'."),
            ("[]", "'a.json' is empty."),
            ("{}", "'a.json' is empty."),
            ("[{}, {}]", "'a.json' is empty."),
            ('[{"a": 1}, 5]', "Entry 2 of 'a.json' is not a record, as the first is."),
            ('[{"a": 1, "a": 2}]', "Entry 1 of 'a.json' has 'a' twice."),
            ('[["a", 1], ["b"]]', "Entry 2 of 'a.json' is not a list of 2, as the first is."),
            ('{"a": [1, 2], "b": [1]}', "Column 'b' of 'a.json' has 1 entries, where 'a' has 2."),
            ('{"a": {"0": 1}, "b": {"1": 1}}', "Column 'b' of 'a.json' has other rows than 'a'."),
        ],
    )
    def test_refuses(self, text, why):
        assert why in refusal(lambda: scores_from(read_table("a.json", text.encode())))


class TestPaste:
    @pytest.mark.parametrize(
        ("text", "values", "labels"),
        [
            ("3\n1\n4\n", [3, 1, 4], None),
            ("count\n3\n\n1\n", [3, 1], None),
            ("3, 1, 4", [3, 1, 4], None),
            ("3 1 4", [3, 1, 4], None),
            ("3,1,4,", [3, 1, 4], None),
            ("3;1,5;4", [3, 1.5, 4], None),
            ("3\t1\t4", [3, 1, 4], None),
            ("apples, 3\npears, 5", [3, 5], ("apples", "pears")),
            ("apples\t3\npears\t5", [3, 5], ("apples", "pears")),
            ("fruit\tvotes\napples\t3\npears\t5", [3, 5], ("apples", "pears")),
            ("apples; 3,5\npears; 5", [3.5, 5], ("apples", "pears")),
            ('"apples, red", 3\n"pears", 5', [3, 5], ("apples, red", "pears")),
            ("\ufeffa,1\r\nb,2\r\n", [1, 2], ("a", "b")),
        ],
    )
    def test_reads(self, text, values, labels):
        scores = scores_from(paste(text))
        assert scores.values.tolist() == values
        assert scores.labels == labels

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "The pasted text is empty."),
            (" \n ", "The pasted text is empty."),
            ("5", "There is only 1 item in 'pasted text'"),
            ("3\nabc\n5", "Line 2: the score 'abc' in column 'column 1' is not a number."),
            ("3, x, 5", "Number 2: the score 'x' in column 'value' is not a number."),
            ("1,234\n5,678", "Line 1: '1,234' can be one number or a label and a number"),
            ("1,5\n2,5", "Line 1: '1,5' can be one number or a label and a number"),
            ("a\0b", "The pasted text holds binary data"),
            ("Smith, J, 3\nDoe, 5\nRoe, 6", "Line 2 of 'pasted text' has 2 cells, where the first has 3 cells."),
        ],
    )
    def test_refuses(self, text, why):
        assert why in refusal(lambda: scores_from(paste(text)))

    def test_not_text(self):
        with pytest.raises(ParameterError, match="text must be a text"):
            paste(b"1 2 3")

    def test_too_large(self):
        assert "larger than 50 MB" in refusal(paste, "1\n" * (MAX_BYTES // 2 + 1))


class TestEventLog:
    def test_counts_distinct_people_against_sets(self):
        rng = np.random.default_rng(5)
        who, what = rng.integers(0, 30, 500), rng.integers(0, 12, 500)
        frame = pd.DataFrame({"who": who.astype(str), "what": [f"item {i}" for i in what]})
        scores = count_people(read_table("log.csv", frame.to_csv(index=False).encode()), "who", "what")
        people = {}
        for person, item in zip(frame["who"], frame["what"], strict=True):
            people.setdefault(item, set()).add(person)
        assert dict(zip(scores.labels, scores.values, strict=True)) == {i: len(p) for i, p in people.items()}
        assert scores.labels == tuple(people)  # in order of first occurrence
        assert (scores.sensitivity, scores.monotonic) == (1.0, True)

    @given(st.lists(st.tuples(st.sampled_from("pqrs"), st.sampled_from("abcde")), min_size=1, max_size=40))
    def test_without_one_person_no_score_moves_by_more_than_one(self, rows):
        rows = [*rows, ("other", "a"), ("other", "b")]
        whole = people_per_item(rows)
        for gone in "pqrs":
            rest = people_per_item([row for row in rows if row[0] != gone])
            change = [whole[item] - rest.get(item, 0) for item in whole]
            assert set(change) <= {0, 1}

    def test_one_person_is_not_two_by_spelling(self):
        log = read_frame(
            pd.DataFrame({"who": ["ann", " ann", "ann ", "e\u0301", "\u00e9", "Ann"], "what": list("ttttty")})
        )
        assert count_people(log, "who", "what").values.tolist() == [2, 1]

    def test_numbers_as_people_and_items(self):
        log = read_table("log.parquet", parquet({"who": [1, 1, 2], "what": [10.0, 10.0, 11.5]}))
        scores = count_people(log, "who", "what")
        assert dict(zip(scores.labels, scores.values, strict=True)) == {"10": 1, "11.5": 1}

    @pytest.mark.parametrize(("column", "row"), [("who", "ann,tea\n,tea\n"), ("what", "ann,tea\nbo, \n")])
    def test_missing_is_refused_with_its_row(self, column, row):
        log = read_table("log.csv", ("who,what\n" + row).encode())
        role = {"who": "person", "what": "item"}[column]
        assert refusal(count_people, log, "who", "what") == f"Row 3: the {role} in column '{column}' is missing."

    def test_refuses(self):
        log = read_table("log.csv", ("who,what\nann,tea\nbo," + "x" * 201 + "\n").encode())
        assert refusal(count_people, log, "who", "what").startswith("Row 3: the label in column 'what' has 201")
        log = read_table("log.csv", b"who,what\nann,tea\nbo,tea\n")
        assert refusal(count_people, log, "who", "what") == (
            "Column 'what' has only one item; a selection needs at least 2."
        )
        with pytest.raises(ParameterError, match="item must be another column than the person's"):
            count_people(log, "who", "who")
        with pytest.raises(ParameterError, match="person must be one of the columns 'who', 'what'"):
            count_people(log, "me", "what")


def people_per_item(rows):
    log = read_frame(pd.DataFrame(rows, columns=["who", "what"]))
    scores = count_people(log, "who", "what")
    return dict(zip(scores.labels, scores.values, strict=True))


class TestEditing:
    def test_there_and_back(self):
        scores = Scores([3, 1, 2], labels=["a", "=b", "c"], monotonic=True)
        table = read_frame(edit_frame(scores))
        assert scores_from(table, "score", "item", monotonic=True) == scores

    def test_rows_added_and_left_empty(self):
        frame = pd.DataFrame({"item": ["a", None, "b"], "score": [1.0, None, 5.0]})
        assert scores_from(read_frame(frame)).values.tolist() == [1, 5]
        frame = pd.DataFrame({"item": ["a", "b"], "score": [1.0, None]})
        assert refusal(scores_from, read_frame(frame)) == "Row 2: the score in column 'score' is missing (NaN)."
        assert "is empty" in refusal(read_frame, frame.iloc[:0])

    def test_too_many_to_edit(self):
        assert "2,001 items; at most 2,000 can be edited" in refusal(edit_frame, Scores(np.arange(MAX_EDIT_ROWS + 1)))


class TestDoor:
    def test_kinds_by_ending(self):
        for name in ("a.csv", "A.CSV", "b.txt"):
            assert scores_from(read_table(name, b"1\n2\n")).d == 2
        assert scores_from(read_table("whatever", b"1\n2\n", kind="csv")).d == 2

    @pytest.mark.parametrize("name", ["a.pdf", "a", "", ".csv.exe", "a.xls"])
    def test_unknown_ending(self, name):
        assert "does not end in one of .csv, .txt, " in refusal(read_table, name, b"1\n2\n")

    def test_unknown_kind(self):
        with pytest.raises(ParameterError, match="kind must be one of csv, tsv, excel, parquet, json"):
            read_table("a.csv", b"1\n2\n", kind="pdf")

    def test_wrong_types(self):
        with pytest.raises(ParameterError, match="content must be bytes, not 'str'"):
            read_table("a.csv", "1\n2\n")
        with pytest.raises(ParameterError, match="name must be a text"):
            read_table(None, b"1\n2\n")

    def test_too_large(self, monkeypatch):
        monkeypatch.setattr(files, "MAX_BYTES", 1_000_000)
        assert refusal(read_table, "a.csv", b"1\n" * 700_000) == "'a.csv' has 1.4 MB; at most 1 are allowed."

    def test_progress_may_cancel(self):
        def stop(fraction):
            raise Cancelled

        for ending, sound in samples().items():
            with pytest.raises(Cancelled):
                read_table("a" + ending, sound[0], progress=stop)

    def test_progress_never_goes_back(self):
        for ending, sound in samples().items():
            seen = []
            read_table("a" + ending, sound[0], progress=seen.append)
            assert seen == sorted(seen)
            assert seen[-1] == 1.0

    def test_error_survives_pickling(self):
        err = pickle.loads(pickle.dumps(IngestError("Row 3: bad.")))
        assert (type(err), str(err)) == (IngestError, "Row 3: bad.")

    def test_a_table_is_not_compared_cell_by_cell(self):
        table = read_table("a.csv", b"1\n2\n")
        assert isinstance(table, Table)
        assert table in [table]
        assert table not in [read_table("a.csv", b"1\n2\n")]


class TestDamage:
    def test_sound_files_are_read(self):
        for ending, sound in samples().items():
            for content in sound:
                assert outcome("a" + ending, content) == "scores"

    def test_damaged_files_give_scores_or_a_sentence(self):
        seen = fuzz(200, seed=20)
        assert sum(seen.values()) == 6 * 200
        for kind in (*samples(), "paste"):  # both ends are reached, or this would test nothing
            assert seen[kind, "scores"] >= 5
            assert seen[kind, "refused"] >= 50

    @given(st.binary(max_size=200), st.sampled_from(list(KINDS)))
    def test_any_bytes(self, content, kind):
        assert outcome("a", content, kind=kind) in {"scores", "refused"}

    @given(st.text(st.sampled_from("0123456789.,;-+eE\t \n\"'ab|nN"), max_size=60))
    def test_any_paste(self, text):
        assert pasted(text) in {"scores", "refused"}
