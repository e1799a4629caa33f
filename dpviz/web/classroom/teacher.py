"""The teacher's view, for a projector: the code, the step, predictions and draws.

Invariant: answers are hidden while anybody may vote; only their number is seen.
"""

from functools import partial

import streamlit as st

from dpviz.base import Ints
from dpviz.charts import Look, count_text
from dpviz.pages.common import PagePreview, lesson_figures
from dpviz.teaching.classes import ClassManager, ClassState
from dpviz.teaching.lesson import FULL, Experiment, MultipleChoice
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.session_plans import SessionPlan, find_session
from dpviz.web import widgets as ui
from dpviz.web.classroom import access, console, entry, poll, steering, vote_bars, votes_as_data
from dpviz.web.classroom.screen_pages import split_into_screens
from dpviz.web.screens.learn import step as steps
from dpviz.web.server.allowed_hosts import is_local_address
from dpviz.web.server.static_files import read_asset
from dpviz.web.widgets import print_header

_CHART = "class_chart"
# letters and lines of a column; a wide text has two
_ROOM_FOR = {"wide": (50, 13.0), "beside": (56, 14.0), "experiment": (44, 8.0)}
_FORMULA = 3.5  # lines of a column


def show_teacher_page(look: Look) -> None:
    ui.add_style_rules(read_asset("html_bars.css") + read_asset("classroom.css"))
    with access.show_class_refusals():
        _teach(_for_class(look))


def _for_class(look: Look) -> Look:
    return look.for_projector(access.window_width()) if look.scale > 1 else look


def _teach(look: Look) -> None:
    state, token = access.taught_class(), access.teacher_token()
    if console.ASKED in st.query_params:
        console.show_remote_console(state, token)
        return
    if state is None:
        _no_class()
        return

    steering.rerun_when_class_changes(state, token)
    print_header.set_provenance_without_scenario(
        (("Lesson", state.current_stop.lesson_content.title), ("Step", state.current_stop.title)),
        None,
        {},
    )
    if state.over:
        console.show_class_results(state, token)
    elif st.query_params.get(entry.BEGUN, "lesson" if state.place else "code") == "lesson":
        console.show_class_code_strip(state)
        if state.polled is not None:
            poll.show_poll_on_projector(state, state.polled, token)
        else:
            _step(state, token, look)
            steering.show_step_buttons(state, token)
    else:
        _lobby(state)
    steps.bind_arrow_keys(f"{state.code} {state.place}")
    access.write_token_cookie()


def _no_class() -> None:
    print_header.set_provenance_without_scenario((), None, {})
    over = bool(access.teacher_token())
    access.hold_teacher_token("")
    asked = find_session(st.query_params.get("session", "") or st.query_params.get("lesson", ""))
    if asked is not None:
        _before(asked)
    else:
        told = ("No class is running", "Start a class from a lesson or a session.")
        if over:
            told = ("The results are deleted", "Nothing of the class is kept any more.")
        ui.show_markup('<h1 class="dp-title">{}</h1><p class="dp-lead">{}</p>', *told)
        st.page_link("pages/learn.py", label="All lessons", icon=":material/school:")
    if over:
        access.write_token_cookie()


def _before(session: SessionPlan) -> None:
    lessons = session.lesson_contents
    if len(lessons) == 1:
        ui.show_page_head(f"A class · {lessons[0].minutes} minutes", lessons[0].title)
        lead = lessons[0].says
    else:
        ui.show_page_head(
            f"A class · {session.minutes} minutes", f"{len(lessons)} lessons under one code"
        )
        lead = " · ".join(lesson.title for lesson in lessons)
    ui.show_markup('<p class="dp-lead">{}</p><p class="dp-sub">{}</p>', lead, entry.WHAT)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        entry.show_begin_class_button(*session.lessons, is_primary=True)
        entry.show_plan_link(session.key)


def _lobby(state: ClassState) -> None:
    address = entry.join_address(state)
    lessons = state.lessons
    ui.show_page_head(
        LESSONS[lessons[0]].title if len(lessons) == 1 else f"{len(lessons)} lessons",
        "Join the class",
    )
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        ui.show_markup(
            '<p class="dp-code">{}</p><p class="dp-lead">Go to <b>{}</b> and type the code, or'
            " scan the picture with a phone.</p>",
            state.code,
            address.partition("?")[0],
        )
        console.show_student_count(state)
        console.show_waiting_devices(access.teacher_token())
        steps.show_next_button(
            "Begin the lesson",
            console.show_lesson_or_code,
            True,
            help="Latecomers can still join. Key →",
        )
        if is_local_address(address):
            st.warning(
                "This address works only on this machine. For phones, start the app with `dpviz app"
                " --class`, which finds an address that they can reach."
            )
    with right:
        ui.html(entry.qr_code(address))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            entry.show_plan_link(state.current_stop.lesson)
            console.show_end_class_control()


def _step(state: ClassState, token: str, look: Look) -> None:
    stop, question = state.current_stop, state.question
    steps_here = len(stop.lesson_content.steps)
    ui.show_page_head(
        f"{stop.lesson_content.title} · step {stop.step + 1} of {steps_here}", stop.title
    )
    answered = (
        question if stop.question is not None or stop.step_content.kind == "explain" else None
    )
    if stop.experiment is None and answered is None:
        with st.container(key="learn_prose"):
            _told_or_at_work(state, wide=True)
        return
    left, right = st.columns([1.3, 1] if stop.reveals_answer else [1, 1.3], gap="large")
    with left, st.container(key="learn_prose"):
        if stop.twice:
            if not state.vote.shown:
                talk = "Talk to your neighbours: who chose otherwise, and why? Then answer again."
                st.markdown(talk if state.vote.again else "Everyone answers alone first.")
        elif stop.experiment is not None and state.law_shown:  # the draws are over
            of = stop.experiment
            says = of.says(state.setting_value)
            at = None if of.control is None else of.control.value_label(state.setting_value)
            ui.show_paragraph(
                says if at is None else ui.live_text(f"says {_CHART}", says, at), "says"
            )
        else:
            _told_or_at_work(state)
        if stop.experiment is not None and stop.experiment.guess is not None:
            then = "" if state.law_shown else " Everyone sets a mark first, then draws."
            st.markdown(f"**{stop.experiment.guess.asks}**{then}")
            _marked(stop.experiment, state)
        if stop.question is not None:
            steps.show_lesson_text(f"**{stop.question.text}**")
            if not state.class_answers_shown:  # else the bars name them
                st.markdown(steps.markdown_list(steps.lettered_choices(stop.question.choices)))
            if state.vote.shown:
                steps.show_lesson_text(stop.question.because)
        if stop.experiment is not None:
            steps.show_experiment_control(
                stop.experiment,
                state.setting_value,
                f"class_setting_{state.place}",
                partial(_set, state, token),
                (state.code, state.place, state.setting, state.vote, state.law_shown),
                partial(_at, access.class_manager(), state, stop.experiment),
                leaves_out_current=True,
            )
            _how_much(stop.experiment, state)
    with right:
        if stop.experiment is not None:
            with st.container(key="learn_picture"):
                _picture(look, stop.experiment, state)
        if answered is not None:
            with st.container(key="class_answered"):
                _answers(answered, state)


def _told_or_at_work(state: ClassState, *, wide: bool = False) -> None:
    """Prose, or the mechanism at work in its place, so that nothing is cut off."""
    step = state.current_stop.step_content
    at_work = step.at_work is not None and st.toggle(
        "See it at work", key=f"class_work_{state.place}"
    )
    if step.at_work is not None and at_work:
        steps.show_mechanism_stepper(
            step.at_work, state.current_stop.lesson_content.seed, f"work_{state.place}"
        )
    else:
        letters, lines = _ROOM_FOR[
            "wide" if wide else "experiment" if step.experiment else "beside"
        ]
        parts = split_into_screens(
            step.text, letters, lines, 0.0 if step.formula is None else _FORMULA, 1 + wide
        )
        key = f"class_part_{state.place}"
        part = st.session_state.setdefault(key, 0) % len(parts)

        def read_on() -> None:
            st.session_state[key] += 1

        with st.container(key="class_told"):
            steps.show_lesson_text(parts[part])
        if len(parts) > 1:
            ui.button(
                f"Read on: {part + 2} of {len(parts)}"
                if part + 1 < len(parts)
                else "From the beginning",
                "class_read_on",
                read_on,
                icon="menu_book",
            )
        if step.formula is not None and part == 0:
            steps.show_formula(step.formula)


def _answers(question: MultipleChoice, state: ClassState) -> None:
    if not state.vote.shown:
        poll.show_vote_count(state)
    votes = state.after if sum(state.after) > 1 else state.first
    if data := state.class_answers_shown and votes_as_data.show_class_data_toggle(votes):
        votes_as_data.show_one_voter_leaving(votes, steps.lettered_choices(question.choices))
    elif state.class_answers_shown:
        ui.html(
            vote_bars.question_bars_html(
                question, state.first, state.after, shows_right_answer=state.vote.shown
            )
        )
    if state.vote.shown and not data and state.current_stop.question is None:
        steps.show_lesson_text(question.because)


def _picture(look: Look, experiment: Experiment, state: ClassState) -> None:
    steps.show_outcome_chart(
        experiment,
        state.setting_value,
        state.counts,
        look,
        _CHART,
        show_law=state.law_shown,
        without_sentence=True,
    )


def _how_much(experiment: Experiment, state: ClassState) -> None:
    drew = _drew(state, state.counts, state.drawing)
    ui.show_paragraph(
        drew
        if experiment.control is None
        else ui.live_text("drew", drew, experiment.control.value_label(state.setting_value)),
        "sub",
    )


def _marked(experiment: Experiment, state: ClassState) -> None:
    """Number of marks; the marks themselves once the exact chances are shown."""
    if state.law_shown and state.marks:
        ui.html(
            vote_bars.chance_guesses_html(state.marks, experiment.exact_percentage_at_start / FULL)
        )
    elif not state.law_shown:
        ui.show_paragraph(
            f"{len(state.marks):,} of {count_text(state.students, 'mark')}"
            f" {'is' if state.students == 1 else 'are'} set.",
            "sub",
        )


def _drew(state: ClassState, counts: Ints, drawing: int) -> str:
    return (
        f"{count_text(int(counts[0].sum()), 'release')}, drawn by {drawing:,} of"
        f" {count_text(state.students, 'person', 'people')}."
    )


def _at(
    classes: ClassManager, state: ClassState, experiment: Experiment, setting: float, look: Look
) -> PagePreview:
    """Preview of the picture at another setting, with the class's draws there."""
    counts, drawing = classes.class_draw_and_person_counts(
        state, experiment.settings().index(setting)
    )
    return lesson_figures.experiment_preview(
        lesson_figures.experiment_chart(
            experiment, setting, counts, _for_class(look), show_law=state.law_shown
        ),
        _CHART,
        {"drew": _drew(state, counts, drawing)},
    )


def _set(state: ClassState, token: str, value: float) -> None:
    if (experiment := state.experiment) is not None:
        steering.attempt_class_action(
            access.class_manager().change_setting,
            token,
            state.place,
            experiment.settings().index(value),
        )
