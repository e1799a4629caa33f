"""Scores from outside: a file, pasted text, a table edited by hand; each becomes the scores of now by `taken`."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.data.ingest import MAX_EDIT_ROWS, Table, edit_frame, paste, read_frame, read_safely, scores_from
from dpviz.studies.about import data_name
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.origin import shown_from
from dpviz.ui.shell.taken import SAYS, guarded, person_said, tables, uploader, use
from dpviz.ui.shell.text import plain

__all__ = ["edited", "pasted", "scores_file", "upload"]

_NO_LABELS = "(no labels)"
_BY_HAND = ", edited by hand"
_PASTED = "pasted scores"
_FILE, _PASTE = "upload", "paste"  # ways in


def upload(scenario: Scenario) -> None:
    """A file with a score for each item, and which of its columns are meant."""
    scores_file("File with a score for each item", "scores_file", SAYS + " It stays in this session's memory.")
    _columns(_FILE)


def scores_file(label: str, key: str, says: str) -> None:
    """A control that takes a file with a score for each item."""
    uploader(label, key, says, _take_file)


def pasted(scenario: Scenario) -> None:
    """Text with a score for each item."""
    with st.form("paste", border=False):
        st.text_area(
            "One item a line",
            key="pasted",
            height=140,
            placeholder="apples, 31\npears, 28\nplums, 28",
            help="A number a line; or a label and a number, separated by a comma, a semicolon or a tab.",
        )
        st.form_submit_button("Use these scores", on_click=_read_paste, width="stretch")
    _columns(_PASTE)


def edited(scenario: Scenario) -> None:
    """The scores of now as a table to change."""
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit_table(scenario)


@st.dialog("Edit the scores", width="large")
def _edit_table(scenario: Scenario) -> None:
    if scenario.needs_data:
        st.write("There are no scores yet.")
        return
    try:
        frame = edit_frame(state.scores(scenario))
    except ParameterError as err:
        st.error(str(err))
        return
    st.caption(f"Change, add or delete rows, up to {MAX_EDIT_ROWS:,}; paste a block of cells from a spreadsheet.")
    changed = st.data_editor(
        frame, num_rows="dynamic", hide_index=True, width="stretch", height=420, key="edited_table"
    )
    problem = st.empty()
    if st.button("Use these scores", type="primary"):
        before = state.scores(scenario)
        try:
            made = scores_from(
                read_frame(changed), "score", "item", sensitivity=before.sensitivity, monotonic=before.monotonic
            )
        except ParameterError as err:
            problem.error(str(err))
            return
        name = (shown_from(scenario) or data_name(scenario.data)).removesuffix(_BY_HAND) + _BY_HAND
        if use(replace(made, contributions=before.contributions), scenario.data.items_known, name):
            st.rerun()


def _take_file(table: Table) -> None:
    _take_scores(_FILE, table)


def _read_paste() -> None:
    def read() -> None:
        _take_scores(_PASTE, read_safely(_PASTED, paste, st.session_state["pasted"]))

    guarded(read, _PASTED.capitalize())


def _take_scores(way: str, table: Table) -> None:
    """Use the likeliest columns; the table is kept even where they do not do, so others can be chosen."""
    tables()[way] = table
    score = table.score_column or (table.columns[0] if len(table.columns) == 1 else None)
    st.session_state[f"dpviz.{way}.columns"] = (score, table.label_column)
    _use_columns(way, score, table.label_column)


def _use_columns(way: str, score: str | None, label: str | None) -> None:
    spec = person_said(way)
    person: dict[str, Any] = {"sensitivity": spec.sensitivity, "monotonic": spec.monotonic}
    table = tables()[way]
    made = scores_from(table, **person) if score is None else scores_from(table, score, label, **person)
    use(replace(made, contributions=spec.contributions), spec.items_known, table.source, way)


def _columns(way: str) -> None:
    """Which column holds the scores and which the labels, where there is a choice."""
    table = tables().get(way)
    if table is None or len(table.columns) < 2:
        return
    score, label = st.session_state[f"dpviz.{way}.columns"]
    shown = score or table.columns[0]
    of = "" if table.source == shown_from(state.scenario()) else f" of {plain(table.source)}"  # it was refused
    st.selectbox(
        f"Score column{of}",
        options=table.columns,
        index=table.columns.index(shown),
        **bound(f"{way}_score", shown, lambda name: _choose_columns(way, name, label), table.columns),
    )
    options = (_NO_LABELS, *table.columns)

    def choose_label(name: str) -> None:
        _choose_columns(way, score, None if name == _NO_LABELS else name)

    shown = label or _NO_LABELS
    st.selectbox(
        f"Label column{of}",
        options=options,
        index=options.index(shown),
        **bound(f"{way}_label", shown, choose_label, options),
    )


def _choose_columns(way: str, score: str | None, label: str | None) -> None:
    st.session_state[f"dpviz.{way}.columns"] = (score, label)
    guarded(lambda: _use_columns(way, score, label), tables()[way].source)
