"""A console on a second device, beside the projected view: the same buttons, with what only the
teacher should see.

It asks to be let in and shows a number; the first device shows the same number and lets it in. Its
link says the code alone, `/classroom?console=ABCDEF`, and is worth nothing by itself.
"""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import markup
from dpviz.teaching.classes import ClassRefusal, ClassState
from dpviz.web.classroom import access, poll, results, steering, vote_bars
from dpviz.web.screens.learn import step as steps
from dpviz.web.screens.learn.progress import reached
from dpviz.web.widgets import Pace, head, html, paragraph, part, plain, print_header, whole
from dpviz.web.widgets import look as look_on

ASKED = "console"
_NUMBER = "dpviz.class.console"


def offer(code: str, token: str) -> None:
    """On the first device: where the second goes, and who waits to be let in."""

    def waiting() -> tuple[int, ...]:
        return access.classes().asking(token)

    def shown() -> None:
        for number in waiting():
            st.button(
                f"Let in the device that shows {number}", icon=":material/devices:", key=f"class_allow_{number}",
                on_click=steering.act, args=(partial(access.classes().allow, token, number),),
            )  # fmt: skip

    st.markdown(
        f"**Console on a second device.** Open `{reached()}/classroom?{urlencode({ASKED: code})}`"
        " there. It shows a number, which comes up here."
    )
    part("class_devices", shown, waiting, alone=True)


def show(state: ClassState | None, token: str | None) -> None:
    """The page of the second device."""
    print_header.describe_alone((), None, {})
    if state is None or not token:
        _ask(token)
    else:
        whole(partial(steering.where, state.code))
        _console(state, token)
    access.hand(access.TEACHER)
    with st.container(key="class_look"):
        look_on("class looks", Pace(steering.EVERY, steering.EVERY, unseen=False))


def _ask(token: str | None) -> None:
    head("Console", "A console beside the projected view")
    number = st.session_state.get(_NUMBER)
    if number is not None and token:
        html(markup('<p class="dp-code">{}</p>', number))
        paragraph(
            "Let it in on the first device: Console, below. This page goes on by itself.", "lead"
        )
        whole(access.teacher)
        return

    def ask() -> None:
        try:
            typed = st.query_params.get(ASKED, "")
            made, st.session_state[_NUMBER] = access.classes().ask_to_teach(
                typed, address=access.address()
            )
        except ClassRefusal as refused:
            st.session_state[f"{_NUMBER}.problem"] = str(refused)
            return
        access.keep(access.TEACHER, made)

    st.button("Ask to be let in", type="primary", key="class_ask", on_click=ask)
    if problem := st.session_state.pop(f"{_NUMBER}.problem", ""):
        st.warning(plain(problem))


def _console(state: ClassState, token: str) -> None:
    if state.over:
        results.show_all(state, token)
        return
    stop = state.stop
    if state.polled is not None:
        head(f"Class {state.code} · a poll", state.polled.poll.text)
        part("class_remote", partial(_numbers, state.code), partial(_seen, state.code), alone=True)
        poll.foot(state.polled, token)
        return
    head(
        f"Class {state.code} · {stop.taught.title} · step {stop.step + 1} of"
        f" {len(stop.taught.steps)}",
        stop.title,
    )
    part("class_remote", partial(_numbers, state.code), partial(_seen, state.code), alone=True)
    if state.timer is not None:
        html(steering.running(state.timer))
    steering.foot(state, token)
    after = state.stops[state.place + 1 : state.place + 2]
    paragraph(
        "Next: " + (f"{after[0].taught.title}, {after[0].title}" if after else "the end"), "sub"
    )
    steering.timer(token)
    steering.pace(state.code, token)
    with st.expander("Ask a poll of your own", key="class_poll"):
        poll.offer(state, token)
    if state.question is not None:
        with st.expander(
            "For you alone: the answer, and why not the others", key=f"class_notes_{state.place}"
        ):
            choices = zip(state.question.choices, state.question.reasons(), strict=True)
            right = state.question.answer()
            st.markdown(
                steps.points(
                    tuple(
                        f"{'**' if n == right else '*'}{choice}{'**' if n == right else '*'}. {why}"
                        for n, (choice, why) in enumerate(choices)
                    )
                )
            )
    steering.goto(state, token)


def _seen(code: str) -> object:
    state = access.classes().look(code)
    return state and (
        state.students,
        state.here,
        state.first,
        state.after,
        state.drawing,
        state.polled,
    )


def _numbers(code: str) -> None:
    """Who is in, who has answered, and how: here the bars are seen before anyone else sees them."""
    state = access.classes().look(code)
    if state is None:
        return
    says = (
        f"{state.students:,} in, {state.here:,} there now, {state.answered:,} answered,"
        f" {state.drawing:,} drew."
    )
    paragraph(says, "lead")
    if state.polled is not None:
        html(vote_bars.answers(state.polled.poll.choices, state.polled.votes, is_vote=True))
    elif state.question is not None:
        html(vote_bars.answers(state.question.choices, state.first, after=state.after))
