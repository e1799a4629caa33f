"""The teacher's controls at every step: attendance, code, steps, door, seats, and the end."""

import streamlit as st

from dpviz.base import Markup, markup
from dpviz.teaching.classes import LIMITS, ClassState
from dpviz.web.classroom import access, poll, remote, steering
from dpviz.web.classroom.entry import BEGUN
from dpviz.web.classroom.steering import attempt_class_action
from dpviz.web.widgets import html, show_presenter_button


def attendance_counts(state: ClassState) -> object:
    return state.students, state.here, state.answer_count


def show_student_count(code: str) -> None:
    """Number of students, and of those away."""

    def number(state: ClassState) -> None:
        away = max(state.students - state.here, 0)
        html(
            markup(
                '<p class="dp-in" role="status"><b>{:,}</b> {} in{}</p>',
                state.students,
                "person is" if state.students == 1 else "people are",
                markup(", {:,} away now", away) if away else Markup(),
            )
        )

    access.show_class_part("class_people", code, number, attendance_counts)


def set_class_begun(begun: bool) -> None:
    st.session_state[BEGUN] = begun


def show_class_code_strip(state: ClassState) -> None:
    """Strip with the code for latecomers, and the number of students."""
    with st.container(
        key="class_strip", horizontal=True, vertical_alignment="center", gap="medium"
    ):
        html(markup('<p class="dp-code-small">Class <b>{}</b></p>', state.code))
        show_student_count(state.code)
        if state.timer is not None:
            html(steering.timer_bar(state.timer))
        st.button(
            "Code and picture",
            icon=":material/qr_code:",
            type="tertiary",
            key="class_lobby",
            on_click=set_class_begun,
            args=(False,),
        )
        _console(state)
        show_presenter_button()
        show_end_class_control()


def _console(state: ClassState) -> None:
    token = access.browser_token(access.TEACHER) or ""
    # once a poll is asked it is another, and closed: all see the question
    with st.popover(
        "Console",
        icon=":material/tune:",
        type="tertiary",
        key=f"class_console{'_poll' if state.polled else ''}",
    ):
        steering.show_step_menu(state, token)
        steering.show_timer_controls(token)
        steering.show_pace(state.code, token)
        door = "class_locked"
        st.session_state[door] = state.locked
        st.toggle(
            "Lock the door: nobody new comes in",
            key=door,
            on_change=lambda: attempt_class_action(
                lambda: access.class_store().set_door_locked(token, st.session_state[door])
            ),
        )
        with st.expander("Ask a poll of your own", key="class_poll"):
            poll.show_poll_form(state, token)
        remote.show_remote_pairing(state.code, token)
        newest = "class_newest"
        st.button(
            "Give up the seats of who is away",
            key="class_free_away",
            on_click=lambda: attempt_class_action(lambda: access.class_store().free_seats(token)),
            disabled=state.students == 0,
            help="With what they answered and drew there. Who comes back joins again.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.number_input(
                "Seats of those who came last",
                min_value=1,
                max_value=LIMITS.people,
                value=1,
                key=newest,
                width=180,
            )
            st.button(
                "Give up these",
                key="class_free_newest",
                on_click=lambda: attempt_class_action(
                    lambda: access.class_store().free_seats(
                        token, newest=int(st.session_state[newest])
                    )
                ),
                disabled=state.students == 0,
            )


def show_end_class_control() -> None:
    with st.popover("End the class", icon=":material/stop:", type="tertiary", key="class_end"):
        st.markdown(
            "Nobody answers or draws any more. What the class believed stays for a day, for all who"
            " were in."
        )
        token = access.browser_token(access.TEACHER) or ""
        st.button(
            "End it now",
            type="primary",
            key="class_end_now",
            on_click=lambda: attempt_class_action(lambda: access.class_store().end_class(token)),
        )
