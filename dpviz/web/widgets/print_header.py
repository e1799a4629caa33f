"""Provenance of prints, saved pictures, tables and files: each says what it shows.

A page is described where it starts. A print shows that as a block, from which
`print_and_export.js` takes the caption and name of saved pictures.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pandas as pd
import streamlit as st

from dpviz.base import Scores, csv_pieces, ignore_progress, join_markup, markup
from dpviz.base.chunked_text import ChunkedText
from dpviz.studies.provenance import Pair, Provenance, ShownMechanism, build_provenance
from dpviz.web.server.downloads import DownloadFile
from dpviz.web.server.static_files import read_asset
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import prepared_download
from dpviz.web.widgets.live_parts import EVERY
from dpviz.web.widgets.style import component
from dpviz.web.widgets.text import html

_PAGE = "dpviz.page"  # (title, scores, shown mechanism), or its whole `Provenance`
_NAME = "dpviz.page.name"
# the press that asked for a file, by the key of its button
_WANTED: SessionValue[dict[str, str]] = SessionValue("wanted", dict)
_WIDE = {"Name", "Data", "Mechanism", "Link"}  # a line of their own
_MIME = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "py": "text/x-python",
}  # by ending
_LONG = 36  # characters: more than half a line holds


def set_page_name(name: str, title: str) -> None:
    """Begin a page of which only its address and title are known yet."""
    if st.session_state.get(_NAME) != name:  # nobody waits for the files of the page before
        for key in _WANTED.value:
            prepared_download.cancel_file(key)
        _WANTED.value.clear()
    st.session_state[_NAME] = name
    st.session_state[_PAGE] = (title, None, ShownMechanism(mechanism=""))


def page_name() -> str:
    """Name of the page in its address."""
    name: str = st.session_state[_NAME]
    return name


def describe_page(scores: Scores | None, shown: ShownMechanism | None = None) -> None:
    """Set what the page shows: `shown`, or the scenario's designs, on these scores."""
    st.session_state[_PAGE] = (st.session_state[_PAGE][0], scores, shown)
    _write(page_provenance())


def describe_without_scenario(
    settings: tuple[Pair, ...], seed: int | None, query: dict[str, str]
) -> None:
    """Describe a page that has no scenario: its settings, and the link to it."""
    st.session_state[_PAGE] = Provenance(
        page=st.session_state[_PAGE][0],
        mechanism="",
        settings=settings,
        seed=seed,
        date=today(),
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
    html(
        markup(
            '<dl class="dp-about" data-line="{}" data-name="{}">{}</dl>',
            now.caption,
            now.file_name(),
            rows,
        )
    )


def page_provenance() -> Provenance:
    """Provenance of the page as it is now."""
    described = st.session_state[_PAGE]
    if isinstance(described, Provenance):
        return described
    page, scores, shown = described
    return build_provenance(
        page, state.scenario(), scores, date=today(), link=page_url(), shown=shown
    )


def page_url() -> str:
    """Address of this page with the scenario."""
    return f"{st.context.url or ''}?{urlencode(state.link_query())}"


def _want(key: str) -> None:
    _WANTED.value[key] = uuid4().hex


def show_download_button(
    label: str, data: Callable[[], str] | ChunkedText, file_name: str, key: str, **more: Any
) -> None:
    """A button for a file that is made when it is pressed; a large one is fetched from disk."""
    # Streamlit's own forgets such a file at the end of anybody's next run, while the browser still
    # shows the old button, whose press then does nothing
    st.button(
        label, key=key, on_click=_want, args=(key,), **{"icon": ":material/download:", **more}
    )
    if (press := _WANTED.value.get(key)) is None:
        return
    mime = _MIME[file_name.rpartition(".")[2]]

    def give(saved: Callable[[], object] = bool, **file: str) -> None:
        def forget() -> None:  # once the browser has it: what is drawn may be lost on its way
            _WANTED.value.pop(key, None)
            saved()

        component(
            "dpviz_save",
            read_asset("file_download.js"),
            data={"name": file_name, "mime": mime, "press": press, **file},
            key=f"{key}_file",
            on_saved_change=forget,
        )

    if not isinstance(data, ChunkedText):
        give(text=data())
    elif not data.is_large:
        give(text="".join(data.pieces(ignore_progress)))
    else:

        @st.fragment(key=f"{key}_written", run_every=EVERY)
        def write() -> None:
            if _WANTED.value.get(key) != press:
                if not state.DIALOG.value:
                    st.rerun()  # which ends the looks
                return
            empty = partial(DownloadFile, file_name, mime)
            if (file := prepared_download.await_written_file(key, press, data, empty)) is not None:
                give(
                    partial(prepared_download.mark_file_delivered, key, file), at=file.download_url
                )

        write()


def csv_with_provenance(table: pd.DataFrame, line: str) -> ChunkedText:
    """Table as CSV with its provenance in a last column, which survives sorting and joining."""
    return ChunkedText(partial(csv_pieces, table, about=line), table.size)


def today() -> date:
    """Date where the browser is."""
    return (datetime.now(UTC) - timedelta(minutes=st.context.timezone_offset or 0)).date()
