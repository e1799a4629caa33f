"""Titles and headings, the note on privacy, figure cards, tables, and charts with downloads."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.base import (
    ADDED,
    REPLACED,
    Markup,
    ParameterError,
    Scores,
    join_markup,
    markup,
    render_template,
)
from dpviz.charts import Chart, PrebuiltFigure, count_text, percent, upper_bound_text
from dpviz.data.reading import MAX_EDIT_ROWS, IngestError
from dpviz.pages.common import Headline, SimulatedSource
from dpviz.studies import BoundedProbability, Scenario
from dpviz.topk import TopKDistribution
from dpviz.web.session import state
from dpviz.web.widgets.download_button import show_download_button
from dpviz.web.widgets.elements import (
    data_name_html,
    escape_markdown,
    html,
    live_text,
    show_markup,
    show_paragraph,
)
from dpviz.web.widgets.print_header import csv_with_provenance, page_provenance

_BAR = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "scrollZoom": False,
}
_SHOWN = 500_000  # cells of a table that are sent to a browser with each run

WAIT = markup('<div class="dp-wait"></div>')
"""Placeholder of a figure."""
_REAL = (
    "A real release must not use a known seed or plain floating-point noise. Use a library that"
    " avoids both, such as OpenDP."
)
ILLUSTRATIONS = f"The releases shown here are illustrations. {_REAL}"


def show_page_head(
    line_above: object, title: object, lead: object = "", line_below: object = ""
) -> None:
    """Head of a page or screen, of text or markup; an empty part takes no line."""
    pieces = (
        ("div", "over", line_above),
        ("h1", "title", title),
        ("p", "lead", lead),
        ("p", "sub", line_below),
    )
    html(
        join_markup(
            markup('<{tag} class="dp-{}">{}</{tag}>', kind, text, tag=tag)
            for tag, kind, text in pieces
            if text
        )
    )


def show_page_title(
    scenario: Scenario,
    scores: Scores,
    name: str,
    lead: object,
    subject: object,
    question: object,
    slider_value: float | None = None,
) -> None:
    """Page name, question, lead, mechanism and data; with `slider_value` they follow the slider."""
    below = markup(
        "{} · {} · {}", data_name_html(scenario), subject, ADDED if scores.monotonic else REPLACED
    )
    if slider_value is None:
        show_page_head(name, question, lead, below)
    else:
        show_page_head(
            name,
            live_text("heading", question, slider_value),
            live_text("lead", lead, slider_value),
            below,
        )


def show_not_private_banner(neighbours_mechanism: str | None = "top_k") -> None:
    """Note that the page is not private; links to Neighbours with `neighbours_mechanism` ("top_k":
    first design).
    """
    with st.container(key="banner", horizontal=True, vertical_alignment="center", gap="small"):
        show_markup(
            '<div class="dp-banner">This page uses the raw scores and is not private.</div>'
        )
        if neighbours_mechanism is not None and st.button(
            "What does one person change?", type="tertiary", key="to_neighbours"
        ):
            state.set_data_chosen()
            state.change_page_parameters(**{"neighbours.of": neighbours_mechanism})
            st.switch_page("pages/neighbours.py")
        with st.popover("What this means", type="tertiary"):
            st.markdown(
                "- **Not private.** Every figure and chart here uses the raw scores. Showing them"
                " to"
                " others reveals something about the people in the data.\n- **Choosing ε reveals"
                " something.** An ε chosen by looking at private data depends on them. Use"
                " generated"
                " scores, public data, or past data that you may reveal.\n- **Your data stay"
                " here.** They stay in this session's memory on the server and are never in a link."
                " They"
                " are deleted when you close the page. Your browser tab keeps items and scores only"
                " if"
                f" you ask for it.\n- **Releases shown here are illustrations.** {_REAL}"
            )


def heading(text: object) -> None:
    show_markup('<h2 class="dp-h2">{}</h2>', text)


def cards(figures: Iterable[Markup], label: str = "Headline figures") -> None:
    """Headline figures side by side."""
    show_markup(
        '<div class="dp-cards" role="group" aria-label="{}">{}</div>',
        label,
        join_markup(figures),
    )


def card(name: object, value: object | None, meaning: object, badge: object = "") -> Markup:
    """One headline figure, each part text or markup; without a value its place waits."""
    return markup(
        '<div class="dp-card"><div class="dp-name">{}{}</div>{}<div class="dp-mean">{}</div></div>',
        name,
        badge,
        WAIT if value is None else markup('<div class="dp-value">{}</div>', value),
        meaning,
    )


def show_figures(
    headlines: Iterable[Headline],
    label: str = "Headline figures",
    slider_value: float | None = None,
) -> None:
    """Figures side by side, and places for those to come; with a `slider_value` they follow it."""

    def follow(place: str, text: str) -> object:
        return text if slider_value is None else live_text(place, text, slider_value)

    def value(number: int, one: Headline) -> Markup | None:
        if one.value is None:
            return None
        figure, of = follow(f"figure-{number}", one.value), follow(f"of-{number}", one.of)
        return markup('{}<span class="dp-of">{}</span>', figure, of)

    cards(
        (
            card(one.name, value(n, one), follow(f"meaning-{n}", one.meaning), _badge_of(one))
            for n, one in enumerate(headlines)
        ),
        label,
    )


def _badge_of(one: Headline) -> object:
    if one.source is None:
        return ""
    if isinstance(one.source, SimulatedSource):
        return estimated_badge(
            f"Simulated in {count_text(one.source.draws, 'release')}.", one.source.interval
        )
    if one.source.method == "exact":
        return exact_badge(one.source.error, f" {one.remark}" if one.remark else "")
    return badge("at least", one.remark)


def law_badge(law: TopKDistribution | None, chance: BoundedProbability | None = None) -> Markup:
    """Badge of a law's figure; empty without the law; an estimated chance shows its interval."""
    if law is None:
        return Markup("")
    if law.method == "exact":
        return exact_badge(law.error)
    return estimated_badge(
        f"Estimated from {count_text(law.draws, 'simulated release')}.",
        "" if chance is None else f"{percent(chance.low)} to {percent(chance.high)}",
    )


def exact_badge(error: float, remark: str = "") -> Markup:
    most = upper_bound_text(max(error, 1e-16))
    return badge(
        "exact",
        f"Computed, not simulated. The error of this figure is at most {most}, by an estimated"
        f" bound.{remark}",
    )


def estimated_badge(estimate_note: str, interval: str) -> Markup:
    """Badge of an estimated figure, with its 95 % interval where there is one."""
    return badge(
        "estimated",
        estimate_note + (f" 95{chr(0x202F)}% interval: {interval}." if interval else ""),
    )


def badge(method: str, tip: str) -> Markup:
    """How a figure was found, with more about it on hover and focus."""
    return markup(
        '<span class="dp-tip" tabindex="0">{}<span role="tooltip">{}</span></span>', method, tip
    )


@dataclass(frozen=True)
class Cell:
    """A table cell with a kind that the style sheet knows, or one that is its row's head."""

    content: object
    kind: str = ""
    heads: bool = False


Column = str | tuple[str, object]
"""Head of a column: its title, or the title and small text below."""


def show_table(
    label: str, columns: Iterable[Column], rows: Iterable[Iterable[object]], kind: str
) -> None:
    """A table of text, markup or `Cell`; the style sheet knows its kind."""
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    html(
        render_template(
            __package__,
            "table.html",
            label=label,
            columns=[(column, "") if isinstance(column, str) else column for column in columns],
            rows=cells,
            kind=kind,
        )
    )


def show_first_chart(chart: Chart, key: str, slider_value: float | str | None = None) -> None:
    """A chart of a page's first screen: its message stands below, and its help is folded away."""
    show_chart(chart, key, slider_value, help_folded=True, message_below=True)


def show_chart(
    chart: Chart,
    key: str,
    slider_value: float | str | None = None,  # the message follows the slider
    *,
    help_folded: bool = False,
    message_below: bool = False,
) -> None:
    """A chart with its message, reading help, table and downloads."""
    says = (
        chart.says_now
        if slider_value is None
        else live_text(f"says {key}", chart.says_now, slider_value)
    )
    if not message_below:
        show_paragraph(says, "says")
    st.plotly_chart(
        PrebuiltFigure(chart),
        theme=None,
        key=key,
        config={
            **_BAR,
            "toImageButtonOptions": {
                "format": "svg",
                "filename": "dpviz-" + re.sub(r"[^a-z0-9]+", "-", key.lower()),
            },
        },
        alt=chart.alt,
    )
    if message_below:
        show_paragraph(says, "says")
    if not help_folded:
        show_paragraph(chart.how_to_read)
    box = st.expander(
        "How to read it, table and downloads" if help_folded else "Table and downloads",
        on_change="rerun",
        key=f"{key}_table",
        type="compact",
    )
    if box.open:
        with box:
            if help_folded:
                show_paragraph(chart.how_to_read)
            with st.container(key=f"pale_{key}_data"):  # it does not follow the slider
                _show_table(chart.table)
            about = page_provenance()
            file = about.file_name(key)
            with st.container(horizontal=True):
                show_download_button(
                    "Table as CSV",
                    csv_with_provenance(chart.table, about.caption),
                    f"{file}.csv",
                    f"{key}_csv",
                    icon=":material/table:",
                )
                show_download_button(
                    "Figure as HTML",
                    lambda: chart.html(file, about.caption),
                    f"{file}.html",
                    f"{key}_html",
                    icon=":material/html:",
                    help=(
                        "An interactive file of about 5 MB, complete in itself. For a picture, use"
                        " the chart's camera button."
                    ),
                )


def _show_table(table: pd.DataFrame) -> None:
    """Show at most `_SHOWN` cells of a table."""
    rows = _SHOWN // max(table.shape[1], 1)
    st.dataframe(table.head(rows), hide_index=True, width="stretch", height=260)
    if len(table) > rows:
        show_paragraph(f"The first {rows:,} of {len(table):,} rows. The file has all rows.", "note")


def show_table_editor(
    table: pd.DataFrame, key: str, help: str, label: str, use: Callable[[pd.DataFrame], bool]
) -> None:
    """A table to edit, in a dialog, and a button by which `use` takes it; it says if it did."""
    st.caption(f"{help} There can be up to {MAX_EDIT_ROWS:,} rows.")
    edited = st.data_editor(
        table, num_rows="dynamic", hide_index=True, width="stretch", height=400, key=key
    )
    problem = st.empty()
    if st.button(label, type="primary"):
        with problem, show_refusals():
            if len(edited) > MAX_EDIT_ROWS:
                told = f"There are {len(edited):,} rows; at most {MAX_EDIT_ROWS:,} are allowed."
                raise IngestError(told)
            if use(edited):
                st.rerun()


@contextmanager
def show_refusals() -> Iterator[None]:
    """Show a refusal within the block in its place."""
    try:
        yield
    except ParameterError as err:
        st.error(escape_markdown(str(err)))
