"""A lesson as one reader goes through it: where it is, the step, and the way on."""

import html
from collections.abc import Callable
from datetime import date

import streamlit as st

from dpviz import charts
from dpviz.reports import takeaway
from dpviz.teaching.lesson import LESSONS, WORDS, Experiment, Lesson
from dpviz.ui.learn.place import Place, go
from dpviz.ui.learn.step import May, Person, draw_step
from dpviz.ui.shell import paper, stage
from dpviz.ui.shell.style import asset

__all__ = ["lesson"]

_PREDICTED = "dpviz.learn.predicted"


def lesson(place: Place, look: charts.Look, beside: Callable[[str], None] | None = None) -> None:
    """The whole lesson at this place; `beside` draws what else may be done with it, in its first line."""
    taught = place.taught
    _head(place, beside)
    person = Person(place.seed, place.setting, place.releases, _predictions().get(_asked(place), None))
    may = May(
        set=lambda value: go(Place(place.lesson, place.step, place.seed, value, place.releases)),
        draw=lambda size, seed: go(Place(place.lesson, place.step, seed, place.setting, size)),
        predict=lambda choice: _predictions().update({_asked(place): choice}),
    )
    with st.container(key=f"learn_step_{place.lesson}_{place.step + 1}"):
        draw_step(taught, place.step, person, may, look)
        if place.shown.experiment is not None:
            _take(place, place.shown.experiment)
        if place.step == len(taught.steps) - 1:
            _end(taught)
    _foot(place)
    _keys(place)
    experiment = place.shown.experiment
    settings = [("Lesson", taught.title), ("Step", place.shown.title)]
    if experiment is not None and experiment.control is not None:
        setting = experiment.start if place.setting is None else place.setting
        settings.append((experiment.control.label, experiment.control.shown(setting)))
    if experiment is not None:
        settings.append(("Releases", experiment.name))
    paper.describe_alone(tuple(settings), place.seed, place.query())


def _predictions() -> dict[tuple[str, int | None], int]:
    own: dict[tuple[str, int | None], int] = st.session_state.setdefault(_PREDICTED, {})
    return own


def _asked(place: Place) -> tuple[str, int | None]:
    return place.lesson, place.taught.prediction(place.step)


def _head(place: Place, beside: Callable[[str], None] | None) -> None:
    taught, number = place.taught, list(LESSONS).index(place.lesson) + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_head"):
        st.button(
            "All lessons", icon=":material/arrow_back:", type="tertiary", key="learn_list", on_click=go, args=(None,)
        )
        st.html(f'<span class="dp-over">Lesson {number} of {len(LESSONS)} · {taught.minutes} minutes</span>')
        if beside is not None:
            beside(place.lesson)
        stage.present()
    marks = "".join(_mark(n, place) for n in range(len(taught.steps)))
    st.html(
        f'<div class="dp-lesson-head"><h1 class="dp-title">{html.escape(taught.title)}</h1>'
        f'<ol class="dp-steps" aria-label="Steps of this lesson">{marks}</ol></div>'
    )
    if place.step == 0:
        able = "".join(f"<li>{html.escape(one)}</li>" for one in taught.able)
        st.html(f'<div class="dp-able"><p>After it you can say</p><ul>{able}</ul></div>')


def _mark(number: int, place: Place) -> str:
    step = place.taught.steps[number]
    state = "done" if number < place.step else "now" if number == place.step else "later"
    current = ' aria-current="step"' if number == place.step else ""
    return f'<li class="dp-{state}"{current}>{WORDS[step.kind]}</li>'


def _take(place: Place, of: Experiment) -> None:
    """The picture as a file; its rows say what the page itself says of it."""
    start, today = of.start if place.setting is None else place.setting, paper.today()
    st.download_button(
        "This picture as a file",
        data=lambda: _file(place, of, start, today),
        file_name=f"dpviz-{place.lesson.replace('_', '-')}.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/tune:",
        type="tertiary",
        key="learn_take",
        help="With its control as a slider and every setting inside: it opens anywhere, without a network.",
    )


def _file(place: Place, of: Experiment, start: float, today: date) -> str:
    made = takeaway.taught(place.taught, of, seed=place.seed, start=start, releases=place.releases)
    told = [("Lesson", place.taught.title), ("Step", place.shown.title), ("Seed", str(place.seed))]
    return takeaway.written(made, [*told, ("Date", today.isoformat())]).html


def _end(taught: Lesson) -> None:
    st.html(f'<p class="dp-how"><b>Where it is proved.</b> {html.escape(taught.proved)}</p>')


def _foot(place: Place) -> None:
    last = place.step == len(place.taught.steps) - 1
    keys = list(LESSONS)
    after = keys[keys.index(place.lesson) + 1 :][:1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="learn_foot"):
        st.button(
            "Back", icon=":material/chevron_left:", key="learn_back", on_click=go, args=(place.at(place.step - 1),),
            disabled=place.step == 0, help="Key ←",
        )  # fmt: skip
        if not last:
            st.button(
                "Next", icon=":material/chevron_right:", icon_position="right", key="learn_next", type="primary",
                on_click=go, args=(place.at(place.step + 1),), help="Key →",
            )  # fmt: skip
        elif after:
            st.button(
                f"Next lesson: {LESSONS.label(after[0])}", icon=":material/chevron_right:", icon_position="right",
                key="learn_next", type="primary", on_click=go, args=(Place(after[0], 0, LESSONS[after[0]].seed),),
            )  # fmt: skip


def _keys(place: Place) -> None:
    """← and →, and the keys of a presenter, go back and on; a new step begins at the top."""
    if hasattr(st.components, "v2"):
        keys = st.components.v2.component("dpviz_learn", js=asset("learn.js"))
        with st.container(key="learn_keys"):
            keys(data={"at": f"{place.lesson} {place.step}"}, key="learn_keys_script")
