"""Elements of a page: text and markup, style rules and scripts, and the glossary.

Labels, cells and quotes are never markup.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from dpviz.base import GLOSSARY, THEME, Markup, Registry, join_markup, markup
from dpviz.charts.look import DARK, LIGHT, Look
from dpviz.studies import Scenario, data_name
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue, state

FROM: SessionValue[str] = SessionValue("from", str)  # source of the current scores
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LARGE = 1.7  # no text on a chart is then smaller than 20 pixels


Kind = Literal["says", "how", "note", "lead", "sub", "aside", "verdict", "chosen"]
"""Purpose of a paragraph: message, reading help, note, lead, line under a title…"""


def html(piece: Markup) -> None:
    """Put markup on the screen; nothing else does. Text becomes markup in `dpviz.base.html`."""
    st.html(str(piece))


def show_markup(piece: str, /, *texts: object, **named: object) -> None:
    """Put this piece on the screen, with texts in place of its braces."""
    html(markup(piece, *texts, **named))


def add_style_rules(text: str) -> None:
    show_markup("<style>{}</style>", Markup(text))


def component(name: str, script: str, *, body_html: str = "", css: str = "", **more: Any) -> Any:
    """Run a script as a component with its `data`, `key` and callbacks; a `body_html` has `css`."""
    return st.components.v2.component(name, html=body_html or None, css=css or None, js=script)(
        **more
    )


def shared_script_call(name: str) -> str:
    """Script of a component that calls a function of the shared scripts."""
    return f"const CALLED = {name!r};\n{read_asset('shared_component.js')}"


def current_look() -> Look:
    """The look of charts on this page: the person's theme, and the presenter's text size."""
    chosen = DARK if is_dark() else LIGHT
    return replace(chosen, scale=_LARGE) if state.is_presenting() else chosen


def is_dark() -> bool:
    return (os.environ.get(THEME) or st.context.theme.type) == "dark"


def show_paragraph(text: object, kind: Kind = "how") -> None:
    """A paragraph of text or markup; the style sheet knows its kind."""
    show_markup('<p class="dp-{}">{}</p>', kind, text)


def show_bullets(items: Iterable[object]) -> None:
    show_markup(
        '<ul class="dp-list">{}</ul>',
        join_markup(markup("<li>{}</li>", item) for item in items),
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
    show_markup(
        '<details class="{}"{}><summary>{}</summary><dl>{}</dl></details>',
        kind,
        Markup(" open" if opened else ""),
        summary,
        listed,
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
