"""Cells to numbers, one way of writing for a column."""

import datetime
from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base.errors import ParameterError
from dpviz.data.reading import read_frame, read_table, scores_from
from dpviz.data.reading.numbers import looks_numeric, parse_numbers
from tests.data.reading.helpers import csv_scores, refusal


class TestNumbers:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            (
                ["1", "-2.5", "+3", ".5", "5.", "1e3", " 7 ", "\u22124"],
                [1, -2.5, 3, 0.5, 5, 1000, 7, -4],
            ),
            (["1,234,567", "12"], [1234567, 12]),
            (["1,234", "1,234.5"], [1234, 1234.5]),
            (["1,234", "5.5"], [1234, 5.5]),
            (["1.234", "1,5"], [1234, 1.5]),
            (["1,5", "12,25"], [1.5, 12.25]),
            (["1.234.567", "1"], [1234567, 1]),
            (["9007199254740992", "1"], [9007199254740992, 1]),
            (["9007199254740994", "9.007199254740993e15"], [9007199254740994, 9007199254740992]),
        ],
    )
    def test_one_way_for_a_column(self, cells, expected):
        assert parse_numbers(pd.Series(cells)).tolist() == expected

    @pytest.mark.parametrize(
        ("cells", "why"),
        [
            (["5", "abc"], "Row 3: the score 'abc' in column 'count' is not a number."),
            (["5", ""], "Row 3: the score in column 'count' is empty."),
            (["5", "NaN"], "Row 3: the score 'NaN' in column 'count' is not a number."),
            (["5", "inf"], "Row 3: the score 'inf' in column 'count' is not a number."),
            (
                ["5", "1e999"],
                (
                    "Row 3: the score '1e999' in column 'count' is too large for a floating-point"
                    " number."
                ),
            ),
            (["5", "9" * 400], "is too large for a floating-point number."),
            (["5", "9" * 4000], "is not a number."),
            (
                ["5", "9007199254740993"],
                "Row 3: the score '9007199254740993' in column 'count' has more digits than",
            ),
            (["5", "-9,007,199,254,740,993"], "has more digits than can be kept"),
            (["5", "1_000"], "Row 3: the score '1_000' in column 'count' is not a number."),
            (["5", "0x1F"], "is not a number."),
            (["5", "\uff11"], "is not a number."),
            (["5", "\u0661"], "is not a number."),
            (["5", "12%"], "is not a number."),
            (["5", "1 234"], "is not a number."),
            (["5", "1,23,456"], "is not a number."),
            (["5", "true"], "Row 3: the score 'true' in column 'count' is not a number."),
            (["5", "1,234"], "Row 3: the score '1,234' in column 'count' can be read in two ways"),
            (
                ["1,234.5", "1.234,5"],
                "Row 2: the score '1,234.5' in column 'count' can be read in two ways",
            ),
        ],
    )
    def test_refuses_with_the_row(self, cells, why):
        table = read_table(
            "a.csv", pd.DataFrame({"item": ["a", "b"], "count": cells}).to_csv(index=False).encode()
        )
        assert why in refusal(scores_from, table)

    def test_doubt_is_settled_by_saying_the_sign(self):
        table = read_table("a.csv", b'item,count\na,"1,234"\nb,5\n')
        assert scores_from(table, decimal=".").values.tolist() == [1234, 5]
        assert scores_from(table, decimal=",").values.tolist() == [1.234, 5]
        with pytest.raises(ParameterError, match="decimal must be a point or a comma"):
            scores_from(table, decimal="x")

    def test_dots_that_may_group_thousands(self):
        table = read_table("a.csv", b"item;count\na;1.234\nb;17\n")
        assert refusal(scores_from, table).startswith(
            "Row 2: the score '1.234' in column 'count' can be read in two"
        )
        assert scores_from(table, decimal=",").values.tolist() == [1234, 17]
        assert scores_from(table, decimal=".").values.tolist() == [1.234, 17]
        assert csv_scores("item;count\na;1.234\nb;0.5\n").values.tolist() == [1.234, 0.5]
        assert csv_scores("item,count\na,1.234\nb,17\n").values.tolist() == [1.234, 17]

    def test_said_sign_that_does_not_fit(self):
        assert (
            refusal(csv_scores, "item;count\na;1,5\nb;2\n", decimal=".")
            == "Row 2: the score '1,5' in column 'count' is not a number with a point (1,234.5)"
            " before its decimals."
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
            (2**53 + 1, "has more digits than can be kept"),
            (Decimal("sNaN"), "is missing"),
            (datetime.date(2024, 1, 5), "is not a number"),
            ([1], "is not a number"),
            (1j, "is not a number"),
        ],
    )
    def test_cells_that_are_not_text(self, cell, why):
        table = read_frame(
            pd.DataFrame({"item": ["a", "b"], "count": pd.Series([4, cell], dtype=object)})
        )
        message = refusal(scores_from, table, "count")
        assert message.startswith("Row 2: the score")
        assert why in message

    @given(
        st.lists(
            st.floats(allow_nan=False, allow_infinity=False, max_value=1e290, min_value=-1e290),
            min_size=2,
        )
    )
    def test_every_float_survives_its_own_text(self, values):
        text = "score\n" + "\n".join(map(repr, values))
        assert csv_scores(text).values.tolist() == values


def test_a_column_is_one_of_numbers_where_more_than_half_of_its_cells_are() -> None:
    assert [
        looks_numeric(cells) for cells in (["1", "2", "a"], ["1", "a"], ["", " "], ["1", ""])
    ] == [
        True,
        False,
        False,
        True,
    ]
