"""CSV exports: inert text, untouched numbers, and nothing lost on the way back."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.base.safe_csv import export_csv, neutralise_formula, rows_as_csv

DANGEROUS = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "\uff1d1", '=HYPERLINK("http://x")']


@pytest.mark.parametrize("text", DANGEROUS)
def test_text_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert neutralise_formula(text) == "'" + text
    rows = list(csv.reader(io.StringIO(export_csv(pd.DataFrame({text: [text]})), newline="")))
    assert rows == [["'" + text], ["'" + text]]


def test_numbers_and_harmless_texts_stay():
    mixed = pd.Series([-2.5, "-x"], dtype=object)
    frame = pd.DataFrame({"a": [-1.5, 0.1], "b": [-3, 4], "c": mixed, "d": ["a=b", "x;=1"]})
    assert export_csv(frame).splitlines()[1:] == ['-1.5,-3,-2.5,"a=b"', '0.1,4,"\'-x","x;=1"']


def test_categories_missing_cells_and_bools():
    frame = pd.DataFrame(
        {"a": pd.Categorical(["=1", "b"]), "b": [None, "x"], "c": [True, False], "d": [np.nan, 1.0]}
    )
    rows = list(csv.reader(io.StringIO(export_csv(frame))))
    assert rows == [["a", "b", "c", "d"], ["'=1", "", "True", ""], ["b", "x", "False", "1.0"]]


def test_rows_are_written_as_a_table_of_them():
    rows = [
        {"=a": "x;\n", "b": -1.5, "c": 3, "d": None},
        {"=a": "=1", "b": 1e-300, "c": -4, "d": "é"},
    ]
    assert rows_as_csv(rows) == export_csv(pd.DataFrame(rows))
    assert rows_as_csv(rows[:1]) == export_csv(pd.DataFrame(rows[:1]))
    assert rows_as_csv([{"a": "x\ud800"}]).encode()


def test_equal_column_names_and_no_columns():
    frame = pd.DataFrame([["=1", 2]], columns=["a", "a"])
    assert export_csv(frame).splitlines() == ['"a","a"', '"\'=1",2']
    assert export_csv(pd.DataFrame()).strip() in {"", '""'}


@given(st.lists(st.text(max_size=10), min_size=1, max_size=5))
def test_no_exported_cell_is_run_as_a_formula(cells):
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object), "n": np.arange(len(cells)) - 2})
    text = export_csv(frame)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == len(cells) + 1
    assert not any(row[0].startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for row in rows)
