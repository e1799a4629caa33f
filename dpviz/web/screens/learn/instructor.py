"""The instructor view: a session's plan, its aims, wrong answers to expect, slides and handout.

Its link is `/learn?instructor=90`, by the key of a session or of a lesson.
"""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import Markup, join_markup, markup
from dpviz.export.lessons import render_handout, render_slides
from dpviz.teaching.lesson import Lesson
from dpviz.teaching.session_file import KEY
from dpviz.teaching.session_plans import SESSIONS, SessionPlan, TimeSlot, find_session
from dpviz.web import widgets as ui
from dpviz.web.screens.learn.position import LessonPlace, go_to_place
from dpviz.web.screens.learn.step import (
    abilities_html,
    lettered_reasons,
    markdown_list,
    show_lesson_text,
)
from dpviz.web.server.allowed_hosts import phone_reachable_url
from dpviz.web.session import state
from dpviz.web.widgets import print_header

_ASKED = "instructor"


def requested_session() -> SessionPlan | None:
    """Session of the link: the first for an unknown key, None without one."""
    asked = st.query_params.get(_ASKED)
    return None if asked is None else find_session(asked) or next(iter(SESSIONS.values()))


def show_instructor_view(session: SessionPlan) -> None:
    st.button(
        "All lessons",
        icon=":material/arrow_back:",
        type="tertiary",
        key="learn_list",
        on_click=go_to_place,
        args=(None,),
    )
    ui.show_page_head("For teachers", "A session, minute by minute")
    ui.paragraph(
        "The plan, what students can say afterwards, wrong answers to expect, and files to"
        " download.",
        "lead",
    )
    st.segmented_control(
        "Length",
        options=list(dict.fromkeys([*SESSIONS, session.key])),
        format_func=_named,
        default=session.key,
        required=True,
        key=f"instructor_{session.key}",
        on_change=lambda: open_instructor_view(str(st.session_state[f"instructor_{session.key}"])),
    )
    if len(session.lessons) > 1:
        st.link_button(
            "Start the whole session as one class",
            f"classroom?{urlencode({'session': session.key})}",
            icon=":material/groups:",
            help="All lessons have one code, so everyone joins once.",
        )
    ui.html(
        markup(
            '<table class="dp-plan" aria-label="Plan of {} minutes"><thead><tr>{}</tr></thead>'
            "<tbody>{}</tbody></table>",
            session.minutes,
            join_markup(
                markup('<th scope="col">{}</th>', name) for name in ("Minute", "Lasts", "What")
            ),
            join_markup(map(_row, session.time_slots)),
        )
    )
    ui.paragraph(
        "A lesson opens in the presenter view, in a new window. → and Page down go on, ← and Page"
        " up go back, and P leaves the presenter view. A lesson's link keeps its step, seed and"
        " setting."
    )
    ui.heading("Download")
    lead = f"A session of {session.minutes} minutes"
    address = phone_reachable_url()
    with st.container(horizontal=True, gap="small"):
        ui.show_download_button(
            "Slides",
            lambda: render_slides(session.title, session.lesson_contents, lead),
            f"slides-{session.key}.html",
            "instructor_slides",
            icon=":material/slideshow:",
            type="primary",
            help=(
                "One file for any browser, also without a network. Use the arrow keys, Space, Home"
                " and End. It prints one slide per page."
            ),
        )
        ui.show_download_button(
            "Handout",
            lambda: render_handout(session.title, session.lesson_contents, address),
            f"handout-{session.key}.html",
            "instructor_handout",
            icon=":material/print:",
            help=(
                "For printing on A4: one page per lesson, with seeds and room to write. The answers"
                " come last."
            ),
        )
    ui.heading("What students can say afterwards")
    objectives = join_markup(
        abilities_html(lesson.title, lesson) for lesson in session.lesson_contents
    )
    ui.html(markup('<div class="dp-objectives">{}</div>', objectives))
    ui.heading("Wrong answers to expect")
    for lesson in session.lesson_contents:
        ui.show_expander(lesson.title, f"wrong_{lesson.key}", partial(_mistakes, lesson))
    print_header.describe_without_scenario(
        (("Session", f"{session.minutes} minutes"),), None, _query(session.key)
    )


def _query(key: str) -> dict[str, str]:
    return {_ASKED: key} | state.presenter_query()


def open_instructor_view(key: str = next(iter(SESSIONS))) -> None:
    """Go to the instructor view of this session."""
    st.query_params.from_dict(_query(key))


def _named(key: str) -> str:
    """Label of a session: its minutes, or the title of the teacher's own."""
    if key == KEY and key in SESSIONS:
        return SESSIONS[key].title
    return f"{SESSIONS[key].minutes} minutes" if key in SESSIONS else "One lesson"


def _row(slot: TimeSlot) -> Markup:
    what, begin = slot.title, Markup()
    if slot.lesson is not None:
        what = _link(
            "learn",
            LessonPlace(slot.lesson.key, 0, slot.lesson.seed).to_query()
            | state.presenter_query(presented=True),
            slot.title,
        )
        begin = markup("<br>{}", _link("classroom", {"lesson": slot.lesson.key}, "Start a class"))
    return markup(
        "<tr><td>{}</td><td>{}</td><td><b>{}</b><br><span>{}</span>{}</td></tr>",
        slot.begins,
        slot.minutes,
        what,
        slot.says,
        begin,
    )


def _link(page: str, query: dict[str, str], says: str) -> Markup:
    return markup(
        '<a href="{}" target="_blank" rel="noopener">{}</a>', f"{page}?{urlencode(query)}", says
    )


def _mistakes(lesson: Lesson) -> None:
    for step in lesson.steps:
        if step.question is not None:
            show_lesson_text(f"**{step.question.text}**")
            st.markdown(markdown_list(lettered_reasons(step.question)))
