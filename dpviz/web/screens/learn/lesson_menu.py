"""The list of lessons, along one of three paths."""

import streamlit as st

from dpviz.base import markup
from dpviz.teaching.lesson import IN_SHORT, LESSONS
from dpviz.teaching.lesson_paths import PATHS, LessonPath
from dpviz.web.screens.learn.instructor import open_instructor_view
from dpviz.web.screens.learn.position import (
    LessonPlace,
    go_to_place,
)
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets import (
    html,
    paragraph,
    print_header,
    show_page_head,
)

CHOSEN_PATH: SessionValue[str] = SessionValue("learn.path", lambda: "all")


def show_lesson_menu() -> None:
    """Lessons of the chosen path, at first all of them."""
    show_page_head("Learn", IN_SHORT, "Say what you expect, watch it happen, see why.")
    path = _path()
    with st.container(key="learn_menu"):
        for number, key in enumerate(path.lessons, 1):
            lesson = LESSONS[key]
            with st.container(key=f"lesson_{key}", border=True):
                if number == 1:
                    html(
                        markup(
                            '<div class="dp-lesson-door" role="img" aria-label="A list on a'
                            ' door"></div>'
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
                named = (
                    f"{lesson.minutes} minutes *{lesson.title}*"  # the title is for who hears it
                )
                st.button(
                    named,
                    icon=":material/arrow_forward:",
                    icon_position="right",
                    type="tertiary",
                    key=f"open_{key}",
                    on_click=go_to_place,
                    args=(LessonPlace(key, 0, lesson.seed),),
                )
    st.button(
        "For teachers: plans, slides, a handout",
        icon=":material/school:",
        type="tertiary",
        key="learn_instructor",
        on_click=open_instructor_view,
    )
    paragraph(
        f"{len(LESSONS)} short lessons on private selection take"
        f" {sum(LESSONS[key].minutes for key in LESSONS)} minutes in all. Every figure is computed"
        " while you read."
    )
    print_header.describe_without_scenario((), None, state.presenter_query())


def _path() -> LessonPath:
    chosen = st.segmented_control(
        "A path",
        options=list(PATHS),
        format_func=lambda key: PATHS[key].title,  # all on one line of a phone
        default=CHOSEN_PATH.value,
        required=True,
        key="learn_path",
        on_change=lambda: CHOSEN_PATH.put(str(st.session_state["learn_path"])),
    )
    path = PATHS[str(chosen)]
    paragraph(
        markup("{} minutes. {} {}", path.minutes, path.says, path.needs),
        "how",
    )
    if path.session:
        st.button(
            f"The plan of {path.minutes} minutes, and the class",
            icon=":material/groups:",
            type="tertiary",
            key="learn_plan",
            on_click=open_instructor_view,
            args=(path.session,),
        )
    return path
