"""The plan taken costs least of all that meet goal and limit."""

from typing import Any

import numpy as np
import pytest

from dpviz import Scores
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, Cost, DecideStudy, Question
from dpviz.studies.decision.plans import Plan
from dpviz.studies.design import Design

COUNTS = Scores([36, 28, 8, 23, 6, 2, 8, 31, 13, 16], monotonic=True, contributions=2)
SPEC = DataSpec(source="uploaded", monotonic=True, contributions=2, items_known=True)
MENU = (
    *ALLOWED,
    Design(parameters={"noise": "exponential"}),
    Design(mechanism="joint"),
    Design(mechanism="gaussian_counts"),
)
ASKED = Question(k=2, goal="2 of 2 in 0.95", data=SPEC, designs=MENU, most_right=75)


def questions(seed: int) -> tuple[Question, Scores]:
    """Random small data, goal, plan and limit."""
    rng = np.random.default_rng(seed)
    d, k = int(rng.integers(5, 12)), int(rng.integers(1, 4))
    contributions = [None, 1, 2, 3][int(rng.integers(4))]
    known = bool(rng.random() < 0.75)
    told: dict[str, Any] = {"monotonic": True, "contributions": contributions}
    scores = Scores(rng.integers(2, 300, d).astype(float), names_known=known, **told)
    data = DataSpec(source="uploaded", items_known=known, **told)
    right, epsilon = {"most_right": int(rng.integers(51, 99))}, rng.uniform(0.1, 20)
    limit: dict[str, Any] = [{}, right, {"most_epsilon": epsilon}][int(rng.integers(3))]
    delta = [0.0, 1e-6, 1e-3][int(rng.integers(3))]
    goal = f"{k} of {k} in {[0.5, 0.9][int(rng.integers(2))]}"
    releases = int(rng.integers(1, 40))
    return Question(k=k, goal=goal, data=data, releases=releases, delta=delta, **limit), scores


def measure(plan: Plan, question: Question) -> float:
    """The figure in which the limit is stated."""
    assert plan.cost is not None
    return plan.cost.total_epsilon if question.most_right is None else plan.cost.guess


def check_taken(study: DecideStudy) -> None:
    question = study.question
    meet = {place: plan for place, plan in enumerate(study.plans.values()) if plan.meets_goal}
    if not meet:
        return
    taken = meet[study.taken]
    assert measure(taken, question) == min(measure(plan, question) for plan in meet.values())
    within = [plan for plan in meet.values() if plan.cost and plan.cost.is_within_limit(question)]
    assert not within or taken in within


def test_the_cheapest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(5):
        check_taken(DecideStudy.from_question(*questions(seed)))
    check_taken(DecideStudy.from_question(ASKED, COUNTS))
    # By the total, as it was; at another limit, as steps of the first are kept.
    monkeypatch.setattr(Cost, "sort_key", lambda cost, question: (cost.total_epsilon, cost.guess))
    another = DecideStudy.from_question(ASKED.replace(most_right=76), COUNTS)
    with pytest.raises(AssertionError):
        check_taken(another)
