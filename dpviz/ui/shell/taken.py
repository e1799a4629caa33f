"""How data come in and become the scores of now, whichever way they came.

A table that could be read stays in the session, by its way in, so that its columns can be chosen; the scores made of
it replace those of the scenario only when they are whole. Whatever is wrong is told in one sentence.
Invariants: what is shown is always named, with its size and Δ; a file that was refused is named in its sentence only,
so the control that took it is empty again.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.data.ingest import EXTENSIONS, Table, read_upload
from dpviz.studies.about import data_name
from dpviz.studies.scenario import DataSpec
from dpviz.ui.shell import state
from dpviz.ui.shell.origin import came_from, shown_from

__all__ = ["EVENTS", "SAYS", "guarded", "person_said", "tables", "uploader", "use"]

EVENTS = "events"
"""The way in of an event log, which is counted; the others bring scores."""

SAYS = "CSV, TSV, Excel, Parquet or JSON; up to 50 MB and 1,000,000 items."

_TABLES = "dpviz.tables"  # by the way in: the table that was last read there
_WAY = "dpviz.way"  # by which scores were last taken
_TAKEN = "dpviz.taken"  # by control: how many files it took, each with a control of its own
_ENDINGS = [ending.removeprefix(".") for ending in EXTENSIONS]


def tables() -> dict[str, Table]:
    """The table that was last read, by the way it came in."""
    kept: dict[str, Table] = st.session_state.setdefault(_TABLES, {})
    return kept


def uploader(label: str, key: str, says: str, take: Callable[[Table], None]) -> None:
    """A control that has a file read and taken, and is empty again."""
    own = f"{key}~{st.session_state.setdefault(_TAKEN, {}).get(key, 0)}"
    st.file_uploader(label, type=_ENDINGS, key=own, on_change=partial(_read_file, key, own, take), help=says)


def _read_file(key: str, own: str, take: Callable[[Table], None]) -> None:
    file = st.session_state[own]
    if file is None:
        return
    taken = st.session_state[_TAKEN]
    taken[key] = taken.get(key, 0) + 1
    guarded(lambda: take(read_upload(file.name, file.getvalue())), file.name)


def guarded(work: Callable[[], object], name: str = "") -> None:
    """Run what reads data; what is wrong with those of this name is told in the data panel and nothing changes."""
    before = state.scenario()
    state.forget()
    try:
        work()
    except ParameterError as err:
        kept = "" if before.needs_data else f" {shown_from(before) or data_name(before.data)} is still shown."
        state.tell("data", f"{name} is not used. {err}{kept}" if name else str(err))


def person_said(way: str) -> DataSpec:
    """What one person can change: as it was for uploaded data, else one person replaced by another.

    What was said of a log, where counting makes it true, is not said of a file of scores, nor the other way round.
    """
    data, before = state.scenario().data, st.session_state.get(_WAY, way)
    other = before != way and EVENTS in {before, way}
    return data if data.source == "uploaded" and not other else DataSpec(source="uploaded")


def use(made: Scores, items_known: bool | None, name: str, way: str | None = None) -> bool:
    """Show these scores, taken from what has this name; whether it did. Those changed by hand came no way of their own.

    Data that a link asked for keep what it called them.
    """
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
        if way is not None:
            st.session_state[_WAY] = way
        came_from(name)
        if before.needs_data and before.data.d not in {None, made.d}:
            state.tell("data", f"The link was made with {before.data.d:,} items, {name} has {made.d:,}.")
    return used
