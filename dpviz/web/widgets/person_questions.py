"""Questions about what one person can change, and about a list of all possible items.

One person's change is asked, never read off the data: whole numbers are offered as counts, and
taken for counts only where somebody agrees.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dpviz.base import Scores, markup
from dpviz.data.counting import NoListedItems
from dpviz.data.reading import IngestError, quote_value
from dpviz.data.reading.guessing.item_lists import read_catalogue
from dpviz.pages.common import right_on_average_sentence
from dpviz.studies import LawStudy, Scenario
from dpviz.web.jobs import PATIENCE
from dpviz.web.session import defer_to_next_run, state
from dpviz.web.widgets.confirmed_upload import (
    CATALOGUE_FOR,
    current_event_log,
    scores_with_person_answers,
    use_event_log,
)
from dpviz.web.widgets.controls import button, edit_for_keyword, number_box, radio
from dpviz.web.widgets.data_source import SCORES, is_current_upload_kind, uploader
from dpviz.web.widgets.elements import show_paragraph
from dpviz.web.widgets.live_parts import (
    compute_all_in_background,
    live_part,
    show_job_progress,
)

_WAYS = {False: "No limit", True: "At most"}
_KNOWN = {True: "Yes", False: "No, they come from the data"}
_COUNTS = {
    True: ("Yes", "One person is added or removed. This needs less noise."),
    False: ("No", "One person is replaced, or a score may move either way. This needs more noise."),
}
_TYPED = 1_000_000  # characters, as in the box of pasted scores
RELATIONS = {True: "One {} may join or leave", False: "One {} is swapped for another"}
"""Relations of neighbouring data sets, in words, by whether scores move in one direction."""


def show_person_questions(scenario: Scenario, scores: Scores) -> None:
    """Questions about one person's change, and notes on how a log was counted."""
    log = current_event_log()
    show_paragraph(markup("<strong>{:,} items.</strong> {}", scores.d, scores.change), "note")
    with st.popover("What one person can change", width="stretch", icon=":material/person:"):
        if log is None:
            radio(
                "Do the items come from a list of their own, such as a catalogue?",
                _KNOWN,
                scores.names_known,
                edit_for_keyword(_say, "items_known"),
                "names_known",
                horizontal=True,
                help=(
                    "Such a list does not depend on the data, and has a 0 where nobody has an item."
                    " Without one, an item that only one person has can expose that person. Few"
                    " mechanisms prevent that."
                ),
            )
        else:
            show_catalogue_control()
        ask_neighbour_relation(
            "monotonic", "person", scores.monotonic, edit_for_keyword(_say, "monotonic")
        )
        if log is None:  # in which one person changes a count by 1
            _ask_sensitivity(scenario, scores)
        ask_items_per_person(
            "contributions",
            scores.contributions,
            scores.d,
            edit_for_keyword(defer_to_next_run, "contributions", work=_say),
        )
        st.caption(
            "With a low limit, some mechanisms need less noise. Apply it when counting. Set it from"
            " your rules, not from the data."
        )
    show_counting_notes()


def _ask_sensitivity(scenario: Scenario, scores: Scores) -> None:
    """Ask by how much a person changes a score, unless the file says it for each item."""
    if isinstance(scores.sensitivities, np.ndarray):
        st.caption("The column “sensitivity” says how much one person can change each score.")
        return
    number_box(
        "Sensitivity Δ: the most one person can change a score",
        scenario.data.sensitivity or scores.sensitivity,
        edit_for_keyword(_say, "sensitivity"),
        "sensitivity",
        parameter_name="Δ",
        low=0.0,
        above=True,
    )
    number_box(
        "Adding one person may also lower a score by",
        scenario.data.fall or 0.0,
        lambda fall: _say(fall=fall or None),
        "fall",
        low=0.0,
        help="Leave it at 0 if adding a person only raises scores, as it does counts.",
    )
    st.caption("Please make sure that nobody can change a score by more than this.")


def is_people_count_unanswered() -> bool:
    """True for whole numbers of one's own until somebody says if they are counts of people."""
    now = state.scenario()
    return (
        now.scores is not None
        and now.scores.may_be_counts
        and is_current_upload_kind(SCORES)
        and "monotonic" not in state.remembered_person_answers()
    )


def ask_if_people_counts() -> None:
    """Ask it above the page, with what each answer means for this list."""
    now = state.scenario()
    if now.scores is None or not is_people_count_unanswered():
        return
    scores, mechanism = now.scores, now.mechanisms[0]
    laws, _ = compute_all_in_background(
        [
            LawStudy(
                mechanism=mechanism,
                scores=replace(now.data, monotonic=counts).with_person_metadata(scores),
            )
            for counts in _COUNTS
        ],
        "counts",
        patience_seconds=PATIENCE,
    )
    with (
        st.container(border=True, key="counts", gap="small"),
        show_job_progress("counts", key="counts"),
    ):
        show_paragraph(markup("<strong>Are these counts of people?</strong>"))
        for column, (counts, (answer, meaning)), law in zip(
            st.columns(2), _COUNTS.items(), laws, strict=True
        ):
            with column, st.container(gap="small"):
                button(answer, f"counts_{answer}", _say, kwargs={"monotonic": counts})
                show_paragraph(meaning)
                with live_part("Being computed…", show_wait=show_paragraph):
                    show_paragraph(right_on_average_sentence(law))
        show_paragraph(f"Until you answer, “{_COUNTS[scores.monotonic][0]}” is used.", "note")


def ask_neighbour_relation(
    key: str, unit: str, monotonic: bool | None, edit: Callable[[bool], object]
) -> None:
    """Ask for the relation of neighbouring data sets."""
    radio(
        "How may the people in the data change?",
        {added: says.format(unit) for added, says in RELATIONS.items()},
        None if is_people_count_unanswered() else bool(monotonic),
        edit,
        key,
        captions=["Usual for counts. Needs less noise.", "Needs more noise."],
    )


def ask_items_per_person(
    key: str,
    item_limit: int | None,
    d: int,
    edit: Callable[[int | None], object],
    unit: str = "person",
) -> None:
    """Ask for a limit of items per person: None, or a number, at first `d`."""
    radio(
        f"Limit items per {unit}?",
        _WAYS,
        item_limit is not None,
        lambda said: edit(d if said else None),
        f"{key}_said",
        horizontal=True,
    )
    if item_limit is not None:
        number_box(
            f"At most, items per {unit}",
            item_limit,
            edit,
            key,
            parameter_name="The number of items",
            low=1,
        )


def _say(**said: Any) -> None:
    with state.report_refusals("data"):
        spec = replace(state.scenario().data, **said)
        state.change_scenario("data", data=spec, scores=scores_with_person_answers(spec, said))
        state.remember_person_answers(**said)


def show_counting_notes() -> None:
    log = current_event_log()
    for note in () if log is None else log.notes:
        show_paragraph(note, "note")


def show_catalogue_control() -> None:
    """A file control and a box for the catalogue of a log."""
    uploader("Upload the catalogue: one item a line, or a table", "catalogue", use_catalogue)
    with st.form("items", border=False):
        st.text_area("Or paste it: one item a line", key="items_pasted", max_chars=_TYPED)
        st.form_submit_button("Use this list", on_click=_use_pasted_catalogue)
        st.caption(
            "Other items of the log are ignored. Leave it empty to use all items of the log."
        )


def _use_pasted_catalogue() -> None:
    defer_to_next_run(use_catalogue, "The list", st.session_state["items_pasted"])


def use_catalogue(name: str, content: str | bytes) -> None:
    """Count the log on the items of a catalogue; with no content on all that occur in it."""
    if (log := current_event_log()) is None:
        return
    with state.report_refusals("data", f"{name} is not used. "):
        listed = replace(log, items=read_catalogue(name, content))
        try:
            counted = listed.count_with_limit(log.most)
        except NoListedItems as err:
            told = f"No item of it occurs in {quote_value(log.of.name)}. Is it the right file?"
            raise IngestError(told) from err
        use_event_log(listed, counted)
        if 2 * counted.kept.other_rows > counted.rows:
            state.set_notice(
                "data",
                "Most rows of the log are about items that the catalogue lacks. Is it the right"
                " file? If its letters are wrong, save it as UTF-8.",
            )


def is_catalogue_missing() -> bool:
    """True where somebody said that there is a catalogue, and the log waits for it."""
    log = current_event_log()
    return log is not None and log.items is None and CATALOGUE_FOR.value == log.of.name
