"""A student's view, for a phone: the question, the draws, and what came of them; nothing else.

Invariant: the class's step, setting and answers are the teacher's; a student's own are a choice and a number of draws.
"""

import html
from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.charts.words import count
from dpviz.teaching.classes import LIMITS, ClassState, Mine, Refused, Seat
from dpviz.teaching.lesson import LESSONS, RELEASES, Experiment, Question
from dpviz.ui.classroom import access, bars, live
from dpviz.ui.learn.step import verdict

__all__ = ["over", "study"]

EVERY = 1.0  # seconds between looks
_SIZES = (1, 10, 100)
_PROBLEM = "dpviz.class.refused"


def study(seat: Seat) -> None:
    """The student's whole view, at the step where the class is."""
    live.begin()
    live.part("class_own", partial(_draw, seat), partial(_where, seat), partial(_drawn, seat))
    live.watch(EVERY, hand=(access.STUDENT, seat.token), age=LIMITS.seconds)


def _where(seat: Seat) -> object:
    state = access.classes().look(seat.code)
    return state and (state.step, state.setting, state.answer_shown, st.session_state.get(_choice(state)))


def _choice(state: ClassState) -> str:
    return f"class_choice_{state.step}"


def _drawn(seat: Seat) -> object:
    state = access.classes().look(seat.code)
    return None if state is None or state.counts is None else int(state.counts.sum())


def _draw(seat: Seat) -> None:
    state = access.classes().look(seat.code)
    if state is None:
        over()
        return
    lesson, mine = LESSONS[state.lesson], access.classes().mine(seat, state)
    step = lesson.steps[state.step]
    st.html(
        f'<div class="dp-over">Class {seat.code} · step {state.step + 1} of {len(lesson.steps)}</div>'
        f'<h1 class="dp-title">{html.escape(step.title)}</h1>'
    )
    question = None if state.asked is None else lesson.steps[state.asked].question
    if step.kind == "predict" and step.question is not None:
        _predict(seat, state, step.question, mine)
    elif question is not None and state.answer_shown and mine.prediction is not None:
        st.html(f'<p class="dp-verdict">{html.escape(verdict(question, mine.prediction))}</p>')
    if step.experiment is not None:
        _experiment(seat, state, step.experiment, mine)
    elif step.kind != "predict":
        here = "You are in. " if state.step == 0 else ""
        st.html(f'<p class="dp-lead">{here}Look at the screen in front. This page goes on when the class does.</p>')
    problem = st.session_state.pop(_PROBLEM, None)
    if problem:
        st.warning(problem)


def over() -> None:
    """What stands there once the class is over."""
    access.forget(access.STUDENT)
    st.query_params.clear()
    st.html(
        '<h1 class="dp-title">The class has ended</h1><p class="dp-lead">Thank you for taking part. Nothing of what '
        "you did is kept.</p>"
    )
    st.page_link("pages/learn.py", label="All lessons, to go through alone", icon=":material/school:")
    live.cookie(access.STUDENT, "", 0.0)


def _trying(act: Callable[[], object]) -> None:
    """Do it; a refusal is told where the person looks."""
    try:
        act()
    except Refused as refused:
        st.session_state[_PROBLEM] = str(refused)


def _predict(seat: Seat, state: ClassState, question: Question, mine: Mine) -> None:
    if state.answer_shown:
        st.html(f'<p class="dp-lead">{html.escape(question.text)}</p>')
        if mine.prediction is not None:
            st.html(f'<p class="dp-verdict">{html.escape(verdict(question, mine.prediction))}</p>')
        st.html(bars.answers(question.choices, state.predictions, question.answer(), mine.prediction))
        st.markdown(question.because())
        return
    choice = st.radio(
        question.text,
        options=range(len(question.choices)),
        format_func=lambda n: question.choices[n],
        index=mine.prediction,
        key=_choice(state),
    )
    told = "Choose what you expect."
    if choice is not None:
        # Here and not as it changes: a look that comes with the choice must not be all that answers to it.
        if choice != mine.prediction:
            _trying(lambda: access.classes().predict(seat, state.step, choice))
        told = "Your prediction is in. You may change it until the answer is shown."
    if _PROBLEM not in st.session_state:
        st.html(f'<p class="dp-says" role="status">{told}</p>')


def _experiment(seat: Seat, state: ClassState, of: Experiment, mine: Mine) -> None:
    control = "" if of.control is None else f" {of.control.label}: <b>{html.escape(of.control.shown(state.value))}</b>."
    st.html(f'<p class="dp-sub">You draw with a seed of your own ({html.escape(of.name)}).{control}</p>')

    def draw(more: int) -> None:
        _trying(lambda: access.classes().draw(seat, state, more))

    if mine.draws < RELEASES:
        with st.container(horizontal=True, gap="small", key="class_draw"):
            for size in _SIZES:
                st.button(
                    f"Draw {size}", key=f"class_draw_{size}", on_click=draw, args=(size,), width="stretch",
                    type="primary" if size == 1 else "secondary",
                )  # fmt: skip
    everyone = state.counts
    if everyone is not None and everyone.sum() < mine.draws:  # what others see of one's own comes a moment later
        everyone = None
    st.html(bars.draws(of.outcomes, of.law(state.value), mine.counts, everyone))
    people = count(state.students, "person", "people")
    st.html(f'<p class="dp-how">{state.drawing:,} of {people} drew so far.</p>')
