"""Parquet files, sound, damaged and hostile."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from dpviz.data.reading import read_table
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import parquet, refusal


class TestParquet:
    def test_reads(self):
        content = parquet({"item": ["a", "b", "c"], "count": [3, 5, 2]}, row_group_size=1)
        scores = scores_from(read_table("a.parquet", content))
        assert scores.labels == ("a", "b", "c")
        assert scores.values.tolist() == [3, 5, 2]

    def test_decimal_numbers(self):
        content = parquet({"count": pa.array([Decimal("1.25"), Decimal("2.50")])})
        assert scores_from(read_table("a.parquet", content)).values.tolist() == [1.25, 2.5]

    @pytest.mark.parametrize(
        ("column", "why"),
        [
            ([1, None], "Row 2: the score in column 'count' is missing (NaN)."),
            ([1.0, float("inf")], "Row 2: the score inf in column 'count' is not finite."),
            (
                [True, False],
                "Row 1: the score True in column 'count' is true or false, not a number.",
            ),
            ([[1], [2]], "Row 1: the score '[1]' in column 'count' is not a number."),
        ],
    )
    def test_refuses_with_the_row(self, column, why):
        table = read_table("a.parquet", parquet({"count": pa.array(column)}))
        assert refusal(scores_from, table, "count") == why

    def test_cut_short(self):
        content = parquet({"item": ["a", "b"], "count": [3, 5]})
        for length in (1, 8, len(content) // 2, len(content) - 1):
            told = refusal(read_table, "a.parquet", content[:length])
            assert "cannot be read as a Parquet file" in told

    def test_a_column_whose_chunks_are_described_for_another_kind_of_column(self):
        # of a column of doubles, in the schema
        optional, required = b"\x15\x0a\x25\x02", b"\x15\x0a\x25\x00"
        content = parquet({"score": [3.5, 1.0, 2.0]})
        assert content.count(optional) == 1
        content = content.replace(optional, required)
        assert "a Parquet file" in refusal(read_table, "a.parquet", content)

    def test_text_that_is_not_utf8(self):
        column = pa.array([b"a", b"\xff\xfe"]).view(pa.string())
        content = parquet({"item": column, "count": [1, 2]})
        assert "cannot be read as a Parquet file" in refusal(read_table, "a.parquet", content)

    def test_limits_come_before_the_data(self):
        column = pa.DictionaryArray.from_arrays(np.zeros(5_000_001, np.int8), ["x"])
        told = refusal(read_table, "a.parquet", parquet({"count": column}))
        assert told == "'a.parquet' has 5,000,001 rows; at most 5,000,000 are allowed."

    def test_one_long_text_repeated_stays_small(self):
        column = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int8), ["x" * 1_000_000])
        content = parquet({"item": column, "count": np.arange(100_000)})
        table = read_table("a.parquet", content)  # 100 GB if it were written out
        assert "has 1,000,000 characters" in refusal(scores_from, table)

    def test_empty(self):
        empty = parquet({"count": pa.array([], pa.int64())})
        assert refusal(read_table, "a.parquet", empty) == "'a.parquet' is empty."
