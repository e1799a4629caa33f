"""Small files that unpack to gigabytes; none may take more than the wall lets it."""

import io
import zipfile
from collections.abc import Callable
from functools import cache

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

SHEET = b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def workbook(rows: int, row: bytes) -> bytes:
    """A workbook whose sheet has the same XML for each of its rows."""
    return package("xl/worksheets/sheet1.xml", SHEET, row, rows, b"</sheetData></worksheet>")


def package(bomb: str, start: bytes, part: bytes, times: int, end: bytes) -> bytes:
    """A workbook one of whose files is `start`, so many times `part`, and `end`."""
    empty, target = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(empty)
    with (
        zipfile.ZipFile(empty) as sound,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed,
    ):
        for name in sound.namelist():
            if name != bomb:
                packed.writestr(name, sound.read(name))
        with packed.open(bomb, "w") as file:
            file.write(start)
            many = max(1, 1_000_000 // len(part))  # a call for each would take longer than all else
            for _ in range(times // many):
                file.write(part * many)
            file.write(part * (times % many))
            file.write(end)
    return target.getvalue()


def table(compression: str | None = "snappy", **columns: object) -> bytes:
    """A Parquet file without the statistics, for which long texts are compared row by row."""
    target = io.BytesIO()
    pq.write_table(pa.table(columns), target, compression=compression, write_statistics=False)
    return target.getvalue()


CELL = b"<c><v>1</v></c>"
TEXT = b'<row><c t="inlineStr"><is><t>' + b"a" * 500 + b"</t></is></c></row>"
STRINGS = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def corners() -> bytes:
    book, target = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["XFD1048576"] = 1, 2
    book.save(target)
    return target.getvalue()


def nested() -> bytes:
    cells = pa.array(np.zeros(40_000_000, np.int8))
    for _ in range(3):
        cells = pa.ListArray.from_arrays(pa.array([0, len(cells)], pa.int32()), cells)
    # whose runs are as short without, and made in a fraction of the time
    return table(compression=None, count=cells)


def records() -> bytes:
    parts = [pa.array(np.zeros(4_000_000, np.int8))] * 3
    return table(count=pa.StructArray.from_arrays(parts, ["a", "b", "c"]))


def long() -> bytes:
    places = pa.array(np.zeros(4_000_000, np.int32))
    alike = pa.DictionaryArray.from_arrays(places, ["x" * 80_000_000])
    return table(item=alike, count=np.zeros(4_000_000, np.int8))


BOMBS: dict[str, Callable[[], bytes]] = {
    "row.xlsx": lambda: workbook(1, b"<row>" + CELL * 15_000_000 + b"</row>"),
    "wide.xlsx": lambda: workbook(200_000, b"<row>" + CELL * 80 + b"</row>"),
    "corners.xlsx": corners,
    "texts.xlsx": lambda: workbook(1_000_000, TEXT),
    "deep.xlsx": lambda: workbook(1, b"<a>" * 90_000_000),
    "strings.xlsx": lambda: package(
        "xl/sharedStrings.xml", STRINGS, b"<si><t>a</t></si>", 15_000_000, b"</sst>"
    ),
    "lists.parquet": lambda: table(
        count=pa.array([np.zeros(45_000_000, np.int8), np.zeros(1, np.int8)])
    ),
    "nested.parquet": nested,
    "records.parquet": records,
    "long.parquet": long,
    "row.csv": lambda: b"11," * 16_000_000,
    "rows.csv": lambda: b"1\n" * 25_000_000,
    "wide.csv": lambda: b"," * 10_000_000 + b"\n" + b"1," * 10_000_000 + b"1\n",
    "lists.json": lambda: b"[" + b"[]," * 16_000_000 + b"[]]",
    "keys.json": lambda: b"{" + b'"a":1,' * 7_000_000 + b'"a":1}',
}


@cache
def bomb(name: str) -> bytes:
    """Its bytes."""
    return BOMBS[name]()


@cache
def zeros() -> bytes:
    """A wide file of zeros, of which some columns can be read: 450 million cells in 2 MB."""
    target = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": np.zeros(500_000, np.int64) for i in range(900)}), target)
    return target.getvalue()
