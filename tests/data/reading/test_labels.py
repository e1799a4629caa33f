"""Labels stay data, whatever they look like."""

import datetime

import pandas as pd
import pytest

from dpviz.data.reading import read_pasted_text, read_table
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import csv_scores, excel, refusal


class TestLabels:
    @pytest.mark.parametrize(
        "label",
        ["=HYPERLINK(1)", "<b>x</b>", "🌳👩‍👧", "\u05e9\u05dc", "+1", " a ", "a\u202eb", "x" * 200],
    )
    def test_are_data(self, label):
        frame = pd.DataFrame({"item": [label, label], "count": [1, 2]})
        content = frame.to_csv(index=False).encode()
        assert scores_from(read_table("a.csv", content), duplicates="keep").labels == (label, label)

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
        rows = [["item", "count"], [5, 1], [5.0, 2], [2.5, 3], [day, 4], [True, 5], ["x", 6]]
        scores = scores_from(read_table("a.xlsx", excel(rows)), "count", "item", duplicates="keep")
        assert scores.labels == ("5", "5", "2.5", "2024-01-05", "True", "x")

    def test_lone_surrogates_are_replaced(self):
        scores = scores_from(read_table("a.json", b'{"a\\ud800": 1, "b": 2}'))
        assert scores.labels == ("a\ufffd", "b")
        assert scores_from(read_pasted_text("a\ud800, 1\nb, 2")).labels[0] == "a\ufffd"
        assert refusal(read_table, "\ud800.csv", b"").encode()
