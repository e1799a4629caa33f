"""One plan has one verdict, however its limit is said, and the nearest plan keeps the limit."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np
import pytest

from dpviz import Scenario, compose, guess_bound
from dpviz.base.text_format import percent_upper_bound
from dpviz.export.decision import decision_record
from dpviz.pages.decide import view
from dpviz.pages.decide.sentences import price
from dpviz.privacy.composition_result import Total
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Cost, DecideStudy, Question, Suggestion
from dpviz.studies.decision.costs import releases_cost
from dpviz.studies.decision.suggestions import AffordableOffer
from dpviz.studies.decision.verdict import nearest_plan_within_limit
from dpviz.studies.design import Design

TRIP = DataSpec(name="class_trip")
TWO = Design(), Design(parameters={"noise": "exponential"})
ASKED = Question(k=2, goal="2 of 2 in 0.9", data=TRIP, releases=12, designs=TWO)


def limits(cost: Cost) -> Iterator[tuple[dict[str, float], dict[str, float]]]:
    """Limits that this cost just keeps, each beside one that it just passes."""
    total, guess = cost.total, percent_upper_bound(cost.guess)
    assert total is not None
    yield {"most_epsilon": total.epsilon}, {"most_epsilon": total.epsilon * (1 - 1e-12)}
    if 52 <= guess <= 99:
        yield {"most_right": guess}, {"most_right": guess - 1}


def kept(cost: Cost, question: Question, limit: dict[str, float]) -> set[bool | None]:
    """Verdicts with this limit as it is, from a file and from a link."""
    scenario = question.replace(**limit).to_scenario(1.0)
    told = Scenario.from_json(scenario.to_json()), Scenario.from_query(scenario.to_query())
    return {cost.is_within_limit(Question.from_scenario(each)) for each in (scenario, *told)}


def test_a_limit_that_is_just_met_is_kept_and_one_just_passed_is_not() -> None:
    rng = np.random.default_rng(43)
    for _ in range(100):
        releases, delta = int(rng.integers(1, 60)), float(rng.choice([0.0, 1e-6]))
        also = str(rng.choice(["", "1 at 0.3"]))
        question = Question(k=2, data=TRIP, releases=releases, delta=delta, also=also)
        designs = [design for design in question.designs if design.build(1.0, 2).delta_spent == 0]
        m = designs[int(rng.integers(len(designs)))].build(float(rng.integers(1, 200)) / 100, 2)
        cost = releases_cost(m, releases, question)
        for met, passed in limits(cost):
            assert kept(cost, question, met) == {True}
            assert kept(cost, question, passed) == {False}
        assert cost.total is not None  # a limit in ε that is kept is kept as right guesses, too
        allowed = percent_upper_bound(guess_bound(cost.total.epsilon, cost.total.delta))
        assert allowed >= percent_upper_bound(cost.guess)
    summed = Cost(Total(0.1 + 0.2, 0.0, "basic"), 0.6 + 1e-16)
    assert summed.is_within_limit(ASKED.replace(most_epsilon=0.3))
    assert summed.is_within_limit(ASKED.replace(most_right=60))


def test_page_json_and_preview_say_the_verdict_of_the_plan() -> None:
    free = DecideStudy.from_question(ASKED)
    asked = ASKED.replace(taken=free.taken)  # by right guesses another one is better
    assert (free.verdict.kind, free.nearest) == ("no limit", None)
    for met, passed in limits(free.cost):
        for limit, kind, start in ((met, "yes", "Yes: "), (passed, "no", "Not within your limit")):
            study = DecideStudy.from_question(asked.replace(**limit)).compute()
            decision = study.decision
            assert (decision.verdict.kind, decision.do_not_publish) == (kind, kind == "no")
            told = decision_record(decision, date=date(2026, 5, 4))["decision"]
            assert told["verdict"].startswith(price.verdict_sentence(decision))
            assert price.answer_title(decision).startswith(start)
            by_hand = study.with_epsilon(2 * decision.epsilon)
            again = DecideStudy.from_question(by_hand.question)
            assert again.verdict == by_hand.verdict
            assert again.verdict.kind == "no"
            assert view.lead_sentence(by_hand) == view.lead_sentence(again)
    missed = DecideStudy.from_question(ASKED.replace(most_right=99, epsilon=0.01))
    assert price.answer_title(missed) == "This stays within your limit, but misses the goal"


@pytest.mark.parametrize("limit", [{"most_right": 80}, {"most_right": 52}, {"most_epsilon": 3.0}])
@pytest.mark.parametrize("more", [{}, {"also": "1 at 0.01"}, {"taken": 1, "releases": 1}])
def test_the_nearest_plan_keeps_the_limit_when_it_is_asked_for(
    limit: dict[str, float], more: dict[str, object]
) -> None:
    question = ASKED.replace(**limit, **more)
    nearest = DecideStudy.from_question(question).nearest
    if not isinstance(nearest, Suggestion):
        assert nearest is None or nearest.cost.is_within_limit(question)
        return
    again = DecideStudy.from_question(nearest.question)
    assert again.verdict.kind == "yes"
    # of all mechanisms it is the best, by right guesses where the limit is in them
    assert again.cost == nearest.cost or nearest.changes == "releases"


def test_the_nearest_plan_is_the_one_that_keeps_most_of_what_was_asked_for() -> None:
    asked = Question(k=10, goal="8 of 10 in 0.9", data=TRIP, releases=4, most_epsilon=1.0)
    within, beyond = (Cost(Total(total, 0.0, "basic"), 0.6) for total in (0.9, 1.1))

    def suggested(changes: str, cost: Cost = within, **answers: Any) -> Suggestion:
        return Suggestion(changes, asked.replace(**answers), "Canonical", 0.2, cost)

    three_lists = suggested("releases", releases=3)  # keeps 3/4
    half_a_list = suggested("k", k=5, goal="4 of 5 in 0.9")  # 1/2
    easier_goal = suggested("goal", goal="7 of 10 in 0.9")  # 7/8
    too_dear = suggested("goal", cost=beyond, goal="8 of 10 in 0.89")
    five_right, seven_right = (
        AffordableOffer("Canonical", 0.2, within, 0.4, at_least) for at_least in (5, 7)
    )
    for offer, helps, nearest in (
        (None, [half_a_list, three_lists, too_dear], three_lists),
        (None, [three_lists, easier_goal, half_a_list], easier_goal),
        (five_right, [half_a_list, three_lists], three_lists),
        (seven_right, [half_a_list, three_lists], seven_right),
        (None, [too_dear], None),
    ):
        assert nearest_plan_within_limit(asked, [], offer, helps) is nearest


def test_other_lists_about_the_same_people_are_in_the_total() -> None:
    asked = ASKED.replace(also="4 at 0.25 (1e-8); 1 at 2")
    decision = DecideStudy.from_question(asked)
    plan = [(decision.mechanism, 12), ((0.25, 1e-8), 4), ((2.0, 0.0), 1)]
    assert decision.total == compose(plan, delta=1e-6).total
    without = DecideStudy.from_question(ASKED.replace(epsilon=decision.epsilon))
    assert decision.one.guess == without.one.guess
    assert decision.cost.guess > without.cost.guess
    assert "the 5 other lists" in price.cost_sentence(decision)
    alone = DecideStudy.from_question(asked.replace(most_epsilon=2.0, epsilon=0.1))
    assert "other lists alone are not within it" in price.verdict_sentence(alone)
    assert Question.from_scenario(asked.to_scenario(1.0)) == asked
    assert not any("also" in name for name in ASKED.to_scenario(1.0).page)
    assert asked.replace(releases=1).release_delta < ASKED.replace(releases=1).release_delta
