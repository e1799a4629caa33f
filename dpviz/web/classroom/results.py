"""What stays of a class that has ended: what it believed, before and after it talked, for the
teacher.

Invariant: nothing tells one student from another.
"""

import streamlit as st

from dpviz.charts import count
from dpviz.teaching.classes import ClassState, Given
from dpviz.teaching.classes.class_results import as_csv
from dpviz.web.classroom import access, vote_bars
from dpviz.web.widgets import download, head, html, paragraph

_STAYS = "This stays for a day after the end; then nothing of the class is left."


def show_all(state: ClassState, token: str) -> None:
    """For the teacher: every question that was answered, and the same as a file."""
    given = access.classes().results(state)
    head(
        f"Class {state.code} · {count(state.students, 'person', 'people')}",
        "What the class believed",
    )
    paragraph(f"The class has ended. {_STAYS} The file counts answers and has nobody in it.", "sub")
    with st.container(horizontal=True, gap="small"):
        download(
            "Answers as a table", lambda: as_csv(given), f"class-{state.code}.csv", "class_csv",
            icon=":material/table:", type="primary",
        )  # fmt: skip
        st.button(
            "Delete it now", icon=":material/delete:", type="tertiary", key="class_delete",
            on_click=lambda: access.classes().delete(token),
        )  # fmt: skip
    st.page_link("pages/learn.py", label="All lessons", icon=":material/school:")
    _questions(given)


def _questions(given: tuple[Given, ...]) -> None:
    if not given:
        paragraph("No question was answered.")
    for one in given:
        question = one.stop.question
        if question is not None:
            st.markdown(f"**{question.text}** ({one.stop.taught.title})")
            html(vote_bars.answers(question.choices, one.first, question.answer(), after=one.after))
            with st.expander("Why", key=f"class_why_{one.place}"):
                st.markdown(question.because())
