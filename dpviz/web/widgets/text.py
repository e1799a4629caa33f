"""Text and markup on the screen, and the words of a page explained where they stand.

Labels, cells and sentences that quote people are data, never markup; definitions are those of the
glossary.
"""

import re
from collections.abc import Iterable
from typing import Any, Literal

import streamlit as st

from dpviz.base import GLOSSARY, Markup, Registry, joined, markup

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


Kind = Literal["says", "how", "note", "lead", "sub", "aside", "verdict", "chosen"]
"""What a paragraph is for: what is seen now, how to read it, an aside of the sidebar, the line
under a title…
"""


def html(piece: Markup) -> None:
    """Put markup on the screen, the one way to; text becomes markup in `dpviz.base.html`."""
    st.html(str(piece))


def paragraph(text: object, kind: Kind = "how") -> None:
    """A paragraph of text or markup; the style sheet knows its kind."""
    html(markup('<p class="dp-{}">{}</p>', kind, text))


def bullets(items: Iterable[object]) -> None:
    """A list, a point for each text or piece of markup."""
    html(
        markup('<ul class="dp-list">{}</ul>', joined(markup("<li>{}</li>", item) for item in items))
    )


def plain(text: str) -> str:
    r"""The text for where markdown is read: every sign that could mean something there is escaped.

    >>> plain("*k* <b>")
    '\\*k\\* \\<b\\>'
    """
    return _PUNCTUATION.sub(r"\\\1", text)


def bidi(text: str) -> Markup:
    """The text with a direction of writing of its own.

    >>> bidi("<b>")
    Markup('<bdi>&lt;b&gt;</bdi>')
    """
    return markup("<bdi>{}</bdi>", text)


def placed(name: str, text: object, at: float | str) -> Markup:
    """A text that is of this ε, or stop, and follows the hand, in the place of this name (see
    `hand`).
    """
    stop = at if isinstance(at, str) else text_of(at)
    return markup('<span data-place="{}" data-at="{}">{}</span>', name, stop, text)


def text_of(value: float) -> str:
    """A budget as it is read where it stops."""
    return f"{value:.10g}"


def term(name: str, shown: object = None) -> Markup:
    """A word of the glossary within a sentence, with its definition on hover; `explain` has it for
    everyone.
    """
    entry = GLOSSARY[name]
    return markup('<dfn class="dp-term" title="{}">{}</dfn>', entry.says, shown or entry.shown)


def lines(menu: Registry[Any], chosen: str | None = None, *, summary: str = "") -> None:
    """Under a menu: what the chosen entry is for, which opens to the others; without one, `summary`
    opens to all.
    """
    others = ((menu.label(name), menu.says(name)) for name in menu if name != chosen)
    _fold("dp-menu", summary if chosen is None else menu.says(chosen), others)


def explain(*names: str) -> None:
    """A fold with the words that a section uses, for fingers and keys as well as for a mouse."""
    entries = [GLOSSARY[name] for name in names]
    named = ", ".join(entry.shown if entry.symbol else entry.word for entry in entries)
    _fold(
        "dp-glossary",
        f"What these words mean: {named}",
        ((entry.shown, entry.says) for entry in entries),
    )


def _fold(kind: str, summary: str, meanings: Iterable[tuple[str, str]]) -> None:
    """A line that opens to words and what they mean."""
    listed = joined(markup("<dt>{}</dt><dd>{}</dd>", word, meaning) for word, meaning in meanings)
    html(
        markup(
            '<details class="{}"><summary>{}</summary><dl>{}</dl></details>', kind, summary, listed
        )
    )


def times(multiple: float) -> str:
    """How many times the least something is.

    >>> times(1.0), times(1.2345), times(12.345), times(1234.5)
    ('the least', '× 1.23', '× 12.3', '× 1,234')
    """
    if multiple < 1.0005:
        return "the least"
    return (
        f"× {multiple:.2f}"
        if multiple < 9.95
        else f"× {multiple:,.1f}"
        if multiple < 99.5
        else f"× {multiple:,.0f}"
    )
