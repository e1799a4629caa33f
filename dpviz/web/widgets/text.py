"""Text and markup on the screen, and the glossary; labels, cells and quotes are never markup."""

import re
from collections.abc import Iterable
from typing import Any, Literal

import streamlit as st

from dpviz.base import GLOSSARY, Markup, Registry, join_markup, markup
from dpviz.studies import Scenario, data_name
from dpviz.web.session import SessionValue, state

FROM: SessionValue[str] = SessionValue("from", str)  # source of the current scores
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


Kind = Literal["says", "how", "note", "lead", "sub", "aside", "verdict", "chosen"]
"""Purpose of a paragraph: message, reading help, note, lead, line under a title…"""


def html(piece: Markup) -> None:
    """Put markup on the screen; nothing else does. Text becomes markup in `dpviz.base.html`."""
    st.html(str(piece))


def paragraph(text: object, kind: Kind = "how") -> None:
    """A paragraph of text or markup; the style sheet knows its kind."""
    html(markup('<p class="dp-{}">{}</p>', kind, text))


def bullets(items: Iterable[object]) -> None:
    html(
        markup(
            '<ul class="dp-list">{}</ul>',
            join_markup(markup("<li>{}</li>", item) for item in items),
        )
    )


def escape_markdown(text: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", text)


def isolate_bidi(text: str) -> Markup:
    """Text in a writing direction of its own."""
    return markup("<bdi>{}</bdi>", text)


def upload_source_name(scenario: Scenario) -> str:
    """Origin of uploaded scores; only for the screen, never for links or files."""
    return FROM.value if scenario.data.source == "uploaded" else ""


def data_name_html(scenario: Scenario) -> Markup:
    """Name of the data, with their source on the screen only."""
    source = upload_source_name(scenario)
    on_screen = (
        markup(' <span class="dp-screen">({})</span>', isolate_bidi(source)) if source else ""
    )
    return isolate_bidi(data_name(scenario.data)) + on_screen


def live_text(name: str, text: object, slider_value: float | str) -> Markup:
    """Text for this ε or stop, which the slider's preview replaces by its name."""
    return markup(
        '<span data-place="{}" data-at="{}">{}</span>',
        name,
        slider_value if isinstance(slider_value, str) else budget_text(slider_value),
        text,
    )


def budget_text(value: float) -> str:
    return f"{value:.10g}"


def glossary_term(name: str, shown_text: object = None) -> Markup:
    """Word of the glossary within a sentence, with its definition on hover."""
    entry = GLOSSARY[name]
    return markup(
        '<dfn class="dp-term" title="{}">{}</dfn>', entry.says, shown_text or entry.word_with_symbol
    )


def show_menu_help(
    menu: Registry[Any], chosen_name: str | None = None, *, summary: str = ""
) -> None:
    """The chosen entry's help, which opens to the others, or `summary`, which opens to all."""
    _fold(
        "dp-menu",
        summary if chosen_name is None else menu.says(chosen_name),
        (
            (menu.label(name), f"{menu.says(name) if name != chosen_name else ''} {called}".strip())
            for name in menu
            if (called := menu.field_names_text(name)) or name != chosen_name
        ),
    )


def show_glossary(*names: str) -> None:
    """Fold with the words that a section uses; a presenter's audience sees a sentence of each."""
    entries = [GLOSSARY[name] for name in names]
    presented = state.is_presenting()
    named = ", ".join(entry.word_with_symbol if entry.symbol else entry.word for entry in entries)
    _fold(
        "dp-glossary",
        f"What these words mean: {named}",
        (
            (
                entry.word_with_symbol,
                re.split(r"(?<=\.) ", entry.says)[0] if presented else entry.says,
            )
            for entry in entries
        ),
        opened=presented,
    )


def _fold(
    kind: str, summary: str, meanings: Iterable[tuple[str, str]], *, opened: bool = False
) -> None:
    listed = join_markup(
        markup("<dt>{}</dt><dd>{}</dd>", word, meaning) for word, meaning in meanings
    )
    html(
        markup(
            '<details class="{}"{}><summary>{}</summary><dl>{}</dl></details>',
            kind,
            Markup(" open" if opened else ""),
            summary,
            listed,
        )
    )


def multiple_text(multiple: float) -> str:
    """Multiple of the least value, in words.

    >>> multiple_text(1.0), multiple_text(1.2345), multiple_text(12.345), multiple_text(1234.5)
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
