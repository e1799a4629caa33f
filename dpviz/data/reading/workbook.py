"""Excel workbooks (.xlsx, .xlsm): one sheet to a Table.

Before parsing, the parts must unpack to at most `MAX_UNPACKED` bytes, and none may declare XML
entities. All cells between the first and the last filled one are laid out, so strangers' files go
through `read_upload`.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

import numpy as np

from dpviz.base import is_blank, pd
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_UNPACKED,
    FileReadOptions,
    IngestError,
    check_count_limit,
    check_within_limit,
    quote_value,
    replace_surrogates,
    report_damage,
)
from dpviz.data.reading.table import Table, column_names, has_header

_WHAT = "an Excel workbook"
_MAX_PARTS = 10_000
_CHUNK = 1 << 20
_OLD = b"\xd0\xcf\x11\xe0"  # the container of .xls and of files with a password
_EVERY = 10_000

Row = tuple[Any, ...]


def read_workbook(name: str, content: bytes, how: FileReadOptions) -> Table:
    _check_package(name, content)
    how.progress(0.05)
    with _open(name, content) as book:
        sheets, visible = _sheets(book)
        if not sheets:
            raise IngestError(f"{quote_value(name)} has no sheet with cells.")
        chosen = (visible or sheets)[0] if how.sheet is None else how.sheet
        if chosen not in sheets:
            listed = ", ".join(quote_value(title) for title in sheets)
            raise IngestError(
                f"{quote_value(name)} has no sheet called {quote_value(chosen)}; it has {listed}."
            )
        rows, records = _filled(name, _rows(name, book, chosen), how)
    return _table(name, rows, records, how.header, tuple(sheets), chosen)


def check_zip(name: str, content: bytes) -> None:
    """Refuse at once what is no zip."""
    if content.startswith(_OLD):
        raise IngestError(
            f"{quote_value(name)} is an old or a password-protected Excel file: save it as .xlsx"
            " without a password."
        )
    with report_damage(name, _WHAT):
        if not is_zipfile(BytesIO(content)):
            raise BadZipFile("File is not a zip file")


def _check_package(name: str, content: bytes) -> None:
    with report_damage(name, _WHAT):
        package = ZipFile(BytesIO(content))
        parts = package.infolist()
    with package:
        if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise IngestError(
                f"{quote_value(name)} unpacks to more than {MAX_UNPACKED // 1_000_000:,} MB, which"
                " is the limit."
            )
        for part in parts:
            with report_damage(name, _WHAT):  # unknown compression, bad checksum, …
                declares = _declares_entities(package, part.filename)
            if declares:
                raise IngestError(
                    f"{quote_value(name)} declares XML entities, which no Excel file needs; it is"
                    " refused."
                )


def _declares_entities(package: ZipFile, part: str) -> bool:
    with package.open(part) as stream:
        tail = b""
        while chunk := stream.read(_CHUNK):
            seen = tail + chunk.replace(b"\0", b"")  # in UTF-16 every other byte is zero
            if any(declaration in seen for declaration in (b"<!DOCTYPE", b"<!ENTITY")):
                return True
            tail = seen[-16:]
    return False


def _open(name: str, content: bytes) -> Any:
    from python_calamine import load_workbook  # noqa: PLC0415 - only workbooks need it

    with report_damage(name, _WHAT):
        return load_workbook(BytesIO(content))


def _sheets(book: Any) -> tuple[list[str], list[str]]:
    """Sheets with cells, and the visible ones among them."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum  # noqa: PLC0415 - as in _open

    pages = [page for page in book.sheets_metadata if page.typ == SheetTypeEnum.WorkSheet]
    return [page.name for page in pages], [
        page.name for page in pages if page.visible == SheetVisibleEnum.Visible
    ]


def _rows(name: str, book: Any, sheet: str) -> Iterator[Row]:
    """Rows of a sheet, each without its empty tail."""
    with report_damage(name, _WHAT):
        page = book.get_sheet_by_name(sheet)
        height, width = page.total_height, page.width
    check_within_limit(quote_value(name), height, "rows", MAX_ROWS)
    check_count_limit(f"{quote_value(name)} has", width, "columns", MAX_COLUMNS)
    check_within_limit(quote_value(name), height * width, "cells", MAX_CELLS)
    for row in page.iter_rows():
        width = len(row)
        while width and is_blank(row[width - 1]):
            width -= 1
        yield tuple(row[:width])


def _filled(name: str, rows: Iterator[Row], how: FileReadOptions) -> tuple[list[int], list[Row]]:
    kept: list[int] = []
    records: list[Row] = []
    for number, record in enumerate(rows, start=1):
        if number % _EVERY == 0:
            # a sheet does not tell its length beforehand
            how.progress(1.0 - 0.9 / (1.0 + number / 100_000))
        if record and number > how.above:
            records.append(record)
            kept.append(number)
    if not records:
        raise IngestError(f"The sheet read from {quote_value(name)} is empty.")
    return kept, records


def _table(
    name: str,
    rows: list[int],
    records: list[Row],
    header: bool | None,
    sheets: tuple[str, ...],
    sheet: str,
) -> Table:
    used = [i for i in range(max(map(len, records))) if any(i < len(record) for record in records)]
    columns = {
        i: [_cell(record[i]) if i < len(record) else None for record in records] for i in used
    }
    columns = {i: cells for i, cells in columns.items() if not all(map(is_blank, cells))}
    first = [cells[0] for cells in columns.values()]
    named = has_header([cell for cell in first if not is_blank(cell)]) if header is None else header
    start = 1 if named else 0
    if len(records) == start:
        raise IngestError(f"{quote_value(name)} has a header but no rows.")
    names = column_names(first if named else [None] * len(first), name)
    frame = pd.DataFrame(
        {
            title: pd.Series(cells[start:], dtype=object)
            for title, cells in zip(names, columns.values(), strict=True)
        }
    )
    return Table(
        name, frame, np.array(rows[start:], np.int64), header=named, sheets=sheets, sheet=sheet
    )


def _cell(value: object) -> object:
    return (replace_surrogates(value) or None) if isinstance(value, str) else value
