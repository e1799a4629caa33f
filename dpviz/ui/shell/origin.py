"""Where the scores of now came from: how data from outside become them, and what they are called.

Whatever came in replaces the scores of the scenario only when it is whole; what is wrong is told in one sentence.
Invariants: what is shown is always named, with its size and Δ; a file's own name stays on the screen of whoever loaded
it: links, prints and files have the name that a person gives; a file that was refused is named in its sentence only,
so the control that took it is empty again.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.base.markup import Markup, markup
from dpviz.base.scores import Scores
from dpviz.data.ingest import EXTENSIONS, Table, read_upload
from dpviz.studies.about import data_name
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.scenario import Scenario
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import bound
from dpviz.ui.shell.slot import Slot
from dpviz.ui.shell.text import bidi, html

EVENTS = "events"
"""The way in of an event log, which is counted; the others bring scores."""

ACCEPTED = "CSV, TSV, Excel, Parquet or JSON; up to 50 MB and 1,000,000 items."

FROM: Slot[str] = Slot("from", str)  # what the scores of now were taken from
_WAY = "dpviz.way"  # by which scores were last taken
_TAKEN = "dpviz.taken"  # by control: how many files it took, each with a control of its own


def uploader(label: str, key: str, help: str, take: Callable[[Table], None]) -> None:
    """A control that has a file read and taken, and is empty again."""
    numbered = f"{key}~{st.session_state.setdefault(_TAKEN, {}).get(key, 0)}"
    endings = [ending.removeprefix(".") for ending in EXTENSIONS]
    st.file_uploader(label, type=endings, key=numbered, on_change=partial(_read_file, key, numbered, take), help=help)


def _read_file(key: str, numbered: str, take: Callable[[Table], None]) -> None:
    file = st.session_state[numbered]
    if file is not None:
        taken = st.session_state[_TAKEN]
        taken[key] = taken.get(key, 0) + 1
        with refusals(file.name):
            take(read_upload(file.name, file.getvalue()))


def refusals(name: str) -> AbstractContextManager[None]:
    """What is wrong with the data of this name, where they are read, is told in the data panel and nothing changes."""
    now = state.scenario()
    kept = "" if now.needs_data else f" {shown_from(now) or data_name(now.data)} is still shown."
    state.forget()
    return state.refusals("data", f"{name} is not used. ", kept)


def person_said(way: str) -> DataSpec:
    """What one person can change: as it was for uploaded data, else one person replaced by another.

    What was said of a log, where counting makes it true, is not said of a file of scores, nor the other way round.
    """
    data, before = state.scenario().data, st.session_state.get(_WAY, way)
    other = before != way and EVENTS in {before, way}
    return data if data.source == "uploaded" and not other else DataSpec(source="uploaded")


def use(scores: Scores, items_known: bool | None, name: str, way: str | None = None) -> bool:
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
        d=None if items_known is False else scores.d,  # where the data tell what items there are, the link does not
        sensitivity=scores.sensitivity,
        monotonic=scores.monotonic,
        contributions=scores.contributions,
    )
    state.change("data", data=spec, scores=scores)
    if state.notice("data") is not None:  # they were refused
        return False
    if way is not None:
        st.session_state[_WAY] = way
    FROM.put(name)
    if before.needs_data and before.data.d not in {None, scores.d}:
        state.tell("data", f"The link was made with {before.data.d:,} items, {name} has {scores.d:,}.")
    return True


def shown_from(scenario: Scenario) -> str:
    """What uploaded scores were taken from, for the screen alone: links, prints and exports do not have it."""
    return FROM.value if scenario.data.source == "uploaded" else ""


def data_shown(scenario: Scenario) -> Markup:
    """What the data are called, and on the screen what they were taken from."""
    source = shown_from(scenario)
    on_screen = markup(' <span class="dp-screen">({})</span>', bidi(source)) if source else ""
    return bidi(data_name(scenario.data)) + on_screen


def shown_line(scenario: Scenario) -> None:
    """What is shown, and the name that a person gives uploaded data."""
    spec, scores, source = scenario.data, state.scores(scenario), shown_from(scenario)
    name = f"{data_name(spec)} ({source})" if spec.called and source else source or data_name(spec)
    size = f"d = {scores.d:,}, Δ = {scores.sensitivity:.10g}"
    line = '<p class="dp-note" role="status"><strong>Shown: {}</strong><br>{}</p>'
    html(markup(line, bidi(name), size))
    if spec.source == "uploaded":
        st.text_input(
            "Name of these data",
            value=spec.called or "",
            placeholder="not named",
            max_chars=200,
            help="It stands on prints, charts, tables and files, and in the link. Without it they say “Your own "
            "scores”; a file's own name is shown on this screen alone.",
            **bound("called", spec.called or "", _call),
        )


def _call(name: str) -> None:
    state.change("data", data=replace(state.scenario().data, called=name or None))
