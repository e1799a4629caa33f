"""The teacher's controls at every step, also on a second device, and the results at the end.

The link of a second device has the code alone, `/classroom?console=ABCDEF`, and gives no access.
"""

from urllib.parse import urlencode

import streamlit as st

from dpviz.base import Markup, markup
from dpviz.charts import count_text
from dpviz.teaching.classes import LIMITS, ClassRefusal, ClassState
from dpviz.teaching.classes.class_state import answers_csv
from dpviz.teaching.lesson import FULL
from dpviz.web import widgets as ui
from dpviz.web.classroom import access, poll, steering, vote_bars
from dpviz.web.classroom.entry import BEGUN, STAYS
from dpviz.web.screens.learn import step as steps
from dpviz.web.server.allowed_hosts import phone_reachable_url
from dpviz.web.widgets import print_header


def show_student_count(state: ClassState) -> None:
    away = max(state.students - state.here, 0)
    ui.show_markup(
        '<p class="dp-in" role="status"><b>{:,}</b> {} in{}</p>',
        state.students,
        "person is" if state.students == 1 else "people are",
        markup(", {:,} away now", away) if away else Markup(),
    )


def show_lesson_or_code(shows_lesson: bool) -> None:
    """Show the lesson, or the code; the address keeps it over a reload."""
    st.query_params[BEGUN] = "lesson" if shows_lesson else "code"


def show_class_code_strip(state: ClassState) -> None:
    with st.container(
        key="class_strip", horizontal=True, vertical_alignment="center", gap="medium"
    ):
        ui.show_markup('<p class="dp-code-small">Class <b>{}</b></p>', state.code)
        show_student_count(state)
        if state.timer is not None:
            ui.html(steering.timer_bar(state.timer))
        ui.button(
            "Code and picture",
            "class_lobby",
            show_lesson_or_code,
            False,
            icon="qr_code",
            type="tertiary",
        )
        _console(state)
        ui.show_presenter_button()
        show_end_class_control()
    show_waiting_devices(access.teacher_token())


def _console(state: ClassState) -> None:
    token, classes = access.teacher_token(), access.class_manager()
    # once a poll is asked it is another, and closed: all see the question
    with st.popover(
        "Console",
        icon=":material/tune:",
        type="tertiary",
        key=f"class_console{'_poll' if state.polled else ''}",
    ):
        steering.show_step_menu(state, token)
        _time_and_poll(state, token)
        door = "class_locked"
        st.session_state[door] = state.locked

        st.toggle(
            "Lock the class: nobody new can join",
            key=door,
            on_change=steering.attempt_class_action,
            args=(classes.set_joining_locked, token, not state.locked),
        )
        st.markdown(
            "**Console on a second device.** Open"
            f" `{phone_reachable_url()}/classroom?{urlencode({ASKED: state.code})}`"
            " there. It shows a number. The same number then appears on this screen."
        )
        steering.class_button(
            "Remove people who are away",
            "class_free_away",
            classes.free_newest_or_absent_seats,
            token,
            disabled=state.students == 0,
            help="Also deletes their answers and draws. They can join again.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            newest = st.number_input(
                "People who joined last",
                min_value=1,
                max_value=LIMITS.people,
                value=1,
                key="class_newest",
                width=180,
            )
            steering.class_button(
                "Remove these",
                "class_free_newest",
                classes.free_newest_or_absent_seats,
                token,
                int(newest),
                disabled=state.students == 0,
            )


def _time_and_poll(state: ClassState, token: str) -> None:
    steering.show_timer_controls(token)
    steering.show_schedule_status(state, token)
    with st.expander("Ask a poll of your own", key="class_poll"):
        poll.show_poll_form(state, token)


def show_end_class_control() -> None:
    with st.popover("End the class", icon=":material/stop:", type="tertiary", key="class_end"):
        st.markdown(
            "Nobody can answer or draw any more. The results stay for a day, for everyone who took"
            " part."
        )
        token = access.teacher_token()
        steering.class_button(
            "End the class now",
            "class_end_now",
            access.class_manager().end_class,
            token,
            type="primary",
        )


def show_class_results(state: ClassState, token: str) -> None:
    given = access.class_manager().answers_by_stop(state)
    ui.show_page_head(
        f"Class {state.code} · {count_text(state.students, 'person', 'people')}",
        "Results of the class",
    )
    ui.show_paragraph(
        f"The class has ended. {STAYS} The file has counts of answers and no person.", "sub"
    )
    with st.container(horizontal=True, gap="small"):
        ui.show_download_button(
            "Answers as a table",
            lambda: answers_csv(given),
            f"class-{state.code}.csv",
            "class_csv",
            icon=":material/table:",
            type="primary",
        )
        with st.popover(
            "Delete it now", icon=":material/delete:", type="tertiary", key="class_delete_asks"
        ):
            st.markdown(
                f"**Delete the results of class {state.code}?** Its"
                f" {count_text(len(given), 'result')} and the file are lost, for you and for"
                " everyone who took part. Nobody can bring them back."
            )
            ui.button(
                "Delete the results",
                "class_delete",
                access.class_manager().delete_class,
                token,
                type="primary",
            )
    st.page_link("pages/learn.py", label="All lessons", icon=":material/school:")
    if not given:
        ui.show_paragraph("No question was answered.")
    for one in given:
        title = one.stop.lesson_content.title
        if (question := one.stop.question) is not None:
            steps.show_lesson_text(f"**{question.text}** ({title})")
            ui.html(vote_bars.question_bars_html(question, one.first, one.after))
            with st.expander("Why", key=f"class_why_{one.place}"):
                steps.show_lesson_text(question.because)
        elif (of := one.stop.experiment) is not None and of.guess is not None:
            steps.show_lesson_text(f"**{of.guess.asks}** ({title})")
            ui.html(vote_bars.chance_guesses_html(one.marks, of.exact_percentage_at_start / FULL))


ASKED = "console"
_NUMBER = "dpviz.class.console"


def show_waiting_devices(token: str) -> None:
    """Devices that wait to be let in, each with its number, as soon as they ask."""
    classes = access.class_manager()
    with st.container():  # in which they push no other part to another place
        for number in classes.pending_device_numbers(token):
            with st.container(
                horizontal=True,
                vertical_alignment="center",
                gap="small",
                key=f"class_asks_{number}",
            ):
                ui.show_markup(
                    '<p class="dp-in" role="alert">A second device waits to be let in. It'
                    " shows <b>{}</b></p>",
                    number,
                )
                for key, says, act in (
                    ("allow", "Let in", classes.allow_device),
                    ("refuse", "Refuse", classes.refuse_device),
                ):
                    steering.class_button(says, f"class_{key}_{number}", act, token, number)


def show_remote_console(state: ClassState | None, token: str) -> None:
    print_header.set_provenance_without_scenario((), None, {})
    if state is None:
        _ask(token)
    else:
        steering.rerun_when_class_changes(state, token)
        _show_controls(state, token)
    access.write_token_cookie()


def _ask(token: str) -> None:
    ui.show_page_head("Console", "A console beside the projected view")
    number = st.session_state.get(_NUMBER)
    if number is not None and token and not access.class_manager().is_device_registered(token):
        ui.show_paragraph("This device was not let in. You may ask again.", "lead")
    elif number is not None and token:
        ui.show_markup('<p class="dp-code">{}</p>', number)
        ui.show_paragraph(
            "The first device shows this number too. Press Let in there. This page then continues"
            " by itself.",
            "lead",
        )
        access.rerun_page_when_changed(
            (True, True),
            lambda: (
                access.taught_class() is None,
                access.class_manager().is_device_registered(token),
            ),
        )
        return

    def ask() -> None:
        try:
            made, st.session_state[_NUMBER] = access.class_manager().register_waiting_device(
                st.query_params.get(ASKED, ""), address=access.browser_ip_address()
            )
        except ClassRefusal as refused:
            st.session_state[f"{_NUMBER}.problem"] = str(refused)
            return
        access.hold_teacher_token(made)

    ui.button("Ask to be let in", "class_ask", ask, type="primary")
    if problem := st.session_state.pop(f"{_NUMBER}.problem", ""):
        st.warning(ui.escape_markdown(problem))


def _show_controls(state: ClassState, token: str) -> None:
    if state.over:
        show_class_results(state, token)
        return
    show_waiting_devices(token)
    stop = state.current_stop
    if state.polled is not None:
        ui.show_page_head(f"Class {state.code} · a poll", state.polled.poll.text)
        _numbers(state)
        poll.show_poll_footer(state.polled, token)
        return
    ui.show_page_head(
        f"Class {state.code} · {stop.lesson_content.title} · step {stop.step + 1} of"
        f" {len(stop.lesson_content.steps)}",
        stop.title,
    )
    _numbers(state)
    if state.timer is not None:
        ui.html(steering.timer_bar(state.timer))
    steering.show_step_buttons(state, token)
    after = state.course_stops[state.place + 1 : state.place + 2]
    ui.show_paragraph(
        "Next: " + (f"{after[0].lesson_content.title}, {after[0].title}" if after else "the end"),
        "sub",
    )
    _time_and_poll(state, token)
    if state.question is not None:
        with st.expander(
            "Only for you: the answer, and why not the others", key=f"class_notes_{state.place}"
        ):
            st.markdown(steps.markdown_list(steps.lettered_reasons(state.question)))
    steering.show_step_menu(state, token)


def _numbers(state: ClassState) -> None:
    """Attendance and answers; here the bars are seen before anyone else sees them."""
    ui.show_paragraph(
        (
            f"{state.students:,} joined, {state.here:,} are here now, {state.answer_count:,}"
            f" answered, {state.drawing:,} drew."
        ),
        "lead",
    )
    if state.polled is not None:
        ui.html(
            vote_bars.answer_bars_html(state.polled.poll.choices, state.polled.votes, is_vote=True)
        )
    elif state.question is not None:
        ui.html(
            vote_bars.question_bars_html(
                state.question, state.first, state.after, shows_right_answer=False
            )
        )
