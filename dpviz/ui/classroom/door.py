"""Where a student comes in: by the link of the QR picture, by typing the code, or back to a place taken before."""

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.markup import markup
from dpviz.teaching.classes import LENGTH, Refused, Seat, read_code
from dpviz.ui.classroom import access, student
from dpviz.ui.shell import asset, paper, plain, rules

_TRIED, _PROBLEM = "dpviz.class.tried", "dpviz.class.problem"
_TYPED = "class_code"


def join() -> None:
    """The page of a student."""
    rules(asset("classroom.css"))
    paper.describe_alone((), None, {})
    asked = st.query_params.get("code", "")
    seat = access.seat()
    if asked and not (seat and _same(asked, seat.code)) and st.session_state.get(_TRIED) != asked:
        st.session_state[_TRIED] = asked  # once: what is wrong does not get right by being drawn again
        seat = _come_in(asked) or seat
    with st.container(key="class_student"):
        if seat is not None:
            student.study(seat)
        elif access.token(access.STUDENT) and not st.session_state.get(_PROBLEM):
            student.over()  # since somebody looked last
        else:
            _door()


def _same(typed: str, code: str) -> bool:
    try:
        return read_code(typed) == code
    except ParameterError:
        return False


def _come_in(typed: str) -> Seat | None:
    """Take a place in the class with this code; say why not."""
    try:
        with access.attempt() as seats:
            seat = access.classes().join(typed)
            if seat is not None:
                seats.append(seat)
    except (Refused, OSError) as refused:
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
    st.html(
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
    st.html(
        '<p class="dp-how">No name is asked for. This browser keeps your place by a random token until the class is '
        "over; then nothing of it is left.</p>"
    )


def _typed() -> None:
    """Somebody typed a code."""
    typed = st.session_state[_TYPED]
    seat = _come_in(typed) if typed else None
    if seat is not None:
        st.session_state[_TRIED] = st.query_params["code"] = seat.code
