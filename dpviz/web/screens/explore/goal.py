"""A goal in words with two numbers to change, and the ε that meets it."""

import math
from functools import partial

import streamlit as st

from dpviz.base import markup, round_up
from dpviz.charts import count_text, upper_bound_text
from dpviz.pages.explore import goal_phrases
from dpviz.studies import Scenario, StepPending
from dpviz.studies.mechanism_studies import LawStudy, SmallestEpsilonStudy
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.session import state
from dpviz.web.widgets import (
    compute_in_background,
    escape_markdown,
    heading,
    number_box,
    paragraph,
    show_job_progress,
    show_live_view,
)

_PATIENCE = 0.1  # seconds: the first screen is there already


def show_goal_section(scenario: Scenario, law: LawStudy) -> None:
    """A goal with two numbers to change, and the ε that meets it."""
    heading("How accurate must the list be?")
    k, settings = law.k, PAGE.current_settings()
    at_least = settings.required_hits(k)
    boxes = st.columns([1, 1])
    with boxes[0]:
        number_box(
            "Right items, at least" if k > 1 else "The item is right",
            at_least,
            lambda many: PAGE.change(at_least=many),
            "at_least",
            low=1,
            high=k,
            why=f", as the list has {count_text(k, 'item')}",
        )
    with boxes[1]:
        PAGE.percent_box("sure", settings.sure, "in % of releases", (1.0, 99.9))
    what = "The ε for this goal"
    need = SmallestEpsilonStudy(
        mechanism=law.with_epsilon(1.0).mechanism,
        scores=law.scores,
        event="hits",
        probabilities=(settings.sure,),
        at_least=at_least,
    )

    def begun() -> None:
        if not law.is_complete:
            raise StepPending(what)
        now, job = compute_in_background(need, "goal", place=0, patience=_PATIENCE)
        if job.finished and job.problem is None:
            _needed(scenario, now)
            return
        with show_job_progress(lambda: [job], "goal"):
            show_live_view(partial(_needed, scenario, now), what)

    show_live_view(begun, what)


def _needed(scenario: Scenario, need: SmallestEpsilonStudy) -> None:
    (sure,) = need.probabilities
    epsilon, reason = need.smallest_epsilons[repr(sure)]
    start = goal_phrases.hits_goal_phrase(need.k, need.at_least or need.k, sure)
    if math.isinf(epsilon):
        paragraph(f"{start}: {goal_phrases.unreachable_goal_phrase(need)}.", "says")
        st.caption(escape_markdown(reason))
        return
    least = round_up(epsilon)
    paragraph(
        markup(
            "{}: this needs {}, <span data-pale>{}</span>.",
            start,
            markup("<b>ε\u00a0=\u00a0{}</b>", upper_bound_text(least, digits=3)),
            goal_phrases.epsilon_comparison_phrase(least, scenario.epsilon),
        ),
        "says",
    )
    st.button(
        f"Use ε = {upper_bound_text(least, digits=3)}",
        icon=":material/check:",
        on_click=state.change_scenario,
        kwargs={"epsilon": least},
        disabled=scenario.epsilon == least,
        key="goal_use",
    )
