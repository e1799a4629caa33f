"""The text of a step split into screens of a projector, so that nothing scrolls or is cut off.

Symbols: a column has room for `letters` in a line and for `lines`; a line is 44 of a projector's
1080 pixels, with text of 32. Browser tests measure that a full screen fits.
"""

import math
import re
from collections.abc import Iterable
from itertools import pairwise

_SENTENCES = re.compile(r"(?<=[.?!]) (?=\S)")
_BETWEEN = 0.5  # lines between paragraphs
_ROW = 0.45  # lines that a row of a table has more than its text


def split_into_screens(
    text: str, letters: int, lines: float, first: float = 0.0, columns: int = 1
) -> tuple[str, ...]:
    r"""Paragraphs of a text in order, as many to a screen as fit.

    A paragraph longer than a column is split between sentences, a table never. On the `first`
    screen this many lines of each column are taken.

    >>> split_into_screens("One two.\n\nThree.\n\nFour.", 10, 3.0)
    ('One two.\n\nThree.', 'Four.')
    >>> split_into_screens("One two. Three four. Five.", 10, 2.0)
    ('One two.', 'Three four.', 'Five.')
    """
    made: list[str] = []
    room, more = lines - first, columns - 1
    for piece in _pieces(text.split("\n\n"), letters, lines - first):
        takes = sum(height_in_lines(block, letters) for block in piece.split("\n\n"))
        if made and takes > room and more:
            room, more = lines - first if len(made) == 1 else lines, more - 1
        if made and takes > room:
            made.append(piece)
            room, more = lines - takes, columns - 1
        else:
            made[-1:] = ["\n\n".join([*made[-1:], piece])]
            room -= takes
    return tuple(made)


def height_in_lines(block: str, letters: int) -> float:
    """Lines that a paragraph, a list or a table takes, with the gap below it."""
    rows = block.splitlines() or [""]
    if rows[0].startswith("|"):
        cells = [
            [cell.strip() for cell in row.strip("|").split("|")]
            for n, row in enumerate(rows)
            if n != 1
        ]
        wide = _widths(cells, letters)
        each = (max(_lines(cell, w) for cell, w in zip(row, wide, strict=False)) for row in cells)
        return sum(lines + _ROW for lines in each) + _BETWEEN
    return sum(_lines(row, letters) for row in rows) + _BETWEEN


def _widths(cells: list[list[str]], letters: int) -> list[float]:
    need = [
        max(len(row[n]) if n < len(row) else 0 for row in cells) + 2 for n in range(len(cells[0]))
    ]
    return [one * min(1.0, letters / sum(need)) - 2 for one in need]


def _lines(text: str, letters: float) -> int:
    """Lines of a text whose words are not split."""
    longest = max([1, *map(len, text.split())])
    return max(1, math.ceil(len(text) / max(letters, longest)))


def _announced(blocks: Iterable[str]) -> Iterable[str]:
    """Blocks, with a paragraph that ends in a colon joined to the next."""
    waits = ""
    for block in blocks:
        if block.endswith(":"):
            waits += f"{block}\n\n"
        else:
            yield waits + block
            waits = ""
    if waits:
        yield waits.strip()


def _pieces(blocks: Iterable[str], letters: int, lines: float) -> Iterable[str]:
    for announced in _announced(blocks):
        first, _, block = announced.rpartition("\n\n")
        if first and height_in_lines(first, letters) + height_in_lines(block, letters) <= lines:
            yield announced
            continue
        if first:
            yield first
        if height_in_lines(block, letters) <= lines or block.startswith(("|", "- ")):
            yield block
            continue
        sentences = _SENTENCES.split(block)
        begins = [0]
        for n in range(1, len(sentences)):
            if height_in_lines(" ".join(sentences[begins[-1] : n + 1]), letters) > lines:
                begins.append(n)
        for begin, end in pairwise([*begins, len(sentences)]):
            yield " ".join(sentences[begin:end])
