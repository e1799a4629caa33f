"""The ways from the lessons to a class: one begins it, the others have its code."""

from urllib.parse import urlencode

import streamlit as st

from dpviz.teaching.classes import LIMITS, Refused
from dpviz.ui.classroom import access
from dpviz.ui.shell import plain, state

WHAT = (
    f"Students join by a code on their own phones, predict, and draw together. No names, at most {LIMITS.people} "
    f"people, and nothing is kept when it ends, after {LIMITS.seconds / 3600:.0f} hours at the latest."
)
"""What a class is."""
BEGUN = "dpviz.class.begun"  # whether the class has left the screen with its code


def offer(lesson: str, *, first: bool = False) -> None:
    """The button that begins a class on this lesson, or leads back to the class that this browser teaches.

    `first` where there is nothing else to do.
    """
    code = access.teacher()
    if code is not None:
        if st.button(f"Back to class {code}", icon=":material/groups:", key="class_back"):
            st.switch_page("pages/classroom.py")
        return
    if st.button(
        "Start a class",
        icon=":material/groups:",
        type="primary" if first else "secondary",
        key="class_start",
        help=WHAT,
    ):
        try:
            _, token = access.classes().begin(lesson)
        except (Refused, OSError) as refused:
            st.warning(plain(str(refused)))
            return
        access.keep(access.TEACHER, token)
        st.session_state[BEGUN] = False
        if not state.presenting():
            state.present()
        st.switch_page("pages/classroom.py")


def plan(lesson: str) -> None:
    """The way to the plan of this lesson, in a window that is not on the projector yet."""
    st.link_button(
        "Plan of this lesson", f"learn?{urlencode({'instructor': lesson})}", icon=":material/school:", type="tertiary",
        help="Minutes, wrong answers to expect, slides and a handout; in a window of its own.",
    )  # fmt: skip


def way_in() -> None:
    """The way for who was given a code."""
    st.page_link("pages/join.py", label="Were you given a code? Join a class", icon=":material/login:")
