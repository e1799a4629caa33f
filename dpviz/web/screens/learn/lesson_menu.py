"""The list of lessons, along one path at a time, below the ways into a class."""

from collections.abc import Callable

import streamlit as st

from dpviz.base import markup
from dpviz.teaching.lesson import IN_SHORT
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import PATHS
from dpviz.web.screens.learn.instructor import open_instructor_view
from dpviz.web.screens.learn.paper_items import open_paper_items
from dpviz.web.screens.learn.position import LessonPlace, go_to_place
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import (
    html,
    paragraph,
    print_header,
    show_page_head,
)

_CHOSEN_PATH: SessionValue[str] = SessionValue("learn.path", lambda: next(iter(PATHS)))


def show_lesson_menu(show_join_link: Callable[[], None]) -> None:
    """Ways into a class, and the lessons of the chosen path: at first those for anyone."""
    show_page_head("Learn", IN_SHORT, "Say what you expect, watch it happen, see why.")
    with st.container(key="learn_ways", horizontal=True, vertical_alignment="center"):
        show_join_link()
        st.button(
            "For teachers: plans, slides, a handout",
            icon=":material/school:",
            key="learn_instructor",
            on_click=open_instructor_view,
        )
    chosen = st.segmented_control(
        "Lessons",
        options=list(PATHS),
        format_func=lambda key: PATHS[key].title,
        default=_CHOSEN_PATH.value,
        required=True,
        key="learn_path",
        on_change=lambda: _CHOSEN_PATH.put(str(st.session_state["learn_path"])),
    )
    path = PATHS[str(chosen)]
    paragraph(f"{path.minutes} minutes. {path.says}")
    with st.container(key="learn_menu"):
        for lesson in path.lesson_contents:
            _show_card(lesson.key, list(LESSONS).index(lesson.key) + 1)
    paragraph(f"All {len(LESSONS)} lessons compute every figure while you read.")
    st.button(
        "For researchers: the papers, item by item",
        icon=":material/article:",
        key="learn_papers",
        on_click=open_paper_items,
    )
    print_header.describe_without_scenario((), None, state.presenter_query())


def _show_card(key: str, number: int) -> None:
    lesson = LESSONS[key]
    with st.container(key=f"lesson_{key}", border=True):
        if number == 1:
            html(
                markup(
                    '<div class="dp-lesson-door" role="img" aria-label="A list on a door"></div>'
                )
            )
        html(
            markup(
                '<div class="dp-lesson-no">{}</div><h2 class="dp-lesson-title">{}</h2>'
                '<p class="dp-lesson-says">{}</p>',
                "Start here" if number == 1 else number,
                lesson.title,
                lesson.says,
            )
        )
        st.button(
            f"{lesson.minutes} minutes *{lesson.title}*",  # the title is for who hears it
            icon=":material/arrow_forward:",
            icon_position="right",
            type="tertiary",
            key=f"open_{key}",
            on_click=go_to_place,
            args=(LessonPlace(key, 0, lesson.seed),),
        )
