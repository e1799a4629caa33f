"""Lists of all possible items: read alike by the app, the command line and Python."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from dpviz import count, count_files
from dpviz.__main__ import main
from dpviz.data.reading import IngestError
from dpviz.data.reading.guessing.item_lists import read_catalogue
from tests.data.reading.helpers import excel, parquet, refusal

pytestmark = pytest.mark.usefixtures("read_here", "one_duckdb")
LOG = pd.DataFrame({"who": ["ann", "bo", "ann"], "what": ["Öl", "Öl", "Lamps, small"]})
ITEMS = ("Öl", "Lamps, small", "Rye")
ROWS = [["Nr", "Titel"], [3, "Öl"], [1, "Lamps, small"], [2, "Rye"]]
LIST = "Öl\nLamps, small\nRye\n"
COLUMN = 'Öl\n"Lamps, small"\nRye\n'
TABLE = 'Nr,Titel\n3,Öl\n1,"Lamps, small"\n2,Rye\n'
SEMICOLONS = "Titel;Autor\nÖl;Ann\nLamps, small;Ann\nRye;Bo\n"


FILES = {
    "table.csv": TABLE.encode(),
    "latin.csv": TABLE.encode("cp1252"),
    "wide.csv": TABLE.encode("utf-16"),
    "table.txt": SEMICOLONS.encode(),
    "letters.txt": "Lamps, small\nÖl\nRye\n".encode("cp1250"),
    "no heading.csv": TABLE.removeprefix("Nr,Titel\n").encode(),
    "column.csv": COLUMN.encode(),
    "headed.csv": f"Titel\n{COLUMN}".encode(),
    "ragged.csv": LIST.encode(),
    "list.txt": LIST.encode(),
    "headed.txt": f"item\n{LIST}".encode(),
    "wide.txt": LIST.encode("utf-16"),
    "list.txt.gz": gzip.compress(LIST.encode()),
    "column.csv.gz": gzip.compress(COLUMN.encode()),
    "table.csv.gz": gzip.compress(TABLE.encode()),
    "column.xlsx": excel([[item] for item in ITEMS]),
    "headed.xlsx": excel([["Titel"], *([item] for item in ITEMS)]),
    "table.xlsx": excel(ROWS),
    "list.json": json.dumps(ITEMS).encode(),
    "table.json": json.dumps([{"title": item} for item in ITEMS]).encode(),
    "column.parquet": parquet({"what": ITEMS}),
}


def by_command(path: Path, folder: Path) -> list[str]:
    LOG.to_csv(folder / "log.csv", index=False)
    out = folder / "counts.json"
    argv = ["count", str(folder / "log.csv"), "--person-column", "who", "--item-column", "what"]
    assert main([*argv, "--items", str(path), "--format", "json", "-o", str(out)]) == 0
    return [row["item"] for row in json.loads(out.read_text(encoding="utf-8"))["rows"]]


def by_file(path: Path, folder: Path) -> list[str]:
    columns = (("--person-column", "who"), ("--item-column", "what"), ("--names", "known"))
    LOG.to_csv(folder / "log.csv", index=False)
    out = folder / "items.json"
    argv = ["distribution", "--file", str(folder / "log.csv"), "-k", "1", "--show", "items"]
    said = [word for option in columns for word in option]
    assert main([*argv, *said, "--items", str(path), "--format", "json", "-o", str(out)]) == 0
    return [row["item"] for row in json.loads(out.read_text(encoding="utf-8"))["rows"]]


def by_frame(path: Path, folder: Path) -> list[str]:
    return count(LOG, person="who", item="what", items=path).table["item"].tolist()


def by_files(path: Path, folder: Path) -> list[str]:
    LOG.to_csv(folder / "log.csv", index=False)
    counts = count_files([str(folder / "log.csv")], "who", "what", items=str(path))
    return counts.table["item"].tolist()


@pytest.mark.parametrize("name", FILES)
def test_the_app_reads_the_items_of_any_file(name: str) -> None:
    assert sorted(read_catalogue(name, FILES[name]) or ()) == sorted(ITEMS)


@pytest.mark.parametrize(
    "name", ["table.csv", "column.csv", "headed.xlsx", "list.json", "wide.csv", "list.txt.gz"]
)
@pytest.mark.parametrize("way", [by_command, by_file, by_frame, by_files])
def test_every_way_in_reads_the_same_items(
    way: Callable[[Path, Path], list[str]], name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    assert sorted(way(path, tmp_path)) == sorted(ITEMS)


@pytest.mark.parametrize(
    ("name", "content", "items"),
    [
        ("a.csv", b"17\n4\n99\n", ("17", "4", "99")),  # without "column 1", which no cell says
        ("a.csv", b"17,4,99\n", ("17", "4", "99")),
        ("a.csv", b"isbn,loans\n9783161484100,3\n9780306406157,5\n", None),
        ("a.csv", b"title,author\nRye,Ann\nTea,Ann\nOak,Bo\n", ("Rye", "Tea", "Oak")),
        ("a.txt", b"time\nperson\nyear\n", ("time", "person", "year")),  # words, and no heading
        ("a.txt", b"The Name of the Rose\nRye\n", ("The Name of the Rose", "Rye")),
        ("The list", "Titel\tn\nRye\t1\nTea\t2\n", ("Rye", "Tea")),  # pasted
        ("The list", "Rye\nTea, green\n", ("Rye", "Tea, green")),
        ("a.txt", b'"Heroes"\nRye\n', ('"Heroes"', "Rye")),
    ],
)
def test_names_are_told_from_their_heading(
    name: str, content: str | bytes, items: tuple[str, ...] | None
) -> None:
    assert read_catalogue(name, content) == (items or ("9783161484100", "9780306406157"))


def test_a_table_whose_rows_differ_in_length_is_refused() -> None:
    told = refusal(read_catalogue, "a.csv", b"title,n\nLamps, small,3\nRye,2\n")
    assert told == "Row 2 of 'a.csv' has 3 cells, where the first has 2 cells."


def test_a_list_that_is_not_there_is_told_by_its_name() -> None:
    with pytest.raises((IngestError, FileNotFoundError), match=r"titles\.csv"):
        count(LOG, person="who", item="what", items="titles.csv")


def test_parquet_names_its_columns() -> None:
    assert read_catalogue("a.parquet", parquet({"n": [1, 2], "ash": ["x", "y"]})) == ("x", "y")
