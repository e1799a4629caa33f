"""Numbers in disguise: with thousands signs, a currency or per cent sign, or beside a name.

Cells that do not fit stay, so that errors still name their row.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from dpviz.base import Column, is_blank, pd
from dpviz.data.reading.numbers import looks_numeric
from dpviz.data.reading.table import Table

_SAMPLE = 1_000
_UNSPACED = {ord(sign): None for sign in " \u00a0\u202f\u2009'’"}
_MARKED = re.compile(
    r"(?:[€$£¥₹]|CHF|EUR|USD|GBP)?\s*([+-]?\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?:[.,]\d*)?"
    r"|[+-]?\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)?|[+-]?\d+(?:[.,]\d+)?)"
    r"\s*(?:[€$£¥₹%]|CHF|EUR|USD|GBP)?",
    re.ASCII,
)
# Each takes steps in proportion to the cell, which a stranger wrote: a run of blanks, of dots or of
# digits is gone over once. So a name ends in no blank, no dot stands before the dots that part, and
# what is taken is not given back (`++`).
_NUMBER = "([+\u2212-]?\\d(?:[\\d,'’\u00a0\u202f]|\\.(?!\\.))*+)"
_TOGETHER = re.compile(
    r"\s*+(\S.*?)(?<=\S)(?:\s*(?:[:=–—|(\[]|(?<!\.)\.{2,})\s*+|\s+-\s+|\s+)"
    + _NUMBER
    + r"\s*+[)\]x×]?\s*+",
    re.ASCII,
)
_BEFORE = re.compile(
    "\\s*+([+\u2212-]?\\d++(?:[.,'’\u00a0\u202f]\\d++)*+[.,'’\u00a0\u202f]?)"
    r"(?:\s*+(?:[x×:)\]|-]|\.++)\s*+|\s++)(\S(?:.*\S)?)\s*+",
    re.ASCII,
)
_MOST = 0.8

Way = re.Pattern[str]


def plain_numbers(column: Column) -> "Column | None":
    """Column with plain numbers; None if they are plain already or it holds none.

    >>> import pandas as pd
    >>> plain_numbers(pd.Series(["1 234 €", "56 €"])).tolist()
    ['1234', '56']
    """
    if not _marked(column):
        return None
    cells = column.tolist()
    plain = [_unmarked(cell) for cell in cells]
    return None if plain == cells else pd.Series(plain, index=column.index, dtype=object)


def _marked(column: Column) -> bool:
    head = [cell for cell in column.iloc[:_SAMPLE].tolist() if not is_blank(cell)]
    if not head or looks_numeric(head) or not all(isinstance(cell, str) for cell in head):
        return False
    return sum(_MARKED.fullmatch(cell.strip()) is not None for cell in head) >= _MOST * len(head)


def _unmarked(cell: object) -> object:
    found = _MARKED.fullmatch(cell.strip()) if isinstance(cell, str) else None
    return cell if found is None else found[1].translate(_UNSPACED)


def split_name_and_number(table: Table) -> Table | None:
    """Two columns from one whose cells hold a name and a number; None if they do not.

    >>> from dpviz.data.reading.files import read_table
    >>> split_name_and_number(read_table("a.txt", b"Anna 12\\nBen (7)\\n", header=False)).frame.values.tolist()
    [['Anna', '12'], ['Ben', '7']]
    """
    way = _apart(table)
    if way is None:
        return None
    parts = [_parts(way, cell) for cell in _texts(table.frame.iloc[:, 0])]
    return replace(
        table, frame=pd.DataFrame(parts, columns=["name", "number"], dtype="str"), header=False
    )


def _apart(table: Table) -> Way | None:
    """Pattern of a name and a number in its one column; None if there is none."""
    if len(table.columns) != 1:
        return None
    head = _texts(table.frame.iloc[:_SAMPLE, 0])  # millions are not looked at for it
    return _way([cell for cell in head if cell.strip()])


def _texts(column: Column) -> list[str]:
    return [cell if isinstance(cell, str) else "" for cell in column.tolist()]


def holds_name_and_number(cell: str) -> bool:
    return _way([cell]) is not None


def _way(cells: Sequence[str]) -> Way | None:
    """Pattern that fits most cells with different names; None if none does."""
    if looks_numeric(cells):
        return None
    for way in (_TOGETHER, _BEFORE):
        names = [name for name, number in (_parts(way, cell) for cell in cells) if number]
        if len(names) >= _MOST * len(cells) and 2 * len(set(names)) > len(names):
            return way
    return None


def _parts(way: Way, cell: str) -> tuple[str, str]:
    """Name and number of a cell; no number if it does not hold both."""
    found = way.fullmatch(cell)
    if found is None:
        return cell, ""
    name, number = found.groups() if way is _TOGETHER else found.groups()[::-1]
    return name, number.translate(_UNSPACED)
