"""The screen of the data: their origin, their name, and how different the real ones may be."""

import streamlit as st

from dpviz.base import ADDED, REPLACED, Scores, markup
from dpviz.data.reading import GUESS, Table, scores_from
from dpviz.pages.decide import sentences
from dpviz.studies.decision import DECIDED_ON, Question
from dpviz.web.screens.decide.question import PAST, answer_setter, edit_answers
from dpviz.web.session import state
from dpviz.web.widgets import (
    ACCEPTED,
    bind_control,
    data_panel,
    escape_markdown,
    isolate_bidi,
    paragraph,
    table_uploader,
)


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
    with left:
        st.select_slider(
            "All scores may be as small as these times",
            options=sorted({0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0, question.smaller}),
            value=question.smaller,
            **bind_control("decide.smaller", question.smaller, answer_setter("smaller")),
        )
    with middle:
        st.select_slider(
            "and as large as these times",
            options=sorted({1.0, 1.01, 1.05, 1.1, 1.2, 1.5, 2.0, question.larger}),
            value=question.larger,
            **bind_control("decide.larger", question.larger, answer_setter("larger")),
        )
    with right:
        table_uploader(
            "Files of past periods, which is better",
            "decide_past",
            "The goal has to be met on each. " + ACCEPTED,
            _take_period,
        )
        for name in PAST.value:
            st.button(
                f"Without {escape_markdown(name)}",
                on_click=_drop_period,
                args=(name,),
                key=f"decide_past_{name}",
            )
    paragraph(
        f"Good enough on data that are as different as this: {sentences.data_drift_phrase(question)}.",
        "says",
    )
    if question.periods != len(PAST.value):
        paragraph(
            "This link was answered on past periods whose files it does not hold: load them again.",
            "note",
        )


def _take_period(table: Table) -> None:
    PAST.value[table.source] = scores_from(
        table,
        table.score_column or (table.columns[0] if len(table.columns) == 1 else GUESS),
        table.label_column,
    )
    edit_answers(periods=len(PAST.value))


def _drop_period(name: str) -> None:
    PAST.value.pop(name, None)
    edit_answers(periods=len(PAST.value))
