"""The screens of Decide on the data, on one person's part in them, and on known names."""

import streamlit as st

from dpviz.base import ADDED, REPLACED, Scores, markup
from dpviz.charts import count_text
from dpviz.data.reading.guessing import propose_reading
from dpviz.data.score_sources import proposed_scores
from dpviz.pages.decide import sentences
from dpviz.studies.decision import (
    DECIDED_ON,
    UNITS,
    Question,
)
from dpviz.web.screens.decide.question import PAST, answer_setter, edit_answers
from dpviz.web.session import defer_to_next_run, state
from dpviz.web.widgets import (
    ACCEPTED,
    Cell,
    ask_items_per_person,
    bind_control,
    data_panel,
    escape_markdown,
    isolate_bidi,
    number_box,
    paragraph,
    report_data_refusals,
    show_glossary,
    show_table,
    upload_review,
    uploader,
)

_KNOWN = {"unsaid": None, "known": True, "read": False}
_KNOWN_WORDS = {"unsaid": "Not said", "known": "Yes, it was", "read": "No, it comes from the data"}


def show_data_screen(question: Question, scores: Scores | None) -> None:
    paragraph(
        "Never decide on the private data themselves: an ε picked by looking at them tells about"
        " the people in them. Take data that look like them and that you may look at.",
        "says",
    )
    left, right = st.columns(2, gap="large")
    with left:
        data_panel.show_data_section(state.scenario())
    with right:
        st.radio(
            "These data are",
            list(DECIDED_ON),
            index=None
            if question.decided_on is None
            else list(DECIDED_ON).index(question.decided_on),
            format_func=DECIDED_ON.__getitem__,
            **bind_control("decide.decided_on", question.decided_on, answer_setter("decided_on")),
        )
        if question.data.source == "uploaded":
            relation = (ADDED if question.data.monotonic else REPLACED).replace(
                "person", question.unit
            )
            paragraph(
                markup(
                    "Please check: {}, who counts in {}. Is that correct for this file?",
                    isolate_bidi(relation),
                    sentences.question_contribution_limit(question),
                )
            )
        called = question.data.called or ""
        st.text_input(
            "What are they called, on the sheet?",
            called,
            max_chars=200,
            placeholder="such as: calls of last year",
            **bind_control(
                "decide.called", called, lambda name: edit_answers(said={"called": name})
            ),
        )

    st.subheader("How different may the real data be?", anchor=False)
    _different(question)


def _different(question: Question) -> None:
    left, middle, right = st.columns(3, gap="large")
    left.select_slider(
        "All scores may be as small as these times",
        options=sorted({0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0, question.smaller}),
        value=question.smaller,
        **bind_control("decide.smaller", question.smaller, answer_setter("smaller")),
    )
    middle.select_slider(
        "and as large as these times",
        options=sorted({1.0, 1.01, 1.05, 1.1, 1.2, 1.5, 2.0, question.larger}),
        value=question.larger,
        **bind_control("decide.larger", question.larger, answer_setter("larger")),
    )
    with right:
        uploader(
            "Files of past periods, which is better",
            "decide_past",
            _take_period,
            help="The goal has to be met on each. " + ACCEPTED,
        )
        for name in PAST.value:
            st.button(
                f"Without {escape_markdown(name)}",
                on_click=_drop_period,
                args=(name,),
                key=f"decide_past_{name}",
            )
    paragraph(
        f"Good enough on data that are as different as this:"
        f" {sentences.data_drift_phrase(question)}.",
        "says",
    )
    if question.periods != len(PAST.value):
        paragraph(
            "This link was answered on past periods whose files it does not hold: load them again.",
            "note",
        )


def _take_period(name: str, content: bytes) -> None:
    """Read an earlier period as the data themselves were read."""
    with report_data_refusals(name):
        given = propose_reading(name, content, upload_review.confirmed_choices())
        PAST.value[name] = proposed_scores(given)
        edit_answers(periods=len(PAST.value))
        now = state.scenario()
        if not now.needs_data:
            told = sentences.foreign_period_sentence(state.scores(now), PAST.value[name])
            if told:
                state.set_notice("data", told)


def _drop_period(name: str) -> None:
    PAST.value.pop(name, None)
    edit_answers(periods=len(PAST.value))


def show_people_screen(question: Question, scores: Scores | None) -> None:
    """The protected unit, and the change that one person can make."""
    data = question.data
    left, right = st.columns(2)
    with left:
        units = list(dict.fromkeys([*UNITS, question.unit]))
        st.selectbox(
            "Whose data are hidden?",
            units,
            index=units.index(question.unit),
            accept_new_options=True,
            help="One of the list, or a word of your own.",
            **bind_control(
                "decide.unit", question.unit, lambda unit: edit_answers(said={"unit": unit})
            ),
        )
        st.radio(
            f"What must not show: one {question.unit}",
            options=[True, False],
            format_func=lambda added: "added or removed" if added else "replaced by another",
            index=0 if data.monotonic else 1,
            captions=[
                "All scores then move the same way, as counts do: half the noise is enough.",
                "Scores may move both ways at once.",
            ],
            **bind_control(
                "decide.monotonic",
                data.monotonic,
                lambda added: edit_answers(said={"monotonic": added}),
            ),
        )
    with right:
        change = data.sensitivity or (1.0 if scores is None else scores.sensitivity)
        ask_items_per_person(
            "decide.contributions",
            data.contributions,
            question.k + 1 if scores is None else scores.d,
            # a log is counted again
            lambda most: defer_to_next_run(edit_answers, said={"contributions": most}),
        )
        number_box(
            f"How much can one {question.unit} change a score at most? (Δ)",
            change,
            lambda most: edit_answers(said={"sensitivity": most}),
            "decide.sensitivity",
            called="Δ",
            low=1e-9,
        )
        if question.releases > 1:
            number_box(
                f"In how many of the {question.releases:,} releases can one {question.unit} count?",
                question.releases_per_unit,
                answer_setter("counts_in"),
                "decide.counts_in",
                called="The number of releases",
                low=1,
                high=question.releases,
            )
    relation = (ADDED if data.monotonic else REPLACED).replace("person", question.unit)
    most = (
        "any number of items"
        if data.contributions is None
        else f"at most {count_text(data.contributions, 'item')}"
    )
    paragraph(
        markup(
            "The plan limits by how much the chance of a list changes with {}. One {} counts in {}."
            " Keep to it when you count, and never read it off the data: they are private"
            " themselves.",
            isolate_bidi(relation),
            isolate_bidi(question.unit),
            most,
        ),
        "says",
    )
    show_glossary("unit", "neighbour", "contributions", "sensitivity")


def show_names_screen(question: Question, scores: Scores | None) -> None:
    """Ask if the names were known, and show which mechanisms that leaves."""
    known = next(name for name, said in _KNOWN.items() if said == question.data.items_known)
    st.radio(
        "Was the list of items known before the data were?",
        options=list(_KNOWN),
        format_func=_KNOWN_WORDS.__getitem__,
        index=list(_KNOWN).index(known),
        **bind_control(
            "decide.items_known",
            known,
            lambda name: edit_answers(said={"items_known": _KNOWN[name]}),
        ),
    )
    paragraph(
        "A name that only one person has gives her away by being there at all, whatever ε is. A"
        " list that was fixed beforehand, with zeros in it, gives nobody away. Where there is none,"
        " mechanisms that hide such names are searched: they cost more, and the list may be"
        " shorter.",
        "says",
    )
    if question.uses_default_menu:
        said = question.data.contributions is not None
        few = (
            sentences.question_contribution_limit(question)
            if said
            else "few items, and it is said in how many"
        )
        show_table(
            "Which mechanisms are searched",
            (
                "",
                *(f"One {question.unit} counts in {most}" for most in (few, "any number of items")),
            ),
            [
                (
                    Cell(names, heads=True),
                    *(
                        Cell(case.mechanisms)
                        if not case.now
                        else Cell(
                            markup("<strong>Your case</strong><br>{}", case.mechanisms),
                            "dp-case-now",
                        )
                        for case in of
                    ),
                )
                for names, *of in sentences.searched_cases(question)
            ],
            "dp-cases",
        )
        paragraph(sentences.searched_case_sentence(question), "note")
