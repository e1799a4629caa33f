"""What is told of smaller scores is held against the goal on those scores."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpviz import Scores
from dpviz.pages.decide.sentences import quality
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import DecideStudy, Question
from dpviz.studies.design import Design
from dpviz.topk.distribution import TopKDistribution


def refuted(decision: DecideStudy, scores: Scores, rng: np.random.Generator) -> str:
    """Name what is false of the sentence about where the goal is lost; "" where nothing is."""
    goal = decision.question.parsed_goal

    def scaled(factor: float) -> TopKDistribution:
        return decision.mechanism.distribution(replace(scores, values=scores.values * factor))

    def met(factor: float) -> bool:
        return goal.certain_surplus(scaled(factor)) >= 0

    def missed(factor: float) -> bool:  # for certain: no chance that is the goal's up to its error
        law = scaled(factor)
        return goal.figure_value(law) + law.error < goal.probability

    sentence, lost = quality.drift_sentence(decision), decision.lost_below
    if lost is None:
        return "it is met" * met(1.0)
    kept = lost + (1 - lost) * rng.random(6) if lost else 10.0 ** rng.uniform(-15, 0, 12)
    if any(missed(factor) for factor in (1.0, *kept)):
        return "it is lost earlier"
    if not lost:
        return "" if sentence.endswith("do not make it miss the goal.") else sentence
    told = re.search(r"The goal is met until scores fall below (\S+) % of these\.", sentence)
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    up = float(told[1].replace("×10⁻", "e-").translate(digits)) / 100 if told else 1.0
    if not told and "If scores fall even a little," not in sentence:
        return sentence
    if not lost <= up * (1 + 1e-9) <= lost * 1.12 + 1e-3:
        return f"×{up} is told of {lost}"
    if any(missed(factor) for factor in np.geomspace(up, 1.0, 5)):
        return "it is told as met where it is missed"
    if met(lost * (1 - 2e-4)):
        return "it is met below"
    if decision.mechanism.shorter:  # it may be met again further down
        return ""
    below = [lost * factor for factor in (0.99, 0.5, 1e-3, 1e-8)]
    return "it is met further down" * any(map(met, below))


def asked(k: int, goal: str, mechanism: str, scores: Scores, **more: object) -> Question:
    said = {"contributions": scores.contributions, "items_known": scores.names_known}
    data = DataSpec(source="uploaded", monotonic=scores.monotonic, **said)  # type: ignore[arg-type]
    designs = (Design(mechanism=mechanism),)
    return Question(k=k, goal=goal, data=data, designs=designs, **more)  # type: ignore[arg-type]


KNOWN = ["canonical", "one_shot", "peeling", "gaussian_counts"]
UNKNOWN = ["threshold_counts", "limited_domain"]


@pytest.mark.parametrize("mechanism", [*KNOWN, *UNKNOWN])
@pytest.mark.parametrize("cases", [range(2), pytest.param(range(2, 24), marks=pytest.mark.long)])
def test_what_is_said_of_smaller_scores_holds_on_them(mechanism: str, cases: range) -> None:
    for case in cases:
        rng = np.random.default_rng([11, case])
        d = int(rng.integers(4, 9))
        k = int(rng.integers(1, d))
        values = np.round(10.0 ** rng.uniform(0.5, 3, d)) if case % 3 else np.full(d, 100.0)
        s = Scores(values, monotonic=True, contributions=1, names_known=mechanism in KNOWN)
        least = int(rng.integers(1, k + 1))
        share = rng.choice([0.05, 0.5, 0.9] if case % 2 else [0.3, 0.9])
        goal = f"{least} of {k} in {share}" if case % 2 else f"good in {share}"
        epsilon = float(rng.choice([0.05, 1.0, 20.0])) if case % 4 == 3 else None
        question = asked(k, goal, mechanism, s, delta=1e-4, epsilon=epsilon)
        study = DecideStudy.from_question(question, s)
        try:
            told = quality.drift_sentence(study)
        except ValueError:  # out of reach, and told
            continue
        assert refuted(study, s, rng) == "", (values, k, goal, epsilon, told)


def test_a_factor_far_below_a_sixty_fourth_is_found() -> None:
    s = Scores([4e6, 3e6, 1e6, 0.0], monotonic=True, contributions=1)
    question = asked(1, "1 of 1 in 0.9", "gaussian_counts", s, delta=1e-6, epsilon=1.0)
    study = DecideStudy.from_question(question, s)
    assert study.lost_below is not None
    assert 0 < study.lost_below < 1e-4
    assert refuted(study, s, np.random.default_rng(0)) == ""


def test_shorter_lists_are_planned_for_where_more_epsilon_loses_the_goal_again() -> None:
    s = Scores([600, 600, 60, 60, 50, 50], monotonic=True, contributions=1, names_known=False)
    data = DataSpec(source="uploaded", monotonic=True, contributions=1, items_known=False)
    two = (Design(mechanism="limited_domain"), Design(mechanism="threshold_counts"))
    question = Question(k=3, goal="great in 0.9", data=data, delta=1e-4, larger=1.5, designs=two)
    study = DecideStudy.from_question(question, s)
    assert [plan.reason for plan in study.plans.values()] == ["", ""]
    assert study.meets_goal
    assert refuted(study, s, np.random.default_rng(1)) == ""
    for plan in study.plans.values():
        for factor in (1.0, 1.5):
            scaled = replace(s, values=s.values * factor)
            law = plan.design.build(plan.epsilon, 3).distribution(scaled)
            assert law.great >= 0.9, (plan.label, factor)
    more = DecideStudy.from_question(question.replace(epsilon=1.0), s)
    assert not more.meets_goal
    assert more.utility.chance < 0.9
