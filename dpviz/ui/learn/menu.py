"""The list of lessons to choose from, in teaching order; the first is for who knows nothing yet."""

import html

import streamlit as st

from dpviz.teaching.lesson import IN_SHORT, LESSONS
from dpviz.ui.learn.instructor import teach
from dpviz.ui.learn.place import Place, go
from dpviz.ui.shell import paper, state

__all__ = ["menu"]


def menu() -> None:
    """All lessons."""
    minutes = sum(LESSONS[key].minutes for key in LESSONS)
    st.html(
        '<div class="dp-over">Learn</div>'
        f'<h1 class="dp-title">{IN_SHORT}</h1>'
        f'<p class="dp-lead">{len(LESSONS)} short lessons on choosing privately. Say what you expect, watch it '
        "happen, see why.</p>"
        f'<p class="dp-sub">No knowledge is needed for the first; together they take {minutes} minutes, and every '
        "figure in them is computed while you read.</p>"
    )
    with st.container(key="learn_menu"):
        for number, key in enumerate(LESSONS, 1):
            lesson = LESSONS[key]
            with st.container(key=f"lesson_{key}", border=True):
                st.html(
                    f'<div class="dp-lesson-no">{"Start here" if number == 1 else number}</div>'
                    f'<h2 class="dp-lesson-title">{html.escape(lesson.title)}</h2>'
                    f'<p class="dp-lesson-says">{html.escape(lesson.says)}</p>'
                )
                named = f"{lesson.minutes} minutes *{lesson.title}*"  # the title is for who hears it
                st.button(
                    named, icon=":material/arrow_forward:", icon_position="right",
                    type="tertiary", key=f"open_{key}", on_click=go, args=(Place(key, 0, lesson.seed),),
                )  # fmt: skip
    st.button(
        "For teachers: plans, slides, a handout", icon=":material/school:", type="tertiary", key="learn_instructor",
        on_click=teach,
    )  # fmt: skip
    paper.describe_alone((), None, state.view())
