"""A table with every guess made in reading it, and the answers that would correct each.

Cells that do not fit stay, so that errors still name their row.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from dpviz.base import Column, Progress, ignore_progress, is_blank, pd
from dpviz.data.reading.files import read_content
from dpviz.data.reading.guessing.choices import COLUMNS, ReadingChoices
from dpviz.data.reading.guessing.columns import ColumnProfile, profile_columns
from dpviz.data.reading.guessing.shapes import cell_item_separator, split_cell
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import (
    FileReadOptions,
    Remark,
    quote_value,
)
from dpviz.data.reading.numbers import first_abbreviated_number, is_number, looks_numeric
from dpviz.data.reading.pasted_text import read_pasted_text
from dpviz.data.reading.table import Table

_ROWS = 200
_SAMPLE = 1_000
_UNSPACED = {ord(sign): None for sign in " \u00a0\u202f\u2009'’"}
_MONEY = r"(?:[$£¥\u20a0-\u20cf]|Kč|zł|kr|lei|Ft|руб|грн|元|円|원|CHF|EUR|USD|GBP|CZK|PLN|HUF|SEK|NOK|DKK)"
_MARKED = re.compile(
    rf"{_MONEY}?\s*"
    r"([+-]?\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d*)?"
    r"|[+-]?\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)?|[+-]?\d+(?:[.,]\d+)?)"
    rf"\s*(?:%|{_MONEY}\.?)?",
    re.ASCII,
)
# Each takes steps in proportion to the cell, which a stranger wrote: a run of blanks, of dots or of
# digits is gone over once. So a name ends in no blank, no dot stands before the dots that part, and
# what is taken is not given back (`++`).
_NUMBER = "([+\u2212-]?\\d(?:[\\d,'’\u00a0\u202f]|\\.(?!\\.))*+)"
_TOGETHER = re.compile(
    r"\s*+(?:[-*•]\s++)?(\S.*?)(?<=\S)(?:\s*(?:[-=]>|[:=–—→|(\[]|(?<!\.)\.{2,})\s*+|\s+-\s+|\s+)"
    + _NUMBER
    + r"\s*+[)\]x×]?\s*+",
    re.ASCII,
)
_BEFORE = re.compile(
    "\\s*+([+\u2212-]?\\d++(?:[.,'’\u00a0\u202f]\\d++)*+[.,'’\u00a0\u202f]?)"
    r"(?:\s*+(?:[x×:)\]|-]|\.++)\s*+|\s++)(\S(?:.*\S)?)\s*+",
    re.ASCII,
)
_WITH_UNIT = re.compile(
    "([+\u2212-]?\\d(?:[\\d.,'’\u00a0\u202f]| (?=\\d))*+)\\s*+((?:[^\\W\\d_]|°)[^\\d]{0,30}+)"
)
_ENDING = 3  # letters by which the plural of a unit may differ
_MOST = 0.8


def read_with_remarks(
    name: str,
    content: str | bytes | Table,
    choices: ReadingChoices,
    progress: Progress = ignore_progress,
) -> Table:
    """Table with all guesses as its remarks; raises `IngestError`."""
    if isinstance(content, Table):
        return _corrected(content, choices)
    table = _table(name, content, choices, progress)
    # who calls a column by its name says that the first row has names
    if (
        choices.header is not None
        or not table.header
        or table.rows[0] == 1  # whose columns have names without a row of them
        or any(getattr(choices, role) in table.columns for role in COLUMNS)
    ):
        return _corrected(table, choices)
    if _headless(table):
        table = _table(name, content, replace(choices, header=False), progress)
        if len(table.columns) > 1 or not _name_and_number_pattern([str(table.frame.iloc[0, 0])]):
            says = "The first row is read as data, and the columns have no names."
            table = _with_header_remark(table, says, "It names the columns", named=False)
    elif not any(map(is_usual_heading, table.columns)) and not any(
        map(_is_of_another_kind, profile_columns(table))
    ):
        listed = ", ".join(map(quote_value, table.columns[:4]))
        says = f"The first row is read as the names of the columns: {listed}."
        table = _with_header_remark(table, says, "It is data", named=True)
    return _corrected(table, choices)


def _table(name: str, content: str | bytes, options: FileReadOptions, progress: Progress) -> Table:
    if isinstance(content, bytes):
        return read_content(name, content, options, progress)
    return read_pasted_text(content, options)


def _with_header_remark(table: Table, says: str, mend: str, *, named: bool) -> Table:
    mends = {mend: {"header": not named}}
    remark = Remark(says=says, mends=mends, asks=True, kept={"header": named})
    return replace(table, remarks=(*table.remarks, remark))


def _headless(table: Table) -> bool:
    """True if the supposed header is a row of the data: a cell of it is found below it."""
    names = table.columns
    if len(names) == 1 and _name_and_number_pattern([names[0]]):
        return True
    columns = [table.frame[name].iloc[:_ROWS].tolist() for name in names]
    repeats = any(name in cells for name, cells in zip(names, columns, strict=True))
    if repeats and not any(map(is_usual_heading, names)) and not looks_numeric(names):
        return True
    return any(
        _shares_parts(name, [cell for cell in cells if isinstance(cell, str)])
        for name, cells in zip(names, columns, strict=True)
    )


def _is_of_another_kind(column: ColumnProfile) -> bool:
    """True for numbers, dates or codes whose heading is none of these."""
    heading = ColumnProfile("", (column.name,))
    return (
        column.is_numeric
        or (column.is_date and not heading.is_date)
        or (column.is_code and not heading.is_code)
        or (_are_marked(column.texts) and not _are_marked(heading.texts))
    )


def _shares_parts(name: str, cells: Sequence[str]) -> bool:
    """True if a name is several items in one cell, some of which are in cells below it."""
    sign = cell_item_separator([name, *cells])
    parts = set(split_cell(name, sign)) if sign else set()
    return len(parts) > 1 and any(not parts.isdisjoint(split_cell(cell, sign)) for cell in cells)


def _corrected(table: Table, choices: ReadingChoices) -> Table:
    """Table with names and numbers separated and plain numbers, and the guesses in that."""
    parted = None if choices.apart is False else split_name_and_number(table)
    if parted is not None:
        cell, (name, number) = table.frame.iloc[0, 0], parted.frame.iloc[0]
        says = (
            f"Names and numbers are separated: {quote_value(cell)} is {quote_value(name)}"
            f" with {number}."
        )
        remark = Remark(says=says, mends={"Keep them together": {"apart": False}})
        table = replace(parted, remarks=(*table.remarks, remark))
    for column in table.columns if choices.plain is not False else ():
        cells = column_with_plain_numbers(table.frame[column])
        if cells is not None:
            table = _with_numbers(table, cells, "Column {} holds numbers", "plain")
    for column in _unit_columns(table, choices):
        cells = table.frame[column].map(_without_unit)
        says = "Each number in column {} has a unit"
        table = _with_numbers(table, cells, says, "units", asks=choices.units is None)
    return table


def _with_numbers(
    table: Table, cells: Column, says: str, choice: str, *, asks: bool = False
) -> Table:
    """Table with these cells in the column of their name, and the remark on the first new one."""
    pairs = zip(table.frame[cells.name], cells, strict=True)
    old, new = next((old, new) for old, new in pairs if old != new)
    remark = Remark(
        says=f"{says.format(quote_value(cells.name))}: {quote_value(old)} is read as {new}.",
        mends={"Keep it as text": {choice: False}},
        asks=asks,
        kept={choice: True} if asks else {},
    )
    frame = table.frame.assign(**{str(cells.name): cells})
    return replace(table, frame=frame, remarks=(*table.remarks, remark))


def _unit_columns(table: Table, choices: ReadingChoices) -> list[str]:
    """Columns of numbers with one unit, if no column is one of plain numbers or of people."""
    columns = profile_columns(table)
    known = any(c.is_person or (c.is_numeric and c.can_be_score) for c in columns)
    if known or choices.is_log or choices.units is False:
        return []
    return [column.name for column in columns if _have_one_unit(column)]


def _have_one_unit(column: ColumnProfile) -> bool:
    """True for numbers that all have the same word behind them, but for its plural."""
    found = [_WITH_UNIT.fullmatch(text) for text in column.texts]
    units = sorted({each[2].strip().casefold() for each in found if each is not None}, key=len)
    counted = first_abbreviated_number(column.texts) is not None and column.can_be_score
    return (
        len(found) > 1
        and None not in found
        and len(set(column.texts)) > 1
        and all(unit.startswith(units[0]) for unit in units)
        and len(units[-1]) - len(units[0]) <= _ENDING
        and not (counted or column.is_date)
    )


def _without_unit(cell: object) -> object:
    found = _WITH_UNIT.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return cell if found is None else found[1].translate(_UNSPACED)


def column_with_plain_numbers(column: Column) -> "Column | None":
    """Column with plain numbers; None if they are plain already or it holds none."""
    head = [cell for cell in column.iloc[:_SAMPLE].tolist() if not is_blank(cell)]
    if all(map(is_number, head)) or not all(isinstance(cell, str) for cell in head):
        return None
    if 0 < sum("%" in cell for cell in head) < len(head):  # shares beside what is none
        return None
    if not _are_marked(head):
        return None
    cells = column.tolist()
    found = [_MARKED.fullmatch(cell.strip()) if isinstance(cell, str) else None for cell in cells]
    marks = {
        cell.replace(number[1], "").strip(" .")
        for cell, number in zip(cells, found, strict=True)
        if number is not None
    }
    if len(marks - {""}) > 1:  # amounts of several currencies
        return None
    plain = [
        cell if number is None else number[1].translate(_UNSPACED)
        for cell, number in zip(cells, found, strict=True)
    ]
    return (
        None if plain == cells else pd.Series(plain, column.index, dtype=object, name=column.name)
    )


def _are_marked(cells: Sequence[str]) -> bool:
    fitting = sum(_MARKED.fullmatch(cell.strip()) is not None for cell in cells)
    return fitting >= _MOST * len(cells) > 0


def split_name_and_number(table: Table) -> Table | None:
    """Two columns from one whose cells hold a name and a number; None if they do not."""
    if len(table.columns) != 1:
        return None
    column = table.frame.iloc[:, 0]
    head = _texts(column.iloc[:_SAMPLE])  # millions are not looked at for it
    way = _name_and_number_pattern([cell for cell in head if cell.strip()])
    if way is None:
        return None
    parts = [_parts(way, cell) for cell in _texts(column)]
    # of two numbers it is asked which is the name
    numbers = looks_numeric([name for name, _ in parts[:_SAMPLE]])
    names = ["column 1", "column 2"] if numbers else ["name", "number"]
    return replace(table, frame=pd.DataFrame(parts, columns=names, dtype="str"), header=False)


def _texts(column: Column) -> list[str]:
    return [cell if isinstance(cell, str) else "" for cell in column.tolist()]


def _name_and_number_pattern(cells: Sequence[str]) -> re.Pattern[str] | None:
    """Pattern that fits most cells with different names; None if none does."""
    if looks_numeric(cells):
        return None
    for way in (_TOGETHER, _BEFORE):
        names = [name for name, number in (_parts(way, cell) for cell in cells) if number]
        if len(names) >= _MOST * len(cells) and 2 * len(set(names)) > len(names):
            return way
    return None


def _parts(way: re.Pattern[str], cell: str) -> tuple[str, str]:
    """Name and number of a cell; no number if it does not hold both."""
    found = way.fullmatch(cell)
    if found is None:
        return cell, ""
    name, number = found.groups() if way is _TOGETHER else found.groups()[::-1]
    return name, number.translate(_UNSPACED)
