"""Shapes of tables other than an item or an event a row, and their rows written out so."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from dpviz.base import Column, cell_text, is_blank, pd
from dpviz.data.reading.guessing.columns import ColumnProfile, profile_columns
from dpviz.data.reading.guessing.meaning import TableMeaning
from dpviz.data.reading.headings import COUNTS, MEASURES, NO, NOTES, YES, strip_accents
from dpviz.data.reading.input_rules import (
    MAX_CELLS,
    IngestError,
    Remark,
    check_within_limit,
    quote_value,
)
from dpviz.data.reading.numbers import BadNumber, looks_numeric, parse_numbers
from dpviz.data.reading.table import Table

ROW: Final = "row"
"""Column of people that are told apart by their rows alone."""
_SIGNS = (";", "|", "\n", ",", "/", " + ", " & ", "、", "，", "；", "،", "؛")
_STEM = re.compile(r"[\W\d_]+$")
_SAMPLE = 1_000


def guess_other_shape(table: Table, meaning: TableMeaning) -> tuple[str, Remark] | None:
    """Another likely shape of the table, and the remark on it."""
    columns = profile_columns(table)
    if (items := wide_item_columns(table, columns)) is not None:
        listed = ", ".join(map(quote_value, items[:3])) + (" …" if len(items) > 3 else "")
        if len(table.frame) == 1:
            return "columns", Remark(says=f"Each column is an item: {listed}.")
        says = f"Each column looks like an item: {listed}."
        return "columns", _asks(says, "Add up each column", "columns")
    if _are_baskets(columns):
        says = "Each row looks like the items of one person."
        return "baskets", _asks(says, "Count the people of each item", "baskets")
    if meaning.log or meaning.other is None:
        column = _parted_column(columns)
        if column is not None:
            cell = next(
                text for text in column.texts if split_cell(text, cell_item_separator(column.texts))
            )
            says = f"A cell of {quote_value(column.name)} holds several items: {quote_value(cell)}."
            return "cells", _asks(says, "Separate them and count people", "cells")
    return None


def _asks(says: str, answer: str, shape: str) -> Remark:
    mends = {answer: {"shape": shape}, "Read each row as one item": {"shape": "rows"}}
    return Remark(says=says, mends=mends, asks=True)


def wide_item_columns(table: Table, columns: Sequence[ColumnProfile]) -> list[str] | None:
    """Columns that are items with a number or a mark in each row; None if they are not."""
    marks = [column for column in columns if _marks(table.frame[column.name])]
    numbers = [column for column in columns if column.can_be_score and column.score_likelihood >= 2]
    others = [column for column in columns if column not in marks and column not in numbers]
    named = not any(column.is_unnamed for column in (*marks, *numbers))
    if len(table.frame) == 1:
        plain = [column for column in columns if column.is_numeric and not _is_usual(column)]
        all_plain = all(column in plain or column.is_date for column in columns)
        all_plain = all_plain and len(plain) > 1 and not any(c.is_unnamed for c in plain)
        return [column.name for column in plain] if all_plain else None
    if len(marks) > 1 and named and not [column for column in numbers if column not in marks]:
        return [column.name for column in marks]
    usual = any(map(_is_usual, numbers))
    whose = all(column.is_id or column.is_person or column.is_date for column in others)
    if (
        len(numbers) > 2
        and named
        and whose
        and not usual
        and not all(c.name.strip().isdecimal() for c in numbers)
    ):
        return [column.name for column in columns if column in numbers or column in marks]
    return None


def _is_usual(column: ColumnProfile) -> bool:
    return column.is_headed(COUNTS | MEASURES) or column.is_date or column.has_id_heading


def _marks(cells: Column) -> frozenset[str]:
    """Marks for yes of a column of such marks and others for no, or of one text and blanks."""
    met = frozenset(map(_folded, cells.iloc[:_SAMPLE].tolist()))
    if met <= YES | NO:
        return met & YES if len(met) <= 3 else frozenset()
    texts = met - {""}
    return texts if len(texts) == 1 < len(met) and not looks_numeric([*texts]) else frozenset()


def _folded(cell: object) -> str:
    return strip_accents((cell_text(cell) or "").strip()).casefold()


def _are_baskets(columns: Sequence[ColumnProfile]) -> bool:
    """True for columns of texts with the same items in several of them."""
    texts = _basket_columns(columns)
    met = Counter(text for column in texts for text in set(column.texts))
    shared = sum(many > 1 for many in met.values())
    stems = {_STEM.sub("", column.name) for column in texts}
    numbered = len(stems) == 1 and len(texts) > 1 and not texts[0].is_unnamed
    bare = len(texts) > 2 and all(column.is_unnamed for column in texts)
    return shared > 0 and (numbered or bare or (len(texts) > 2 and 2 * shared > len(met)))


def _basket_columns(columns: Sequence[ColumnProfile]) -> list[ColumnProfile]:
    """Columns of a basket, without a first one that says whose it is."""
    first = columns[0] if columns else None
    whose = first is not None and (first.is_id or first.is_person or first.is_numeric)
    rest = columns[1:] if whose else columns
    texts = [column for column in rest if column.can_name_items and not column.is_person]
    return texts if len(texts) == len(rest) else []


def _parted_column(columns: Sequence[ColumnProfile]) -> ColumnProfile | None:
    """Column of texts whose parts repeat more than the cells do."""
    able = [c for c in columns if not (c.is_date or c.is_person or c.is_numeric)]
    able = [c for c in able if not c.is_headed(NOTES)]
    return next((column for column in able if cell_item_separator(column.texts)), None)


def cell_item_separator(texts: Sequence[str]) -> str:
    """Sign that parts the items of a cell, "[" for lists; "" if there is none.

    >>> cell_item_separator(["tea;rye", "rye", "rye;ale"]), cell_item_separator(["Cats, dogs", "Trees, tall"])
    (';', '')
    >>> cell_item_separator(["|", "|"])
    ''
    """
    lists = [text for text in texts if text[:1] in {"[", "{"} and text[-1:] in {"]", "}"}]
    if len(lists) > 0.9 * len(texts) and any(split_cell(text, "[") for text in lists):
        return "["
    for sign in _SIGNS:
        several = [text for text in texts if sign in text]
        if len(several) < max(2, 0.2 * len(texts)):
            continue
        parts = [part.strip() for text in texts for part in text.split(sign) if part.strip()]
        if len(set(parts)) * len(texts) < len(set(texts)) * len(parts):
            return sign
    return ""


def split_cell(text: str, separator: str) -> list[str]:
    """Items of a cell."""
    if separator != "[":
        return [part for part in map(str.strip, text.split(separator or "\0")) if part]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, list):
        return [part for each in found if (part := (cell_text(each) or "").strip())]
    return [part for part in (each.strip(" '\"") for each in text[1:-1].split(",")) if part]


def reshape_to_items_or_events(
    table: Table, shape: str, item: str | None, person: str | None
) -> Table:
    """Table with an item or an event a row, from one of another shape."""
    columns = profile_columns(table)
    if shape == "columns":
        return _added_up(table, columns)
    if shape == "baskets":
        chosen = [column.name for column in _basket_columns(columns)] or list(table.columns)
        first = table.columns[0]
        who = first if first not in chosen else None
        cells = table.frame[chosen].to_numpy(dtype=object).tolist()
        items = [
            [text for cell in row if (text := (cell_text(cell) or "").strip())] for row in cells
        ]
        return _events(table, items, "item", who)
    parted = item if item is not None else getattr(_parted_column(columns), "name", None)
    if parted is None:
        raise IngestError(
            f"No column of {quote_value(table.source)} holds several items in a cell."
        )
    texts = [(cell_text(cell) or "").strip() for cell in table.frame[parted].tolist()]
    sign = cell_item_separator([text for text in texts[:_SAMPLE] if text])
    who = person if person != parted else None  # whose cells are items is no person
    return _events(table, [split_cell(text, sign) for text in texts], parted, who)


def _events(table: Table, items: Sequence[Sequence[str]], item: str, person: str | None) -> Table:
    """Row for each item of each row; people are told apart by their rows without a column."""
    counts = np.fromiter(map(len, items), np.int64, len(items))
    check_within_limit(
        quote_value(table.source), int(counts.sum()), "items in its cells", MAX_CELLS
    )
    places = np.repeat(np.arange(len(items)), counts)
    numbers = np.asarray(table.rows)[places]
    who = numbers if person is None else table.frame[person].iloc[places].reset_index(drop=True)
    name = person or (ROW if item != ROW else f"{ROW} number")
    what = pd.Series([each for row in items for each in row], dtype="str")
    return replace(table, frame=pd.DataFrame({name: who, item: what}), rows=numbers, header=True)


def _added_up(table: Table, columns: Sequence[ColumnProfile]) -> Table:
    names = wide_item_columns(table, columns) or [
        c.name for c in columns if c.is_numeric and not c.is_id and not c.is_date
    ]
    if len(names) < 2:
        raise IngestError(f"{quote_value(table.source)} has no columns of numbers that are items.")
    sums = [_sum(table, name) for name in names]
    frame = pd.DataFrame({"item": pd.Series(names, dtype="str"), "score": sums})
    return replace(table, frame=frame, rows=np.arange(1, len(names) + 1), unit="Column")


def _sum(table: Table, name: str) -> float:
    """Sum of a column of numbers, or number of its marks; a blank cell is 0."""
    cells = table.frame[name]
    if marks := _marks(cells):
        return float(sum(_folded(cell) in marks for cell in cells.tolist()))
    filled = cells[[not is_blank(cell) for cell in cells.tolist()]]
    try:
        return float(parse_numbers(filled).sum())
    except BadNumber as bad:
        cell = quote_value(filled.iloc[bad.position])
        raise IngestError(f"The cell {cell} in column {quote_value(name)} {bad.why}.") from None
