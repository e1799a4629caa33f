"""One step of a lesson for one person: prose, a question, an experiment with its picture.

Whoever shows it says where the person is and what may be done: a page for one reader, a class for many.
"""

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from dpviz import charts
from dpviz.base.arrays import Ints
from dpviz.charts.teaching.draws_and_law import draws_and_law
from dpviz.teaching.lesson import RELEASES, Experiment, Lesson, Question, Way
from dpviz.ui.learn.place import SIZES
from dpviz.ui.shell.show import show
from dpviz.ui.work.kept import kept

__all__ = ["May", "Person", "draw_step", "drawn", "folded_answer", "verdict"]

_KEPT = 40


@dataclass(frozen=True)
class Person:
    """What one person has in a step: seed, setting (None: where the control starts), releases shown, prediction."""

    seed: int
    setting: float | None = None
    releases: int = 0
    predicted: int | None = None


@dataclass(frozen=True)
class May:
    """What a person may do, each a callback with the new value; None takes the control away, or locks it."""

    set: Callable[[float], None] | None = None
    draw: Callable[[int, int], None] | None = None
    predict: Callable[[int], None] | None = None


def draw_step(lesson: Lesson, number: int, person: Person, may: May, look: charts.Look, *, prose: bool = True) -> None:
    """Step `number` of a lesson as this person sees it; without `prose` its title, question and experiment alone."""
    step = lesson.steps[number]
    st.html(f'<h2 class="dp-step-title">{step.title}</h2>')
    if step.experiment is None:
        with st.container(key="learn_prose"):
            _words(lesson, number, person, may, prose=prose)
            if step.way is not None:
                _way(step.way)
        return
    told, shown = st.columns([1, 1.45], gap="large")
    with told, st.container(key="learn_prose"):
        _words(lesson, number, person, may, prose=prose)
        _releases(person, may)
        if person.releases:
            _remembered(lesson, number, person)
        if step.way is not None:
            _way(step.way)
    with shown:
        _experiment(step.experiment, person, may, key=f"{lesson.key}_{number + 1}", look=look)


def _words(lesson: Lesson, number: int, person: Person, may: May, *, prose: bool) -> None:
    step = lesson.steps[number]
    if step.kind in {"tell", "explain"}:
        _remembered(lesson, number, person)
    if prose:
        st.markdown(step.text())
    if step.question is None:
        return
    if step.kind == "predict":
        _ask(step.question, person, may, key=f"predict_{lesson.key}_{number + 1}")
    else:
        folded_answer(step.question)


def _ask(question: Question, person: Person, may: May, key: str) -> None:
    """The question, openly; the answer comes in a later step."""

    def answered() -> None:
        if may.predict is not None and st.session_state[key] is not None:
            may.predict(st.session_state[key])

    st.radio(
        question.text,
        options=range(len(question.choices)),
        format_func=lambda n: question.choices[n],
        index=person.predicted,
        key=key,
        on_change=answered,
        disabled=may.predict is None,
    )


def folded_answer(question: Question) -> None:
    """A question with its answer folded inside."""
    st.markdown(f"**A question.** {question.text}")
    st.markdown("\n".join(f"- {choice}" for choice in question.choices))
    box = st.expander("Open for the solution", icon=":material/lightbulb:", on_change="rerun", key="learn_answer")
    if box.open:
        with box:
            with st.spinner("Computing…"):
                right, told = question.answer(), list(zip(question.choices, question.reasons(), strict=True))
            choice, why = told.pop(right)
            st.markdown(f"**{choice}.** {why}")
            st.markdown("Why not the others?\n\n" + "\n".join(f"- *{choice}.* {why}" for choice, why in told))


def _remembered(lesson: Lesson, number: int, person: Person) -> None:
    """What was predicted, held against what is so."""
    asked = lesson.prediction(number)
    question = None if asked is None else lesson.steps[asked].question
    if question is not None and person.predicted is not None:
        st.html(f'<p class="dp-verdict">{html.escape(verdict(question, person.predicted))}</p>')


def verdict(question: Question, predicted: int) -> str:
    """What became of a prediction: whether it is so, and else why not."""
    right = question.answer()
    if predicted == right:
        return f"You said: {question.choices[predicted]}. So it is."
    said, so = question.choices[predicted], question.choices[right]
    return f"You said: {said}. It is: {so}. {question.mistakes()[predicted]}"


def drawn(name: str, experiment: Experiment, seed: int, setting: float, releases: int) -> Ints:
    """How often each outcome came, kept for a while; `name` tells experiments apart."""
    return np.asarray(
        kept("lessons", _KEPT).once(
            f"{name} {seed} {setting!r} {releases}",
            lambda: experiment.counts(setting, np.random.default_rng(seed), releases),
        )
    )


def _experiment(of: Experiment, person: Person, may: May, *, key: str, look: charts.Look) -> None:
    """The picture and the one control under it."""
    setting = of.start if person.setting is None else person.setting
    counts = drawn(key, of, person.seed, setting, person.releases)
    beside: Mapping[str, np.ndarray] = {name: law(setting) for name, law in of.beside}
    chart = draws_and_law(
        of.outcomes, of.law(setting), counts, name=of.name, beside=beside, says=of.says(setting), look=look
    )
    with st.container(key="learn_picture"):
        show(chart, f"learn_{key}_{person.seed}", brief=True)
        _control(of, setting, may, key)


def _releases(person: Person, may: May) -> None:
    """The buttons that make releases: so many of this seed's, or those of the next."""
    if may.draw is None:
        return
    st.html('<p class="dp-make">Make releases</p>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for size in SIZES:
            st.button(
                f"{size:,}",
                key=f"learn_draw_{size}",
                on_click=may.draw,
                args=(size, person.seed),
                type="primary" if size == person.releases else "secondary",
            )
        st.button(
            "Others",
            icon=":material/casino:",
            key="learn_others",
            on_click=may.draw,
            args=(person.releases or RELEASES, person.seed + 1),
            help="As many others; the link has them too.",
        )


def _way(way: Way) -> None:
    """To a page of the app, set up; in a window of its own, so that the lesson stays where it is."""
    page, query = way.address()
    st.link_button(way.says, f"{page}?{urlencode(query)}", icon=":material/open_in_new:")


def _control(of: Experiment, setting: float, may: May, key: str) -> None:
    control = of.control
    if control is None:
        return
    held = f"learn_setting_{key}"

    def moved() -> None:
        if may.set is not None:
            may.set(float(st.session_state[held]))

    st.select_slider(
        control.label,
        options=control.values,
        value=setting,
        format_func=control.shown,
        key=held,
        on_change=moved,
        disabled=may.set is None,
    )
