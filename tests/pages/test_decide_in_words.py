"""Sentences and figures of decisions, held against the laws of many questions at random."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpviz import ParameterError, Scores
from dpviz.base import ignore_progress
from dpviz.charts import LIGHT, percent
from dpviz.pages.decide import view
from dpviz.pages.decide.sentences import basis, price, quality
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import DecideStudy, Decision, Question, is_exclusion_reason
from dpviz.studies.decision.decide_study import GoalOutOfReach
from dpviz.studies.decision.decision import Utility
from dpviz.studies.decision.score_scaling import meets_goal_on_all
from dpviz.studies.design import Design

NAMED = ("canonical", "one_shot", "peeling", "joint", "gaussian_counts")
CASES = [range(2), pytest.param(range(2, 10), marks=pytest.mark.long)]


def any_scores(rng: Generator, d: int, **person: Any) -> Scores:
    """Counts far apart, close together, tied or equal, some of them 0."""
    values = [
        np.round(10.0 ** rng.uniform(0, 3, d)),
        rng.integers(10, 14, d).astype(float),
        np.full(d, 20.0),
        np.round(60.0 / np.arange(1, d + 1) ** 2),
    ][int(rng.integers(4))]
    return Scores(values, **person)


def any_question(rng: Generator) -> tuple[Question, list[Scores]]:
    shorter = bool(rng.random() < 0.4)
    d = int(rng.integers(2, 8))
    k = int(rng.integers(1, 8 if shorter else d))
    person = {"monotonic": True, "contributions": int(rng.integers(1, 3))}
    vectors = [
        any_scores(rng, d, names_known=not shorter, **person) for _ in range(rng.integers(1, 3))
    ]
    menu = [Design(mechanism=str(name)) for name in rng.choice(NAMED, 2, replace=False)]
    if shorter:
        counts = ({"candidates": k + more} for more in (1, 5))
        menu = [
            Design(mechanism="threshold_counts"),
            *(Design(mechanism="limited_domain", parameters=count) for count in counts),
        ]
    least, share = int(rng.integers(1, k + 1)), float(rng.choice([0.05, 0.5, 0.9, 0.99]))
    goal = str(rng.choice([f"{least} of {k}", "share", "top", "optimal", "great"]))
    question = Question(
        k=k,
        goal=f"{goal} in {share}",
        data=DataSpec(source="uploaded", items_known=not shorter, **person),
        designs=tuple(menu),
        releases=int(rng.integers(1, 4)),
        taken=int(rng.integers(len(menu))) if rng.random() < 0.4 else None,
        epsilon=float(rng.choice([0.02, 0.5, 8.0])) if rng.random() < 0.5 else None,
        delta=float(rng.choice([1e-2, 1e-4])),
        most_right=int(rng.choice([55, 90])) if rng.random() < 0.3 else None,
    )
    return question, vectors


def studies(seed: int, cases: range) -> list[DecideStudy]:
    """Studies of questions that have an answer; the sentence on those without is checked here."""
    found = []
    for case in cases:
        study = DecideStudy.from_question(*any_question(np.random.default_rng([seed, case])))
        try:
            study.compute()
        except GoalOutOfReach as err:
            title, _ = price.no_answer_title_and_sentence(err)
            reached = [plan.label for plan in study.plans.values() if plan.meets_goal]
            assert not (reached and "no mechanism" in title), title
            continue
        except ParameterError:
            continue
        found.append(study)
    return found


def all_sentences(decision: Decision) -> list[str]:
    return [
        price.verdict_sentence(decision),
        price.cost_sentence(decision),
        price.mechanism_reason(decision),
        price.belief_sentence(decision),
        *price.suggestion_sentences(decision),
        quality.plan_sentence(decision),
        quality.goal_sentence(decision),
        quality.goal_chance_sentence(decision),
        quality.drift_sentence(decision),
        quality.hits_sentence(decision),
        *quality.likely_error_sentences(decision),
        *(f"{name}: {say(decision)}" for name, say in quality.SIDE_BY_SIDE.items()),
        *basis.assumptions(decision),
    ]


def false_claims(study: DecideStudy) -> list[str]:
    """Sentences of a decision that its laws refute."""
    decision, question, vectors = study.decision, study.question, study.score_vectors
    goal, laws = question.parsed_goal, [study.mechanism.distribution(one) for one in vectors]
    said = all_sentences(decision)
    wrong = [one for one in said if re.search(r"\bnan\b|\binf\b|\de[+-]\d|needs not", one)]
    if goal.event == "share" and question.k > 1:
        about_goal = (quality.goal_sentence(decision), quality.drift_sentence(decision))
        wrong += [one for one in about_goal if "of releases" in one or "chance of the goal" in one]
    drift = quality.drift_sentence(decision)
    lowest = min(goal.figure_value(law) for law in laws)
    if percent(lowest) not in drift and all(law.method == "exact" for law in laws):
        wrong.append(drift)
    if ("on the hardest of the data" in drift) is not (len(vectors) > 1):
        wrong.append(drift)
    if not met_on_all(study, vectors):
        claims = (price.mechanism_reason(decision), *basis.assumptions(decision))
        wrong += [one for one in claims if "The goal holds" in one or "it meets the goal" in one]
    wrong += wrong_sizes(study, said)
    best = basis.candidate_count_sentence(decision)
    if "is the best on these data" in best and not decision.chosen_plan.meets_goal:
        wrong.append(best)
    return wrong


def wrong_sizes(study: DecideStudy, said: Sequence[str]) -> list[str]:
    """Lists whose number of items is told otherwise than it is."""
    if not study.mechanism.shorter:
        return []
    right = min(study.question.k, int((study.scores.values > 0).sum()))
    told = [one for one in said if re.search(r"(missing|instead of .*), \d+ items?:", one)]
    sizes = [
        right - len(miss.missing) + len(miss.instead)
        for miss in study.decision.misses.lists
        if miss.probability >= 1e-3
    ]
    return [
        one
        for one, size in zip(told, sizes, strict=False)
        if not re.search(rf", {size:,} items?:", one)
    ]


def met_on_all(study: DecideStudy, vectors: Sequence[Scores]) -> bool:
    return meets_goal_on_all(study.mechanism, vectors, study.question)


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("seed", range(4))
def test_no_law_refutes_what_is_said_of_a_decision(seed: int, cases: range) -> None:
    for study in studies(seed, cases):
        assert not false_claims(study), study.question


@pytest.mark.parametrize("cases", CASES)
def test_the_drop_rate_is_what_a_list_lacks_of_the_items_that_it_could_have(cases: range) -> None:
    for study in studies(5, cases):
        assert study.utility.drop_rate == pytest.approx(1 - study.law.share, abs=1e-6)


@pytest.mark.parametrize("cases", CASES)
def test_a_slider_figure_says_that_the_goal_is_met_where_it_is(cases: range) -> None:
    for study in studies(6, cases):
        for epsilon in (1e-3, 1.0, 300.0):
            try:
                now = study.with_epsilon(epsilon).compute(ignore_progress, "utility")
            except ParameterError:  # its δ is too large for so small an ε
                continue
            sentence = view._place(now, (0.01, 100.0)).sentence
            if now.law.method == "exact" and not (now.mechanism.shorter and now.past):
                met = met_on_all(now, now.score_vectors)
                assert ("The goal is met" in sentence) is met, sentence
                assert chance_on_hardest(now) == pytest.approx(said_chance(now), abs=2e-3)


def chance_on_hardest(study: DecideStudy) -> float:
    goal = study.question.parsed_goal
    return min(goal.figure_value(study.mechanism.distribution(one)) for one in study.score_vectors)


def said_chance(study: DecideStudy) -> float:
    """Chance in the sentence of the chart of costs, also where ε is beyond its curves."""
    says = view.quality_by_cost_chart(study, LIGHT).says_now
    (told,) = re.findall(r" is [<>]?([\d.]+)\u202f%", says)
    return float(told) / 100


def test_a_number_of_missing_items_is_never_a_power_of_ten() -> None:
    """Half of a thousand are missing."""
    scores = Scores(np.round(9e4 / np.arange(1, 1_201)), monotonic=True, contributions=1)
    person = {"monotonic": True, "contributions": 1}
    designs = (Design(mechanism="canonical"),)
    data = DataSpec(source="uploaded", **person)  # type: ignore[arg-type]
    study = DecideStudy.from_question(
        Question(k=1_000, goal="700 of 1000 in 0.5", data=data, designs=designs, epsilon=0.02),
        scores,
    )
    (missing,) = (
        one
        for one in view.headlines(study.compute(ignore_progress, "utility"))
        if one.name == "Missing"
    )
    assert missing.value == f"{float(f'{study.utility.missed:.2g}'):,.0f}"
    assert study.utility.missed > 100


def test_a_mechanism_that_was_left_out_is_not_said_to_be_searched() -> None:
    person = {"monotonic": True, "contributions": 1}
    scores = Scores([90, 50, 20, 3], **person)  # type: ignore[arg-type]
    data = DataSpec(source="uploaded", items_known=True, **person)  # type: ignore[arg-type]
    designs = (Design(mechanism="one_shot"), Design(mechanism="gaussian_counts"))
    study = DecideStudy.from_question(
        Question(k=2, goal="2 of 2 in 0.9", data=data, designs=designs, delta=0.0), scores
    )
    left_out = [plan.label for plan in study.plans.values() if is_exclusion_reason(plan.reason)]
    assert left_out
    searched = basis.allowed_mechanisms_sentence(study.question).partition("Searched: ")[2]
    assert not any(label in searched for label in left_out)


def test_a_goal_that_is_missed_is_not_told_as_met_by_rounding() -> None:
    rng = np.random.default_rng(2)
    for share in (0.5, 0.9, 0.95, 0.99):
        question = Question(k=10, goal=f"9 of 10 in {share}")
        for chance in np.clip(share + rng.normal(0, 0.004, 60), 0.002, 0.998).tolist():
            utility = Utility(chance, chance, chance, (), 1.0, 0.0, "exact", 0)
            said = quality.outcome_phrase(question, utility)
            told = re.search(r"in ([\d,]+) of ([\d,]+) releases", said)
            assert told is not None
            often = int(told[1]) / int(told[2].replace(",", ""))
            assert often < share or chance >= share, (share, chance, told[0])
            assert abs(often - chance) <= 0.0051
