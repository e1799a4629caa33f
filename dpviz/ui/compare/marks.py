"""Identities in HTML: letter, colour, dash and marker of a design, right in light and dark alike."""

import html
from urllib.parse import quote

from dpviz.charts.identity import MOST, identity
from dpviz.charts.look import DARK, LIGHT

__all__ = ["colour", "mark", "named", "rules"]

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


def mark(number: int) -> str:
    """A piece of the design's line with its marker, as it is in the charts."""
    return f'<span class="dpc-mark dpc-mark-{number}"></span>'


def _mask(number: int) -> str:
    """The rule that gives the mark its shape; its colour follows the theme, which an image could not."""
    who = identity(number, LIGHT)
    dash = f' stroke-dasharray="{_DASH[who.dash]}"' if _DASH[who.dash] else ""
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="14" viewBox="0 0 32 14">'
        f'<path d="M0 7h32" stroke="#000" stroke-width="2.2"{dash}/>{_SHAPES[who.marker]}</svg>'
    )
    return (
        f".dpc-mark-{number} {{ background: {colour(number)}; "
        f'mask: url("data:image/svg+xml,{quote(drawn)}") center / contain no-repeat; }}'
    )


def named(number: int, label: str) -> str:
    """Mark, letter and label."""
    who = identity(number, LIGHT)
    return (
        f'{mark(number)}<b class="dpc-letter" style="color: {colour(number)}">{who.letter}</b> '
        f"<span>{html.escape(label)}</span>"
    )


def rules() -> str:
    """The page's own rules of style."""
    edges = "".join(
        f".st-key-design_{identity(i, LIGHT).letter} button {{ border-left: 4px solid {colour(i)}; "
        "justify-content: flex-start; text-align: left; }"
        for i in range(MOST)
    )
    return f"<style>{_RULES}{edges}{''.join(_mask(i) for i in range(MOST))}</style>"


_RULES = """
.dpc-scroll { overflow-x: auto; }
.dpc-table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; color: var(--dp-ink); }
.dpc-table th { text-align: left; font-size: .82rem; font-weight: 600; color: var(--dp-muted); padding: .3rem
  1rem .45rem 0; border-bottom: 1px solid var(--dp-line); vertical-align: bottom; }
.dpc-table th small { display: block; font-weight: 400; font-size: .76rem; line-height: 1.3; }
.dpc-table td { padding: .7rem 1rem .7rem 0; border-bottom: 1px solid var(--dp-line); vertical-align: middle; }
.dpc-table tr:last-child td { border-bottom: 0; }
.dpc-who { white-space: nowrap; font-size: .95rem; }
.dpc-who .dp-tip { margin-left: .6rem; }
.dpc-who .dp-tip > span { left: -.6rem; right: auto; }
.dpc-mark { display: inline-block; width: 32px; height: 14px; vertical-align: -.12rem; margin-right: .5rem; }
.dpc-letter { margin-right: .2rem; }
.dpc-value { font-size: 1.22rem; font-weight: 600; letter-spacing: -.01em; white-space: nowrap; }
.dpc-value small { font-size: .8rem; font-weight: 400; color: var(--dp-muted); letter-spacing: 0; }
.dpc-bar { height: 4px; border-radius: 2px; background: var(--dp-line); margin-top: .3rem; max-width: 8rem; }
.dpc-bar > i { display: block; height: 100%; border-radius: 2px; }
.dpc-range { display: block; font-size: .76rem; color: var(--dp-muted); white-space: nowrap; }
.dpc-table .dp-wait { height: 1.3rem; width: 5rem; }
.dpc-place { min-height: 24rem; display: flex; align-items: center; justify-content: center; }
.dpc-why { font-size: .84rem; color: var(--dp-muted); line-height: 1.4; }
@media (max-width: 640px) { .st-key-compare_maps_box { overflow-x: auto; } .st-key-compare_maps { min-width: 46rem; }
  .dpc-value { font-size: 1.05rem; } .dpc-who { white-space: normal; min-width: 7rem; line-height: 1.7; }
  .dpc-who .dp-tip { margin-left: 0; display: inline-block; } .dpc-table td, .dpc-table th { padding-right: .8rem; } }
"""
