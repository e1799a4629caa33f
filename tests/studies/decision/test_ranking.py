"""The plan taken costs least of all that meet goal and limit, and the sentence says so."""

from typing import Any

import numpy as np
import pytest

from dpviz import Scores
from dpviz.charts.text_format import percent_upper_bound
from dpviz.pages.decide import sentences
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Cost, DecideStudy, Question, decide
from dpviz.studies.decision.plans import Plan

COUNTS = Scores([36, 28, 8, 23, 6, 2, 8, 31, 13, 16], monotonic=True, contributions=2)
SPEC = DataSpec(source="uploaded", monotonic=True, contributions=2, items_known=True)
ASKED = Question(k=2, goal="2 of 2 in 0.95", data=SPEC, most_right=75)


def questions(seed: int) -> tuple[Question, Scores]:
    """Random small data, goal, plan and limit."""
    rng = np.random.default_rng(seed)
    d, k = int(rng.integers(5, 12)), int(rng.integers(1, 4))
    contributions = [None, 1, 2, 3][int(rng.integers(4))]
    known = bool(rng.random() < 0.75)
    told: dict[str, Any] = {"monotonic": True, "contributions": contributions}
    scores = Scores(rng.integers(2, 300, d).astype(float), names_known=known, **told)
    data = DataSpec(source="uploaded", items_known=known, **told)
    said: list[dict[str, Any]] = [
        {},
        {"most_right": int(rng.integers(51, 99))},
        {"most_epsilon": rng.uniform(0.1, 20)},
    ]
    limit = said[int(rng.integers(3))]
    delta = [0.0, 1e-6, 1e-3][int(rng.integers(3))]
    goal = f"{k} of {k} in {[0.5, 0.9][int(rng.integers(2))]}"
    releases = int(rng.integers(1, 40))
    return Question(k=k, goal=goal, data=data, releases=releases, delta=delta, **limit), scores


def measure(plan: Plan, question: Question) -> float:
    """What the limit is said in."""
    assert plan.cost is not None
    if question.most_right is not None:
        return plan.cost.guess
    return np.inf if plan.cost.total is None else plan.cost.total.epsilon


def check_taken(study: DecideStudy) -> None:
    question = study.question
    meet = {place: plan for place, plan in enumerate(study.plans.values()) if plan.meets_goal}
    if not meet:
        return
    taken = meet[study.taken]
    assert measure(taken, question) == min(measure(plan, question) for plan in meet.values())
    within = [plan for plan in meet.values() if plan.cost and plan.cost.is_within_limit(question)]
    assert not within or taken in within
    assert taken.cost is not None
    if question.most_right is not None:
        accepted = percent_upper_bound(taken.cost.guess) <= question.most_right
        assert bool(taken.cost.is_within_limit(question)) == accepted


def test_the_cheapest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(20):
        check_taken(DecideStudy.from_question(*questions(seed)))
    check_taken(DecideStudy.from_question(ASKED, COUNTS))
    # By the total, as it was; at another limit, as steps of the first are kept.
    monkeypatch.setattr(Cost, "sort_key", lambda cost, question: (cost.total_epsilon, cost.guess))
    another = DecideStudy.from_question(ASKED.replace(most_right=76), COUNTS)
    with pytest.raises(AssertionError):
        check_taken(another)


def test_the_fewest_right_guesses_where_the_limit_is_said_in_them() -> None:
    asked = Question(k=10, data=DataSpec(name="help_line"), releases=24, delta=0.0, most_right=70)
    guesses = decide(asked)
    fewest = guesses.chosen_plan_with_curves.guess_bound
    assert percent_upper_bound(fewest) == 63
    assert fewest == min(need.guess_bound for need in guesses.needs)
    total = decide(asked.replace(most_right=None))
    totals = [need.total for need in total.needs if need.total]
    assert total.chosen_plan_with_curves.total == min(totals, key=lambda one: one.epsilon)
    assert total.taken != guesses.taken  # 68 of 100


def test_the_sentence_says_what_it_was_taken_for() -> None:
    decision = decide(ASKED, COUNTS)
    taken = decision.chosen_plan_with_curves
    assert taken.guess_bound == min(need.guess_bound for need in decision.needs)
    assert taken.total.epsilon > min(need.total.epsilon for need in decision.needs if need.total)
    best = "Of the 6 allowed it meets the goal with the"
    assert sentences.mechanism_reason(decision) == f"{best} fewest right guesses."
    rows = [need.guess_bound for _, need, _ in sentences.need_rows(decision)]
    assert rows == sorted(rows)
    other = decide(ASKED.replace(most_right=None, most_epsilon=9.0), COUNTS)
    assert sentences.mechanism_reason(other) == f"{best} smallest total."
    rows = [need.total.epsilon for _, need, _ in sentences.need_rows(other) if need.total]
    assert rows == sorted(rows)
    by_hand = decide(ASKED.replace(taken=other.taken), COUNTS)
    plans = by_hand.chosen_plan_with_curves, taken
    most, least = (percent_upper_bound(plan.guess_bound) for plan in plans)
    assert sentences.mechanism_reason(by_hand).endswith(
        f"right about at most {most} of 100, with the best about at most {least}."
    )
    fixed = decide(ASKED.replace(epsilon=0.01), COUNTS)
    assert sentences.mechanism_reason(fixed).endswith("fewest right guesses. ε was set by hand.")


def test_of_those_that_were_not_searched_nothing_is_said() -> None:
    decision = decide(ASKED.replace(delta=0.0, most_right=None), COUNTS)
    said = "Of the 5 that were searched it meets the goal with the smallest total."
    assert sentences.mechanism_reason(decision) == said
