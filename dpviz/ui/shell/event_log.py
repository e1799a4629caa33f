"""An event log from outside, counted as distinct people per item; the counts become the scores of now by `taken`.

Which columns are meant, the items known beforehand and the most items of one person are chosen beside it; every choice
counts the open log anew.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.data.ingest import Table, count_log, log_columns, read_items
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.person import ask_items
from dpviz.ui.shell.taken import EVENTS, SAYS, guarded, person_said, tables, uploader, use

__all__ = ["event_log", "log_open"]

_LOG = "dpviz.events.log"


@dataclass(frozen=True, kw_only=True)
class _Log:
    """How the open event log is counted, and what has to be said of that."""

    person: str
    item: str
    most: int | None = None
    items: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


def event_log(scenario: Scenario) -> None:
    """A file with one row for each event, counted as distinct people per item."""
    uploader(
        "Log with a person and an item in each row",
        "events_file",
        "An item's score becomes the number of different people who have a row for it. " + SAYS,
        _take_events,
    )
    table = tables().get(EVENTS)
    if table is None:
        return
    log: _Log = st.session_state[_LOG]
    for role, column in (("person", log.person), ("item", log.item)):
        st.selectbox(
            f"Column of the {role}",
            options=table.columns,
            index=table.columns.index(column),
            **bound(f"{role}_column", column, partial(_choose, role), table.columns),
        )
    _items_known(log)
    if not scenario.needs_data:
        ask_items("most", log.most, state.scores(scenario).d, partial(_choose, "most"))
    for note in log.notes:
        st.html(f'<p class="dp-note">{note}</p>')


def log_open() -> bool:
    """Whether there is an event log whose counting asks for what one person can change."""
    return EVENTS in tables()


def _items_known(log: _Log) -> None:
    """The list of items known beforehand, if there is one."""
    with (
        st.popover("Items known beforehand" + ("" if log.items is None else f": {len(log.items):,}"), width="stretch"),
        st.form("items", border=False),
    ):
        st.text_area("One item a line", key="items_pasted", height=140)
        st.file_uploader("Or a text file, one item a line", key="items_file")
        st.form_submit_button("Count these items", on_click=_read_items, width="stretch")
        st.caption("Items that nobody has keep their zero; rows of others are left out. Empty: all that occur.")


def _take_events(table: Table) -> None:
    columns = log_columns(table)
    if columns is None:
        raise ParameterError("the number of columns", len(table.columns), "at least 2: a person and an item")
    tables()[EVENTS] = table
    who, what = columns
    before: _Log | None = st.session_state.get(_LOG)
    items = None if before is None else before.items
    _take_log(_Log(person=who, item=what, items=items, most=person_said(EVENTS).contributions))


def _read_items() -> None:
    """The list of the file, else of the text; of neither, all items that occur."""
    file, text = st.session_state["items_file"], st.session_state["items_pasted"]

    def read() -> None:
        items = read_items("The list", text) if file is None else read_items(file.name, file.getvalue())
        _take_log(replace(st.session_state[_LOG], items=items))

    guarded(read)


def _choose(name: str, value: object) -> None:
    changed: dict[str, Any] = {name: value}
    guarded(lambda: _take_log(replace(st.session_state[_LOG], **changed)))


def _take_log(log: _Log) -> None:
    """Count the open log so; the choices are kept even where they do not do, so others can be made."""
    st.session_state[_LOG] = log
    table = tables()[EVENTS]
    counted = count_log(table, log.person, log.item, items=log.items, most=log.most)
    if use(counted.scores, counted.kept.items_known, table.source, EVENTS):
        st.session_state[_LOG] = replace(log, notes=counted.kept.notes)
