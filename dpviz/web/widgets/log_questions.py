"""Questions about an event log: a catalogue of all possible items, and a limit per person.

A catalogue replaces the items that occur in the log; one that nobody has counts 0.
"""

from dataclasses import replace

import streamlit as st

from dpviz.data.reading import IngestError, quote_value
from dpviz.data.score_sources import read_catalogue
from dpviz.studies import Scenario
from dpviz.web.session import defer_to_next_run, state
from dpviz.web.widgets.data_source import ask_items_per_person, uploader
from dpviz.web.widgets.text import paragraph
from dpviz.web.widgets.upload_review import CATALOGUE_FOR, current_event_log, use_event_log

_TYPED = 1_000_000  # characters, as in the box of pasted scores


def show_log_questions(scenario: Scenario) -> None:
    """Catalogue, limit of items per person, and notes on how the log was counted."""
    if (log := current_event_log()) is None:
        return
    known = "" if log.items is None else f": {len(log.items):,} items"
    with st.popover("Catalogue" + known, width="stretch"):
        show_catalogue_control()
    ask_items_per_person(
        "most",
        log.most,
        state.scores(scenario).d,
        lambda most: defer_to_next_run(_limit_items, most),
    )
    show_counting_notes()


def _limit_items(most: int | None) -> None:
    if (log := current_event_log()) is not None:
        with state.report_refusals("data"):
            if use_event_log(replace(log, most=most), log.count_with_limit(most)):
                state.remember_answers(contributions=most)


def show_counting_notes() -> None:
    log = current_event_log()
    for note in () if log is None else log.notes:
        paragraph(note, "note")


def show_catalogue_control() -> None:
    """A file control and a box for a catalogue."""
    uploader("Upload the catalogue: one item a line, or a table", "catalogue", _use_catalogue)
    with st.form("items", border=False):
        st.text_area("Or paste it: one item a line", key="items_pasted", max_chars=_TYPED)
        st.form_submit_button("Use this list", on_click=_use_pasted_catalogue)
        st.caption(
            "Other items of the log are ignored. Leave it empty to use all items of the log."
        )


def _use_pasted_catalogue() -> None:
    defer_to_next_run(_use_catalogue, "The list", st.session_state["items_pasted"])


def _use_catalogue(name: str, content: str | bytes) -> None:
    with state.report_refusals("data", f"{name} is not used. "):
        _count_items(name, read_catalogue(name, content))


def _count_items(name: str, items: tuple[str, ...] | None) -> None:
    """Count the log on these items; None for all that occur in it."""
    if (log := current_event_log()) is None:
        return
    log = replace(log, items=items)
    counted = log.count_with_limit(log.most)
    if not counted.scores.values.any():
        raise IngestError(
            f"No item of it occurs in {quote_value(log.of.name)}. Is it the right file?"
        )
    use_event_log(log, counted)


def is_catalogue_missing() -> bool:
    """True where somebody said that there is a catalogue, and the log waits for it."""
    log = current_event_log()
    return log is not None and log.items is None and CATALOGUE_FOR.value == log.of.name


def answer_catalogue(known: bool) -> None:
    """Wait for the catalogue of the log, or count all items that occur in it again."""
    if (log := current_event_log()) is not None:
        CATALOGUE_FOR.put(log.of.name if known else "")
        if log.items is not None and not known:
            defer_to_next_run(_count_items, "", None)
