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


def questions(seed: int) -> tuple[Question, Scores]:
    """Random small data, goal, plan and limit."""
    rng = np.random.default_rng(seed)
    d, k = int(rng.integers(5, 12)), int(rng.integers(1, 4))
    contributions = [None, 1, 2, 3][int(rng.integers(4))]
    known = bool(rng.random() < 0.75)
    scores = Scores(
        rng.integers(2, 300, d).astype(float),
        monotonic=True,
        contributions=contributions,
        names_known=known,
    )
    data = DataSpec(
        source="uploaded", monotonic=True, contributions=contributions, items_known=known
    )
    said: list[dict[str, Any]] = [
        {},
        {"most_right": int(rng.integers(51, 99))},
        {"most_epsilon": rng.uniform(0.1, 20)},
    ]
    limit = said[int(rng.integers(3))]
    delta = [0.0, 1e-6, 1e-3][int(rng.integers(3))]
    goal = f"{k} of {k} in {[0.5, 0.9][int(rng.integers(2))]}"
    return Question(
        k=k, goal=goal, data=data, releases=int(rng.integers(1, 40)), delta=delta, **limit
    ), scores


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
    within = [
        plan
        for plan in meet.values()
        if plan.cost is not None and plan.cost.is_within_limit(question)
    ]
    assert not within or taken in within
    assert taken.cost is not None
    if question.most_right is not None:
        assert bool(taken.cost.is_within_limit(question)) == (
            percent_upper_bound(taken.cost.guess) <= question.most_right
        )


def test_the_cheapest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(20):
        check_taken(DecideStudy.from_question(*questions(seed)))
    data = DataSpec(source="uploaded", monotonic=True, contributions=2, items_known=True)
    asked = Question(k=2, goal="2 of 2 in 0.95", data=data, most_right=75)
    check_taken(DecideStudy.from_question(asked, COUNTS))
    monkeypatch.setattr(
        Cost, "sort_key", lambda cost, question: (cost.total_epsilon, cost.guess)
    )  # by the total, as it was
    with pytest.raises(AssertionError):
        check_taken(
            DecideStudy.from_question(asked.replace(most_right=76), COUNTS)
        )  # steps of the first are kept


def test_the_fewest_right_guesses_where_the_limit_is_said_in_them() -> None:
    asked = Question(k=10, data=DataSpec(name="help_line"), releases=24, delta=0.0, most_right=70)
    guesses = decide(asked)
    assert [percent_upper_bound(need.guess_bound) for need in guesses.needs][guesses.taken] == 63
    assert guesses.chosen_plan_with_curves.guess_bound == min(
        need.guess_bound for need in guesses.needs
    )
    total = decide(asked.replace(most_right=None))
    assert total.chosen_plan_with_curves.total == min(
        (need.total for need in total.needs if need.total), key=lambda total: total.epsilon
    )
    assert total.taken != guesses.taken  # 68 of 100


def test_the_sentence_says_what_it_was_taken_for() -> None:
    data = DataSpec(source="uploaded", monotonic=True, contributions=2, items_known=True)
    asked = Question(k=2, goal="2 of 2 in 0.95", data=data, most_right=75)
    decision = decide(asked, COUNTS)
    assert decision.chosen_plan_with_curves.guess_bound == min(
        need.guess_bound for need in decision.needs
    )
    assert any(
        need.total.epsilon < decision.chosen_plan_with_curves.total.epsilon
        for need in decision.needs
        if need.total
    )  # type: ignore[union-attr]
    assert (
        sentences.mechanism_reason(decision)
        == "Of the 6 allowed it meets the goal with the fewest right guesses."
    )
    rows = [need.guess_bound for _, need, _ in sentences.need_rows(decision)]
    assert rows == sorted(rows)
    other = decide(asked.replace(most_right=None, most_epsilon=9.0), COUNTS)
    assert (
        sentences.mechanism_reason(other)
        == "Of the 6 allowed it meets the goal with the smallest total."
    )
    rows = [need.total.epsilon for _, need, _ in sentences.need_rows(other) if need.total]
    assert rows == sorted(rows)
    by_hand = decide(asked.replace(taken=other.taken), COUNTS)
    most, least = (
        percent_upper_bound(by_hand.chosen_plan_with_curves.guess_bound),
        percent_upper_bound(decision.chosen_plan_with_curves.guess_bound),
    )
    assert sentences.mechanism_reason(by_hand).endswith(
        f"right about at most {most} of 100, with the best about at most {least}."
    )
    fixed = decide(asked.replace(epsilon=0.01), COUNTS)
    assert sentences.mechanism_reason(fixed).endswith("fewest right guesses. ε was set by hand.")


def test_of_those_that_were_not_searched_nothing_is_said() -> None:
    data = DataSpec(source="uploaded", monotonic=True, contributions=2, items_known=True)
    decision = decide(Question(k=2, goal="2 of 2 in 0.95", data=data, delta=0.0), COUNTS)
    assert (
        sentences.mechanism_reason(decision)
        == "Of the 5 that were searched it meets the goal with the smallest total."
    )
