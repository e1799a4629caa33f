"""What pages put on the screen: headings, cards, charts with words and downloads, places that fill later."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from typing import Any, TypeVar

import streamlit as st

from dpviz import charts
from dpviz.ui.shell.paper import csv_with_about, shown_now

__all__ = ["WAIT", "card", "cards", "computing", "folded", "heading", "show", "table", "waiting"]

Told = TypeVar("Told")
_BAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "scrollZoom": False,
}


WAIT = '<div class="dp-wait"></div>'
"""HTML: the place of a figure that is still to come."""


def heading(text: str) -> None:
    """The heading of a section."""
    st.html(f'<h2 class="dp-h2">{text}</h2>')


def cards(shown: Iterable[str], label: str = "Headline figures") -> None:
    """Headline figures side by side."""
    st.html(f'<div class="dp-cards" role="group" aria-label="{label}">{"".join(shown)}</div>')


def card(name: str, value: str | None, meaning: str, badge: str) -> str:
    """HTML of one headline figure. Without a value its place waits."""
    shown = f'<div class="dp-value">{value}</div>' if value is not None else WAIT
    below = f'<div class="dp-mean">{meaning}</div>'
    return f'<div class="dp-card"><div class="dp-name">{name}{badge}</div>{shown}{below}</div>'


def table(label: str, heads: Iterable[str], rows: Iterable[str], kind: str) -> None:
    """A table of HTML cells; the style sheet knows its kind. On a phone a row is a block: cells repeat their head."""
    heads = list(heads)
    names = [re.sub(r"<small>.*?</small>|<[^>]+>", "", head) for head in heads]
    st.html(
        f'<div class="dp-scroll"><table class="dp-table {kind}" aria-label="{label}"><thead><tr>{"".join(heads)}</tr>'
        f"</thead><tbody>{''.join(_headed(row, names) for row in rows)}</tbody></table></div>"
    )


def _headed(row: str, names: Sequence[str]) -> str:
    """A row whose cells, after the one that says what it is about, carry the name of their column."""
    first, *cells = row.split("<td")
    pairs = zip(names[-len(cells) :], cells, strict=True)
    return first + "".join(f'<td data-head="{name}"{cell}' for name, cell in pairs)


def show(chart: charts.Chart, key: str, *, config: dict[str, object] | None = None, brief: bool = False) -> None:
    """A chart with what it says now above it, how to read it below, its table and its downloads.

    Where it is `brief` how to read it folds away with the table.
    """
    st.html(f'<p class="dp-says">{html.escape(chart.says_now)}</p>')
    name = "dpviz-" + re.sub(r"[^a-z0-9]+", "-", key.lower())
    bar = {**_BAR, "toImageButtonOptions": {"format": "svg", "filename": name}, **(config or {})}
    given: dict[str, Any] = {"theme": None, "key": key, "config": bar}
    if "alt" in signature(st.plotly_chart).parameters:  # not every host's Streamlit takes one
        given["alt"] = chart.alt
    st.plotly_chart(charts.Handed(chart), **given)
    if not brief:
        st.html(f'<p class="dp-how">{html.escape(chart.how_to_read)}</p>')
    folded = "How to read it, table and downloads" if brief else "Table and downloads"
    box = st.expander(folded, on_change="rerun", key=f"{key}_table", type="compact")
    if box.open:
        with box:
            if brief:
                st.html(f'<p class="dp-how">{html.escape(chart.how_to_read)}</p>')
            st.dataframe(chart.table, hide_index=True, width="stretch", height=260)
            told = shown_now()
            file = told.file_name(key)
            with st.container(horizontal=True):
                st.download_button(
                    "Table as CSV",
                    data=lambda: csv_with_about(chart.table, told.line),
                    file_name=f"{file}.csv",
                    mime="text/csv",
                    icon=":material/table:",
                    key=f"{key}_csv",
                    on_click="ignore",
                )
                st.download_button(
                    "Figure as HTML",
                    data=lambda: chart.html(file, told.line),
                    file_name=f"{file}.html",
                    mime="text/html",
                    icon=":material/html:",
                    key=f"{key}_html",
                    on_click="ignore",
                    help="Interactive, with all it needs inside: about 5 MB. For a picture use the chart's camera.",
                )


def folded(says: str, key: str, draw: Callable[[], Told], *, opened: bool = False) -> Told | None:
    """What is not needed at first sight, under a line that says what it shows; drawn where somebody opens it.

    Gives what `draw` gives, None while it is closed.
    """
    box = st.expander(says, expanded=opened, on_change="rerun", key=f"{key}_fold")
    if not box.open:
        return None
    with box:
        return draw()


def is_open(key: str) -> bool:
    """Whether what is `folded` under this key is open."""
    return bool(st.session_state.get(f"{key}_fold"))


def waiting(what: str) -> None:
    """A place that is still to be filled."""
    st.html(f'<div class="dp-place" role="status">{what}: not computed yet</div>')


def computing(what: str) -> None:
    """A place as high as the chart that will fill it, so that nothing moves when it does."""
    st.html(f'<div class="dp-place dp-place-high" role="status">{what} are being computed…</div>')
