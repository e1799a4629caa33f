"""The teacher's view, for a projector: the code, the step, what the class predicts and draws, and the way on.

Invariant: how the class predicted is seen when the answer is shown, and not before; until then its number is.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base import markup
from dpviz.charts import count
from dpviz.teaching.classes import ClassRefusal, ClassState
from dpviz.teaching.lesson import LESSONS, Lesson, MultipleChoice
from dpviz.ui.classroom import access, bars
from dpviz.ui.classroom.door import BEGUN, WHAT, join_address, local, offer, plan, qr_code
from dpviz.ui.learn import step as steps
from dpviz.ui.shell import asset, head, html, paper, paragraph, present, rules
from dpviz.ui.work import Pace, part, whole
from dpviz.ui.work import look as look_on

EVERY = 0.7  # seconds between looks


def teach(look: charts.Look) -> None:
    """The page of a teacher."""
    rules(asset("classroom.css"))
    code = access.teacher()
    state = None if code is None else access.classes().look(code)
    token = access.token(access.TEACHER)
    if state is None or not token:
        _no_class()
        return
    whole(partial(_where, state.code))
    place = st.container(key="class_look")  # the same at every step: what looks is known by its place
    lesson = LESSONS[state.lesson]
    paper.describe_alone((("Lesson", lesson.title), ("Step", lesson.steps[state.step].title)), None, {})
    if st.session_state.setdefault(BEGUN, state.step > 0):
        _strip(state)
        _step(state, token, look)
        _foot(state, token)
    else:
        _lobby(state)
    steps.keys(f"{state.code} {state.step}")
    access.hand(access.TEACHER)
    with place:
        look_on("class looks", Pace(EVERY, EVERY, unseen=False))


def _where(code: str) -> object:
    state = access.classes().look(code)
    return state and (state.step, state.setting, state.shown)


def _no_class() -> None:
    """There is none, or it is over."""
    paper.describe_alone((), None, {})
    over = bool(access.token(access.TEACHER))
    access.forget(access.TEACHER)
    asked = st.query_params.get("lesson", "")
    if asked in LESSONS:
        _before(LESSONS[asked])
    else:
        title = "The class has ended" if over else "No class is under way"
        says = "Nothing of it is kept. The next one begins on a lesson." if over else "A class begins on a lesson."
        html(markup('<h1 class="dp-title">{}</h1><p class="dp-lead">{}</p>', title, says))
        st.page_link("pages/learn.py", label="All lessons", icon=":material/school:")
    if over:
        access.hand(access.TEACHER)


def _before(lesson: Lesson) -> None:
    """A class on this lesson that has not begun."""
    head(f"A class · {lesson.minutes} minutes", lesson.title)
    html(markup('<p class="dp-lead">{}</p><p class="dp-sub">{}</p>', lesson.says, WHAT))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        offer(lesson.key, first=True)
        plan(lesson.key)


def _people(code: str) -> object:
    state = access.classes().look(code)
    return state and (state.students, sum(state.predictions))


def _lobby(state: ClassState) -> None:
    """The code, as large as it may be, until all are there."""
    address, lesson = join_address(state.code), LESSONS[state.lesson]
    head(lesson.title, "Join the class")
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        html(
            markup(
                '<p class="dp-code">{}</p><p class="dp-lead">Go to <b>{}</b> and type the code, or read the picture '
                "with the camera of a phone.</p>",
                state.code,
                address.partition("?")[0],
            )
        )
        _present(state.code)
        steps.on("Begin the lesson", _begun, True, help="Who comes later can still join. Key →")
        if local(address):
            st.warning(
                "This address leads to this machine alone. For phones start the app with "
                "`dpviz app --address 0.0.0.0`, and open it here by the name of this machine or by its address in "
                "the network."
            )
    with right:
        html(qr_code(address))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            plan(state.lesson)
            _end()


def _present(code: str) -> None:
    """How many are in the class: a number, no more."""

    def number() -> None:
        state = access.classes().look(code)
        students = 0 if state is None else state.students
        are = "person is" if students == 1 else "people are"
        html(markup('<p class="dp-in" role="status"><b>{:,}</b> {} in</p>', students, are))

    part("class_people", number, partial(_people, code), alone=True)


def _begun(begun: bool) -> None:
    st.session_state[BEGUN] = begun


def _strip(state: ClassState) -> None:
    """What stays in sight: the code, for who comes late, and how many there are."""
    with st.container(key="class_strip", horizontal=True, vertical_alignment="center", gap="medium"):
        html(markup('<p class="dp-code-small">Class <b>{}</b></p>', state.code))
        _present(state.code)
        st.button(
            "Code and picture", icon=":material/qr_code:", type="tertiary", key="class_lobby", on_click=_begun,
            args=(False,),
        )  # fmt: skip
        present()
        _end()


def _end() -> None:
    with st.popover("End the class", icon=":material/stop:", type="tertiary", key="class_end"):
        st.markdown("Everyone is sent off, and nothing of the class is kept.")
        token = access.token(access.TEACHER) or ""
        st.button("End it now", type="primary", key="class_end_now", on_click=access.classes().end, args=(token,))


def _step(state: ClassState, token: str, look: charts.Look) -> None:
    """The step: prose and question, and beside them what the class does."""
    lesson = LESSONS[state.lesson]
    step = lesson.steps[state.step]
    question = None if state.asked is None else lesson.steps[state.asked].question
    head(f"{lesson.title} · step {state.step + 1} of {len(lesson.steps)}", step.title)
    answered = question if step.kind in {"predict", "explain"} else None
    if step.experiment is None and answered is None:
        with st.container(key="learn_prose"), st.container(key="class_told"):
            st.markdown(step.text())
        return
    left, right = st.columns([1, 1.3], gap="large")
    with left, st.container(key="learn_prose"):
        st.markdown(step.text())
        if step.kind == "predict" and question is not None:
            st.markdown(f"**{question.text}**\n\n{steps.points(question.choices)}")
        if step.experiment is not None:
            steps.control(step.experiment, state.value, f"class_setting_{state.step}", partial(_set, state, token))
    with right:
        if step.experiment is not None:
            with st.container(key="learn_picture"):
                part("class_picture", partial(_picture, state.code, look), partial(_drawn, state.code), alone=True)
        if answered is not None:
            part("class_answers", partial(_answers, state.code, answered), partial(_people, state.code), alone=True)


def _answers(code: str, question: MultipleChoice) -> None:
    """How many have predicted; what they predicted, once the answer is shown."""
    state = access.classes().look(code)
    if state is None:
        return
    given = sum(state.predictions)
    if not state.answer_shown:
        of = f"{count(state.students, 'prediction')} {'is' if state.students == 1 else 'are'} in"
        html(markup('<p class="dp-count" role="status"><b>{:,}</b> of {}</p>', given, of))
        return
    html(bars.answers(question.choices, state.predictions, question.answer()))
    st.markdown(question.because())


def _drawn(code: str) -> object:
    state = access.classes().look(code)
    return None if state is None or state.counts is None else (state.setting, *state.counts.tolist())


def _picture(code: str, look: charts.Look) -> None:
    """Everyone's draws beside the exact law."""
    state = access.classes().look(code)
    if state is None or state.experiment is None:
        return
    of, value = state.experiment, state.value
    counts = np.zeros(len(of.outcomes), dtype=np.int64) if state.counts is None else state.counts
    people = count(state.students, "person", "people")
    drew = f"{count(int(counts.sum()), 'release')}, drawn by {state.drawing:,} of {people}."
    paragraph(drew, "sub")
    steps.picture(of, value, counts, look, "class_chart")


def _set(state: ClassState, token: str, value: float) -> None:
    """The one control, for everyone."""
    experiment = LESSONS[state.lesson].steps[state.step].experiment
    if experiment is not None:
        _act(lambda: access.classes().set(token, state.step, experiment.settings().index(value)))


def _act(act: Callable[[], None]) -> None:
    """Do it; where the class is over, the page that follows says so."""
    with suppress(ClassRefusal):
        act()


def _foot(state: ClassState, token: str) -> None:
    """The way on, for everyone."""
    last = state.step == len(LESSONS[state.lesson].steps) - 1

    def move(by: int) -> None:
        now = access.classes().look(state.code)  # where the class is when it is pressed
        if now is not None:
            _act(lambda: access.classes().move(token, now.step + by))

    def answer(asked: int) -> None:
        _act(lambda: access.classes().show(token, asked))

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        steps.back("Everyone back", move, disabled=state.step == 0)
        if state.asked is not None and not state.answer_shown:
            st.button(
                "Show the answer", icon=":material/lightbulb:", key="class_show", on_click=answer, args=(state.asked,)
            )
        steps.on("Everyone to the next step", move, 1, disabled=last)
