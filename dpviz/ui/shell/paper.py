"""What leaves the page says what it shows: prints, pictures saved from a chart's bar, tables and figures as files.

A page is described where it starts, and its parts read the description when they are drawn. A print has it as a block
of its own, which also tells `paper.js` the line under saved pictures and their name.
"""

import html
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dpviz.base.inert_csv import export_csv
from dpviz.base.scores import Scores
from dpviz.studies.about import About, Pair, Shown, about
from dpviz.ui.shell import state

__all__ = ["begin", "csv_with_about", "describe", "describe_alone", "link", "shown_now", "today"]

_PAGE = "dpviz.page"  # its name, its scores and what it shows in place of the scenario's designs; or all of it
_WIDE = {"Name", "Data", "Mechanism", "Link"}  # a line of their own
_LONG = 36  # characters: more than half a line holds


def begin(page: str) -> None:
    """Begin a page of which only its name is known yet."""
    st.session_state[_PAGE] = (page, None, Shown(mechanism=""))


def describe(scores: Scores | None, shown: Shown | None = None) -> None:
    """Say what the page shows from here on: `shown`, or the scenario's designs on these scores."""
    st.session_state[_PAGE] = (st.session_state[_PAGE][0], scores, shown)
    _write(shown_now())


def describe_alone(settings: tuple[Pair, ...], seed: int | None, query: dict[str, str]) -> None:
    """Say what a page shows that is about no scenario: its settings, and the link to it."""
    address = f"{st.context.url or ''}?{urlencode(query)}"
    page = st.session_state[_PAGE][0]
    st.session_state[_PAGE] = About(page=page, mechanism="", settings=settings, seed=seed, date=today(), link=address)
    _write(shown_now())


def _write(now: About) -> None:
    rows = "".join(
        f'<div class="{"dp-wide" if what in _WIDE or len(value) > _LONG else ""}"><dt>{html.escape(what)}</dt>'
        f'<dd data-what="{what}">{html.escape(value)}</dd></div>'
        for what, value in now.rows
    )
    told = f'data-line="{html.escape(now.line)}" data-name="{html.escape(now.file_name())}"'
    st.html(f'<dl class="dp-about" {told}>{rows}</dl>')


def shown_now() -> About:
    """What the page shows as it stands now."""
    told = st.session_state[_PAGE]
    if isinstance(told, About):
        return told
    page, scores, shown = told
    scenario = state.scenario()
    return about(page, scenario, scores, date=today(), link=link(), shown=shown)


def link() -> str:
    """The address of this page with the scenario."""
    return f"{st.context.url or ''}?{urlencode(state.link())}"


def csv_with_about(table: pd.DataFrame, line: str) -> str:
    """The table as CSV; a last column says on each row what it shows. Downloads are made where there is no session.

    Lines of comment would break most readers, and a companion file gets lost; a column outlives sorting and joining.
    """
    return export_csv(table.assign(about=line))


def today() -> date:
    """The day where the browser is."""
    return (datetime.now(UTC) - timedelta(minutes=st.context.timezone_offset or 0)).date()
