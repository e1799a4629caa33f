"""Identities in HTML: letter, colour, dash and marker of a design, right in light and dark alike."""

from urllib.parse import quote

from dpviz.base.markup import Markup, markup
from dpviz.charts.look import DARK, LIGHT, MOST_DESIGNS, identity

_DASH = {
    "solid": "",
    "dash": "7 4",
    "dot": "2 3",
    "dashdot": "7 3 2 3",
    "longdash": "11 4",
    "longdashdot": "11 3 2 3",
}
_SHAPES = {
    "circle": '<circle cx="16" cy="7" r="4.2"/>',
    "diamond": '<path d="M16 1.6 21.4 7 16 12.4 10.6 7z"/>',
    "square": '<rect x="12.1" y="3.1" width="7.8" height="7.8"/>',
    "triangle-up": '<path d="M16 2 21 11H11z"/>',
    "x": '<path d="M12 3l1.6-1.6L16 3.9l2.4-2.5L20 3l-2.5 4 2.5 4-1.6 1.6-2.4-2.5-2.4 2.5L12 11l2.5-4z"/>',
    "star": '<path d="M16 1l1.8 4 4.2.4-3.2 2.8 1 4.2L16 10.2l-3.8 2.2 1-4.2L10 5.4l4.2-.4z"/>',
}


def colour(number: int) -> str:
    """The colour of the design with this number, as CSS that follows the theme."""
    return f"light-dark({identity(number, LIGHT).colour}, {identity(number, DARK).colour})"


def _mask(number: int) -> str:
    """The rule that gives the mark its shape; its colour follows the theme, which an image could not."""
    who = identity(number, LIGHT)
    dash = f' stroke-dasharray="{_DASH[who.dash]}"' if _DASH[who.dash] else ""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="14" viewBox="0 0 32 14">'
        f'<path d="M0 7h32" stroke="#000" stroke-width="2.2"{dash}/>{_SHAPES[who.marker]}</svg>'
    )
    return (
        f".dp-mark-{number} {{ background: {colour(number)}; "
        f'mask: url("data:image/svg+xml,{quote(drawn)}") center / contain no-repeat; }}'
    )


def named(number: int, label: str) -> Markup:
    """A piece of the design's line with its marker, as it is in the charts; letter and label."""
    piece = '<span class="dp-mark dp-mark-{}"></span><b class="dp-letter" style="color: {}">{}</b> <span>{}</span>'
    return markup(piece, number, colour(number), identity(number, LIGHT).letter, label)


def in_words(number: int, label: str) -> Markup:
    """Letter and label as they stand in a sentence."""
    return markup('<b style="color: {}">{}</b> {}', colour(number), identity(number, LIGHT).letter, label)


def with_bar(number: int, figure: object, share: float) -> Markup:
    """A figure over a bar that is as long as this share of its cell."""
    cell = '<div class="dp-cell">{}</div><div class="dp-bar" aria-hidden="true"><i style="{}"></i></div>'
    return markup(cell, figure, f"width: {100 * share:.3g}%; background: {colour(number)}")


def rules() -> str:
    """The rules of style that identities make: the shape of each mark, the edge of each design in the sidebar."""
    edges = "".join(
        f".st-key-design_{identity(i, LIGHT).letter} button {{ border-left: 4px solid {colour(i)}; "
        "justify-content: flex-start; text-align: left; }"
        for i in range(MOST_DESIGNS)
    )
    return edges + "".join(map(_mask, range(MOST_DESIGNS)))
