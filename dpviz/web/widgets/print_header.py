"""Provenance of prints, saved pictures, tables and files: each says what it shows.

`print_and_export.js` takes the caption and name of saved pictures from the block of a print.
"""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dpviz.base import Scores, csv_pieces, join_markup, markup
from dpviz.base.chunked_text import ChunkedText
from dpviz.studies.provenance import Pair, Provenance, ShownMechanism, build_provenance
from dpviz.web.session import state
from dpviz.web.widgets.download_button import cancel_awaited_files
from dpviz.web.widgets.elements import show_markup

_PAGE = "dpviz.page"  # (title, scores, shown mechanism), or its whole `Provenance`
_NAME = "dpviz.page.name"
_WIDE = {"Name", "Data", "Mechanism", "Link"}  # a line of their own
_LONG = 36  # characters: more than half a line holds


def set_page_name(name: str, title: str) -> None:
    """Begin a page of which only its address and title are known yet."""
    if st.session_state.get(_NAME) != name:  # nobody waits for the files of the page before
        cancel_awaited_files()
    st.session_state[_NAME] = name
    st.session_state[_PAGE] = (title, None, ShownMechanism(mechanism=""))


def page_name() -> str:
    """Name of the page in its address."""
    name: str = st.session_state[_NAME]
    return name


def set_page_provenance(scores: Scores | None, shown_mechanism: ShownMechanism | None) -> None:
    """Set what the page shows: `shown_mechanism`, or the scenario's designs, on these scores."""
    st.session_state[_PAGE] = (st.session_state[_PAGE][0], scores, shown_mechanism)
    _write(page_provenance())


def set_provenance_without_scenario(
    settings: tuple[Pair, ...], seed: int | None, query: dict[str, str]
) -> None:
    """Describe a page that has no scenario: its settings, and the link to it."""
    st.session_state[_PAGE] = Provenance(
        page=st.session_state[_PAGE][0],
        mechanism="",
        settings=settings,
        seed=seed,
        date=browser_date(),
        link=f"{st.context.url or ''}?{urlencode(query)}",
    )
    _write(page_provenance())


def _write(now: Provenance) -> None:
    rows = join_markup(
        markup(
            '<div class="{}"><dt>{what}</dt><dd data-what="{what}">{value}</dd></div>',
            "dp-wide" if what in _WIDE or len(value) > _LONG else "",
            what=what,
            value=value,
        )
        for what, value in now.rows
    )
    show_markup(
        '<dl class="dp-about" data-line="{}" data-name="{}">{}</dl>',
        now.caption,
        now.file_name(),
        rows,
    )


def page_provenance() -> Provenance:
    described = st.session_state[_PAGE]
    if isinstance(described, Provenance):
        return described
    page, scores, shown = described
    return build_provenance(
        page, state.scenario(), scores, date=browser_date(), link=page_url(), shown_mechanism=shown
    )


def page_url() -> str:
    """Address of this page with the scenario."""
    return f"{st.context.url or ''}?{urlencode(state.link_query())}"


def csv_with_provenance(table: pd.DataFrame, provenance_line: str) -> ChunkedText:
    """Table as CSV with its provenance in a last column, which survives sorting and joining."""
    return ChunkedText(partial(csv_pieces, table, about=provenance_line), table.size)


def browser_date() -> date:
    """Date where the browser is."""
    return (datetime.now(UTC) - timedelta(minutes=st.context.timezone_offset or 0)).date()
