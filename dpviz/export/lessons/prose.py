"""A lesson's text as HTML: the little of markdown that lessons are written in.

Invariant: what is no markup of paragraphs, lists, tables or inline words is escaped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.base import Markup, join_markup, markup

_ROW_WEIGHT = 11  # words that take about as much room as a row of a table or a point of a list
_POWER = r"e\^(?P<sup>\([^)]+\)|[ε\d.]*[ε\d])"
_INLINE = re.compile(
    rf"\*\*(?P<b>.+?)\*\*|\*(?P<em>\S(?:.*?\S)?)\*|`(?P<code>.+?)`|{_POWER}", re.DOTALL
)
_POINT = re.compile(r"^(?:[-*]|\d+\.) +", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A paragraph, list or table; `weight` is its room in words."""

    html: Markup
    weight: int


def render_inline(text: str) -> Markup:
    """Words within a line.

    >>> render_inline("a < b, *not* **b**, e^(5ε)")
    Markup('a &lt; b, <em>not</em> <b>b</b>, e<sup>5ε</sup>')
    """
    pieces: list[object] = []
    at = 0
    for match in _INLINE.finditer(text):
        tag = str(match.lastgroup)
        piece = (
            markup("e<sup>{}</sup>", match[tag].strip("()"))
            if tag == "sup"
            else markup("<{tag}>{}</{tag}>", render_inline(match[tag]), tag=tag)
        )
        pieces += [text[at : match.start()], piece]
        at = match.end()
    return join_markup([*pieces, text[at:]])


def markdown_with_powers(text: str) -> str:
    """Markdown in which powers of e are formulas.

    >>> markdown_with_powers("at most e^(g·ε) times")
    'at most $e^{g·ε}$ times'
    """
    return re.sub(_POWER, lambda power: f"$e^{{{power['sup'].strip('()')}}}$", text)


def blocks(text: str) -> list[Block]:
    """The parts of a text that blank lines separate."""
    return [
        _block(part.strip().splitlines())
        for part in re.split(r"\n\s*\n", text.strip())
        if part.strip()
    ]


def paragraphs(text: str) -> Markup:
    return join_markup(block.html for block in blocks(text))


def _block(lines: Sequence[str]) -> Block:
    if lines[0].lstrip().startswith("|"):
        return _table(
            [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        )
    if _POINT.match(lines[0]):
        kind = "ol" if lines[0][0].isdigit() else "ul"
        points = [
            " ".join(map(str.strip, point.splitlines()))
            for point in _POINT.split("\n".join(lines))[1:]
        ]
        body = join_markup(markup("<li>{}</li>", render_inline(point)) for point in points)
        weight = sum(max(_ROW_WEIGHT, len(point.split())) for point in points)
        return Block(markup("<{kind}>{}</{kind}>", body, kind=kind), weight)
    words = " ".join(line.strip() for line in lines)
    return Block(markup("<p>{}</p>", render_inline(words)), len(words.split()))


def _table(rows: list[list[str]]) -> Block:
    head, stand, *body = rows
    right = [cell.endswith(":") and not cell.startswith(":") for cell in stand]

    def cells(row: list[str], tag: str) -> Markup:
        cell = '<{tag} class="number">{}</{tag}>', "<{tag}>{}</{tag}>"
        pairs = zip(right, row, strict=True)
        return join_markup(
            markup(cell[not number], render_inline(text), tag=tag) for number, text in pairs
        )

    rows_below = join_markup(markup("<tr>{}</tr>", cells(row, "td")) for row in body)
    whole = markup(
        "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", cells(head, "th"), rows_below
    )
    return Block(whole, _ROW_WEIGHT * (len(body) + 2))
