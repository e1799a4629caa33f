"""The question of the page, read off the scenario and written back into it; nothing is kept anywhere else.

Invariants: what nobody answered has its default; an answer that is not allowed changes nothing and is told; who is
protected stays when other data are looked at, and a goal follows k.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.charts.words import as_typed
from dpviz.reports.shown import decide as shown
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, goal_words
from dpviz.studies.decision.question import PREFIX
from dpviz.studies.pages.decide import allowed, follow
from dpviz.studies.pages.decide import question as read_off
from dpviz.studies.scenario import Scenario
from dpviz.ui.decide.settings import ANSWER, PAGE, SCREENS, WHERE
from dpviz.ui.shell import paper, state
from dpviz.ui.shell.controls import heading, items_out, on_stage
from dpviz.ui.shell.start import start_without_scores
from dpviz.ui.shell.text import bidi

__all__ = ["edit", "follow", "go", "question", "screen", "start"]

_ABOUT = "dpviz.decide.about"  # the data that were last looked at
_CARRIED = ("unit", "contributions", "items_known")
_OF_SCORES = ("sensitivity", "monotonic", "contributions")


def screen() -> str:
    """The screen that is open."""
    return PAGE.read()[0].screen


def go(name: str) -> None:
    """Open a screen."""
    PAGE.change(screen=name)


def start() -> tuple[Question, Scores | None]:
    """Everything around the page; the question, and the scores to answer it on, None where a file must be loaded."""
    start_without_scores("decide", _sidebar, _stage)
    scenario, now = state.scenario(), question()
    scores = None if scenario.needs_data else state.scores(scenario)
    paper.describe(scores, shown(now))
    return now, scores


def _stage(scenario: Scenario) -> None:
    """ε, where it is answered or given by hand, and k."""
    if screen() == ANSWER:
        on_stage(
            "decide.epsilon",
            scenario.epsilon,
            lambda epsilon: edit(epsilon=epsilon),
            labels=("ε of one release", "ε, exactly"),
            help="The smallest for the goal, until it is moved by hand.",
            high=max(1e4, scenario.epsilon),
        )
    else:
        st.html(f'<p class="dp-note">{SCREENS[screen()]}</p>')
    items_out(scenario, lambda k: edit(k=k))


def question() -> Question:
    """The question that the scenario holds; a part of it that cannot be is left out and told."""
    scenario = state.scenario()
    try:
        return read_off(scenario)
    except ParameterError as err:
        state.tell(WHERE, f"{err} The answers in the link are left out.")
        kept = {name: value for name, value in scenario.page.items() if not name.startswith(PREFIX)}
        return Question.of(scenario.replace(page=kept), designs=allowed(scenario))


def edit(*, settled: bool = False, **changes: Any) -> None:
    """Change answers; where one is not allowed nothing changes and it is told. `settled`: nobody did it."""
    now, scenario = question(), state.scenario()
    try:
        if "k" in changes and "goal" not in changes:
            changes["goal"] = follow(now.goal_text, int(changes["k"]))
        said = changes.pop("said", {})  # of what one person can change: of the data and of the scores that are there
        new = now.replace(**changes, data=replace(now.data, **said))
        told = {name: value for name, value in said.items() if name in _OF_SCORES}
        scores = replace(scenario.scores, **told) if scenario.scores is not None else None
        asked = new.scenario(scenario.epsilon if new.epsilon is None else new.epsilon)
    except ParameterError as err:
        state.forget()
        state.tell(WHERE, str(err))
        return
    kept = {n: value for n, value in scenario.page.items() if not n.startswith(PREFIX)}
    own = {n: scenario.page[n] for n in (f"{PREFIX}screen", f"{PREFIX}digest") if n in scenario.page}
    answers = {name: getattr(asked, name) for name in ("data", "epsilon", "k", "designs", "name")}
    answers |= {"page": {**kept, **asked.page, **own}, "scores": scores}
    if settled:
        state.settle(**answers)
    else:
        state.change(WHERE, **answers)


def _carry(data: DataSpec) -> None:
    """Other data than before are about the same people: what was said of them stays."""
    before: DataSpec | None = st.session_state.get(_ABOUT)
    st.session_state[_ABOUT] = data
    if before is None or (before.source, before.name) == (data.source, data.name):
        return
    said = {n: getattr(before, n) for n in _CARRIED if getattr(data, n) is None and getattr(before, n) is not None}
    if said:
        edit(said=said, settled=True)
        st.session_state[_ABOUT] = state.scenario().data


def _sidebar(scenario: Scenario) -> None:
    """The questions with the answers given so far; each opens its screen."""
    _carry(scenario.data)
    heading("The questions")
    now, opened = question(), screen()
    for number, (name, title) in enumerate(SCREENS.items(), 1):
        st.button(
            f"{number}. {title}" if name != ANSWER else title,
            key=f"decide_{name}",
            type="primary" if name == opened else "tertiary",
            on_click=go,
            args=(name,),
        )
        if name != ANSWER:
            st.html(f'<p class="dp-note">{_told(name, now)}</p>')


def _told(name: str, now: Question) -> str:
    """HTML: the answer to a question, in a few words."""
    if name == "published":
        often = "once" if now.releases == 1 else f"{now.releases:,} times"
        over = f" over {bidi(now.period)}" if now.period else ""
        return f"{bidi(now.name) if now.name else 'A list'}: the {now.k:,} best, {often}{over}"
    if name == "protected":
        most = now.data.contributions
        return f"One {bidi(now.unit)}, in {'any number of items' if most is None else f'at most {most:,}'}"
    if name == "good":
        return f"{goal_words(now.target, now.k)}, {as_typed(now.target.probability)}"
    if name == "data":
        return f"{bidi(now.data.called) if now.data.called else 'Not named'}; {now.decided_on}"
    return ", ".join(dict.fromkeys(bidi(design.label) for design in now.designs))
