"""What is asked, in words that need no training: what is published, who is protected, how good it will be."""

import html
import math

import streamlit as st

from dpviz.base.scores import ADDED, REPLACED, Scores
from dpviz.charts.words import number, of_releases
from dpviz.data import EXAMPLES
from dpviz.privacy.odds import guess_bound
from dpviz.studies.scenario import Scenario
from dpviz.topk.one_shot import OneShot
from dpviz.ui.shell.explain import term
from dpviz.ui.shell.origin import data_shown
from dpviz.ui.work.answer import Answer

__all__ = ["question"]


def question(scenario: Scenario, scores: Scores, answer: Answer) -> None:
    """The head of the page: the question, then one line for each of the three things to know."""
    k, d = scenario.k, scores.d
    asked = f"Which of the {d:,} items scores highest?" if k == 1 else f"Which {k:,} of the {d:,} items score highest?"
    told = {
        "What is published": _published(scenario, scores),
        "Who is protected": _protected(scenario, scores),
        "How good it will be": _good(answer),
    }
    listed = "".join(f"<dt>{name}</dt><dd>{says}</dd>" for name, says in told.items())
    settings = f'<span class="dp-sub">{_settings(scenario, scores)}</span>'
    st.html(f'<div class="dp-asked"><h1 class="dp-title">{asked}</h1>{settings}</div><dl class="dp-told">{listed}</dl>')


def _settings(scenario: Scenario, scores: Scores) -> str:
    """The data, the mechanism and what neighbours differ by."""
    relation = ADDED if scores.monotonic else REPLACED
    mechanism = scenario.designs[0].label_for(scenario.k, scores.contributions)
    return f"{data_shown(scenario)} · {html.escape(mechanism)} · {relation}"


def _published(scenario: Scenario, scores: Scores) -> str:
    k, (mechanism,) = scenario.k, scenario.mechanisms[:1]
    noisy = isinstance(mechanism, OneShot) and mechanism.releases_scores(scores.contributions)
    what = "One name" if k == 1 else f"{k:,} names"
    with_it = "with noisy counts" if noisy else "without its score" if k == 1 else "without scores or order"
    score = f" A score is {EXAMPLES[scenario.data.name].score}." if scenario.data.source == "example" else ""
    return f"{what} {with_it}, with some luck ({term('noise')}) in it.{html.escape(score)}"


def _protected(scenario: Scenario, scores: Scores) -> str:
    """The person, and what ε leaves to be guessed about her."""
    person = EXAMPLES[scenario.data.name].person if scenario.data.source == "example" else "any one person"
    unsure = "whether a person is in the data" if scores.monotonic else "which of two people's answers are in the data"
    right = math.ceil(100 * guess_bound(scenario.epsilon) - 1e-9)
    return (
        f"{html.escape(person[0].upper() + person[1:])}. At {term('epsilon', f'ε = {scenario.epsilon:.10g}')} a guess "
        f"from the release {unsure} is right at most {right} times in 100; a blind guess is right 50 times."
    )


def _good(answer: Answer) -> str:
    """What comes out on average, and how often all of it is right, as natural frequencies."""
    mean, whole, k = answer.expected_hits, answer.all_right, answer.mechanism.k
    if mean is None or whole is None:
        return ""
    often = of_releases(whole.value, whole.low, whole.high)
    how = "" if answer.method == "exact" else f" (estimated from {answer.draws:,} simulated releases)"
    if k == 1:
        return f'<span class="dp-lead">The best item comes out in {often}{how}.</span>'
    shown = number(round(mean, 2 if answer.method == "exact" else 1))
    whole_list = "both" if k == 2 else f"all {k:,}"
    return f'<span class="dp-lead">On average {shown} of the {k:,} are right, and {whole_list} in {often}{how}.</span>'
