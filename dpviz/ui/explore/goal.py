"""How good it must be: a goal in plain words, the ε that it takes, and the law of hits it is about."""

import math
from functools import partial

import streamlit as st

from dpviz import charts
from dpviz.base.progress import Progress
from dpviz.base.rounding import rounded_up
from dpviz.charts.words import as_typed, count, number
from dpviz.studies.epsilon_table import needed_epsilon
from dpviz.studies.scenario import Scenario
from dpviz.topk.budget import LARGEST_EPSILON, Goal
from dpviz.ui.explore.before import before
from dpviz.ui.explore.parameters import PAGE
from dpviz.ui.shell import state
from dpviz.ui.shell.controls import number_box
from dpviz.ui.shell.show import heading, show, waiting
from dpviz.ui.shell.text import plain
from dpviz.ui.work.answer import Answer
from dpviz.ui.work.desk import desk
from dpviz.ui.work.job import Done, Job
from dpviz.ui.work.pending import filling, part, there

__all__ = ["goal", "law_of_hits"]

_PATIENCE = 0.1  # seconds: the first screen is there already


def goal(scenario: Scenario, answer: Answer) -> None:
    """The goal in words, with its two numbers to change, and the ε that meets it, ready to be used."""
    heading("How good must it be?")
    k = scenario.k
    at_least, sure = _at_least(k), PAGE.read()[0].sure
    boxes = st.columns([1, 1])
    with boxes[0]:
        number_box(
            "At least so many are right" if k > 1 else "The item is right", at_least,
            lambda many: PAGE.change(at_least=many), "at_least", low=1, high=k, why=f", as {count(k, 'item')} come out",
        )  # fmt: skip
    with boxes[1]:
        PAGE.percent_box("sure", sure, "in so many % of releases", (1.0, 99.9))
    if answer.job.finished and "needed" in (job := _ask(answer, at_least, sure)).results:
        _needed(scenario, job, at_least, sure)  # nothing is left to fill
    else:
        part("goal", partial(_answered, scenario, answer, at_least, sure), lambda: answer.job.finished)


def _answered(scenario: Scenario, answer: Answer, at_least: int, sure: float) -> None:
    """The ε, once the page has its figures: until then nothing else is begun."""
    if answer.job.cancelled or not answer.job.finished:
        waiting("The ε for this goal")
        return
    job = _ask(answer, at_least, sure)
    with filling(lambda: [job], "goal"):
        part("goal_epsilon", partial(_needed, scenario, job, at_least, sure), there(job))


def _at_least(k: int) -> int:
    """How many are to be right: nine of ten, unless somebody said otherwise."""
    chosen = PAGE.read()[0].at_least
    return min(chosen, k) if chosen else math.ceil(0.9 * k - 1e-9)


def _ask(answer: Answer, at_least: int, sure: float) -> Job:
    """The ε that it takes does not depend on the one that is set, so moving ε does not ask again."""
    scores = answer.scores
    key = f"{answer.mechanism.replace(epsilon=1.0).key} {scores.digest} hits={at_least} p={sure!r}"

    def needed(progress: Progress, done: Done) -> tuple[float, str]:
        goal = Goal.of("hits", sure, at_least=at_least)
        return needed_epsilon(answer.mechanism, scores, goal, LARGEST_EPSILON, progress)

    (job,) = desk().ask("goal", [(key, lambda: {"needed": needed})], place=0, patience=_PATIENCE)
    return job


def _needed(scenario: Scenario, job: Job, at_least: int, sure: float) -> None:
    if "needed" not in job.results:
        waiting("The ε for this goal")
        return
    epsilon, reason = job.results["needed"]
    k = scenario.k
    what = "The best item"
    if k > 1:
        what = f"At least {at_least:,} of the top {k:,} right" if at_least < k else f"All of the top {k:,} right"
    start = f"{what} in {as_typed(sure)} of releases"
    if math.isinf(epsilon):
        st.html(f'<p class="dp-says">{start}: no ε is enough.</p>')
        st.caption(plain(reason))
        return
    least = rounded_up(epsilon)
    times = least / scenario.epsilon
    compared = "about what is set" if f"{times:.2g}" == "1" else f"{number(float(f'{times:.3g}'))} times what is set"
    st.html(f'<p class="dp-says">{start} takes <b>ε\u00a0=\u00a0{number(least)}</b>, {compared}.</p>')
    st.button(
        f"Use ε = {number(least)}",
        icon=":material/check:",
        on_click=_use,
        args=(least,),
        disabled=scenario.epsilon == least,
        key="goal_use",
    )


def _use(epsilon: float) -> None:
    state.change(epsilon=epsilon)


def law_of_hits(scenario: Scenario, answer: Answer, look: charts.Look, *, playing: bool) -> None:
    """How many of those that come out are right, as a chart."""
    dist = answer.distribution
    if answer.hits is None or dist is None:
        waiting("How many are right")
        return
    ghost = before(scenario, answer, playing=playing)
    chart = charts.hits_law(
        answer.hits,
        at_least=_at_least(scenario.k),
        bounds=dist.bounds,
        method=dist.method,
        before=None if ghost is None or ghost[1].k != scenario.k else (ghost[0], ghost[1].hits),
        look=look,
    )
    show(chart, "hits", brief=True)
