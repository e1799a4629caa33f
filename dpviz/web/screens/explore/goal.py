"""How good it must be: a goal in words, with its two numbers to change, and the ε that meets it,
ready to be used.
"""

import math
from functools import partial

import streamlit as st

from dpviz.base import markup, rounded_up
from dpviz.charts import at_most, count
from dpviz.pages.explore import view as explore
from dpviz.studies import Pending, Scenario
from dpviz.studies.mechanism_studies import LawStudy, NeedStudy
from dpviz.web.screens.explore.controls import PAGE
from dpviz.web.session import state
from dpviz.web.widgets import beside, filling, heading, number_box, paragraph, plain, view

_PATIENCE = 0.1  # seconds: the first screen is there already


def goal(scenario: Scenario, law: LawStudy) -> None:
    """The goal in words, with its two numbers to change, and the ε that meets it, ready to be used."""
    heading("How good must it be?")
    k, settings = law.k, PAGE.read()
    at_least = settings.at_least_of(k)
    boxes = st.columns([1, 1])
    with boxes[0]:
        number_box(
            "At least so many are right" if k > 1 else "The item is right",
            at_least,
            lambda many: PAGE.change(at_least=many),
            "at_least",
            low=1,
            high=k,
            why=f", as {count(k, 'item')} come out",
        )
    with boxes[1]:
        PAGE.percent_box("sure", settings.sure, "in so many % of releases", (1.0, 99.9))
    what = "The ε for this goal"
    need = NeedStudy(
        mechanism=law.at(1.0).mechanism,
        scores=law.scores,
        event="hits",
        probabilities=(settings.sure,),
        at_least=at_least,
    )

    def begun() -> None:
        """The work on it begins once the page has its figures."""
        if not law.finished:
            raise Pending(what)
        now, job = beside(need, "goal", place=0, patience=_PATIENCE)
        if job.finished and job.problem is None:
            _needed(scenario, now)
            return
        with filling(lambda: [job], "goal"):
            view("goal_epsilon", partial(_needed, scenario, now), what)

    view("goal", begun, what)


def _needed(scenario: Scenario, need: NeedStudy) -> None:
    (sure,) = need.probabilities
    epsilon, reason = need.needed[repr(sure)]
    start = explore.goal_words(need.k, need.at_least or need.k, sure)
    if math.isinf(epsilon):
        paragraph(f"{start}: {explore.no_epsilon(need)}.", "says")
        st.caption(plain(reason))
        return
    least = rounded_up(epsilon)
    takes = markup("<b>ε\u00a0=\u00a0{}</b>", at_most(least, digits=3))
    paragraph(
        markup("{} takes {}, {}.", start, takes, explore.compared(least, scenario.epsilon)), "says"
    )
    st.button(
        f"Use ε = {at_most(least, digits=3)}",
        icon=":material/check:",
        on_click=state.change,
        kwargs={"epsilon": least},
        disabled=scenario.epsilon == least,
        key="goal_use",
    )
