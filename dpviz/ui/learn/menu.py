"""The list of lessons to choose from, in teaching order; the first is for who knows nothing yet."""

import streamlit as st

from dpviz.base.markup import markup
from dpviz.teaching.lesson import IN_SHORT, LESSONS
from dpviz.ui.learn.instructor import teach
from dpviz.ui.learn.place import Place, go
from dpviz.ui.shell import head, paper, state


def menu() -> None:
    """All lessons."""
    minutes = sum(LESSONS[key].minutes for key in LESSONS)
    head(
        "Learn",
        IN_SHORT,
        f"{len(LESSONS)} short lessons on choosing privately. Say what you expect, watch it happen, see why.",
        f"No knowledge is needed for the first; together they take {minutes} minutes, and every figure in them is "
        "computed while you read.",
    )
    with st.container(key="learn_menu"):
        for number, key in enumerate(LESSONS, 1):
            lesson = LESSONS[key]
            with st.container(key=f"lesson_{key}", border=True):
                st.html(
                    markup(
                        '<div class="dp-lesson-no">{}</div><h2 class="dp-lesson-title">{}</h2>'
                        '<p class="dp-lesson-says">{}</p>',
                        "Start here" if number == 1 else number,
                        lesson.title,
                        lesson.says,
                    )
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
