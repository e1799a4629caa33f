"""A poll of the teacher's own, in place of the step; votes are hidden until the teacher decides."""

import streamlit as st

from dpviz.base import ParameterError
from dpviz.charts import count_text
from dpviz.teaching.classes import ClassState, RunningPoll
from dpviz.teaching.poll import MOST, Poll
from dpviz.teaching.session_plans import session_for_lessons
from dpviz.web import widgets as ui
from dpviz.web.classroom import access, steering, votes_as_data
from dpviz.web.screens.learn import step as steps

_TEXT, _CHOICES, _PROBLEM = "class_poll_text", "class_poll_choices", "dpviz.class.poll"


def show_poll_form(state: ClassState, token: str) -> None:
    """Boxes for a question and its answers, filled from the session's file."""
    poll = session_for_lessons(state.lessons).poll
    st.markdown(
        "Ask something harmless. The votes are published, one voter leaves, and everyone looks for"
        " that voter."
    )
    st.text_input("Question of a poll", value=poll.text, key=_TEXT)
    st.text_area(
        f"Its answers, one per line, at most {MOST}",
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
        steering.attempt_class_action(access.class_manager().open_poll, token, made)

    ui.button("Ask the class", "class_poll_ask", ask, icon="ballot")
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.warning(ui.escape_markdown(problem))


def show_poll_on_projector(state: ClassState, running_poll: RunningPoll, token: str) -> None:
    ui.show_page_head("Your class as data", running_poll.poll.text)
    left, right = st.columns([1, 1.3], gap="large")
    told, made = left.container(key="learn_prose"), right.container(key="class_polled")
    if running_poll.shown:
        votes_as_data.show_private_poll_result(
            running_poll.votes, running_poll.poll.choices, told, made
        )
    else:
        told.markdown(
            steps.markdown_list(
                steps.lettered_choices(map(ui.escape_markdown, running_poll.poll.choices))
            )
            + "\n\nEveryone votes on the phone. Votes have no names. They are deleted when the"
            " class goes on."
        )
        with made:
            show_vote_count(state)
    show_poll_footer(running_poll, token)


def show_vote_count(state: ClassState) -> None:
    """Number of votes in a poll, or of predictions, that are in."""
    of = count_text(state.students, "vote" if state.polled else "prediction")
    of += " is in" if state.students == 1 else " are in"
    ui.show_markup(
        '<p class="dp-count" role="status"><b>{:,}</b> of {}</p>', state.answer_count, of
    )


def show_poll_footer(running_poll: RunningPoll, token: str) -> None:
    classes = access.class_manager()

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        steering.class_button(
            "Hide the votes" if running_poll.shown else "Show the votes",
            "class_poll_show",
            classes.show_poll_votes,
            token,
            not running_poll.shown,
            icon="bar_chart",
        )
        steps.show_next_button(
            "Back to the lesson", steering.attempt_class_action, classes.close_poll, token
        )
