"""Small files that unpack to gigabytes, each a kind of its own; none may take more than the wall lets it."""

import io
import zipfile
from functools import cache

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

SHEET = b'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def workbook(rows: int, row: bytes) -> bytes:
    """A workbook whose sheet has the same XML for each of its rows."""
    empty, target = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(empty)
    with zipfile.ZipFile(empty) as sound, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name in sound.namelist():
            if not name.endswith("sheet1.xml"):
                package.writestr(name, sound.read(name))
                continue
            with package.open(name, "w") as part:
                part.write(SHEET)
                for _ in range(rows):
                    part.write(row)
                part.write(b"</sheetData></worksheet>")
    return target.getvalue()


@cache
def bombs() -> dict[str, bytes]:
    """name → content."""
    cell = b"<c><v>1</v></c>"
    corners = openpyxl.Workbook()
    corners.active["A1"], corners.active["XFD1048576"] = 1, 2
    far = io.BytesIO()
    corners.save(far)
    lists = io.BytesIO()
    pq.write_table(pa.table({"count": pa.array([np.zeros(20_000_000, np.int8), np.zeros(1, np.int8)])}), lists)
    return {
        "row.xlsx": workbook(1, b"<row>" + cell * 15_000_000 + b"</row>"),
        "wide.xlsx": workbook(200_000, b"<row>" + cell * 80 + b"</row>"),
        "corners.xlsx": far.getvalue(),
        "lists.parquet": lists.getvalue(),
        "row.csv": b"11," * 16_000_000,
        "rows.csv": b"1\n" * 25_000_000,
        "lists.json": b"[" + b"[]," * 16_000_000 + b"[]]",
    }


@cache
def zeros() -> bytes:
    """A wide file of zeros, of which some columns can be read: 450 million cells in 2 MB."""
    target = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": np.zeros(500_000, np.int64) for i in range(900)}), target)
    return target.getvalue()
