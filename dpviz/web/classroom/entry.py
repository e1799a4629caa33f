"""The ways into a class: teachers begin one, students join by its address or QR code."""

from urllib.parse import urlencode

import segno
import streamlit as st

from dpviz.base import Markup, markup
from dpviz.teaching.classes import LIMITS, ClassState
from dpviz.teaching.lessons import LESSONS
from dpviz.web import widgets as ui
from dpviz.web.classroom import access
from dpviz.web.server.allowed_hosts import phone_reachable_url
from dpviz.web.session import state

WHAT = (
    "Students join with a code on their own phones, predict, and draw together. At most"
    f" {LIMITS.people} people can join, without names. A class ends after"
    f" {LIMITS.seconds / 3600:.0f} hours at the latest. The counts of answers are deleted"
    f" {LIMITS.results / 3600:.0f} hours later."
)
"""Description of a class."""
STAYS = "The results stay for a day after the end. Then everything is deleted."
BEGUN = "screen"  # in the address: the code, or the lesson once the class has begun


def show_begin_class_button(*lessons: str, is_primary: bool = False) -> None:
    """Button that begins a class on these lessons, or returns to the one under way."""
    with access.show_class_refusals():
        now = access.taught_class()
        if now is not None and not now.over:
            if st.button(f"Back to class {now.code}", icon=":material/groups:", key="class_back"):
                st.switch_page("pages/classroom.py")
            return
        key = (
            st.text_input("Key to start classes", type="password", key="class_key")
            if access.required_teacher_key()
            else ""
        )
        if st.button(
            "Start a class",
            icon=":material/groups:",
            type="primary" if is_primary else "secondary",
            key="class_start",
            help=WHAT,
        ):
            access.begin_class(lessons, key)
            if not state.is_presenting():
                state.toggle_presenting()
            st.switch_page("pages/classroom.py", query_params={BEGUN: "code"})


def show_plan_link(key: str) -> None:
    st.link_button(
        f"Plan of this {'lesson' if key in LESSONS else 'session'}",
        f"learn?{urlencode({'instructor': key})}",
        icon=":material/school:",
        type="tertiary",
        help="Timing, wrong answers to expect, slides and a handout. Opens in a new window.",
    )


def show_join_link() -> None:
    ui.show_markup(
        '<p class="dp-sub"><a href="join" target="_self">{}</a></p>',
        "Do you have a code? Join a class",
    )


def join_address(state: ClassState) -> str:
    """Address at which a student joins, with the class's secret, so that nobody waits."""
    base = phone_reachable_url() or (st.context.url or "http://localhost:8501/").rpartition("/")[0]
    return f"{base}/join?{urlencode({'code': state.code, 'door': state.door})}"


def qr_code(address: str) -> Markup:
    """Address as a QR code, dark on light in both themes, as phones need it."""
    made = segno.make(address, error="m").svg_data_uri(scale=8, border=4, light="white")
    return markup(
        '<img class="dp-qr" src="{}" alt="QR code of {}">', Markup(made), address.partition("&")[0]
    )
