"""The text of a step split into screens of a projector, so that nothing scrolls or is cut off.

Symbols: a column has `letters` in a line, and `lines` of 44 of a projector's 1080 pixels.
"""

import math
import re
from collections.abc import Iterator

_SENTENCES = re.compile(r"(?<=[.?!]) (?=\S)")
_BETWEEN = 0.5  # lines between paragraphs
_ROW = 0.45  # lines that a row of a table has more than its text


def split_into_screens(
    text: str,
    letters_per_line: int,
    lines_per_screen: float,
    first_screen_lines: float = 0.0,
    columns: int = 1,
) -> tuple[str, ...]:
    r"""Paragraphs of a text in order, as many to a screen as fit.

    The `first_screen_lines` screen has this many lines less in each column; a table is never split.

    >>> split_into_screens("One two.\n\nThree.\n\nFour.", 10, 3.0)
    ('One two.\n\nThree.', 'Four.')
    >>> split_into_screens("One two. Three four. Five.", 10, 2.0)
    ('One two.', 'Three four.', 'Five.')
    """
    made: list[str] = []
    room, more = lines_per_screen - first_screen_lines, columns - 1
    for piece in _pieces(text, letters_per_line, lines_per_screen - first_screen_lines):
        takes = height_in_lines(piece, letters_per_line)
        if made and takes > room and more:
            room, more = (
                lines_per_screen - first_screen_lines if len(made) == 1 else lines_per_screen,
                more - 1,
            )
        if made and takes > room:
            made.append(piece)
            room, more = lines_per_screen - takes, columns - 1
        else:
            made[-1:] = ["\n\n".join([*made[-1:], piece])]
            room -= takes
    return tuple(made)


def height_in_lines(text: str, letters_per_line: int) -> float:
    """Lines that paragraphs, lists and tables take, with the gap below each."""
    return sum(
        _height(block.splitlines() or [""], letters_per_line) for block in text.split("\n\n")
    )


def _height(rows: list[str], letters: int) -> float:
    if not rows[0].startswith("|"):
        return sum(_lines(row, letters) for row in rows) + _BETWEEN
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    del cells[1:2]
    need = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    wide = [one * min(1.0, letters / sum(need)) - 2 for one in need]
    each = (max(map(_lines, row, wide)) for row in cells)
    return sum(lines + _ROW for lines in each) + _BETWEEN


def _lines(text: str, letters: float) -> int:
    """Lines of a text whose words are not split."""
    longest = max([1, *map(len, text.split())])
    return max(1, math.ceil(len(text) / max(letters, longest)))


def _pieces(text: str, letters: int, lines: float) -> Iterator[str]:
    """Paragraphs that fit, with one that ends in a colon joined to the next where both fit."""
    for joined in re.split(r"(?<!:)\n\n", text):
        fits = height_in_lines(joined, letters) <= lines
        *first, block = [joined] if fits else joined.rsplit("\n\n", 1)
        yield from first
        if height_in_lines(block, letters) <= lines or block.startswith(("|", "- ")):
            yield block
            continue
        piece = ""
        for sentence in _SENTENCES.split(block):
            longer = f"{piece} {sentence}".strip()
            if piece and height_in_lines(longer, letters) > lines:
                yield piece
                longer = sentence
            piece = longer
        yield piece
