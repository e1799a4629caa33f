"""Scores from outside: a file, pasted text, an event log, a table edited by hand.

A table that could be read stays in the session, so that its columns can be chosen; the scores made of
it replace those of the scenario only when they are whole. Whatever is wrong is told in one sentence.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.data.ingest import (
    EXTENSIONS,
    MAX_EDIT_ROWS,
    Table,
    count_people,
    edit_frame,
    paste,
    read_frame,
    read_table,
    scores_from,
)
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound

__all__ = ["edited", "event_log", "pasted", "upload"]

_TABLES = "dpviz.tables"  # by the way in: the table that was last read there
_EVENT_COLUMNS = "dpviz.events.columns"
_NO_LABELS = "(no labels)"
_ENDINGS = [ending.removeprefix(".") for ending in EXTENSIONS]
_SAYS = "CSV, TSV, Excel, Parquet or JSON; up to 50 MB and 1,000,000 items."


def upload(scenario: Scenario) -> None:
    """A file with a score for each item."""
    st.file_uploader(
        "File with a score for each item",
        type=_ENDINGS,
        key="scores_file",
        on_change=lambda: _read_file("upload", "scores_file"),
        help=_SAYS + " It stays in this session's memory.",
    )
    _columns("upload")


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
    _columns("paste")


def event_log(scenario: Scenario) -> None:
    """A file with one row for each event, counted as distinct people per item."""
    st.file_uploader(
        "Log with a person and an item in each row",
        type=_ENDINGS,
        key="events_file",
        on_change=lambda: _read_file("events", "events_file"),
        help="An item's score becomes the number of different people who have a row for it. " + _SAYS,
    )
    table = _tables().get("events")
    if table is None:
        return
    chosen: dict[str, str] = st.session_state[_EVENT_COLUMNS]
    for role, column in chosen.items():

        def recount(name: str, role: str = role) -> None:
            _count_events({**chosen, role: name})

        st.selectbox(
            f"Column of the {role}",
            options=table.columns,
            index=table.columns.index(column),
            **bound(f"{role}_column", column, recount),
        )


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
        if _use(made):
            st.rerun()


def _tables() -> dict[str, Table]:
    tables: dict[str, Table] = st.session_state.setdefault(_TABLES, {})
    return tables


def _guarded(work: Callable[[], object]) -> None:
    """Run what reads data; what is wrong with them is told in the data panel and nothing changes."""
    state.forget()
    try:
        work()
    except ParameterError as err:
        state.tell("data", str(err))


def _read_file(way: str, key: str) -> None:
    file = st.session_state[key]
    if file is None:
        _tables().pop(way, None)
        return

    def read() -> None:
        table = read_table(file.name, file.getvalue())
        (_take_events if way == "events" else _take_scores)(way, table)

    _guarded(read)


def _read_paste() -> None:
    _guarded(lambda: _take_scores("paste", paste(st.session_state["pasted"])))


def _take_scores(way: str, table: Table) -> None:
    """Use the likeliest columns; the table is kept even where they do not do, so others can be chosen."""
    _tables()[way] = table
    score = table.score_column or (table.columns[0] if len(table.columns) == 1 else None)
    st.session_state[f"dpviz.{way}.columns"] = (score, table.label_column)
    _use_columns(way, score, table.label_column)


def _use_columns(way: str, score: str | None, label: str | None) -> None:
    spec = _person()
    person: dict[str, Any] = {"sensitivity": spec.sensitivity, "monotonic": spec.monotonic}
    table = _tables()[way]
    made = scores_from(table, **person) if score is None else scores_from(table, score, label, **person)
    _use(made)


def _person() -> DataSpec:
    """What one person can change: as it was for uploaded data, else counts with one person added or removed."""
    data = state.scenario().data
    return data if data.source == "uploaded" else DataSpec(source="uploaded")


def _use(made: Scores) -> bool:
    spec = DataSpec(source="uploaded", sensitivity=made.sensitivity, monotonic=made.monotonic)
    return state.change("data", data=spec, scores=made)


def _columns(way: str) -> None:
    """Which column holds the scores and which the labels, where there is a choice."""
    table = _tables().get(way)
    if table is None or len(table.columns) < 2:
        return
    score, label = st.session_state[f"dpviz.{way}.columns"]
    shown = score or table.columns[0]
    st.selectbox(
        "Score column",
        options=table.columns,
        index=table.columns.index(shown),
        **bound(f"{way}_score", shown, lambda name: _choose_columns(way, name, label)),
    )
    options = (_NO_LABELS, *table.columns)
    shown = label or _NO_LABELS
    st.selectbox(
        "Label column",
        options=options,
        index=options.index(shown),
        **bound(f"{way}_label", shown, lambda name: _choose_columns(way, score, None if name == _NO_LABELS else name)),
    )


def _choose_columns(way: str, score: str | None, label: str | None) -> None:
    st.session_state[f"dpviz.{way}.columns"] = (score, label)
    _guarded(lambda: _use_columns(way, score, label))


def _take_events(way: str, table: Table) -> None:
    if len(table.columns) < 2:
        raise ParameterError("the number of columns", len(table.columns), "at least 2: a person and an item")
    _tables()[way] = table
    item = table.label_column if table.label_column in table.columns else table.columns[1]
    person = next(name for name in table.columns if name != item)
    st.session_state[_EVENT_COLUMNS] = {"person": person, "item": item}
    _use(count_people(table, person, item))


def _count_events(chosen: dict[str, str]) -> None:
    st.session_state[_EVENT_COLUMNS] = chosen
    _guarded(lambda: _use(count_people(_tables()["events"], chosen["person"], chosen["item"])))
