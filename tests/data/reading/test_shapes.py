"""Shapes of tables in texts, JSON and workbooks: what is read of each, and what is refused."""

import gzip
import io
import json
import zipfile
from typing import Any

import pandas as pd
import pytest

from dpviz.data.reading import Table, delimited_text, files, read_table
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import csv_scores, excel, refusal

TREES = [["oak", "31"], ["ash", "28"]]
TREE = ("tree", "n")
TEXTS = {  # a text, the columns and the rows that are read of it
    "commas": ("tree,n\noak,31\nash,28\n", "tree n", "oak 31", "ash 28"),
    "semicolons": ("tree;n\noak;31\nash;28\n", "tree n", "oak 31", "ash 28"),
    "tabs": ("tree\tn\noak\t31\nash\t28\n", "tree n", "oak 31", "ash 28"),
    "bars": ("tree|n\noak|31\nash|28\n", "tree n", "oak 31", "ash 28"),
    "carriage returns": ("tree,n\roak,31\rash,28\r", "tree n", "oak 31", "ash 28"),
    "a spreadsheet's note": ("sep=;\r\ntree;n\r\noak;31\r\n", "tree n", "oak 31"),
    "quotes": ('tree,n\n"a,b",31\n"a""b",28\n"a\rb",7\n', "tree n", "a,b 31", 'a"b 28', "a\rb 7"),
    "another sign in each name": ("Smith;John,5\nDoe;Jane,6\n", "1 2", "Smith;John 5", "Doe;Jane 6"),
    "a decimal comma": ("a;1,5\nb;2,5\n", "1 2", "a 1,5", "b 2,5"),
    "no name of the first column": (",n\noak,31\nash,28\n", "1 n", "oak 31", "ash 28"),
    "a row of numbers": ("3,1,4\n", "1", "3", "1", "4"),
    "one column": ("n\n31\n28\n", "n", "31", "28"),
    "a comma too many": ("tree,n\noak,31,\nash,28,\n", "tree n 3", "oak 31 ", "ash 28 "),
    "psql": (
        " tree | n  \n------+----\n oak  | 31\n ash  | 28\n(2 rows)\n", "tree n", "oak 31", "ash 28"
    ),
    "Markdown": ("| tree | n |\n|:-----|---:|\n| oak | 31 |\n", "tree n", "oak 31"),
    "MySQL": (
        "+------+----+\n| tree | n  |\n+------+----+\n| oak  | 31 |\n+------+----+\n2 rows in set\n",
        "tree n",
        "oak 31",
    ),
    "DuckDB": (
        "┌────┬─────┐\n│tree│  n  │\n│str │int32│\n├────┼─────┤\n│oak │   31│\n└────┴─────┘\n", "tree n", "oak 31"
    ),
    "polars": (
        "shape: (1, 2)\n┌────┬───┐\n│tree┆ n │\n│ ---┆---│\n│str ┆i64│\n╞════╪═══╡\n│oak ┆31 │\n└────┴───┘\n",
        "tree n",
        "oak 31",
    ),
    "a tibble": (
        "# A tibble: 2 × 2\n  tree      n\n  <chr> <int>\n1 oak      31\n2 ash      28\n",
        "1 tree n", "1 oak 31", "2 ash 28"
    ),
    "R's print": ("   tree  n\n1   oak 31\n2   ash 28\n", "1 tree n", "1 oak 31", "2 ash 28"),
    "write.table": (
        '"tree" "n"\n"1" "oak" 31\n"2" "ash" 28\n', "1 tree n", "1 oak 31", "2 ash 28"
    ),
    "write.table, one column": ('"n"\n"oak" 31\n"ash" 28\n', "1 n", "oak 31", "ash 28"),
    "write.csv": ('"","tree","n"\n"1","oak",31\n"2","ash",28\n', "1 tree n", "1 oak 31", "2 ash 28"),
    "a printed frame": ("  tree   n\n0  oak  31\n1  ash  28\n", "1 tree n", "0 oak 31", "1 ash 28"),
    "a printed series": ("oak    31\nash    28\nName: n, dtype: int64\n", "1 2", "oak 31", "ash 28"),
    "columns of one width": ("tree       n\nold.oak   31\nash       28\n", "tree n", "old.oak 31", "ash 28"),
    "blanks": ("en Page 242 0\nen Zoo 121 0\n", "1 2 3 4", "en Page 242 0", "en Zoo 121 0"),
    "colons": ("1::1193::5\n2::661::3\n", "1 2 3", "1 1193 5", "2 661 3"),
    "baskets": ("milk,bread,jam\ntea\nmilk,tea\n", "1 2 3", "milk bread jam", "tea  ", "milk tea "),
}  # fmt: skip
AROUND = {
    "Report\n\nNorth\n\ntree,n\noak,31\nash,28\n": "The first 4 rows are above the table and left out: 'Report'.",
    "tree,n\noak,31\nash,28\nTotal rows: 2\n": "The last row is below the table and left out: 'Total rows: 2'.",
    "tree,n\noak,31\nash,28\n\nas of May 26, kept\n": "The last row is below the table and left out: 'as of May 26'.",
    "Votes;\nby city;\ntree;n\noak;31\nash;28\n": "The first 2 rows are above the table and left out: 'Votes'.",
    "tree,n\noak,31\nash,28\nSource: us, 2026\n": "The last row is below the table and left out: 'Source: us'.",
    "tree,n\noak,31\nash,28\n,\nso far,\n\nNote: 1\n": "The last 2 rows are below the table and left out: 'so far'.",
}  # fmt: skip
BROKEN = {
    "tree,n\na,1\nb,2,3\n": "Row 3 of 'data.csv' has 3 cells, where the first has 2 cells.",
    "tree,n\na,1\nb\n": "Row 3 of 'data.csv' has 1 cell, where the first has 2 cells.",
    'tree,n\na,1\n"b,2\nc,3\n': "Row 3 of 'data.csv' opens a quotation mark that is never closed, as when a file is"
    " cut short.",
    'tree,n\n"a"b,1\nc,2\n': "Row 2 of 'data.csv' has a quotation mark in the wrong place.",
    "tree,n\n" + "x" * 200_000 + ",1\nb,2\n": "Row 2 of 'data.csv' has a cell of more than 131,072 characters.",
    "tree,n,n\na,1,2\nb,1,2\n": "Two columns of 'data.csv' are called 'n'; give each its own name.",
    "tree,n\n": "'data.csv' has a header but no rows.",
    "c," * 1_000 + "c\n" + "1," * 1_000 + "1\n": "'data.csv' has 1,001 columns; at most 1,000 are allowed.",
    "n\n3\n\n4\n\n": "1 of 3 cells in column 'n' is not a number: an empty cell (row 3).",
    "tree,n\n\na,1\nb,2\nc,x\n": "1 of 3 cells in column 'n' is not a number: 'x' of 'c' (row 5).",
    "": "'data.csv' is empty.",
    " \n\n": "'data.csv' is empty.",
    ",,\n,,\n": "'data.csv' is empty.",
}  # fmt: skip


def cells(table: Table) -> list[list[Any]]:
    return [[str(cell) for cell in row] for row in table.frame.to_numpy().tolist()]


@pytest.mark.parametrize("shape", TEXTS)
def test_a_text_is_read_as_a_person_would_read_it(shape: str) -> None:
    text, columns, *rows = TEXTS[shape]
    table = read_table("a.txt", text.encode())
    assert [name.removeprefix("column ") for name in table.columns] == columns.split(" ")
    assert cells(table) == [row.split(" ") for row in rows]


@pytest.mark.parametrize("text", AROUND)
def test_rows_around_the_table_are_left_out_and_told(text: str) -> None:
    table = read_table("a.csv", text.encode())
    assert (table.columns, cells(table)) == (TREE, TREES)
    (remark,) = table.remarks
    assert remark.says == AROUND[text]
    assert list(remark.mends.values()) == [{"above" if "above" in remark.says else "below": 0}]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_text_is_refused_with_its_row(text: str) -> None:
    assert refusal(csv_scores, text).startswith(BROKEN[text])


def test_rows_keep_the_numbers_of_the_source() -> None:
    table = read_table("a.csv", b"\ntree,n\n\na,1\n,\nb,2\n\n")
    assert [table.row_label(i) for i in range(2)] == ["Row 4", "Row 6"]
    assert list(read_table("a.csv", b"sep=;\r\ntree;n\r\na;1\r\n").rows) == [3]


def test_the_header_can_be_said() -> None:
    assert read_table("a.csv", b"tea,milk\nrye,oat\n").header
    assert len(read_table("a.csv", b"tea,milk\nrye,oat\n", header=False).frame) == 2
    assert scores_from(read_table("a.csv", b"alpha,2024\nb,1\nc,2\n", header=True)).d == 2


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited_text, "MAX_ROWS", 3)
    told = refusal(csv_scores, "1\n2\n3\n4\n5\n")
    assert told == "'data.csv' has more than 3 rows, which is the limit."


FRAME = pd.DataFrame({"tree": ["oak", "ash"], "n": [31, 28]})
RECORDS = [{"tree": "oak", "n": 31}, {"tree": "ash", "n": 28}]
JSON: dict[str, tuple[Any, tuple[str, ...]]] = {
    "names": ({"oak": 31, "ash": 28}, ("item", "score")),
    "rows": ([["oak", 31], ["ash", 28]], ("column 1", "column 2")),
    "records": (RECORDS, TREE),
    "records in an object": ({"data": RECORDS}, TREE),
    "the only records anywhere": ({"took": 3, "hits": {"top": {"rows": RECORDS}, "n": 2}}, TREE),
    "names in an object": ({"result": {"oak": 31, "ash": 28}}, ("column 1", "result")),
    "names deeper": ({"a": {"b": {"oak": 31, "ash": 28}}, "took": 3}, ("item", "score")),
    "columns": ({"tree": ["oak", "ash"], "n": [31, 28]}, TREE),
    "a record for each name": ([{"oak": 31}, {"ash": 28}], ("item", "score")),
    "rows with a heading": ([["tree", "n"], ["oak", 31], ["ash", 28]], TREE),
    "records by name": ({"oak": {"n": 31}, "ash": {"n": 28}}, ("column 1", "n")),
    "inner objects": (
        [{"p": {"tree": "oak", "n": 31}}, {"p": {"tree": "ash", "n": 28}}],
        ("p.tree", "p.n"),
    ),
    "columns and rows": ({"columns": ["tree", "n"], "rows": [["oak", 31], ["ash", 28]]}, TREE),
    **{
        f"pandas, {way}": (json.loads(FRAME.to_json(orient=way)), TREE)
        for way in ("split", "index", "columns", "records")
    },
    "pandas, table": (json.loads(FRAME.to_json(orient="table")), ("index", *TREE)),
}
REFUSED = {
    "[1, NaN]": "Entry 2: the score in column 'value' is missing (NaN).",
    "[1, null]": "Entry 2: the score in column 'value' is empty.",
    "[1, true]": "Entry 2: the score True in column 'value' is true or false, not a number.",
    '[1, 2, "abc"]': "1 of 3 cells in column 'value' is not a number: 'abc' (entry 3).",
    "[1, 1" + "0" * 399 + "]": "is too large for a floating-point number.",
    "[1, " + "9" * 5000 + "]": "Entry 2: the score inf in column 'value' is not finite.",
    '{"a": 1, "b": [2]}': "Entry 2: the score '[2]' in column 'score' is not a number.",
    "[5]": "There is only 1 item in 'a.json'; a selection needs at least 2.",
    "[1, 2": "'a.json' is not JSON (line 1, character 6).",
    "[" * 100_000: "'a.json' is nested too deeply.",
    "5": "'a.json' must hold a JSON list or object, not '5'.",
    "[]": "'a.json' is empty.",
    "{}": "'a.json' is empty.",
    '[{"a": 1}, 5]': "Entry 2 of 'a.json' is not a record, as the first is.",
    '[{"a": 1, "a": 2}]': "Entry 1 of 'a.json' has 'a' twice.",
    '[["a", 1], ["b"]]': "Entry 2 of 'a.json' is not a list of 2, as the first is.",
    '{"a": [1, 2], "b": [1]}': "Column 'b' of 'a.json' has 1 entries, where 'a' has 2.",
    '{"a": {"0": 1}, "b": {"1": 1}}': "Column 'b' of 'a.json' has other rows than 'a'.",
}


@pytest.mark.parametrize("shape", JSON)
def test_json_is_read_in_its_shapes(shape: str) -> None:
    value, columns = JSON[shape]
    table = read_table("a.json", json.dumps(value).encode())
    assert table.columns == columns
    assert [row[-2:] for row in cells(table)] == TREES


@pytest.mark.parametrize("text", REFUSED)
def test_json_that_holds_no_scores_is_refused(text: str) -> None:
    assert REFUSED[text] in refusal(lambda: scores_from(read_table("a.json", text.encode())))


def test_of_several_lists_of_records_the_longest_is_read_and_the_others_are_a_press_away() -> None:
    content = b'{"a": [{"x": 1}, {"x": 2}], "b": [{"y": 1}]}'
    (remark,) = read_table("a.json", content).remarks
    assert remark.says == "Its member 'a' is read."
    how = files.FileReadOptions(**remark.mends["Read 'b'"])
    assert files.read_content("a.json", content, how).columns == ("y",)
    told = refusal(files.read_content, "a.json", content, files.FileReadOptions(member="c"))
    assert told == "'a.json' has no member 'c'; it has 'a', 'b'."


def test_equal_names_in_json_both_stay() -> None:
    table = read_table("a.json", b'{"a": 1, "a": 2}')
    assert scores_from(table, duplicates="keep").values.tolist() == [1, 2]


def test_json_lines_are_records_with_the_numbers_of_their_lines() -> None:
    content = b'{"user": "a", "tags": ["x", "y"]}\n\n{"user": "b", "tags": ["x"]}\n'
    table = read_table("a.jsonl", content)
    assert cells(table) == [["a", '["x", "y"]'], ["b", '["x"]']]
    assert table.row_label(1) == "Line 3"
    for line, told in {b"[2]": "is no record", b'{"a"': "is not JSON"}.items():
        assert f"Line 2 of 'a.jsonl' {told}" in refusal(read_table, "a.jsonl", b'{"a": 1}\n' + line)


KINDS = {
    "a.data": b"tree,n\noak,31\nash,28\n",
    "a": b"tree;n\noak;31\nash;28\n",
    "a.xls": b"tree\tn\noak\t31\nash\t28\n",
    "a.json": b"tree,n\noak,31\nash,28\n",
    "a.csv": json.dumps(RECORDS).encode(),
    "a.log": "".join(json.dumps(record) + "\n" for record in RECORDS).encode(),
    "a.csv.gz": gzip.compress(b"tree,n\noak,31\nash,28\n"),
    "a.xlsx.gz": gzip.compress(excel([["tree", "n"], ["oak", 31], ["ash", 28]])),
    "a.txt": excel([["tree", "n"], ["oak", 31], ["ash", 28]]),
    "a.tsv": b"tree\tn\noak\t31\nash\t28\n",
}


@pytest.mark.parametrize("name", KINDS)
def test_the_content_tells_the_kind_of_a_file(name: str) -> None:
    scores = scores_from(read_table(name, KINDS[name]))
    assert (scores.labels, scores.values.tolist()) == (("oak", "ash"), [31.0, 28.0])


def test_what_unpacks_to_too_much_or_not_at_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b"1\n" * 1_000)
    told = refusal(read_table, "a.gz", packed[:-9])
    assert told == "'a.gz' cannot be unpacked: it is damaged or cut short."
    monkeypatch.setattr(files, "MAX_UNPACKED", 1_000)
    assert "unpacked has more than 1,000 bytes" in refusal(read_table, "a.gz", packed)


def test_workbooks_of_other_programs_are_read() -> None:
    def cell(text: str) -> str:
        kind = f'"float" office:value="{text}"' if text.isdigit() else '"string"'
        return (
            f"<table:table-cell office:value-type={kind}><text:p>{text}</text:p></table:table-cell>"
        )

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in [TREE, *TREES]
    )
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    start, end = '<office:body><office:spreadsheet><table:table table:name="One">', "</table:table>"
    content = (
        f"<office:document-content {names}>{start}{rows}{end}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", "<manifest/>")
    scores = scores_from(read_table("a.ods", target.getvalue()))
    assert (scores.labels, scores.values.tolist()) == (("oak", "ash"), [31.0, 28.0])


SHEETS = [
    ("Data", [["tree", "n"], ["oak", 31], ["ash", 28]]),
    ("More", [["x", 7], ["y", 8], ["z", 9]]),
]


def test_the_first_sheet_with_numbers_is_read_and_the_others_are_named() -> None:
    content = excel([["Source", "council"], ["Year", 2026]], title="Notes", more=SHEETS)
    table = read_table("a.xlsx", content)
    (remark,) = table.remarks
    assert remark.says == "Its sheet 'Data' is read."
    assert list(remark.mends) == ["Read 'More'", "Read 'Notes'"]
    assert refusal(scores_from, table).endswith(
        "Say sheet='Data' or sheet='More' or sheet='Notes'."
    )
    assert scores_from(read_table("a.xlsx", content, sheet="Data")).values.tolist() == [31, 28]
    assert scores_from(read_table("a.xlsx", content, sheet="More")).labels == ("x", "y", "z")
    told = refusal(read_table, "a.xlsx", content, sheet="No")
    assert told == "'a.xlsx' has no sheet called 'No'; it has 'Notes', 'Data', 'More'."


def test_rows_around_a_table_in_a_sheet_are_left_out_and_told() -> None:
    rows = [["Votes of 2026"], [], ["tree", "n"], ["oak", 31], ["ash", 28], [], ["Source: us"]]
    table = read_table("a.xlsx", excel(rows))
    assert list(table.rows) == [4, 5]
    assert [remark.says for remark in table.remarks] == [
        "The first 2 rows are above the table and left out: 'Votes of 2026'.",
        "The last row is below the table and left out: 'Source: us'.",
    ]


def test_a_table_away_from_the_corner_of_its_sheet() -> None:
    rows = [[], [None, None, "tree", "n"], [], [None, None, "a", 1], [None, None, "b", "x"]]
    table = read_table("a.xlsx", excel(rows))
    assert table.columns == TREE
    assert refusal(scores_from, table, "n").startswith("Row 5: the score 'x' in column 'n'")


@pytest.mark.parametrize(
    ("cell", "shown"), [(True, "True"), (None, "an empty cell"), ("#DIV/0!", "an empty cell")]
)
def test_a_cell_of_a_sheet_that_is_no_score(cell: object, shown: str) -> None:
    content = excel([["tree", "n"], ["a", 1], ["b", cell], ["c", 3]])
    told = refusal(scores_from, read_table("a.xlsx", content))
    assert f"is not a number: {shown} of 'b' (row 3)" in told


def test_an_empty_sheet_is_refused() -> None:
    assert "is empty" in refusal(read_table, "a.xlsx", excel([]))
    assert "a header but no rows" in refusal(read_table, "a.xlsx", excel([["tree", "n"]]))


def test_a_damaged_workbook_is_refused() -> None:
    content = excel([["a", 1], ["b", 2]])
    for length in (100, len(content) // 2, len(content) - 5):
        assert "cannot be read as a workbook" in refusal(read_table, "a.xlsx", content[:length])
    locked = b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le")
    assert refusal(read_table, "a.xlsx", locked).startswith("'a.xlsx' has a password")
    old = b"\xd0\xcf\x11\xe0" + b"\0" * 100
    assert "cannot be read as a workbook" in refusal(read_table, "a.xls", old)


def repacked(change: Any) -> bytes:
    """A sound workbook whose parts are changed."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(excel([["a", 1], ["b", 2]]))) as sound,
        zipfile.ZipFile(target, "w") as package,
    ):
        for name in sound.namelist():
            package.writestr(name, change(name, sound.read(name)))
    return target.getvalue()


def test_an_xml_bomb_is_refused() -> None:
    entities = [f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">' for i in range(10)]

    def bomb(name: str, part: bytes) -> bytes:
        bombs = part.replace(b"<t>a</t>", b"<t>&e9;</t>")
        return f"<!DOCTYPE x [{''.join(entities)}]>".encode() + bombs if bombs != part else part

    assert "is damaged" in refusal(read_table, "a.xlsx", repacked(bomb))
    assert read_table("a.xlsx", repacked(lambda _, part: part)).columns == ("column 1", "column 2")


def test_a_row_number_beyond_the_limit_ends_the_reading() -> None:
    def far(_name: str, part: bytes) -> bytes:
        return part.replace(b'<row r="2"', b'<row r="999999999"').replace(b'r="A2"', b"")

    content = repacked(far)
    assert "limit" in refusal(read_table, "a.xlsx", content)
