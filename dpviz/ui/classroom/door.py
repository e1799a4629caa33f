"""The ways into a class: a teacher begins one on a lesson; students come by its address, its picture or its code.

A student comes by the link of the picture, by typing the code, or back to a place taken before.
"""

from urllib.parse import urlencode, urljoin, urlsplit

import segno
import streamlit as st

from dpviz.base import Markup, markup
from dpviz.teaching.classes import LENGTH, LIMITS, ClassRefusal, Seat, read_code
from dpviz.teaching.lesson import LESSONS
from dpviz.ui.classroom import access, student
from dpviz.ui.shell import asset, html, paper, paragraph, plain, rules, state

WHAT = (
    f"Students join by a code on their own phones, predict, and draw together. No names, at most {LIMITS.people} "
    f"people. It ends after {LIMITS.seconds / 3600:.0f} hours at the latest; how many gave each answer stays for "
    f"{LIMITS.results / 3600:.0f} hours more, then nothing is left."
)
"""What a class is."""
BEGUN = "dpviz.class.begun"  # whether the class has left the screen with its code
_TRIED, _PROBLEM = "dpviz.class.tried", "dpviz.class.problem"
_TYPED = "class_code"


def offer(*lessons: str, first: bool = False) -> None:
    """The button that begins a class on these lessons, or leads back to the class that this browser teaches.

    `first` where there is nothing else to do.
    """
    code = access.teacher()
    state_now = None if code is None else access.classes().look(code)
    if state_now is not None and not state_now.over:
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
            _, token = access.classes().begin(*lessons)
        except (ClassRefusal, OSError) as refused:
            st.warning(plain(str(refused)))
            return
        access.keep(access.TEACHER, token)
        st.session_state[BEGUN] = False
        if not state.presenting():
            state.present()
        st.switch_page("pages/classroom.py")


def plan(key: str) -> None:
    """The way to the plan of this lesson or session, in a window that is not on the projector yet."""
    st.link_button(
        f"Plan of this {'lesson' if key in LESSONS else 'session'}", f"learn?{urlencode({'instructor': key})}",
        icon=":material/school:", type="tertiary",
        help="Minutes, wrong answers to expect, slides and a handout; in a window of its own.",
    )  # fmt: skip


def way_in() -> None:
    """The way for who was given a code."""
    st.page_link("pages/join.py", label="Were you given a code? Join a class", icon=":material/login:")


def join_address(code: str) -> str:
    """Where a student joins this class, as the teacher's browser knows this app."""
    return f"{urljoin(st.context.url or 'http://localhost:8501/', 'join')}?{urlencode({'code': code})}"


def local(address: str) -> bool:
    """Whether no other machine can follow that address."""
    host = urlsplit(address).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")


def qr_code(address: str) -> Markup:
    """The address as a QR code, dark on light in both themes, as phones want it."""
    made = segno.make(address, error="m").svg_data_uri(scale=8, border=4, light="#ffffff")
    return markup('<img class="dp-qr" src="{}" alt="QR code of {}">', Markup(made), address)


def join() -> None:
    """The page of a student."""
    rules(asset("classroom.css"))
    paper.describe_alone((), None, {})
    asked = st.query_params.get("code", "")
    seat = access.seat()
    if asked and not (seat and read_code(asked) == seat.code) and st.session_state.get(_TRIED) != asked:
        st.session_state[_TRIED] = asked  # once: what is wrong does not get right by being drawn again
        seat = _come_in(asked) or seat
    with st.container(key="class_student"):
        if seat is not None:
            student.study(seat)
        elif access.token(access.STUDENT) and not st.session_state.get(_PROBLEM):
            student.over()  # since somebody looked last
        else:
            _door()


def _come_in(typed: str) -> Seat | None:
    """Take a place in the class with this code; say why not."""
    try:
        with access.attempt() as seats:
            seat = access.classes().join(typed)
            if seat is not None:
                seats.append(seat)
    except (ClassRefusal, OSError) as refused:
        st.session_state[_PROBLEM] = str(refused)
        return None
    if seat is None:
        st.session_state[_PROBLEM] = (
            "There is no class with this code. It has six letters, as they stand on the screen."
        )
        return None
    st.session_state[_PROBLEM] = None
    access.keep(access.STUDENT, seat.token)
    return seat


def _door() -> None:
    """A box for the code."""
    html(
        markup(
            '<h1 class="dp-title">Join a class</h1>'
            '<p class="dp-lead">Type the {} letters that stand on the screen in front.</p>',
            LENGTH,
        )
    )
    with st.form("class_door", border=False, enter_to_submit=True):
        st.text_input("Code of the class", key=_TYPED, max_chars=12, autocomplete="off", placeholder="ABCDEF")
        st.form_submit_button("Join", type="primary", on_click=_typed, width="stretch")
    problem = st.session_state.get(_PROBLEM)
    if problem:
        st.warning(plain(problem))
    paragraph(
        "No name is asked for. This browser keeps your place by a random token until the results of the class are "
        "deleted, a day after it; then nothing of it is left."
    )


def _typed() -> None:
    """Somebody typed a code."""
    typed = st.session_state[_TYPED]
    seat = _come_in(typed) if typed else None
    if seat is not None:
        st.session_state[_TRIED] = st.query_params["code"] = seat.code
