"""Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): one sheet to a Table."""

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import Any, Final

import numpy as np

from dpviz.base import is_blank, pd
from dpviz.base.text_format import replace_surrogates
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    FileReadOptions,
    IngestError,
    Remark,
    check_count_limit,
    check_within_limit,
    quote_value,
    report_damage,
)
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.surroundings import (
    MOST_NOTES,
    left_out_rows_remark,
    note_row_count,
    title_row_count,
)
from dpviz.data.reading.table import Table, has_header, header_and_column_names

OLE: Final = b"\xd0\xcf\x11\xe0"
"""Beginning of .xls files, and of files with a password."""

_WHAT: Final = "a workbook"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_ROWS: Final = 200
_OTHERS: Final = 3
_SOME: Final = 4  # cells of a column with its heading

Row = tuple[Any, ...]


def read_workbook(name: str, content: bytes, options: FileReadOptions) -> Table:
    if content.startswith(OLE) and _ENCRYPTED in content:
        raise IngestError(f"{quote_value(name)} has a password: save it without one, or as CSV.")
    with _open(name, content) as book:
        sheets, visible = _sheets(book)
        if not sheets:
            raise IngestError(f"{quote_value(name)} has no sheet with cells.")
        if options.sheet is not None and options.sheet not in sheets:
            listed = ", ".join(quote_value(title) for title in sheets)
            raise IngestError(
                f"{quote_value(name)} has no sheet called {quote_value(options.sheet)}; it has {listed}."
            )
        chosen = (
            [options.sheet] if options.sheet else _sheets_with_table(name, book, visible or sheets)
        )
        # a bomb of cells ends the limited process; calamine refuses XML entities
        rows = _rows(name, book, chosen[0])
    table = _table(name, rows, options)
    others = dict.fromkeys([*chosen, *sheets])
    del others[chosen[0]]
    if not others:
        return table
    remark = Remark(
        says=f"Its sheet {quote_value(chosen[0])} is read.",
        mends={f"Read {quote_value(other)}": {"sheet": other} for other in islice(others, _OTHERS)},
        asks=len(chosen) > 1,
        kept={"sheet": chosen[0]} if len(chosen) > 1 else {},
    )
    return replace(table, remarks=(*table.remarks, remark))


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


def _sheets_with_table(name: str, book: Any, sheets: Sequence[str]) -> list[str]:
    """Sheets that hold a column of some numbers, else those that come nearest to it."""
    if len(sheets) == 1:
        return [*sheets]
    most = dict.fromkeys(sheets, 0)
    for sheet in sheets:
        rows = [row for row in islice(_page(name, book, sheet).iter_rows(), _ROWS) if row]
        for cells in zip(*rows, strict=False):
            filled = [cell for cell in cells if not is_blank(cell)]
            if looks_numeric(filled[1:]):
                most[sheet] = min(max(most[sheet], len(filled)), _SOME)
    largest = max(most.values())
    return [sheet for sheet in sheets if most[sheet] == largest]


def _page(name: str, book: Any, sheet: str) -> Any:
    with report_damage(name, _WHAT):
        page = book.get_sheet_by_name(sheet)
        height, width = page.total_height, page.width
    check_within_limit(quote_value(name), height, "rows", MAX_ROWS)
    check_count_limit(f"{quote_value(name)} has", width, "columns", MAX_COLUMNS)
    check_within_limit(quote_value(name), height * width, "cells", MAX_CELLS)
    return page


def _rows(name: str, book: Any, sheet: str) -> list[Row]:
    """Rows of a sheet, each without its empty tail, up to the last filled one."""
    rows: list[Row] = []
    for row in _page(name, book, sheet).iter_rows():
        width = len(row)
        while width and is_blank(row[width - 1]):
            width -= 1
        rows.append(tuple(row[:width]))
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _table(name: str, rows: list[Row], options: FileReadOptions) -> Table:
    above = title_row_count(rows[:_ROWS]) if options.above is None else options.above
    width = max(map(len, rows[above:]), default=0)
    below = (
        note_row_count(rows[above:][-MOST_NOTES:], width)
        if options.below is None
        else options.below
    )
    filled = [(row, i) for i, row in enumerate(rows[: len(rows) - below], 1) if row and i > above]
    if not filled:
        raise IngestError(f"The sheet read from {quote_value(name)} is empty.")
    remarks = [
        *left_out_rows_remark(rows[:above] if options.above is None else [], "above"),
        *left_out_rows_remark([row for row in rows[len(rows) - below :] if row], "below"),
    ]
    records, numbers = zip(*filled, strict=True)
    width = max(map(len, records))
    columns = [[_cell(row[i]) if i < len(row) else None for row in records] for i in range(width)]
    columns = [cells for cells in columns if not all(map(is_blank, cells))]
    first = [cells[0] for cells in columns]
    filled_first = [cell for cell in first if not is_blank(cell)]
    header = has_header(filled_first) if options.header is None else options.header
    named, names = header_and_column_names(name, first, header, rows=len(records))
    series = {
        title: pd.Series(cells[named:], dtype=object)
        for title, cells in zip(names, columns, strict=True)
    }
    return Table(
        name,
        pd.DataFrame(series),
        np.array(numbers[named:], np.int64),
        header=named,
        remarks=tuple(remarks),
    )


def _cell(value: object) -> object:
    return (replace_surrogates(value) or None) if isinstance(value, str) else value
