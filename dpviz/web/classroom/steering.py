"""The buttons that take a class through its stops; a press steps from where the class is then."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.base import Markup, markup
from dpviz.teaching.classes import ClassRefusal, ClassState, ClassStoreUnavailable, Timer
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import session_for_lessons
from dpviz.web import widgets as ui
from dpviz.web.classroom import access
from dpviz.web.screens.learn import step as steps


def attempt_class_action(act: Callable[..., object], *given: object, **flags: bool) -> None:
    """Do it if the class still allows it; an unavailable store is a toast."""
    try:
        act(*given, **flags)
    except ClassStoreUnavailable as away:
        st.toast(ui.escape_markdown(str(away)), icon=":material/error:")
    except ClassRefusal:  # the class is over, and the page that follows says so
        return


def class_button(
    label: str, key: str, act: Callable[..., object], *given: object, icon: str = "", **more: Any
) -> None:
    """A button that does something with the class, if it still allows it."""
    ui.button(label, key, attempt_class_action, act, *given, icon=icon, **more)


def rerun_when_class_changes(state: ClassState, token: str) -> None:
    """Run the page again when anything of the class has changed; who looks at it teaches."""
    classes = access.class_manager()

    def change_key(now: ClassState | None) -> object:
        classes.mark_present(token)
        return now and (
            now.version,
            now.over,
            now.here,
            int(_minutes_gone(now)),
            classes.pending_device_numbers(token),
        )

    access.rerun_page_when_changed(
        change_key(state), lambda: change_key(classes.read_state(state.code))
    )


def show_step_buttons(state: ClassState, token: str) -> None:
    classes = access.class_manager()

    def move(by: int) -> None:
        now = classes.read_state(state.code)
        if now is not None and 0 <= now.place + by < len(now.course_stops):
            attempt_class_action(classes.move_to_stop, token, now.place + by)

    def press(key: str, says: str, icon: str, **flags: bool) -> None:
        asked = (classes.set_question_flags, token, state.question_stop_index)
        class_button(says, key, *asked, icon=icon, kwargs=flags)

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        steps.show_back_button("Everyone back", move, disabled=state.place == 0)
        if state.experiment is not None:
            class_button(
                "Hide the exact chances" if state.law_shown else "Show the exact chances",
                "class_law",
                classes.show_exact_chances,
                token,
                state.place,
                not state.law_shown,
                icon="target",
            )
        if state.question_stop_index is not None and not state.vote.shown:
            press(
                "class_bars",
                "Open the vote again" if state.vote.bars else "Close the vote",
                "how_to_vote",
                bars=not state.vote.bars,
            )
            if state.current_stop.twice and not state.vote.again:
                talk = "Talk, then answer again"
                press("class_discuss", talk, "forum", again=True, bars=False)
            press("class_show", "Show the answer", "lightbulb", shown=True)
        steps.show_next_button(
            "Everyone to the next step",
            move,
            1,
            disabled=state.place == len(state.course_stops) - 1,
        )


def show_step_menu(state: ClassState, token: str) -> None:
    stops, key = state.course_stops, f"class_goto_{state.place}"

    def move() -> None:
        attempt_class_action(access.class_manager().move_to_stop, token, st.session_state[key])

    st.selectbox(
        "Step that everyone goes to",
        options=range(len(stops)),
        index=state.place,
        format_func=lambda n: f"{n + 1}. {stops[n].lesson_content.title}: {stops[n].title}",
        key=key,
        on_change=move,
    )


def show_timer_controls(token: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="class_timer"):
        st.markdown("Timer")
        for minutes in (1, 2, 5, 0):
            class_button(
                f"{minutes} min" if minutes else "None",
                f"class_timer_{minutes}",
                access.class_manager().start_timer,
                token,
                60 * minutes,
                type="secondary" if minutes else "tertiary",
            )


def timer_bar(timer: Timer | None) -> Markup:
    """Bar of a timer that moves by itself, for projector and phone."""
    if timer is None:
        return Markup()
    return markup(
        '<div class="dp-timer"'
        ' style="--of:{:.0f}s;--gone:-{:.1f}s"><i></i><span>{}</span><b>Time is up</b></div>',
        timer.seconds,
        timer.seconds - timer.seconds_left(access.class_manager().clock()),
        f"{timer.seconds / 60:g} {'minute' if timer.seconds == 60 else 'minutes'}",
    )


def show_schedule_status(state: ClassState, token: str) -> None:

    def skip() -> None:
        if (now := access.class_manager().read_state(state.code)) is not None:
            out = _late(now)[2]
            stops = enumerate(now.course_stops)
            later = (n for n, stop in stops if n > now.place and stop.step == 0 and not stop.twice)
            to = (n for n in later if now.course_stops[n].lesson not in out)
            access.class_manager().move_to_stop(token, next(to, len(now.course_stops) - 1))

    gone, minutes, keys = _late(state)
    ui.show_markup('<p class="dp-pace">{} of {} minutes have passed.</p>', int(gone), minutes)
    if keys:
        named = ", ".join(LESSONS[key].title for key in keys)
        st.markdown(f"To finish in time, leave out: *{named}*.")
        class_button("Leave out", "class_skip", skip, icon="skip_next")


def _minutes_gone(state: ClassState) -> float:
    return (access.class_manager().clock() - state.began) / 60


def _late(state: ClassState) -> tuple[float, int, tuple[str, ...]]:
    """Minutes gone and planned, and lessons to leave out."""
    session, gone = session_for_lessons(state.lessons), _minutes_gone(state)
    here = [
        n for n, stop in enumerate(state.course_stops) if stop.lesson == state.current_stop.lesson
    ]
    return (
        gone,
        session.minutes,
        session.lessons_to_skip(
            state.current_stop.lesson, (state.place - here[0]) / len(here), gone
        ),
    )
