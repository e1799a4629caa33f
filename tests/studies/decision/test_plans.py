"""Plans are ranked by what all releases cost, and each is good on every data set named."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz import ParameterError, Scores, smallest_epsilon
from dpviz.data import EXAMPLES
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import ALLOWED, DecideStudy, Question, decide
from dpviz.studies.decision.plans import is_exclusion_reason
from dpviz.studies.design import Design
from dpviz.studies.scenario import Scenario
from dpviz.topk import utility_curve

HELP = EXAMPLES["help_line"].scores()
WEEKLY = Question(k=10, goal="9 of 10 in 0.9", data=DataSpec(name="help_line"), releases=52)
COUNTS = DataSpec(source="uploaded", monotonic=True)
ONE_SHOT = (Design(mechanism="one_shot"),)


def chance(scores: Scores, epsilon: float) -> float:
    return ONE_SHOT[0].build(epsilon, 10).distribution(scores).hits_at_least(9)


def scaled(scores: Scores, factor: float) -> Scores:
    return replace(scores, values=scores.values * factor, labels=None)


def test_weekly_lists_are_taken_by_their_total_and_not_by_one_epsilon() -> None:
    decision = decide(WEEKLY)
    assert decision.chosen_plan_with_curves.label == "One-shot"
    assert decision.total is not None
    assert decision.total.epsilon <= 3.62
    assert decision.total.delta == 1e-6
    assert decision.chosen_plan_with_curves.smallest > min(need.smallest for need in decision.needs)
    totals = [need.total.epsilon for need in decision.needs if need.total is not None]
    assert decision.total.epsilon == min(totals)
    once = decide(WEEKLY.replace(releases=1, delta=0.0))
    assert once.chosen_plan_with_curves.label == "Canonical · exponential"


def test_a_plan_holds_on_smaller_scores_and_on_past_periods() -> None:
    rng = np.random.default_rng(5)
    past = [Scores(rng.permutation(np.floor(HELP.values * f)), monotonic=True) for f in (0.9, 0.75)]
    asked = WEEKLY.replace(data=COUNTS, designs=ONE_SHOT, smaller=0.8)
    decision = decide(asked, [HELP, *past])
    assert decision.question.periods == 2
    every = [scaled(one, factor) for one in (HELP, *past) for factor in (0.8, 1.0)]
    goal = {"probability": 0.9, "event": "hits", "at_least": 9}
    together = smallest_epsilon(ONE_SHOT[0].build(1.0, 10), every, **goal)  # type: ignore[arg-type]
    smallest = decision.chosen_plan_with_curves.smallest
    assert smallest == pytest.approx(together, rel=1e-5)
    assert min(chance(one, decision.epsilon) for one in every) >= 0.9
    assert min(chance(one, 0.99 * smallest) for one in every) < 0.9
    alone = decide(asked.replace(smaller=1.0), HELP)
    assert min(chance(one, alone.epsilon) for one in every) < 0.9  # what asking for more is for
    assert alone.chosen_plan_with_curves.smallest < smallest


def test_the_strip_is_the_law_on_scores_scaled_and_says_where_the_goal_is_lost() -> None:
    decision = decide(WEEKLY.replace(designs=ONE_SHOT, smaller=0.9))
    factors = [point.factor for point in decision.drift]
    assert {0.8, 0.9, 0.99, 1.0, 1.2} <= set(factors)
    assert factors == sorted(factors)
    for point in decision.drift[::5]:
        there = chance(scaled(HELP, point.factor), decision.epsilon)
        assert point.chance == pytest.approx(there, abs=1e-9)
    lost = decision.lost_below
    assert lost is not None
    assert 0.89 < lost <= 0.9
    assert chance(scaled(HELP, lost), decision.epsilon) >= 0.9 - 1e-9
    assert chance(scaled(HELP, 0.99 * lost), decision.epsilon) < 0.9


def test_the_curve_is_that_on_the_hardest_data() -> None:
    need = decide(WEEKLY.replace(designs=ONE_SHOT, smaller=0.5)).chosen_plan_with_curves
    m = ONE_SHOT[0].build(1.0, 10)
    plain = utility_curve(m, HELP, event="hits", at_least=9, low=0.05, high=20.0)
    at = np.array([0.3, 0.8, 1.6])
    np.testing.assert_allclose(need.curve.at(at), plain.at(at / 2), atol=2e-3)
    assert need.costs.total[-1] > need.costs.total[0]


def test_sampled_and_heavy_laws_are_left_out_on_large_data() -> None:
    scores = Scores(np.floor(1e6 / np.arange(1, 3001)), monotonic=True)
    sampled = Design(mechanism="peeling", parameters={"noise": "exponential"})
    designs = (Design(mechanism="joint"), sampled, *ONE_SHOT)
    study = DecideStudy.from_question(Question(k=60, data=COUNTS, designs=designs), scores)
    assert is_exclusion_reason(study.plans["0"].reason)
    assert is_exclusion_reason(study.plans["1"].reason)
    assert not study.plans["2"].reason
    decision = study.decision
    assert (decision.taken, decision.needs[0].along, decision.needs[0].total) == (2, None, None)


def test_each_plan_is_there_as_it_comes() -> None:
    study = DecideStudy.from_question(WEEKLY)
    waiting = replace(study, results={"plans 2": study.plans["2"]}, beside=True)
    assert [plan.label for plan in waiting.plans.ready_results().values()] == ["One-shot"]


@pytest.mark.long
def test_where_the_cost_is_passed_what_is_offered_and_helps_is_within_it() -> None:
    asked = WEEKLY.replace(most_right=60)
    decision = decide(asked)
    assert decision.is_within_limit is False
    assert decision.do_not_publish
    offer = decision.offer
    assert offer is not None
    assert offer.cost.guess <= 0.6
    design = next(d for d in ALLOWED if d.label == offer.label)
    dist = design.build(offer.epsilon, 10).distribution(HELP)
    assert dist.hits_at_least(offer.at_least) >= 0.9 > dist.hits_at_least(offer.at_least + 1)
    assert {help.changes for help in decision.helps} == {"releases", "k", "goal"}
    for help in decision.helps:
        assert help.cost.guess <= 0.6
        again = decide(help.question.replace(designs=ONE_SHOT))
        assert again.is_within_limit is True
    assert not decide(asked.replace(most_right=75)).helps


def test_a_plan_within_the_accepted_cost_comes_before_a_smaller_total() -> None:
    asked = Question(k=10, goal="top in 0.999", data=DataSpec(name="help_line"))
    assert decide(asked).do_not_publish
    assert decide(asked).chosen_plan_with_curves.guess_bound > 0.95
    within = decide(asked.replace(most_right=95))
    assert within.is_within_limit is True
    assert within.chosen_plan_with_curves.guess_bound <= 0.95


def test_ties_say_why_no_plan_reaches_top_and_what_does() -> None:
    tied = Scores([9, 5, 5, 5, 1], monotonic=True)
    study = DecideStudy.from_question(Question(k=2, goal="top in 0.9", data=COUNTS), tied)
    assert study.has_no_acceptable_plan
    (helped,) = (help.question for help in study.helps if help.changes == "goal")
    assert helped.goal_text == "optimal in 0.9"
    sentence = r"goal must be one that some design allowed reaches .* tie for places 2"
    with pytest.raises(ParameterError, match=sentence):
        study.compute()


def test_a_person_day_and_a_person_have_both_totals() -> None:
    asked = WEEKLY.replace(designs=ONE_SHOT, releases=365, counts_in=1)
    decision = decide(asked)
    assert decision.everyone is not None
    assert decision.cost.guess < decision.everyone.guess
    whole = decide(asked.replace(counts_in=None))
    assert decision.everyone == whole.cost
    assert whole.everyone is None


def test_all_answers_stand_in_the_scenario_and_old_ones_still_open() -> None:
    asked = WEEKLY.replace(
        smaller=0.8, larger=1.1, periods=2, counts_in=4, most_right=60, decided_on="protected"
    )
    scenario = asked.to_scenario(0.5)
    assert Question.from_scenario(Scenario.from_json(scenario.to_json())) == asked
    assert Question.from_scenario(Scenario.from_query(scenario.to_query())) == asked
    old = {"goal": "9 of 10 in 0.9", "releases": 52, "decided_on": "past", "delta": 1e-6}
    page = {f"decide.{name}": value for name, value in old.items()}
    opened = Question.from_scenario(Scenario(page=page)).replace(designs=ALLOWED)
    assert opened == WEEKLY.replace(decided_on="past")


TWO_LIMITS = {"most_right": 60, "most_epsilon": 1.0}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"most_right": 50}, "most_right must be a whole number from 51 to 99"),
        (TWO_LIMITS, "most_epsilon must be left out where most_right is given"),
        ({"smaller": 1.2}, "smaller must be"),
        ({"larger": 0.9}, "larger must be"),
        ({"counts_in": 0}, "counts_in must be"),
    ],
)
def test_bad_answers_get_one_sentence(given: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Question(**given)  # type: ignore[arg-type]
