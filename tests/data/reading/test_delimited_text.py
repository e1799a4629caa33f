"""CSV and TSV: delimiters, headers, blank and ragged rows, quotes."""

import pytest

from dpviz.data.reading import delimited_text, read_table, scores_from
from tests.data.reading.helpers import csv_scores, refusal


class TestDelimited:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_finds_the_delimiter(self, delimiter):
        text = "\n".join(
            delimiter.join(row) for row in (["item", "count"], ["ash", "3"], ["oak", "5"])
        )
        table = read_table("data.csv", text.encode())
        assert (table.delimiter, table.columns, table.header) == (
            delimiter,
            ("item", "count"),
            True,
        )
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
        assert table.row_label(0) == "Row 3"

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
        assert [table.row_label(i) for i in range(2)] == ["Row 4", "Row 6"]
        assert refusal(
            scores_from, read_table("a.csv", b"item,count\n\na,1\nb,2\nc,x\n")
        ).endswith("(row 5). Say bad_cells='leave-out'.")

    def test_blank_row_within_one_column_is_a_missing_score(self):
        assert (
            refusal(csv_scores, "count\n3\n\n4\n\n")
            == "Row 3: the score in column 'count' is empty."
        )

    def test_ragged_rows(self):
        assert refusal(csv_scores, "item,count\na,1\nb,2,3\n") == (
            "Row 3 of 'data.csv' has 3 cells, where the first has 2 cells."
        )
        assert refusal(csv_scores, "item,count\na,1\nb\n").startswith(
            "Row 3 of 'data.csv' has 1 cell,"
        )

    def test_unclosed_quote(self):
        assert (
            refusal(csv_scores, 'item,count\na,1\n"b,2\nc,3\n')
            == "Row 3 of 'data.csv' opens a quotation mark that is never closed, as when a file is"
            " cut short."
        )

    def test_misplaced_quote(self):
        assert refusal(csv_scores, 'item,count\n"a"b,1\nc,2\n') == (
            "Row 2 of 'data.csv' has a quotation mark in the wrong place."
        )

    def test_gigantic_cell(self):
        assert "has a cell of more than" in refusal(
            csv_scores, "item,count\n" + "x" * 200_000 + ",1\nb,2\n"
        )

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
        assert "has 1,001 columns; at most 1,000 are allowed" in refusal(
            csv_scores, f"{wide}\n{wide}\n"
        )

    def test_too_many_rows(self, monkeypatch):
        monkeypatch.setattr(delimited_text, "MAX_ROWS", 3)
        assert (
            refusal(csv_scores, "1\n2\n3\n4\n5\n")
            == "'data.csv' has more than 3 rows, which is the limit."
        )

    def test_tsv_with_commas_in_every_label(self):
        table = read_table("data.tsv", b"a,1\t5\nb,2\t6\n")
        assert scores_from(table).labels == ("a,1", "b,2")
