"""A lesson's text as HTML: the little of markdown that lessons are written in.

That is paragraphs, lists, tables, **strong** and *stressed* words and `code`. Invariant: everything else is escaped, so
no text becomes a tag.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Block", "blocks", "inline", "paragraphs"]

_ROW_WEIGHT = 11  # words that take about as much room as a row of a table or a point of a list
_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*", re.DOTALL), r"<b>\1</b>"),
    (re.compile(r"\*(\S(?:.*?\S)?)\*", re.DOTALL), r"<em>\1</em>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
)
_POINT = re.compile(r"(?:[-*]|\d+\.) +")


@dataclass(frozen=True)
class Block:
    """A paragraph, list or table; `weight` is the room it takes, about that of so many words."""

    html: str
    weight: int


def inline(text: str) -> str:
    """Words within a line.

    >>> inline("a < b, *not* **b**")
    'a &lt; b, <em>not</em> <b>b</b>'
    """
    shown = html.escape(text, quote=False)
    for pattern, put in _INLINE:
        shown = pattern.sub(put, shown)
    return shown


def blocks(text: str) -> list[Block]:
    """The parts of a text that blank lines separate.

    >>> [block.html for block in blocks("One.\\n\\n- a\\n- b")]
    ['<p>One.</p>', '<ul><li>a</li><li>b</li></ul>']
    """
    return [_block(part.strip().splitlines()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]


def paragraphs(text: str) -> str:
    """All of a text."""
    return "".join(block.html for block in blocks(text))


def _block(lines: Sequence[str]) -> Block:
    if lines[0].lstrip().startswith("|"):
        return _table([_cells(line) for line in lines])
    if _POINT.match(lines[0]):
        kind = "ol" if lines[0][0].isdigit() else "ul"
        points: list[str] = []
        for line in lines:
            if _POINT.match(line):
                points.append(_POINT.sub("", line, count=1))
            else:
                points[-1] += " " + line.strip()  # a point goes on
        body = "".join(f"<li>{inline(point)}</li>" for point in points)
        weight = sum(max(_ROW_WEIGHT, len(point.split())) for point in points)
        return Block(f"<{kind}>{body}</{kind}>", weight)
    words = " ".join(line.strip() for line in lines)
    return Block(f"<p>{inline(words)}</p>", len(words.split()))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _table(rows: list[list[str]]) -> Block:
    """A head, the line that says where columns stand, and rows."""
    head, stand, *body = rows
    right = [cell.endswith(":") and not cell.startswith(":") for cell in stand]

    def cells(row: list[str], tag: str) -> str:
        kinds = (' class="number"' if number else "" for number in right)
        return "".join(f"<{tag}{kind}>{inline(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True))

    told = f"<thead><tr>{cells(head, 'th')}</tr></thead>"
    told += "<tbody>" + "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body) + "</tbody>"
    return Block(f"<table>{told}</table>", _ROW_WEIGHT * (len(body) + 2))
