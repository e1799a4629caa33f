"""The decision: every figure is the library's, and no score stays in it."""

import math
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz import ParameterError, Scores, compose, guess_bound, smallest_epsilon
from dpviz.data import EXAMPLES
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, Question, decide
from dpviz.studies.design import Design
from dpviz.studies.scenario import Scenario

TRIP = DataSpec(name="class_trip")
SCORES = EXAMPLES["class_trip"].scores()


@pytest.mark.parametrize(
    "goal", ["2 of 2 in 0.9", "1 of 2 in 0.99", "top in 0.5", "good in 0.8", "share in 0.9"]
)
def test_every_figure_is_the_librarys(goal: str) -> None:
    question = Question(k=2, goal=goal, data=TRIP, releases=7, delta=1e-5)
    decision = decide(question, digest=True)
    target, totals = question.parsed_goal, []
    told = {name: getattr(target, name) for name in ("probability", "at_least")}
    told["figure"] = target.event
    for design, need in zip(ALLOWED, decision.needs, strict=True):
        assert need.smallest == smallest_epsilon(design.build(1.0, 2), SCORES, **told)
        inside = need.curve.at(np.array([need.smallest]))[0]
        assert inside == pytest.approx(target.probability, abs=2e-3)
        totals.append(compose([design.build(need.smallest, 2)] * 7, delta=1e-5).epsilon)
    assert decision.taken == int(np.argmin(totals))
    plan = decision.chosen_plan_with_curves
    assert plan.multiple == 1.0
    assert plan.smallest <= decision.epsilon < plan.smallest * 1.01
    assert decision.meets_goal
    assert decision.mechanism == ALLOWED[decision.taken].build(decision.epsilon, 2)
    dist = decision.mechanism.distribution(SCORES)
    utility = decision.utility
    assert utility.chance == target.figure_value(dist)
    assert utility.low >= target.probability
    assert utility.hits == tuple(dist.hits)
    assert utility.missed == pytest.approx(2 - dist.hits[1] - 2 * dist.hits[2], abs=1e-12)
    assert utility.drop_rate == pytest.approx(1 - dist.share, abs=1e-9)  # there are no ties
    spurious = dist.inclusion[SCORES.order[2:]].sum() / 2
    assert utility.spurious_rate == pytest.approx(spurious, abs=1e-9)
    assert decision.account == compose([decision.mechanism] * 7, delta=1e-5)
    assert decision.total == decision.account.total
    assert decision.odds.guess == right_guess_bound([decision.mechanism])
    assert decision.odds.guess < guess_bound(decision.epsilon)
    assert decision.odds.beliefs[0] == (0.01, dpviz.posterior_bound(0.01, decision.epsilon))
    assert decision.total_odds.guess == decision.cost.guess
    assert decision.cost.guess == right_guess_bound([(decision.mechanism, 7)])
    assert decision.digest == SCORES.digest
    assert all(decision.labels[item] == SCORES.label(item) for item in decision.labels)


def test_scores_that_were_uploaded_are_taken_with_what_the_question_says_of_a_person() -> None:
    spec = DataSpec(source="uploaded", monotonic=True, contributions=1, sensitivity=2.0)
    question = Question(k=2, data=spec, designs=(Design(),))
    plain = Scores(SCORES.values, labels=SCORES.labels)
    declared = replace(plain, monotonic=True, contributions=1, sensitivity=2.0)
    decision = decide(question, plain)
    goal = {"probability": 0.9, "figure": "hits", "at_least": 2}
    wanted = smallest_epsilon(Design().build(1.0, 2), declared, **goal)
    assert decision.chosen_plan_with_curves.smallest == wanted
    assert decision.change == declared.change
    assert decision.scenario.data == replace(spec, d=6)
    with pytest.raises(ParameterError, match="loaded again"):
        decide(question)


def test_no_score_and_no_seed_stay_in_a_decision() -> None:
    secret = [918273.0 + 3 * i for i in range(12)]
    scenario = Scenario(data=DataSpec(source="uploaded", monotonic=True), k=3, seed=123454321)
    decision = decide(Question.from_scenario(scenario), Scores(secret, monotonic=True))
    text = repr(decision) + decision.scenario.to_json()
    assert not any(str(int(value)) in text for value in [*secret, 123454321])

    def parts(thing: object) -> list[object]:
        inside = thing if isinstance(thing, tuple | list) else ()
        if is_dataclass(thing):
            inside = [getattr(thing, field.name) for field in fields(thing)]
        return [thing, *(part for each in inside for part in parts(each))]

    assert not any(isinstance(part, Scores) for part in parts(decision))
    planted = replace(decision, labels=(Scores(secret, monotonic=True),))
    assert any(isinstance(part, Scores) for part in parts(planted))


def test_a_design_out_of_reach_says_why_and_the_others_answer() -> None:
    gamma = Design(parameters={"gamma": 0.0})
    question = Question(k=2, goal="top in 0.9", data=TRIP, designs=(gamma, Design()))
    decision = decide(question)
    first, second = decision.needs
    assert math.isinf(first.epsilon)
    assert math.isnan(first.multiple)
    assert "that some ε up to 100,000 reaches, not 0.9" in first.reason
    assert (second.reason, decision.taken) == ("", 1)
    with pytest.raises(ParameterError, match="no mechanism that is allowed reaches the goal"):
        decide(question.replace(designs=(gamma,)))
    with pytest.raises(ParameterError, match="Canonical · gamma 0 does not reach the goal"):
        decide(question.replace(taken=0))


@pytest.mark.parametrize(
    "person",
    [
        {"monotonic": True, "sensitivity": 5.0},
        {"monotonic": False},
        {"monotonic": True, "contributions": 1},
        {"monotonic": True, "contributions": 1, "names_known": False},
        {"monotonic": True, "sensitivity": (1.0, 2.0)},
        {"monotonic": False, "sensitivity": (1.0, 2.0), "contributions": 2},
    ],
)
def test_scores_of_ones_own_say_what_one_person_can_change(person: dict[str, Any]) -> None:
    """The question's example says it of its own scores alone."""
    s = Scores([133, 119, 91, 38, 27, 8], **person)
    decision = decide(Question(k=2, goal="2 of 2 in 0.9", name="Best"), s)
    assert decision.question.decided_on is None
    assert decision.question.data.source == "uploaded"
    assert all(
        getattr(decision.question.data, name) == getattr(s, name)
        for name in ("monotonic", "contributions", "names_known")
    )
    reached = [need for need in decision.needs if need.epsilon is not None]
    assert reached
    for need in reached:
        law = need.design.build(need.epsilon, 2).distribution(s)
        assert law.hits_at_least(2) >= 0.9, need.design


def test_scores_of_ones_own_are_not_generated_and_keep_what_was_said_of_them() -> None:
    asked = Question(k=2, decided_on="past", designs=(Design(),))
    assert decide(asked, Scores([133, 119, 91, 38])).question.decided_on == "past"
    kept = decide(Question(k=2), Question(k=2).data.scores()).question
    assert (kept.data, kept.decided_on) == (Question(k=2).data, "generated")
