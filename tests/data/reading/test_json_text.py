"""JSON in its shapes."""

import json

import pytest

from dpviz.data.reading import read_table, scores_from
from tests.data.reading.helpers import refusal


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
        assert scores_from(
            read_table("a.json", b'{"a": 1, "a": 2}'), duplicates="keep"
        ).values.tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("[1, NaN]", "Entry 2: the score in column 'value' is missing (NaN)."),
            ("[1, Infinity]", "Entry 2: the score inf in column 'value' is not finite."),
            ("[1, null]", "Entry 2: the score in column 'value' is empty."),
            (
                "[1, true]",
                "Entry 2: the score True in column 'value' is true or false, not a number.",
            ),
            ('[1, 2, "abc"]', "1 of 3 cells in column 'value' is no number: 'abc' (entry 3)."),
            ("[1, 1" + "0" * 400 + "]", "Entry 2: the score inf in column 'value' is not finite."),
            ("[1, 1" + "0" * 399 + "]", "is too large for a floating-point number."),
            ("[1, " + "9" * 5000 + "]", "Entry 2: the score inf in column 'value' is not finite."),
            (
                '{"a": 1, "b": [2]}',
                "Entry 2: the score '[2]' in column 'score' is not a number.",
            ),
            (
                '[{"item": "a", "count": 1}, {"item": "b"}]',
                "Entry 2: the score in column 'count' is empty.",
            ),
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
