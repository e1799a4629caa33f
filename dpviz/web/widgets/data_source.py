"""The scores in use: their origin, their name, and the change that one person can make.

Symbols: Δ, how far one person moves a score; c, in how many items one person can count.
Invariants: new scores replace the old ones only when they are complete. A file's own name stays on
its owner's screen. An answer changes specification and scores together; other data take no answer
back, except that counting a log may, with a notice.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from types import NoneType

import streamlit as st

from dpviz.base import Scores, extract_person_metadata
from dpviz.studies import DataSpec, Scenario, data_name
from dpviz.web.server.streamlit_internals import UploadedFile, forget_uploaded_file
from dpviz.web.session import SessionValue, defer_to_next_run, state
from dpviz.web.widgets.controls import bind_control
from dpviz.web.widgets.elements import FROM, isolate_bidi, show_markup, upload_source_name

EVENTS, SCORES = "events", "scores"
"""Ways of an event log, which is counted, and of a file of scores."""

ACCEPTED = (
    "CSV, TSV, Excel, Parquet or JSON, up to 50 MB and 1,000,000 items. A log may have 5,000,000"
    " rows."
)

_WAY: SessionValue[str | None] = SessionValue("way", NoneType)  # way of the last scores
# files that a control took, each with a control of its own
_TAKEN: SessionValue[Counter[str]] = SessionValue("taken", Counter)


def uploader(
    label: str,
    key: str,
    take: Callable[[str, bytes], None],
    *,
    endings: Iterable[str] | None = None,  # None: any file
    help: str | None = None,
    several: bool = False,
) -> None:
    """A file control that hands name and content of each file to `take`, and is then empty."""
    numbered = f"{key}~{_TAKEN.value[key]}"

    def taken() -> None:
        given = st.session_state[numbered]
        files = given if isinstance(given, list) else [given]
        # none, or taken already, as a browser may be slow
        for file in (each for each in files if isinstance(each, UploadedFile)):
            _TAKEN.value[key] += 1
            defer_to_next_run(take, file.name, file.getvalue())
            forget_uploaded_file(file)  # its control does not come back

    st.file_uploader(
        label,
        type=None if endings is None else [ending.removeprefix(".") for ending in endings],
        key=numbered,
        accept_multiple_files=several,
        on_change=taken,
        help=help,
    )


def report_data_refusals(name: str) -> AbstractContextManager[None]:
    """Turn an error in data of this name into a notice in the data panel."""
    now = state.scenario()
    kept = (
        "" if now.needs_data else f" {upload_source_name(now) or data_name(now.data)} stays in use."
    )
    state.clear_notices()
    return state.report_refusals("data", f"{name} is not used. ", kept)


def uploaded_data_spec(upload_kind: str) -> DataSpec:
    """Given answers about one person; else replaced in scores, added or removed in a log."""
    data, before = state.scenario().data, _WAY.value or upload_kind
    counted, other = (
        upload_kind == EVENTS,
        before != upload_kind and EVENTS in {before, upload_kind},
    )
    spec = (
        data
        if data.source == "uploaded" and not other
        else DataSpec(source="uploaded", monotonic=counted)
    )
    unsaid = state.is_in_link("data") and not state.is_in_link("monotonic")
    if state.scenario().needs_data and (unsaid or data == DataSpec(source="uploaded")):
        spec = replace(spec, monotonic=counted)
    return replace(spec, **state.remembered_person_answers())


def use_scores(
    scores: Scores, items_known: bool | None, name: str, upload_kind: str | None = None
) -> bool:
    """Use these scores, taken from `name` (by hand without an `upload_kind`); True if accepted."""
    before = state.scenario()
    same = before.needs_data or (
        before.data.source == "uploaded" and name == upload_source_name(before)
    )
    spec = DataSpec(
        source="uploaded",
        items_known=items_known,
        called=before.data.called if same else None,
        unit=before.data.unit if same or "unit" in state.remembered_person_answers() else None,
        d=scores.d,
        sensitivity=extract_person_metadata(scores)["sensitivity"],
        monotonic=scores.monotonic,
        contributions=scores.contributions,
    )
    state.change_scenario("data", data=spec, scores=spec.with_person_metadata(scores))
    if state.notice_text("data") is not None:  # they were refused
        return False
    if upload_kind is not None:
        _WAY.put(upload_kind)
    FROM.put(name)
    if before.needs_data and before.data.d not in {None, scores.d}:
        state.set_notice(
            "data", f"The link was made with {before.data.d:,} items, but {name} has {scores.d:,}."
        )
    return True


def is_current_upload_kind(upload_kind: str) -> bool:
    """Say if the current scores came this way."""
    return _WAY.value == upload_kind


def show_data_name_box(scenario: Scenario) -> None:
    """Name and size of the data, and a box for the name of uploaded ones."""
    spec, scores, source = scenario.data, state.scores(scenario), upload_source_name(scenario)
    name = f"{data_name(spec)} ({source})" if spec.called and source else source or data_name(spec)
    show_markup(
        '<p class="dp-note" role="status"><strong>Shown: {}</strong><br>d = {:,}, Δ = {:.10g}</p>',
        isolate_bidi(name),
        scores.d,
        scores.sensitivity,
    )
    if spec.source == "uploaded":
        st.text_input(
            "Name of these data",
            value=spec.called or "",
            placeholder="no name",
            max_chars=200,
            help=(
                "The name appears on prints, charts, tables and files, and in the link. Without a"
                " name they say “Your own scores”. The file's own name appears only on this screen."
            ),
            **bind_control("called", spec.called or "", _call),
        )


def _call(name: str) -> None:
    state.change_scenario("data", data=replace(state.scenario().data, called=name or None))
