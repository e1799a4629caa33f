"""Bytes to text, and labels that stay data."""

import datetime

import numpy as np
import pandas as pd
import pytest

from dpviz.base.errors import ParameterError
from dpviz.data.reading import KINDS, read_pasted_text, read_table, scores_from
from tests.data.reading.helpers import csv_scores, excel, refusal


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
            assert scores_from(read_table("a.csv", content, encoding=encoding)).labels == (
                "ash",
                "béla",
            )

    def test_unknown_encoding(self):
        with pytest.raises(ParameterError, match="encoding must be one of utf-8, "):
            read_table("a.csv", b"1\n2\n", encoding="klingon")

    def test_utf16_without_mark_is_not_mojibake(self):
        content = "item,count\na,1\nb,2\n".encode("utf-16-le")
        assert "holds binary data" in refusal(read_table, "a.csv", content)
        assert scores_from(read_table("a.csv", content, encoding="utf-16-le")).d == 2

    @pytest.mark.parametrize(
        ("content", "what"),
        [(b"PK\x03\x04..", "a zip or Excel file"), (b"PAR1....", "a Parquet file")],
    )
    def test_another_kind_under_a_text_name(self, content, what):
        assert (
            refusal(read_table, "a.csv", content)
            == f"'a.csv' is {what}, not text; give it its right ending."
        )

    def test_junk(self):
        junk = np.random.default_rng(1).bytes(1000)
        for kind in KINDS:
            assert refusal(read_table, "junk", junk, kind=kind)


class TestLabels:
    @pytest.mark.parametrize(
        "label",
        [
            "=HYPERLINK(1)",
            "<b>x</b>",
            "🌳👩‍👧",
            "\u05e9\u05dc\u05d5\u05dd",
            "+1",
            " spaced ",
            "a\u202eb",
            "x" * 200,
        ],
    )
    def test_are_data(self, label):
        content = (
            pd.DataFrame({"item": [label, label], "count": [1, 2]}).to_csv(index=False).encode()
        )
        table = read_table("a.csv", content)
        assert scores_from(table, duplicates="keep").labels == (label, label)

    def test_control_characters_become_one_space(self):
        assert csv_scores('item,count\n"a\r\n\x07b",1\nc\u2028d,2\n').labels == ("a b", "c d")

    def test_too_long(self):
        assert refusal(csv_scores, f"item,count\na,1\n{'x' * 201},2\n") == (
            "Row 3: the label in column 'item' has 201 characters; at most 200 are allowed."
        )

    def test_empty_label_goes_by_its_place(self):
        assert csv_scores("item,count\na,1\n,2\n", total="keep").labels == ("a", "item 2")

    def test_numbers_and_dates_as_labels(self):
        day = datetime.datetime(2024, 1, 5)  # noqa: DTZ001 - as Excel has them
        content = excel(
            [["item", "count"], [5, 1], [5.0, 2], [2.5, 3], [day, 4], [True, 5], ["x", 6]]
        )
        table = read_table("a.xlsx", content)
        assert scores_from(table, "count", "item", duplicates="keep").labels == (
            "5", "5", "2.5", "2024-01-05", "True", "x",
        )  # fmt: skip

    def test_lone_surrogates_are_replaced(self):
        scores = scores_from(read_table("a.json", b'{"a\\ud800": 1, "b": 2}'))
        assert scores.labels == ("a\ufffd", "b")
        assert scores_from(read_pasted_text("a\ud800, 1\nb, 2")).labels[0] == "a\ufffd"
        assert refusal(read_table, "\ud800.csv", b"").encode()
