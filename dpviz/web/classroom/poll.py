"""A poll of the teacher's own, in place of the step: it is typed, voted on, and published; then the
class goes on.

Invariants: how all voted is seen when the teacher shows it, and not before; nothing of a poll
stays.
"""

from functools import partial

import streamlit as st

from dpviz.base import ParameterError, markup
from dpviz.charts import count
from dpviz.teaching.classes import ClassState, Polled
from dpviz.teaching.poll import MOST, Poll
from dpviz.teaching.session_plans import session_with
from dpviz.web.classroom import access, steering, votes_as_data
from dpviz.web.screens.learn import step as steps
from dpviz.web.widgets import head, html, part, plain

_TEXT, _CHOICES, _PROBLEM = "class_poll_text", "class_poll_choices", "dpviz.class.poll"
_OWN = "Your class as data"


def offer(state: ClassState, token: str) -> None:
    """Boxes for a question and its answers; those of the session's file stand there already."""
    poll = session_with(state.lessons).poll
    st.markdown("Something harmless: the votes are published, one leaves, all look for who it was.")
    st.text_input("Question of a poll", value=poll.text, key=_TEXT)
    st.text_area(
        f"Its answers, one a line, at most {MOST}",
        value="\n".join(poll.choices),
        key=_CHOICES,
        height=130,
    )

    def ask() -> None:
        lines = [line for line in st.session_state[_CHOICES].splitlines() if line.strip()]
        try:
            made = Poll(st.session_state[_TEXT], lines)
        except ParameterError as wrong:
            st.session_state[_PROBLEM] = str(wrong)
            return
        steering.act(partial(access.classes().ask, token, made))

    st.button("Ask the class", icon=":material/ballot:", key="class_poll_ask", on_click=ask)
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.warning(plain(problem))


def show(state: ClassState, polled: Polled, token: str) -> None:
    """The poll on the projector, and what is made of its votes."""
    head(_OWN, polled.poll.text)
    left, right = st.columns([1, 1.3], gap="large")
    told, made = left.container(key="learn_prose"), right.container(key="class_polled")
    if polled.shown:
        votes_as_data.publishes(polled.votes, polled.poll.choices, told, made)
    else:
        told.markdown(
            f"{steps.points(tuple(map(plain, polled.poll.choices)))}\n\nEveryone votes on the"
            " phone. No vote has a name, and all are gone once the class goes on."
        )
        with made:
            part(
                "class_votes", partial(number_in, state.code), partial(_in, state.code), alone=True
            )
    foot(polled, token)


def number_in(code: str) -> None:
    """How many have voted."""
    state = access.classes().look(code)
    if state is not None and state.polled is not None:
        of = f"{count(state.students, 'vote')} {'is' if state.students == 1 else 'are'} in"
        html(markup('<p class="dp-count" role="status"><b>{:,}</b> of {}</p>', state.answered, of))


def _in(code: str) -> object:
    state = access.classes().look(code)
    return state and (state.answered, state.students)


def foot(polled: Polled, token: str) -> None:
    """The votes, and the way back to the step."""
    classes = access.classes()

    def show_votes() -> None:
        code = access.teacher()
        now = None if code is None else classes.look(code)
        if now is not None and now.polled is not None:
            shown = now.polled.shown
            steering.act(lambda: classes.show_poll(token, not shown))

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        says = "Hide the votes" if polled.shown else "Show the votes"
        st.button(says, icon=":material/bar_chart:", key="class_poll_show", on_click=show_votes)
        steps.on("Back to the lesson", steering.act, partial(classes.close_poll, token))
