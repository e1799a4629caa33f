"""Rows around a table: titles above it, notes below it, and the remarks about them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from dpviz.base import cell_text, is_blank
from dpviz.data.reading.headings import is_usual_heading
from dpviz.data.reading.input_rules import Remark, quote_value
from dpviz.data.reading.numbers import looks_numeric

MOST_NOTES: Final = 20
"""Rows below a table that can be notes."""

_MOST_TITLES: Final = 20
_NOTE: Final = re.compile(
    r"\s*(?:(?:sources?|notes?|quellen?|hinweis|anmerkung(?:en)?|stand|copyright|licen[cs]e)\s*[:.]"
    r"|©|#[\s+-]|\(?\d+ rows?\b|\(\d+ \w+\)\s*$"
    r"|\[\d+ rows x \d+ columns\]|Name: .*dtype: |dtype: |Length: \d+|shape: \()",
    re.IGNORECASE,
)
_SENTENCE: Final = 3  # words at least

Row = Sequence[object]


def title_row_count(rows: Sequence[Row]) -> int:
    """Number of title rows: first rows with fewer filled cells than most rows below them."""
    filled = [sum(not is_blank(cell) for cell in row) for row in rows]
    for place in range(1, min(len(rows), _MOST_TITLES)):
        if any(looks_numeric([cell]) for cell in rows[place - 1] if not is_blank(cell)):
            break
        if not filled[place - 1] and _has_headings(rows[place]):
            return place
    begin = next((i for i, count in enumerate(filled) if count > 1), 0)
    usual, _ = most_common_width_and_count(filter(None, filled[begin:]))
    if usual < 2:
        return 0
    # one column may have no name, such as that of row numbers in an export
    first = next(
        i
        for i, (row, count) in enumerate(zip(rows, filled, strict=True))
        if count >= usual
        or (len(row) == usual == count + 1 and (is_blank(row[0]) or _has_headings(row)))
    )
    return first if first <= _MOST_TITLES else 0


def _has_headings(row: Row) -> bool:
    return sum(isinstance(cell, str) and is_usual_heading(cell) for cell in row) > 1


def most_common_width_and_count(widths: Iterable[int]) -> tuple[int, int]:
    """Most frequent of the widths, the largest of several, and how often it occurs."""
    return max(Counter(widths).items(), key=lambda pair: pair[::-1], default=(0, 0))


def is_note(row: Row) -> bool:
    """True if a row says itself that it is a note, as "Source: …" does."""
    filled = [cell for cell in row if not is_blank(cell)]
    return bool(filled) and isinstance(filled[0], str) and _NOTE.match(filled[0]) is not None


def note_row_count(last_rows: Sequence[Row], width: int) -> int:
    """Number of the last rows that are notes below a table of this width, blank ones included."""
    end = table_end = len(last_rows)
    while end:
        start = end
        while start and not all(map(is_blank, last_rows[start - 1])):
            start -= 1
        if start == end:  # a blank row
            end -= 1
        elif start and all(_is_beside(row, width) for row in last_rows[start:end]):
            end = table_end = start
        else:
            while end > start + 1 and (
                is_note(last_rows[end - 1]) or _is_sentence(last_rows[end - 1], width)
            ):
                end = table_end = end - 1
            break
    return len(last_rows) - table_end


def _is_beside(row: Row, width: int) -> bool:
    """True for what stands by itself below a table: a note, or no number and few cells or words."""
    filled = [cell for cell in row if not is_blank(cell)]
    if is_note(row) or any(looks_numeric([cell]) for cell in filled):
        return is_note(row)
    return len(filled) < width or len(str(filled[0]).split()) >= _SENTENCE


def _is_sentence(row: Row, width: int) -> bool:
    """True for a single cell that is no name: some words, a word and a colon, or signs alone."""
    cell = str(row[0]) if len(row) == 1 < width else ""
    return (
        len(cell.split()) >= _SENTENCE
        or re.match(r"\s*\w+\s?[:：]", cell) is not None
        or (len(cell) > 1 and not any(map(str.isalnum, cell.strip())))
    )


def left_out_rows_remark(
    rows: Sequence[Row], position: Literal["above", "below"]
) -> tuple[Remark, ...]:
    """Remark on rows above or below the table; none if all are blank."""
    texts = (cell_text(cell) for row in rows for cell in row if not is_blank(cell))
    told = next((quote_value(text) for text in texts if text), None)
    if told is None:
        return ()
    place, several = "first" if position == "above" else "last", len(rows) > 1
    many = f"The {place} {len(rows)} rows are" if several else f"The {place} row is"
    says = f"{many} {position} the table and left out: {told}."
    return (Remark(says=says, mends={"Include them" if several else "Include it": {position: 0}}),)
