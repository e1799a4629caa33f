"""The scores in use: their origin, their name, and the change that one person can make.

Symbols: Δ, how far one person moves a score; c, in how many items one person can count. New scores
replace the old ones only when they are complete; an error is one notice.
Invariants: the data are always shown with name, size and Δ. A file's own name stays on its owner's
screen: links, prints and files use the name that a person gives. One person's change is asked,
never read off the data: whole numbers are offered as counts, and taken for counts only where
somebody agrees. An answer changes specification and scores together; other data take no answer
back, except that counting a log may, with a notice.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.base import ADDED, AS_COUNTS, REPLACED, Markup, Scores, markup
from dpviz.studies import DataSpec, Scenario, data_name
from dpviz.web.server.streamlit_internals import UploadedFile, forget_uploaded_file
from dpviz.web.session import SessionValue, defer_to_next_run, state
from dpviz.web.widgets.controls import bind_control, number_box
from dpviz.web.widgets.text import html, isolate_bidi, paragraph

EVENTS = "events"
"""Way of an event log, which is counted; other ways bring scores."""

ACCEPTED = (
    "CSV, TSV, Excel, Parquet or JSON, up to 50 MB and 1,000,000 items. A log may have 5,000,000"
    " rows."
)

FROM: SessionValue[str] = SessionValue("from", str)  # source of the current scores
_WAY: SessionValue[str | None] = SessionValue("way", lambda: None)  # way of the last scores
# files that a control took, each with a control of its own
_TAKEN: SessionValue[Counter[str]] = SessionValue("taken", Counter)
_WAYS = {False: "No limit", True: "At most"}
_KNOWN = {True: "Yes", False: "No, the items come from the data"}


def uploader(
    label: str,
    key: str,
    take: Callable[[str, bytes], None],
    *,
    endings: Iterable[str] | None = None,
    help: str | None = None,
) -> None:
    """A file control that hands name and content to `take`, and is then empty; None: any ending."""
    numbered = f"{key}~{_TAKEN.value[key]}"

    def taken() -> None:
        file = st.session_state[numbered]
        if not isinstance(file, UploadedFile):  # none, or taken already, as a browser may be slow
            return
        _TAKEN.value[key] += 1
        defer_to_next_run(take, file.name, file.getvalue())
        forget_uploaded_file(file)  # its control does not come back

    st.file_uploader(
        label,
        type=None if endings is None else [ending.removeprefix(".") for ending in endings],
        key=numbered,
        on_change=taken,
        help=help,
    )


def report_data_refusals(name: str) -> AbstractContextManager[None]:
    """Turn an error in data of this name into a notice in the data panel."""
    now = state.scenario()
    kept = (
        ""
        if now.needs_data
        else f" {upload_source_name(now) or data_name(now.data)} is still shown."
    )
    state.clear_notices()
    return state.report_refusals("data", f"{name} is not used. ", kept)


def remembered_data_spec(way: str) -> DataSpec:
    """Given answers about one person; else replaced in scores, added or removed in a log."""
    data, before = state.scenario().data, _WAY.value or way
    counted, other = way == EVENTS, before != way and EVENTS in {before, way}
    spec = (
        data
        if data.source == "uploaded" and not other
        else DataSpec(source="uploaded", monotonic=counted)
    )
    if (
        state.scenario().needs_data
        and state.is_in_link("data")
        and not state.is_in_link("monotonic")
    ):
        spec = replace(spec, monotonic=counted)
    return replace(spec, **state.remembered_answers())


def use_scores(scores: Scores, items_known: bool | None, name: str, way: str | None = None) -> bool:
    """Use these scores, taken from `name` (by hand without a `way`); True if accepted."""
    before = state.scenario()
    same = before.needs_data or (
        before.data.source == "uploaded" and name == upload_source_name(before)
    )
    spec = DataSpec(
        source="uploaded",
        items_known=items_known,
        called=before.data.called if same else None,
        unit=before.data.unit if same or "unit" in state.remembered_answers() else None,
        d=scores.d,
        sensitivity=scores.sensitivity,
        monotonic=scores.monotonic,
        contributions=scores.contributions,
    )
    state.change_scenario("data", data=spec, scores=replace(scores, **spec.scores_arguments))
    if state.notice_text("data") is not None:  # they were refused
        return False
    if way is not None:
        _WAY.put(way)
    FROM.put(name)
    if before.needs_data and before.data.d not in {None, scores.d}:
        state.set_notice(
            "data", f"The link was made with {before.data.d:,} items, but {name} has {scores.d:,}."
        )
    return True


def is_data_origin(way: str) -> bool:
    """Say if the current scores came this way."""
    return _WAY.value == way


def upload_source_name(scenario: Scenario) -> str:
    """Origin of uploaded scores; only for the screen, never for links or files."""
    return FROM.value if scenario.data.source == "uploaded" else ""


def data_name_html(scenario: Scenario) -> Markup:
    """Name of the data, with their source on the screen only."""
    source = upload_source_name(scenario)
    on_screen = (
        markup(' <span class="dp-screen">({})</span>', isolate_bidi(source)) if source else ""
    )
    return isolate_bidi(data_name(scenario.data)) + on_screen


def show_data_name_box(scenario: Scenario) -> None:
    """Name and size of the data, and a box for the name of uploaded ones."""
    spec, scores, source = scenario.data, state.scores(scenario), upload_source_name(scenario)
    name = f"{data_name(spec)} ({source})" if spec.called and source else source or data_name(spec)
    html(
        markup(
            '<p class="dp-note" role="status"><strong>Shown: {}</strong><br>d = {:,}, Δ ='
            " {:.10g}</p>",
            isolate_bidi(name),
            scores.d,
            scores.sensitivity,
        )
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


def show_person_questions(scenario: Scenario, scores: Scores, *, counting: bool) -> None:
    """Questions about one person's change; while an event log is open (`counting`) fewer."""
    paragraph(markup("<strong>{:,} items.</strong> {}", scores.d, scores.change), "note")
    if scenario.data.source == "uploaded" and not scores.monotonic and scores.may_be_counts:
        paragraph(AS_COUNTS, "note")
        st.button(
            f"They are counts: {ADDED}",
            on_click=_say,
            kwargs={"monotonic": True},
            width="stretch",
            key="as_counts",
        )
    with st.popover("What one person can change", width="stretch", icon=":material/person:"):
        if not counting:  # a log has a list of them, or none
            st.radio(
                "Is there a list of all possible items that does not come from these data, such as a"
                " catalogue?",
                options=list(_KNOWN),
                format_func=_KNOWN.get,
                index=0 if scores.names_known else 1,
                horizontal=True,
                help=(
                    "Such a list was fixed before the data, and has a zero for items that nobody"
                    " has. Without it, publishing an item that only one person has exposes that"
                    " person. Few mechanisms prevent that."
                ),
                **bind_control(
                    "names_known", scores.names_known, lambda known: _say(items_known=known)
                ),
            )
        st.radio(
            "Two data sets are neighbours if they differ by",
            options=[True, False],
            format_func=lambda monotonic: ADDED if monotonic else REPLACED,
            index=0 if scores.monotonic else 1,
            **bind_control(
                "monotonic", scores.monotonic, lambda monotonic: _say(monotonic=monotonic)
            ),
            captions=[
                "People may join or leave: usual for counts, needs less noise.",
                "One person is swapped for another: needs more noise.",
            ],
        )
        number_box(
            "Sensitivity Δ: the most one person can change a score",
            scores.sensitivity,
            lambda sensitivity: _say(sensitivity=sensitivity),
            "sensitivity",
            called="Δ",
            low=0.0,
            above=True,
        )
        st.caption("You must make sure that nobody can change a score by more.")
        if not counting:
            ask_items_per_person(
                "contributions",
                scores.contributions,
                scores.d,
                lambda most: _say(contributions=most),
            )
            st.caption(
                "With few items per person some mechanisms need less noise. Apply this limit when"
                " counting. Set it from your rules, not from the data."
            )


def ask_items_per_person(
    key: str, most: int | None, d: int, edit: Callable[[int | None], object]
) -> None:
    """Ask in how many items one person can count: any number (None), or a limit, at first `d`."""
    st.radio(
        "Limit items per person?",
        options=list(_WAYS),
        format_func=_WAYS.get,
        index=int(most is not None),
        horizontal=True,
        **bind_control(f"{key}_said", most is not None, lambda said: edit(d if said else None)),
    )
    if most is not None:
        number_box(
            "Items per person, at most", most, edit, key, called="The number of items", low=1
        )


def _say(**said: Any) -> None:
    scenario = state.scenario()
    with state.report_refusals("data"):
        spec = replace(scenario.data, **said)
        state.change_scenario(
            "data",
            data=spec,
            scores=None
            if scenario.scores is None
            else replace(scenario.scores, **spec.scores_arguments),
        )
        state.remember_answers(**said)
