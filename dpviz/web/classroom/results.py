"""Results of a class that has ended, for the teacher; nothing tells one student from another."""

import streamlit as st

from dpviz.charts import count_text
from dpviz.teaching.classes import ClassState
from dpviz.teaching.classes.class_results import answers_csv
from dpviz.web.classroom import access, vote_bars
from dpviz.web.widgets import html, paragraph, show_download_button, show_page_head

_STAYS = "This stays for a day after the end; then nothing of the class is left."


def show_class_results(state: ClassState, token: str) -> None:
    """Every answered question, and the same as a file."""
    given = access.class_store().answers_by_stop(state)
    show_page_head(
        f"Class {state.code} · {count_text(state.students, 'person', 'people')}",
        "What the class believed",
    )
    paragraph(f"The class has ended. {_STAYS} The file counts answers and has nobody in it.", "sub")
    with st.container(horizontal=True, gap="small"):
        show_download_button(
            "Answers as a table",
            lambda: answers_csv(given),
            f"class-{state.code}.csv",
            "class_csv",
            icon=":material/table:",
            type="primary",
        )
        st.button(
            "Delete it now",
            icon=":material/delete:",
            type="tertiary",
            key="class_delete",
            on_click=lambda: access.class_store().delete_class(token),
        )
    st.page_link("pages/learn.py", label="All lessons", icon=":material/school:")
    if not given:
        paragraph("No question was answered.")
    for one in given:
        if (question := one.stop.question) is not None:
            st.markdown(f"**{question.text}** ({one.stop.lesson_content.title})")
            html(
                vote_bars.answer_bars_html(
                    question.choices, one.first, question.answer(), after=one.after
                )
            )
            with st.expander("Why", key=f"class_why_{one.place}"):
                st.markdown(question.because())
