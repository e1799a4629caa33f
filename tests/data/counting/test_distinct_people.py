"""Counting as texts are written, which is right only where no two of them are one name."""

import unicodedata
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.data.counting import count_files, count_people_in_log
from dpviz.data.counting.count_expression import MAY_CHANGE
from dpviz.data.counting.distinct_people import may_be_odd_sql
from dpviz.data.counting.embedded_duckdb import quote_literal
from dpviz.data.reading.table import read_frame
from tests.data.counting.test_counting import write_csv
from tests.data.reading.helpers import refusal

pytestmark = pytest.mark.usefixtures("one_duckdb")

plain = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=4)
odd_signs = st.sampled_from(" \t\n\x01\x1f\x7f\x80\u00a0é\u0301水\U0001f378'\"\\a")
odd_signs |= st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@settings(max_examples=300)
@given(plain, odd_signs, plain)
def test_the_quick_look_misses_no_text_that_may_change(start: str, sign: str, end: str) -> None:
    changes = f"regexp_matches(text, {quote_literal(MAY_CHANGE)})"
    query = f"SELECT {may_be_odd_sql('text')}, {changes} FROM (SELECT $1::VARCHAR AS text)"
    ((seen, changed),) = duckdb.execute(query, [start + sign + end]).fetchall()
    assert seen or not changed


@pytest.mark.parametrize("odd", [" ann", "ann ", "ann\t", "a\u0301nn", "\u3000ann"])
def test_people_alone_in_two_spellings_are_one_person(odd: str, tmp_path: Path) -> None:
    """Items are plain, and so is everybody else: the look at people has to find it."""
    one = unicodedata.normalize("NFC", odd.strip())
    rows = [(who, what) for who in (one, odd, "bo") for what in ("tea", "rye")]
    counts = count_files([str(write_csv(tmp_path / "log.csv", rows))], "who", "what")
    assert dict(zip(counts.table["item"], counts.table["score"].tolist(), strict=True)) == {
        "rye": 2,
        "tea": 2,
    }


@pytest.mark.parametrize("order", [(801, 900, 850), (900, 801, 850), (801, 850, 900)])
def test_the_row_of_a_name_that_is_too_long_is_said_with_its_length(order: tuple[int, ...]) -> None:
    names = ["ann", *("é" * length for length in order)]
    log = read_frame(pd.DataFrame({"who": names, "what": ["tea", "rye", "tea", "rye"]}))
    place = 2 + order.index(900)
    assert refusal(count_people_in_log, log, "who", "what").startswith(
        f"Row {place}: the person in column 'who' has 900 characters"
    )
