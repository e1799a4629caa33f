"""A console on a second device: the same buttons, and what only the teacher should see.

It asks to be let in and shows a number; the first device shows the same number and lets it in. Its
link has the code alone, `/classroom?console=ABCDEF`, and gives no access by itself.
"""

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from dpviz.base import markup
from dpviz.teaching.classes import ClassRefusal, ClassState
from dpviz.web.classroom import access, poll, results, steering, vote_bars
from dpviz.web.screens.learn import step as steps
from dpviz.web.server.allowed_hosts import phone_reachable_url
from dpviz.web.widgets import (
    PollPace,
    escape_markdown,
    html,
    paragraph,
    print_header,
    rerun_page_on_change,
    show_live_part,
    show_page_head,
    watch_parts,
)

ASKED = "console"
_NUMBER = "dpviz.class.console"


def show_remote_pairing(code: str, token: str) -> None:
    """On the first device: the address for the second, and devices that wait."""

    def waiting() -> tuple[int, ...]:
        return access.class_store().pending_device_numbers(token)

    def shown() -> None:
        for number in waiting():
            st.button(
                f"Let in the device that shows {number}",
                icon=":material/devices:",
                key=f"class_allow_{number}",
                on_click=steering.attempt_class_action,
                args=(partial(access.class_store().allow_device, token, number),),
            )

    st.markdown(
        f"**Console on a second device.** Open"
        f" `{phone_reachable_url()}/classroom?{urlencode({ASKED: code})}`"
        " there. It shows a number, which comes up here."
    )
    show_live_part("class_devices", shown, waiting, alone=True)


def show_remote_console(state: ClassState | None, token: str | None) -> None:
    """Page of the second device."""
    print_header.describe_without_scenario((), None, {})
    if state is None or not token:
        _ask(token)
    else:
        rerun_page_on_change(partial(steering.class_change_key, state.code))
        _console(state, token)
    access.write_token_cookie(access.TEACHER)
    with st.container(key="class_look"):
        watch_parts("class looks", PollPace(steering.EVERY, steering.EVERY, unseen=False))


def _ask(token: str | None) -> None:
    show_page_head("Console", "A console beside the projected view")
    if (number := st.session_state.get(_NUMBER)) is not None and token:
        html(markup('<p class="dp-code">{}</p>', number))
        paragraph(
            "Let it in on the first device: Console, below. This page goes on by itself.", "lead"
        )
        rerun_page_on_change(access.taught_class_code)
        return

    def ask() -> None:
        try:
            typed = st.query_params.get(ASKED, "")
            made, st.session_state[_NUMBER] = access.class_store().ask_to_teach(
                typed, address=access.browser_ip_address()
            )
        except ClassRefusal as refused:
            st.session_state[f"{_NUMBER}.problem"] = str(refused)
            return
        access.store_token(access.TEACHER, made)

    st.button("Ask to be let in", type="primary", key="class_ask", on_click=ask)
    if problem := st.session_state.pop(f"{_NUMBER}.problem", ""):
        st.warning(escape_markdown(problem))


def _console(state: ClassState, token: str) -> None:
    if state.over:
        results.show_class_results(state, token)
        return
    stop = state.current_stop
    if state.polled is not None:
        show_page_head(f"Class {state.code} · a poll", state.polled.poll.text)
        access.show_class_part("class_remote", state.code, _numbers, _seen)
        poll.show_poll_footer(state.polled, token)
        return
    show_page_head(
        f"Class {state.code} · {stop.lesson_content.title} · step {stop.step + 1} of"
        f" {len(stop.lesson_content.steps)}",
        stop.title,
    )
    access.show_class_part("class_remote", state.code, _numbers, _seen)
    if state.timer is not None:
        html(steering.timer_bar(state.timer))
    steering.show_step_buttons(state, token)
    after = state.course_stops[state.place + 1 : state.place + 2]
    paragraph(
        "Next: " + (f"{after[0].lesson_content.title}, {after[0].title}" if after else "the end"),
        "sub",
    )
    steering.show_timer_controls(token)
    steering.show_pace(state.code, token)
    with st.expander("Ask a poll of your own", key="class_poll"):
        poll.show_poll_form(state, token)
    if state.question is not None:
        with st.expander(
            "For you alone: the answer, and why not the others", key=f"class_notes_{state.place}"
        ):
            choices = zip(state.question.choices, state.question.choice_reasons(), strict=True)
            right = state.question.answer()
            st.markdown(
                steps.markdown_list(
                    tuple(
                        f"{'**' if n == right else '*'}{choice}{'**' if n == right else '*'}. {why}"
                        for n, (choice, why) in enumerate(choices)
                    )
                )
            )
    steering.show_step_menu(state, token)


def _seen(state: ClassState) -> object:
    return (state.students, state.here, state.first, state.after, state.drawing, state.polled)


def _numbers(state: ClassState) -> None:
    """Attendance and answers; here the bars are seen before anyone else sees them."""
    paragraph(
        (
            f"{state.students:,} in, {state.here:,} there now, {state.answer_count:,} answered,"
            f" {state.drawing:,} drew."
        ),
        "lead",
    )
    if state.polled is not None:
        html(
            vote_bars.answer_bars_html(state.polled.poll.choices, state.polled.votes, is_vote=True)
        )
    elif state.question is not None:
        html(vote_bars.answer_bars_html(state.question.choices, state.first, after=state.after))
