"""A student's view, for a phone: the question, the draws, and what came of them; nothing else.

Invariant: the class's step, setting and answers are the teacher's; a student's own are a choice and a number of draws.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.base import Markup, markup
from dpviz.charts import count
from dpviz.teaching.classes import ClassRefusal, ClassState, Mine, Seat
from dpviz.teaching.lesson import RELEASES, Experiment, MultipleChoice
from dpviz.ui.classroom import access, bars, results
from dpviz.ui.learn import step as steps
from dpviz.ui.shell import head, html, paragraph
from dpviz.ui.work import Pace, look, part

EVERY = 1.0  # seconds between looks
_SIZES = (1, 10, 100)
_PROBLEM = "dpviz.class.refused"


def study(seat: Seat) -> None:
    """The student's whole view, at the step where the class is."""
    part("class_own", partial(_show_page, seat), partial(_where, seat), partial(_drawn, seat), alone=True)


def _where(seat: Seat) -> object:
    access.classes().heard(seat)
    state = access.classes().look(seat.code)
    return state and (
        state.place, state.setting, state.vote, state.over, st.session_state.get(_choice(state)),
    )  # fmt: skip


def _choice(state: ClassState) -> str:
    return f"class_choice_{state.place}_{int(state.vote.again)}"


def _drawn(seat: Seat) -> object:
    state = access.classes().look(seat.code)
    return None if state is None or state.counts is None else int(state.counts.sum())


def _show_page(seat: Seat) -> None:
    state = access.classes().look(seat.code)
    if state is None:
        over()
        return
    if state.over:
        results.show_own(state, seat)
        access.hand(access.STUDENT)
        return
    place = st.container(key="class_look")  # the same at every step: what looks is known by its place
    _step(seat, state)
    problem = st.session_state.pop(_PROBLEM, None)
    if problem:
        st.warning(problem)
    access.hand(access.STUDENT)
    with place:  # within the part, so that what a choice brings is known to have come
        look("class looks", Pace(EVERY, EVERY, unseen=False))


def _step(seat: Seat, state: ClassState) -> None:
    mine, stop = access.classes().mine(seat, state), state.stop
    head(f"Class {seat.code} · step {stop.step + 1} of {len(stop.taught.steps)}", stop.title)
    if stop.question is not None:
        _predict(seat, state, stop.question, mine)
    elif state.answer_shown:
        steps.remember(state.question, mine.prediction)
    if stop.experiment is not None:
        _experiment(seat, state, stop.experiment, mine)
    elif stop.question is None:
        st.markdown(stop.shown.text())


def over() -> None:
    """What stands there once the class is over."""
    access.forget(access.STUDENT)
    st.query_params.clear()
    html(
        markup(
            '<h1 class="dp-title">The class is over</h1><p class="dp-lead">Thank you for taking part. Nothing of '
            "what you did is kept any more.</p>"
        )
    )
    st.page_link("pages/learn.py", label="All lessons, to go through alone", icon=":material/school:")
    access.hand(access.STUDENT)


def _trying(act: Callable[[], object]) -> None:
    """Do it; a refusal is told where the person looks."""
    try:
        act()
    except ClassRefusal as refused:
        st.session_state[_PROBLEM] = str(refused)


def _predict(seat: Seat, state: ClassState, question: MultipleChoice, mine: Mine) -> None:
    if state.answer_shown:
        paragraph(question.text, "lead")
        steps.remember(question, mine.prediction)
        html(bars.answers(question.choices, state.first, question.answer(), mine.prediction, state.after))
        st.markdown(question.because())
        return
    if state.vote.again:
        said = "" if mine.first is None else f" Your first answer: {question.choices[mine.first]}."
        paragraph(f"Talk to your neighbours, then answer again.{said}", "sub")
    given = mine.after if state.vote.again else mine.first
    choice = steps.ask(question, given, _choice(state))
    says = "Choose what you expect."
    if choice is not None:
        # Here and not as it changes: a look that comes with the choice must not be all that answers to it.
        if choice != given:
            _trying(lambda: access.classes().predict(seat, state.place, choice))
        says = "Your prediction is in. You may change it until the answer is shown."
    if _PROBLEM not in st.session_state:
        html(markup('<p class="dp-says" role="status">{}</p>', says))
    if state.bars_shown:
        html(bars.answers(question.choices, state.first, after=state.after))


def _experiment(seat: Seat, state: ClassState, of: Experiment, mine: Mine) -> None:
    set_to = Markup()
    if of.control is not None:
        set_to = markup(" {}: <b>{}</b>.", of.control.label, of.control.shown(state.value))
    paragraph(markup("You draw with a seed of your own ({}).{}", of.name, set_to), "sub")

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
    html(bars.draws(of.outcomes, of.law(state.value), mine.counts, everyone))
    people = count(state.students, "person", "people")
    paragraph(f"{state.drawing:,} of {people} drew so far.")
