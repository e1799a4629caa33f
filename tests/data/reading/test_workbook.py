"""Excel workbooks, sound, damaged and hostile."""

import io
import zipfile

import pytest

from dpviz.data.reading import read_table, scores_from
from tests.data.reading.helpers import excel, refusal


class TestExcel:
    def test_first_sheet_unless_named(self):
        content = excel(
            [["item", "count"], ["a", 1], ["b", 2]],
            more=[("Other", [["x", 7], ["y", 8], ["z", 9]])],
        )
        table = read_table("a.xlsx", content)
        assert (table.sheets, table.sheet) == (("Sheet", "Other"), "Sheet")
        assert scores_from(table).values.tolist() == [1, 2]
        assert scores_from(read_table("a.xlsx", content, sheet="Other")).labels == ("x", "y", "z")
        assert refusal(read_table, "a.xlsx", content, sheet="No") == (
            "'a.xlsx' has no sheet called 'No'; it has 'Sheet', 'Other'."
        )

    def test_table_away_from_the_corner(self):
        content = excel(
            [[], [None, None, "item", "count"], [], [None, None, "a", 1], [None, None, "b", "x"]]
        )
        table = read_table("a.xlsx", content)
        assert table.columns == ("item", "count")
        assert (
            refusal(scores_from, table, "count")
            == "Row 5: the score 'x' in column 'count' is not a number."
        )

    def test_cells_that_are_no_scores(self):
        for cell, why in [(True, "is true or false"), (None, "is empty"), ("#DIV/0!", "is empty")]:
            content = excel([["item", "count"], ["a", 1], ["b", cell], ["c", 3]])
            message = refusal(scores_from, read_table("a.xlsx", content))
            assert message.startswith("Row 3: the score")
            assert why in message

    def test_empty_sheet(self):
        assert refusal(read_table, "a.xlsx", excel([])) == "The sheet read from 'a.xlsx' is empty."
        assert (
            refusal(read_table, "a.xlsx", excel([["item", "count"]]))
            == "'a.xlsx' has a header but no rows."
        )

    def test_cut_short(self):
        content = excel([["a", 1], ["b", 2]])
        for length in (5, 100, len(content) // 2, len(content) - 5):
            assert "cannot be read as an Excel workbook" in refusal(
                read_table, "a.xlsx", content[:length]
            )

    def test_old_format(self):
        message = refusal(read_table, "a.xlsx", b"\xd0\xcf\x11\xe0" + b"\0" * 100)
        assert "is an old or a password-protected Excel file" in message

    def test_zip_bomb(self):
        target = io.BytesIO()
        with (
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package,
            package.open("xl/a.xml", "w") as part,
        ):
            for _ in range(301):
                part.write(b" " * 1_000_000)
        assert len(target.getvalue()) < 1_000_000
        assert refusal(read_table, "a.xlsx", target.getvalue()) == (
            "'a.xlsx' unpacks to more than 300 MB, which is the limit."
        )

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_xml_bomb(self, encoding):
        bomb = (
            '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
        )
        target = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(excel([["a", 1], ["b", 2]]))) as sound,
            zipfile.ZipFile(target, "w") as package,
        ):
            for name in sound.namelist():
                part = bomb.encode(encoding) if name.endswith("sheet1.xml") else sound.read(name)
                package.writestr(name, part)
        assert "declares XML entities" in refusal(read_table, "a.xlsx", target.getvalue())

    def test_a_row_number_beyond_the_limit_ends_the_reading(self):
        target = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(excel([["a", 1], ["b", 2]]))) as sound,
            zipfile.ZipFile(target, "w") as package,
        ):
            for name in sound.namelist():
                part = sound.read(name)
                package.writestr(
                    name, part.replace(b'<row r="2"', b'<row r="999999999"').replace(b'r="A2"', b"")
                )
        assert "limit" in refusal(read_table, "a.xlsx", target.getvalue())
