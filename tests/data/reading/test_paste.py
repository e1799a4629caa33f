"""Pasted text."""

import pytest

from dpviz.base.errors import ParameterError
from dpviz.data.reading import MAX_BYTES, MAX_ITEMS, read_pasted_text
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import refusal


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
        scores = scores_from(read_pasted_text(text))
        assert scores.values.tolist() == values
        assert scores.labels == labels

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (" \n ", "'pasted text' is empty."),
            ("5", "There is only 1 item in 'pasted text'"),
            ("3\nabc\n5", "1 of 3 cells in column 'column 1' is not a number: 'abc' (line 2)."),
            ("3, x, 5", "1 of 3 cells in column 'value' is not a number: 'x' (number 2)."),
            ("1,234\n5,678", "Line 1: '1,234' can be one number or a label and a number"),
            ("1,5\n2,5", "Line 1: '1,5' can be one number or a label and a number"),
            ("a\0b", "The pasted text holds binary data"),
            ("Smith, J, 3\nDoe, 5\nRoe, 6", "Line 2 of 'pasted text' has 2 cells, where the first"),
        ],
    )
    def test_refuses(self, text, why):
        assert why in refusal(lambda: scores_from(read_pasted_text(text)))

    def test_limits_and_types(self):
        told = refusal(read_pasted_text, "1 " * (MAX_ITEMS + 1))
        assert told == "There are 1,000,001 items; at most 1,000,000 are allowed."
        assert "at most 50 are allowed" in refusal(read_pasted_text, "1\n" * (MAX_BYTES // 2 + 1))
        with pytest.raises(ParameterError, match="text must be a text"):
            read_pasted_text(b"1 2 3")
