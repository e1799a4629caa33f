"""The words of a page, explained where they stand; the definitions are those of the glossary."""

import html
from typing import Any

import streamlit as st

from dpviz.base.glossary import GLOSSARY
from dpviz.base.registry import Registry

__all__ = ["explain", "lines", "term"]


def term(name: str, shown: str | None = None) -> str:
    """HTML: a word of the glossary within a sentence, with its definition on hover; `explain` has it for everyone."""
    entry = GLOSSARY[name]
    return f'<dfn class="dp-term" title="{html.escape(entry.says)}">{html.escape(shown or entry.shown)}</dfn>'


def lines(menu: Registry[Any], chosen: str | None = None, *, summary: str = "") -> None:
    """Under a menu: what the chosen entry is for, which opens to the others; without one, `summary` opens to all."""
    others = "".join(
        f"<dt>{html.escape(menu.label(name))}</dt><dd>{html.escape(menu.says(name))}</dd>"
        for name in menu
        if name != chosen
    )
    told = summary if chosen is None else menu.says(chosen)
    st.html(f'<details class="dp-menu"><summary>{html.escape(told)}</summary><dl>{others}</dl></details>')


def explain(*names: str) -> None:
    """A fold with the words that a section uses, for fingers and keys as well as for a mouse."""
    terms = [GLOSSARY[name] for name in names]
    listed = "".join(f"<dt>{html.escape(term.shown)}</dt><dd>{html.escape(term.says)}</dd>" for term in terms)
    named = ", ".join(html.escape(term.word if not term.symbol else term.shown) for term in terms)
    st.html(
        f'<details class="dp-glossary"><summary>What these words mean: {named}</summary><dl>{listed}</dl></details>'
    )
