"""Cells to numbers, one notation for a column, and never a guess between two readings."""

import datetime
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base import ParameterError
from dpviz.data.reading.numbers import (
    BadNumber,
    first_abbreviated_number,
    is_number,
    looks_numeric,
    non_number_positions,
    parse_numbers,
)

HUGE = "is too large for a floating-point number"
DIGITS = "has more digits than can be kept"
TWO_WAYS = "can be read in two ways"
NO = "is not a number"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("1|-2.5|+3|.5|5.|1e3| 7 |\u22124", [1, -2.5, 3, 0.5, 5, 1000, 7, -4]),
        ("1,234,567|12", [1_234_567, 12]),
        ("12,34,567|2,800|250", [1_234_567, 2_800, 250]),
        ("1,234|1,234.5", [1234, 1234.5]),
        ("1,234|5.5", [1234, 5.5]),
        ("1.234|1,5", [1234, 1.5]),
        ("1,5|12,25", [1.5, 12.25]),
        ("1.234.567|1", [1_234_567, 1]),
        ("9007199254740992|1", [9_007_199_254_740_992, 1]),
        ("9007199254740994|9.007199254740993e15", [9_007_199_254_740_994, 9_007_199_254_740_992]),
        ("٣١|２８|२५|25", [31, 28, 25, 25]),
        ("٣٫٥|１．５|7", [3.5, 1.5, 7]),
    ],
)
def test_a_column_is_read_in_one_notation(cells: str, expected: list[float]) -> None:
    assert parse_numbers(pd.Series(cells.split("|"))).tolist() == expected


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        *((text, NO) for text in ("abc", "NaN", "inf", "1_000", "0x1F", "12%", "1 234", "true")),
        *((text, NO) for text in ("228k", "<5", "1,2,3", "1,23,45", "9" * 4000, "½", "²")),
        ("", "is empty"),
        ("1e999", HUGE),
        ("9" * 400, HUGE),
        ("9007199254740993", DIGITS),
        ("-9,007,199,254,740,993", DIGITS),
        ("1,234", TWO_WAYS),
        ("１,２３४", TWO_WAYS),
        (True, "is true or false, not a number"),
        (None, "is empty"),
        (pd.NA, "is empty"),
        (float("nan"), "is missing"),
        (float("inf"), "is not finite"),
        (10**400, HUGE),
        (2**53 + 1, DIGITS),
        (Decimal("sNaN"), "is missing"),
        (datetime.date(2024, 1, 5), NO),
        ([1], NO),
        (1j, NO),
    ],
)
def test_the_first_cell_that_is_no_number_is_told(cell: object, why: str) -> None:
    with pytest.raises(BadNumber) as told:
        parse_numbers(pd.Series(["5", cell], dtype=object))
    assert told.value.position == 1
    assert told.value.why.startswith(why)


def test_doubt_is_settled_by_saying_the_decimal_sign() -> None:
    cells = pd.Series(["1,234", "5"])
    assert parse_numbers(cells, decimal=".").tolist() == [1234, 5]
    assert parse_numbers(cells, decimal=",").tolist() == [1.234, 5]
    with pytest.raises(ParameterError, match="decimal must be a point or a comma"):
        parse_numbers(cells, decimal="x")
    with pytest.raises(BadNumber, match="with a point"):
        parse_numbers(pd.Series(["1,5", "2"]), decimal=".")
    with pytest.raises(BadNumber) as both:  # each column has one notation
        parse_numbers(pd.Series(["1,234.5", "1.234,5"]))
    assert both.value.is_ambiguous


def test_dots_may_group_thousands_where_semicolons_part_cells() -> None:
    cells = pd.Series(["1.234", "17"])
    with pytest.raises(BadNumber) as doubt:
        parse_numbers(cells, dots_may_group=True)
    assert doubt.value.is_ambiguous
    assert parse_numbers(cells).tolist() == [1.234, 17]
    assert parse_numbers(pd.Series(["1.234", "0.5"]), dots_may_group=True).tolist() == [1.234, 0.5]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("228k|207.5k|950", [228_000, 207_500, 950]),
        ("1.2M|3 bn|4 Mio.|2 Mrd", [1.2e6, 3e9, 4e6, 2e9]),
        ("1,5k|2K", [1_500, 2_000]),
    ],
)
def test_multiples_are_numbers_where_somebody_says_so(cells: str, expected: list[float]) -> None:
    column = pd.Series(cells.split("|"))
    assert parse_numbers(column, multiples=True).tolist() == expected
    assert first_abbreviated_number(column.tolist()) == column[0]
    with pytest.raises(BadNumber):
        parse_numbers(column)


def test_cells_that_are_no_numbers_are_found_by_their_places() -> None:
    column = pd.Series(["120", "<5", "17", "*", None, "2k"])
    assert non_number_positions(column).tolist() == [1, 3, 4, 5]
    assert non_number_positions(column, multiples=True).tolist() == [1, 3, 4]
    assert not len(non_number_positions(pd.Series([1.5, 2.0])))
    assert not is_number("Room 2b", multiples=True)


@pytest.mark.parametrize(
    ("cells", "numeric"),
    [(["1", "2", "a"], True), (["1", "a"], False), (["", " "], False), (["1", ""], True)],
)
def test_a_column_is_numeric_where_most_of_its_cells_are(cells: list[Any], numeric: bool) -> None:
    assert looks_numeric(cells) == numeric


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2))
def test_every_float_survives_its_own_text(values: list[float]) -> None:
    assert parse_numbers(pd.Series(list(map(repr, values)))).tolist() == values
