"""Scores from outside: a file, pasted text, an event log, a table edited by hand.

A table that could be read stays in the session, so that its columns can be chosen; the scores made of
it replace those of the scenario only when they are whole. Whatever is wrong is told in one sentence.
Invariants: what is shown is always named, with its size and Δ; a file that was refused is named in its sentence only,
so the control that took it is empty again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.data.ingest import (
    EXTENSIONS,
    MAX_EDIT_ROWS,
    Table,
    count_log,
    edit_frame,
    log_columns,
    paste,
    read_frame,
    read_items,
    read_safely,
    read_upload,
    scores_from,
)
from dpviz.studies.about import data_name
from dpviz.studies.scenario import DataSpec, Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.origin import came_from, shown_from
from dpviz.ui.shell.person import ask_items
from dpviz.ui.shell.text import plain

__all__ = ["SAYS", "edited", "event_log", "log_open", "pasted", "upload", "uploader"]

_TABLES = "dpviz.tables"  # by the way in: the table that was last read there
_LOG = "dpviz.events.log"
_WAY = "dpviz.way"  # by which scores were last taken
_TAKEN = "dpviz.taken"  # by control: how many files it took, each with a control of its own
_NO_LABELS = "(no labels)"
_BY_HAND = ", edited by hand"
_PASTED = "pasted scores"
_ENDINGS = [ending.removeprefix(".") for ending in EXTENSIONS]
SAYS = "CSV, TSV, Excel, Parquet or JSON; up to 50 MB and 1,000,000 items."


@dataclass(frozen=True, kw_only=True)
class _Log:
    """How the open event log is counted, and what has to be said of that."""

    person: str
    item: str
    most: int | None = None
    items: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


def upload(scenario: Scenario) -> None:
    """A file with a score for each item."""
    uploader("File with a score for each item", "upload", "scores_file", SAYS + " It stays in this session's memory.")
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
    uploader(
        "Log with a person and an item in each row",
        "events",
        "events_file",
        "An item's score becomes the number of different people who have a row for it. " + SAYS,
    )
    table = _tables().get("events")
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


def uploader(label: str, way: str, key: str, says: str) -> None:
    """A control that takes a file, reads it, and is empty again."""
    own = f"{key}~{st.session_state.setdefault(_TAKEN, {}).get(key, 0)}"
    st.file_uploader(label, type=_ENDINGS, key=own, on_change=partial(_read_file, way, key, own), help=says)


def log_open() -> bool:
    """Whether there is an event log whose counting asks for what one person can change."""
    return "events" in _tables()


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
        if _use(replace(made, contributions=before.contributions), scenario.data.items_known, name):
            st.rerun()


def _tables() -> dict[str, Table]:
    tables: dict[str, Table] = st.session_state.setdefault(_TABLES, {})
    return tables


def _guarded(work: Callable[[], object], name: str = "") -> None:
    """Run what reads data; what is wrong with those of this name is told in the data panel and nothing changes."""
    before = state.scenario()
    state.forget()
    try:
        work()
    except ParameterError as err:
        kept = "" if before.needs_data else f" {shown_from(before) or data_name(before.data)} is still shown."
        state.tell("data", f"{name} is not used. {err}{kept}" if name else str(err))


def _read_file(way: str, key: str, own: str) -> None:
    file = st.session_state[own]
    if file is None:
        return
    taken = st.session_state[_TAKEN]
    taken[key] = taken.get(key, 0) + 1

    def read() -> None:
        table = read_upload(file.name, file.getvalue())
        (_take_events if way == "events" else _take_scores)(way, table)

    _guarded(read, file.name)


def _read_paste() -> None:
    def read() -> None:
        _take_scores("paste", read_safely(_PASTED, paste, st.session_state["pasted"]))

    _guarded(read, _PASTED.capitalize())


def _take_scores(way: str, table: Table) -> None:
    """Use the likeliest columns; the table is kept even where they do not do, so others can be chosen."""
    _tables()[way] = table
    score = table.score_column or (table.columns[0] if len(table.columns) == 1 else None)
    st.session_state[f"dpviz.{way}.columns"] = (score, table.label_column)
    _use_columns(way, score, table.label_column)


def _use_columns(way: str, score: str | None, label: str | None) -> None:
    spec = _person(way)
    person: dict[str, Any] = {"sensitivity": spec.sensitivity, "monotonic": spec.monotonic}
    table = _tables()[way]
    made = scores_from(table, **person) if score is None else scores_from(table, score, label, **person)
    if _use(replace(made, contributions=spec.contributions), spec.items_known, table.source):
        st.session_state[_WAY] = way


def _person(way: str) -> DataSpec:
    """What one person can change: as it was for uploaded data, else one person replaced by another.

    What was said of a log, where counting makes it true, is not said of a file of scores, nor the other way round.
    """
    data, before = state.scenario().data, st.session_state.get(_WAY, way)
    other = before != way and "events" in {before, way}
    return data if data.source == "uploaded" and not other else DataSpec(source="uploaded")


def _use(made: Scores, items_known: bool | None, name: str) -> bool:
    """Show these scores, taken from what has this name; data that a link asked for keep what it called them."""
    before = state.scenario()
    same = before.needs_data or (before.data.source == "uploaded" and name == shown_from(before))
    spec = DataSpec(
        source="uploaded",
        items_known=items_known,
        called=before.data.called if same else None,
        unit=before.data.unit if same else None,
        d=None if items_known is False else made.d,  # where the data tell what items there are, the link does not
        sensitivity=made.sensitivity,
        monotonic=made.monotonic,
        contributions=made.contributions,
    )
    used = state.change("data", data=spec, scores=made)
    if used:
        came_from(name)
        if before.needs_data and before.data.d not in {None, made.d}:
            state.tell("data", f"The link was made with {before.data.d:,} items, {name} has {made.d:,}.")
    return used


def _columns(way: str) -> None:
    """Which column holds the scores and which the labels, where there is a choice."""
    table = _tables().get(way)
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
    _guarded(lambda: _use_columns(way, score, label), _tables()[way].source)


def _take_events(way: str, table: Table) -> None:
    columns = log_columns(table)
    if columns is None:
        raise ParameterError("the number of columns", len(table.columns), "at least 2: a person and an item")
    _tables()[way] = table
    person, item = columns
    before: _Log | None = st.session_state.get(_LOG)
    items = None if before is None else before.items
    _take_log(_Log(person=person, item=item, items=items, most=_person(way).contributions))


def _read_items() -> None:
    """The list of the file, else of the text; of neither, all items that occur."""
    file, text = st.session_state["items_file"], st.session_state["items_pasted"]

    def read() -> None:
        items = read_items("The list", text) if file is None else read_items(file.name, file.getvalue())
        _take_log(replace(st.session_state[_LOG], items=items))

    _guarded(read)


def _choose(name: str, value: object) -> None:
    changed: dict[str, Any] = {name: value}
    _guarded(lambda: _take_log(replace(st.session_state[_LOG], **changed)))


def _take_log(log: _Log) -> None:
    """Count the open log so; the choices are kept even where they do not do, so others can be made."""
    st.session_state[_LOG] = log
    table = _tables()["events"]
    counted = count_log(table, log.person, log.item, items=log.items, most=log.most)
    if _use(counted.scores, counted.kept.items_known, table.source):
        st.session_state[_LOG] = replace(log, notes=counted.kept.notes)
        st.session_state[_WAY] = "events"
