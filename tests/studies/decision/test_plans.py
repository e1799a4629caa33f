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

HELP = EXAMPLES["help_line"].scores()
WEEKLY = Question(k=10, goal="9 of 10 in 0.9", data=DataSpec(name="help_line"), releases=52)
COUNTS = DataSpec(source="uploaded", monotonic=True)
ONE_SHOT = (Design(mechanism="one_shot"),)


def chance(scores: Scores, epsilon: float) -> float:
    return ONE_SHOT[0].build(epsilon, 10).distribution(scores).hits_at_least(9)


def scaled(scores: Scores, factor: float) -> Scores:
    return replace(scores, values=scores.values * factor, labels=None)


def test_a_plan_holds_on_smaller_scores_and_on_past_periods() -> None:
    rng = np.random.default_rng(5)
    past = [Scores(rng.permutation(np.floor(HELP.values * f)), monotonic=True) for f in (0.9, 0.75)]
    asked = WEEKLY.replace(data=COUNTS, designs=ONE_SHOT, smaller=0.8)
    study = DecideStudy.from_question(asked, [HELP, *past])
    assert study.question.periods == 2
    every = [scaled(one, factor) for one in (HELP, *past) for factor in (0.8, 1.0)]
    goal = {"probability": 0.9, "figure": "hits", "at_least": 9}
    together = smallest_epsilon(ONE_SHOT[0].build(1.0, 10), every, **goal)  # type: ignore[arg-type]
    smallest = study.chosen_plan.smallest
    assert smallest == pytest.approx(together, rel=1e-5)
    assert min(chance(one, study.epsilon) for one in every) >= 0.9
    assert min(chance(one, 0.99 * smallest) for one in every) < 0.9
    alone = DecideStudy.from_question(asked.replace(smaller=1.0), HELP)
    assert min(chance(one, alone.epsilon) for one in every) < 0.9  # what asking for more is for
    assert alone.chosen_plan.smallest < smallest


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


def test_ties_say_why_no_plan_reaches_top_and_what_does() -> None:
    tied = Scores([9, 5, 5, 5, 1], monotonic=True)
    study = DecideStudy.from_question(Question(k=2, goal="top in 0.9", data=COUNTS), tied)
    assert study.has_no_acceptable_plan
    (helped,) = (help.question for help in study.helps if help.changes == "goal")
    assert helped.goal_text == "optimal in 0.9"
    sentence = r"no mechanism that is allowed reaches the goal .* tie for places 2"
    with pytest.raises(ParameterError, match=sentence):
        study.compute()


def test_a_person_day_and_a_person_have_both_totals() -> None:
    asked = WEEKLY.replace(designs=ONE_SHOT, releases=365, counts_in=1)
    study = DecideStudy.from_question(asked)
    assert study.everyone is not None
    assert study.cost.guess < study.everyone.guess
    whole = DecideStudy.from_question(asked.replace(counts_in=None))
    assert study.everyone == whole.cost
    assert whole.everyone is None


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
