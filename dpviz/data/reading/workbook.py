"""Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): one sheet to a Table.

Before parsing, the parts must unpack to at most `MAX_UNPACKED` bytes, and none may declare XML
entities. All cells between the first and the last filled one are laid out, so strangers' files go
through `read_upload`.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import islice
from typing import Any, Final
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
    Remark,
    check_count_limit,
    check_within_limit,
    quote_value,
    replace_surrogates,
    report_damage,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.surroundings import (
    MOST_NOTES,
    note_row_count,
    notes_remark,
    title_row_count,
    titles_remark,
)
from dpviz.data.reading.table import Table, column_names, has_header

OLE: Final = b"\xd0\xcf\x11\xe0"
"""Beginning of .xls files, and of files with a password."""

_WHAT: Final = "a workbook"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_MAX_PARTS: Final = 10_000
_CHUNK: Final = 1 << 20
_EVERY: Final = 10_000
_ROWS: Final = 200
_OTHERS: Final = 3
_SOME: Final = 4  # cells of a column with its heading

Row = tuple[Any, ...]


def read_workbook(name: str, content: bytes, how: FileReadOptions) -> Table:
    if not content.startswith(OLE):
        _check_package(name, content)
    how.progress(0.05)
    with _open(name, content) as book:
        sheets, visible = _sheets(book)
        if not sheets:
            raise IngestError(f"{quote_value(name)} has no sheet with cells.")
        if how.sheet is not None and how.sheet not in sheets:
            listed = ", ".join(quote_value(title) for title in sheets)
            raise IngestError(
                f"{quote_value(name)} has no sheet called {quote_value(how.sheet)}; it has {listed}."
            )
        chosen = how.sheet or _sheet_with_table(name, book, visible or sheets)
        rows = _rows(name, book, chosen, how)
    return _table(name, rows, how, tuple(sheets), chosen)


def check_workbook(name: str, content: bytes) -> None:
    """Refuse at once what is no workbook, or has a password."""
    if content.startswith(OLE) and _ENCRYPTED in content:
        raise IngestError(f"{quote_value(name)} has a password: save it without one, or as CSV.")
    with report_damage(name, _WHAT):
        if not content.startswith(OLE) and not is_zipfile(BytesIO(content)):
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
                    f"{quote_value(name)} declares XML entities, which no workbook needs; it is"
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


def _sheet_with_table(name: str, book: Any, sheets: Sequence[str]) -> str:
    """First sheet that holds a column of some numbers, else the one that comes nearest to it."""
    if len(sheets) == 1:
        return sheets[0]
    most = dict.fromkeys(sheets, 0)
    for sheet in sheets:
        rows = [row for row in islice(_page(name, book, sheet).iter_rows(), _ROWS) if row]
        for cells in zip(*rows, strict=False):
            filled = [cell for cell in cells if not is_blank(cell)]
            if looks_numeric(filled[1:]):
                most[sheet] = min(max(most[sheet], len(filled)), _SOME)
    return max(sheets, key=most.__getitem__)


def _page(name: str, book: Any, sheet: str) -> Any:
    with report_damage(name, _WHAT):
        page = book.get_sheet_by_name(sheet)
        height, width = page.total_height, page.width
    check_within_limit(quote_value(name), height, "rows", MAX_ROWS)
    check_count_limit(f"{quote_value(name)} has", width, "columns", MAX_COLUMNS)
    check_within_limit(quote_value(name), height * width, "cells", MAX_CELLS)
    return page


def _rows(name: str, book: Any, sheet: str, how: FileReadOptions) -> list[Row]:
    """Rows of a sheet, each without its empty tail, up to the last filled one."""
    rows: list[Row] = []
    for number, row in enumerate(_page(name, book, sheet).iter_rows(), start=1):
        width = len(row)
        while width and is_blank(row[width - 1]):
            width -= 1
        rows.append(tuple(row[:width]))
        if number % _EVERY == 0:
            # a sheet does not tell its length beforehand
            how.progress(1.0 - 0.9 / (1.0 + number / 100_000))
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _table(
    name: str, rows: list[Row], how: FileReadOptions, sheets: tuple[str, ...], sheet: str
) -> Table:
    above = title_row_count(rows[:_ROWS]) if how.above is None else how.above
    width = max(map(len, rows[above:]), default=0)
    below = note_row_count(rows[above:][-MOST_NOTES:], width) if how.below is None else how.below
    filled = [(row, i) for i, row in enumerate(rows[: len(rows) - below], 1) if row and i > above]
    if not filled:
        raise IngestError(f"The sheet read from {quote_value(name)} is empty.")
    remarks = [
        *titles_remark(rows[:above] if how.above is None else []),
        *notes_remark([row for row in rows[len(rows) - below :] if row]),
        *([_sheet_remark(sheets, sheet)] if len(sheets) > 1 else ()),
    ]
    records, numbers = zip(*filled, strict=True)
    width = max(map(len, records))
    columns = [[_cell(row[i]) if i < len(row) else None for row in records] for i in range(width)]
    columns = [cells for cells in columns if not all(map(is_blank, cells))]
    first = [cells[0] for cells in columns]
    named = (
        has_header([cell for cell in first if not is_blank(cell)])
        if how.header is None
        else how.header
    )
    start = 1 if named else 0
    if len(records) == start:
        raise IngestError(f"{quote_value(name)} has a header but no rows.")
    names = column_names(first if named else [None] * len(first), name)
    series = {
        title: pd.Series(cells[start:], dtype=object)
        for title, cells in zip(names, columns, strict=True)
    }
    return Table(
        name,
        pd.DataFrame(series),
        np.array(numbers[start:], np.int64),
        header=named,
        sheets=sheets,
        sheet=sheet,
        remarks=tuple(remarks),
    )


def _sheet_remark(sheets: Sequence[str], sheet: str) -> Remark:
    others = islice((other for other in sheets if other != sheet), _OTHERS)
    mends = {
        f"Read {quote_value(other)}": {"sheet": other, "above": None, "below": None}
        for other in others
    }
    return Remark(says=f"Its sheet {quote_value(sheet)} is read.", mends=mends)


def _cell(value: object) -> object:
    return (replace_surrogates(value) or None) if isinstance(value, str) else value
