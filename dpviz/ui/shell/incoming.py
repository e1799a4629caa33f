"""Data from outside: scores in a file, as pasted text or in a table edited by hand, and event logs, which are counted.

What could be read stays in the session, by its way in, with the columns that are meant, so that others can be chosen;
every choice makes the scores anew, which `origin` makes those of now.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.base import ParameterError, Scores
from dpviz.data.ingest import (
    GUESS,
    MAX_EDIT_ROWS,
    CountedLog,
    Table,
    count_log,
    edit_frame,
    log_columns,
    paste,
    read_frame,
    read_items,
    read_safely,
    scores_from,
)
from dpviz.studies import Scenario, data_name
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import menu
from dpviz.ui.shell.origin import (
    ACCEPTED,
    EVENTS,
    ask_items,
    person_said,
    refusals,
    shown_from,
    table_uploader,
    taken_by,
    use,
)
from dpviz.ui.shell.pending import soon
from dpviz.ui.shell.show import refused_here
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.text import paragraph, plain

_NO_LABELS = "(no labels)"
_BY_HAND = ", edited by hand"
_PASTED = "pasted scores"
_FILE, _PASTE = "upload", "paste"  # ways in


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """A table with a score for each item, and its columns that are meant; no score column where none could be one."""

    way: str
    table: Table
    score: str | None
    label: str | None

    def use(self) -> None:
        """Show its scores."""
        spec = person_said(self.way)
        score, label = (GUESS, GUESS) if self.score is None else (self.score, self.label)
        scores = replace(scores_from(self.table, score, label), **spec.person)
        use(scores, spec.items_known, self.table.source, self.way)


@dataclass(frozen=True, kw_only=True)
class EventLog:
    """An event log, how it is counted as distinct people per item, and what has to be said of that."""

    table: Table
    person: str
    item: str
    most: int | None = None
    items: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    way: str = EVENTS

    def counted(self, most: int | None) -> CountedLog:
        """Its counts with at most so many items of each person."""
        return count_log(self.table, self.person, self.item, items=self.items, most=most)

    def use(self) -> None:
        """Count it, and show the counts."""
        counted = self.counted(self.most)
        if use(counted.scores, counted.kept.items_known, self.table.source, EVENTS):
            _OPENED.value[EVENTS] = replace(self, notes=counted.kept.notes)


_OPENED: Slot[dict[str, Any]] = Slot("tables", dict)
"""What was last read, a `ScoreTable` or an `EventLog`, by the way it came in."""


def log_open() -> bool:
    """Whether there is an event log whose counting asks for what one person can change."""
    return EVENTS in _OPENED.value


def log_at_hand() -> EventLog | None:
    """The log that the scores of now were counted from; None where they came another way."""
    log: EventLog | None = _OPENED.value.get(EVENTS)
    return log if log is not None and taken_by(EVENTS) and shown_from(state.scenario()) == log.table.source else None


def count_again(most: int | None) -> Scores | None:
    """The scores of the log at hand, kept to so many items of each person from now on; None where there is none."""
    log = log_at_hand()
    if log is None:
        return None
    counted = log.counted(most)
    _OPENED.value[EVENTS] = replace(log, most=most, notes=counted.kept.notes)
    return counted.scores


def _take(data: ScoreTable | EventLog) -> None:
    """Use it; it is kept even where its columns do not do, so others can be chosen."""
    _OPENED.value[data.way] = data
    data.use()


def _choose(way: str, name: str, value: object) -> None:
    soon(partial(_use_chosen, way, name, value))


def _use_chosen(way: str, name: str, value: object) -> None:
    data = _OPENED.value[way]
    with state.refusals("data") if way == EVENTS else refusals(data.table.source):
        _take(replace(data, **{name: value}))


def upload(scenario: Scenario) -> None:
    """A file with a score for each item, and which of its columns are meant."""
    scores_file("File with a score for each item", "scores_file", ACCEPTED + " It stays in this session's memory.")
    _score_columns(_FILE)


def scores_file(label: str, key: str, help: str) -> None:
    """A control that takes a file with a score for each item."""
    table_uploader(label, key, help, partial(_take_scores, _FILE))


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
    _score_columns(_PASTE)


def _read_paste() -> None:
    soon(partial(_use_paste, st.session_state["pasted"]))


def _use_paste(text: str) -> None:
    with refusals(_PASTED.capitalize()):
        _take_scores(_PASTE, read_safely(_PASTED, paste, text))


def _take_scores(way: str, table: Table) -> None:
    """Use the likeliest columns."""
    score = table.score_column or (table.columns[0] if len(table.columns) == 1 else None)
    _take(ScoreTable(way=way, table=table, score=score, label=table.label_column))


def _score_columns(way: str) -> None:
    """Which column holds the scores and which the labels, where there is a choice."""
    data: ScoreTable | None = _OPENED.value.get(way)
    if data is None or len(data.table.columns) < 2:
        return
    source, columns = data.table.source, data.table.columns
    of = "" if source == shown_from(state.scenario()) else f" of {plain(source)}"  # it was refused
    menu(f"Score column{of}", columns, data.score or columns[0], partial(_choose, way, "score"), f"{way}_score")

    def choose_label(name: str) -> None:
        _choose(way, "label", None if name == _NO_LABELS else name)

    menu(f"Label column{of}", (_NO_LABELS, *columns), data.label or _NO_LABELS, choose_label, f"{way}_label")


def edited(scenario: Scenario) -> None:
    """The scores of now as a table to change."""
    if st.button("Open the table", icon=":material/edit:", width="stretch"):
        _edit_table(scenario)


@st.dialog("Edit the scores", width="large")
def _edit_table(scenario: Scenario) -> None:
    state.DIALOG.put(True)
    if scenario.needs_data:
        st.write("There are no scores yet.")
        return
    with refused_here():
        _edit_scores(scenario, state.scores(scenario))


def _edit_scores(scenario: Scenario, before: Scores) -> None:
    frame = edit_frame(before)
    st.caption(f"Change, add or delete rows, up to {MAX_EDIT_ROWS:,}; paste a block of cells from a spreadsheet.")
    changed = st.data_editor(
        frame, num_rows="dynamic", hide_index=True, width="stretch", height=420, key="edited_table"
    )
    problem = st.empty()
    if st.button("Use these scores", type="primary"):
        with problem, refused_here():
            table = read_frame(changed)
            made = scores_from(table, "score", "item")
            scores = replace(before, values=made.values, labels=made.labels)
            name = (shown_from(scenario) or data_name(scenario.data)).removesuffix(_BY_HAND) + _BY_HAND
            if use(scores, scenario.data.items_known, name):
                st.rerun()


def event_log(scenario: Scenario) -> None:
    """A file with one row for each event, counted as distinct people per item."""
    table_uploader(
        "Log with a person and an item in each row",
        "events_file",
        "An item's score becomes the number of different people who have a row for it. " + ACCEPTED,
        _take_log,
    )
    log: EventLog | None = _OPENED.value.get(EVENTS)
    if log is None:
        return
    for role, column in (("person", log.person), ("item", log.item)):
        menu(f"Column of the {role}", log.table.columns, column, partial(_choose, EVENTS, role), f"{role}_column")
    known = "" if log.items is None else f": {len(log.items):,}"
    with st.popover("Items known beforehand" + known, width="stretch"), st.form("items", border=False):
        st.text_area("One item a line", key="items_pasted", height=140)
        st.file_uploader("Or a text file, one item a line", key="items_file")
        st.form_submit_button("Count these items", on_click=_read_items, width="stretch")
        st.caption("Items that nobody has keep their zero; rows of others are left out. Empty: all that occur.")
    if not scenario.needs_data:
        ask_items("most", log.most, state.scores(scenario).d, partial(_choose, EVENTS, "most"))
    for note in log.notes:
        paragraph(note, "note")


def _take_log(table: Table) -> None:
    """Count a log that came in, of the items that were listed for the one before."""
    columns = log_columns(table)
    if columns is None:
        raise ParameterError("the number of columns", len(table.columns), "at least 2: a person and an item")
    person, item = columns
    before: EventLog | None = _OPENED.value.get(EVENTS)
    items = None if before is None else before.items
    _take(EventLog(table=table, person=person, item=item, items=items, most=person_said(EVENTS).contributions))


def _read_items() -> None:
    """The list of the file, else of the text; of neither, all items that occur."""
    file, text = st.session_state["items_file"], st.session_state["items_pasted"]
    soon(partial(_count_items, *(("The list", text) if file is None else (file.name, file.getvalue()))))


def _count_items(name: str, content: str | bytes) -> None:
    with state.refusals("data"):
        items = read_items(name, content)
        _take(replace(_OPENED.value[EVENTS], items=items))
