"""The screens of Decide on the data, on one person's part in them, and on a catalogue."""

import streamlit as st

from dpviz.base import Scores
from dpviz.charts import stated_percent_text
from dpviz.data.reading.guessing import propose_reading
from dpviz.data.score_sources import proposed_scores
from dpviz.pages.decide.sentences import basis
from dpviz.studies.decision import DECIDED_ON, UNITS, Question
from dpviz.web import widgets as ui
from dpviz.web.screens.decide.question import (
    PAST,
    change_data_facts,
    edit_answers,
    scores_of_past_periods,
    set_past_period,
)
from dpviz.web.session import defer_to_next_run, state
from dpviz.web.widgets import confirmed_upload, data_panel, person_questions


def show_data_screen(question: Question, scores: Scores | None) -> None:
    ui.show_paragraph(
        "Choosing on protected data reveals something about the people in them. Use past data, or"
        " other data like them.",
        "says",
    )
    person_questions.ask_if_people_counts()
    left, right = st.columns(2, gap="large")
    with left:
        data_panel.show_data_section(state.scenario(), for_decide_page=True)
    with right:
        ui.radio(
            "These data are",
            DECIDED_ON,
            question.decided_on,
            ui.edit_for_keyword(edit_answers, "decided_on"),
            "decide.decided_on",
        )
        if question.data.source == "uploaded" and not (
            confirmed_upload.current_event_log() or person_questions.is_people_count_unanswered()
        ):
            relation = ui.RELATIONS[bool(question.data.monotonic)].format(question.unit)
            ui.show_paragraph(
                f"Please check question 2: “{relation}”. Is that correct for this file?"
            )

    st.subheader("How different may the real data be?", anchor=False)
    _different(question, scores)


def _different(question: Question, scores: Scores | None) -> None:
    left, middle, right = st.columns(3, gap="large")
    counts = "Counts" if question.data.monotonic else "Scores"
    left.select_slider(
        f"{counts} may fall to",
        options=sorted({0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0, question.smaller}),
        value=question.smaller,
        format_func=stated_percent_text,
        **ui.bind_control(
            "decide.smaller", question.smaller, ui.edit_for_keyword(edit_answers, "smaller")
        ),
    )
    middle.select_slider(
        f"{counts} may rise to",
        options=sorted({1.0, 1.01, 1.05, 1.1, 1.2, 1.5, 2.0, question.larger}),
        value=question.larger,
        format_func=stated_percent_text,
        **ui.bind_control(
            "decide.larger", question.larger, ui.edit_for_keyword(edit_answers, "larger")
        ),
    )
    with right:
        if not (state.is_data_chosen() or question.periods or PAST.value):
            return  # of an example there are none
        ui.uploader(
            "Better: upload earlier periods, several at once",
            "decide_past",
            _take_period,
            help="The goal has to be met on each. " + ui.ACCEPTED,
            several=True,
        )
        ui.show_notice("decide.past")
        for name, period in scores_of_past_periods().items():
            if scores is not None:
                ui.show_paragraph(
                    basis.period_item_difference_sentence(scores, period, name), "note"
                )
            ui.button(
                f"Remove {ui.escape_markdown(name)}",
                f"decide_past_{name}",
                set_past_period,
                name,
                None,
            )
    if question.periods != len(PAST.value):
        ui.show_paragraph(
            "This link was made with past periods. Please upload their files again.", "note"
        )


def _take_period(name: str, content: bytes) -> None:
    """Read an earlier period as the data themselves were read."""
    with state.report_refusals("decide.past", f"{name} is not used. "):
        given = propose_reading(name, content, confirmed_upload.last_confirmed_reading_choices())
        proposed_scores(given)  # refused here, if it cannot be counted
        set_past_period(name, given)


def show_people_screen(question: Question, scores: Scores | None) -> None:
    """The protected unit, and the change that one person can make."""
    data, unit = question.data, question.unit
    left, right = st.columns(2)
    with left:
        units = list(dict.fromkeys([*UNITS, unit]))
        st.selectbox(
            "Protect each",
            units,
            index=units.index(unit),
            accept_new_options=True,
            help="One of the list, or a word of your own, such as: reader.",
            **ui.bind_control("decide.unit", unit, ui.edit_for_keyword(change_data_facts, "unit")),
        )
        ui.ask_neighbour_relation(
            "decide.monotonic",
            unit,
            data.monotonic,
            ui.edit_for_keyword(change_data_facts, "monotonic"),
        )
    with right:
        ui.ask_items_per_person(
            "decide.contributions",
            data.contributions,
            question.k + 1 if scores is None else scores.d,
            # a log is counted again
            ui.edit_for_keyword(defer_to_next_run, "contributions", work=change_data_facts),
            unit,
        )
        by_hand = data.contributions and confirmed_upload.current_event_log() is None
        ui.show_paragraph(
            f"A low limit needs less noise. {'Apply it when counting. ' if by_hand else ''}Set it"
            " from your rules, not from the data.",
            "note",
        )
        if question.releases > 1:
            ui.number_box(
                f"In how many of the {question.releases:,} lists can one {unit} be counted?",
                question.releases_per_unit,
                ui.edit_for_keyword(edit_answers, "counts_in"),
                "decide.counts_in",
                parameter_name="The number of lists",
                low=1,
                high=question.releases,
            )
    if confirmed_upload.current_event_log() is None:  # in which one changes a count by 1
        with st.expander("Details"):
            ui.number_box(
                f"How much can one {unit} change a score at most? (Δ)",
                data.sensitivity or (1.0 if scores is None else scores.sensitivity),
                ui.edit_for_keyword(change_data_facts, "sensitivity"),
                "decide.sensitivity",
                parameter_name="Δ",
                low=1e-9,
            )
    ui.show_glossary("unit", "neighbour", "contributions", "sensitivity")


def show_names_screen(question: Question, scores: Scores | None) -> None:
    """Ask for a catalogue, and say what holds with and without one."""
    missing = person_questions.is_catalogue_missing()
    known = True if missing else question.data.items_known
    counted = confirmed_upload.current_event_log() is not None
    file = question.data.source == "uploaded" and not counted
    yes = "Yes, my file has all of its items, also those with a 0" if file else "Yes"
    ui.radio(
        "One that does not come from these data, such as a catalogue",
        {True: yes, False: "No, the items come from the data"},
        known,
        _answer_catalogue,
        "decide.items_known",
    )
    ui.show_notice("data")
    if counted and known:
        person_questions.show_catalogue_control()
    if missing:
        ui.show_paragraph("Until you upload it, the items count as taken from the log.", "says")
    elif known and counted and scores is not None:
        ui.show_paragraph(f"The list of {scores.d:,} items is in use.", "says")
        person_questions.show_counting_notes()
    elif known and file:
        ui.show_paragraph("This is your own claim. The file cannot show it.", "says")
    elif known is None:
        ui.show_paragraph(
            "Until you answer, such a list is assumed, and the sheet says so.", "says"
        )
    elif not known:
        ui.show_paragraph(
            f"If only one {question.unit} has an item, printing it exposes that {question.unit}."
            " So special mechanisms are used. They need more noise, and a list may be shorter.",
            "says",
        )


def _answer_catalogue(known: bool) -> None:
    """Take the answer, but "yes" for a log only once its catalogue is there."""
    if (log := confirmed_upload.current_event_log()) is None:
        edit_answers(data_facts={"items_known": known})
        return
    confirmed_upload.CATALOGUE_FOR.put(log.of.name if known else "")
    if log.items is not None and not known:
        defer_to_next_run(person_questions.use_catalogue, "The list", "")
