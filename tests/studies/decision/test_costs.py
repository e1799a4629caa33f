"""A plan's cost is never below the truth of real neighbours, and the affordable is accepted."""

import itertools

import numpy as np
import pytest

from dpviz import Canonical, OneShot, Scores
from dpviz.privacy.composition import compose
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import DecideStudy, Question
from dpviz.studies.decision.costs import (
    affordable_epsilon,
    affordable_release_count,
    plan_cost,
    releases_cost,
)
from dpviz.studies.design import Design
from dpviz.topk import TopKMechanism

PAIRS = [
    ([3.0, 2.0, 2.0], [2.0, 2.0, 2.0]),
    ([1.0, 1.0, 0.0], [0.0, 1.0, 0.0]),
    ([2.0, 1.0, 1.0], [2.0, 0.0, 0.0]),
]
PLANS: list[TopKMechanism] = [
    OneShot(epsilon=1.5, k=2),
    Canonical(epsilon=0.8, k=1),
    Canonical(epsilon=0.8, k=1, noise="exponential"),
    OneShot(epsilon=0.3, k=1, noise="laplace"),
]
NOISY = Design(mechanism="one_shot", parameters={"noise": "laplace"})
FEW_EACH = DataSpec(name="help_line", contributions=4)


def law(m: TopKMechanism, values: list[float]) -> np.ndarray:
    dist = m.distribution(Scores(values, monotonic=True))
    return np.exp([dist.log_probability(c) for c in itertools.combinations(range(3), m.k)])


def right_in_truth(m: TopKMechanism, times: int) -> float:
    """The best guesser's share over all pairs: (1 + TV)/2 of the laws of so many releases."""
    found = 0.0
    for one, other in PAIRS:
        p, q = np.ones(1), np.ones(1)
        for _ in range(times):
            p, q = np.outer(p, law(m, one)).ravel(), np.outer(q, law(m, other)).ravel()
        found = max(found, (1 + abs(p - q).sum() / 2) / 2)
    return found


@pytest.mark.parametrize("times", [1, 4, 8])
@pytest.mark.parametrize("m", PLANS, ids=lambda m: m.key)
def test_no_guesser_is_right_more_often_than_is_said(m: TopKMechanism, times: int) -> None:
    truth = right_in_truth(m, times)
    assert truth <= releases_cost(m, times, Question()).guess + 1e-12
    if m.k == 1 and m.noise != "laplace":  # a meter that asks for too little
        assert truth > releases_cost(m.replace(epsilon=m.epsilon / 4), times, Question()).guess


@pytest.mark.parametrize("accepted", [{"most_right": 60}, {"most_epsilon": 0.5}])
@pytest.mark.parametrize(
    "design", [Design(mechanism="one_shot"), Design(parameters={"noise": "exponential"}), NOISY]
)
def test_what_is_affordable_is_accepted_and_a_percent_more_is_not(
    accepted: dict[str, float], design: Design
) -> None:
    question = Question(k=10, releases=52, data=FEW_EACH, **accepted)  # type: ignore[arg-type]
    epsilon = affordable_epsilon(design, question)
    assert epsilon is not None
    assert plan_cost(design, epsilon, question).is_within_limit(question) is True
    assert plan_cost(design, 1.011 * epsilon, question).is_within_limit(question) is False
    m = design.build(2 * epsilon, 10)
    fewer = affordable_release_count(m, question)
    assert 1 <= fewer < 52
    assert releases_cost(m, fewer, question).is_within_limit(question) is True
    assert releases_cost(m, fewer + 1, question).is_within_limit(question) is False


def test_noisy_counts_are_added_up_by_their_own_loss() -> None:
    question = Question(k=10, releases=52, data=FEW_EACH, designs=(NOISY,))
    study = DecideStudy.from_question(question)
    (noisy,) = study.plans.values()
    assert noisy.total is not None
    plan = [(NOISY.build(noisy.epsilon, 10), 52)]
    assert noisy.total == compose(plan, delta=1e-6, contributions=4, monotonic=True).total
    assert noisy.total.way == "own loss"
    assert noisy.total.epsilon < 0.7 * compose(plan, delta=1e-6).total.epsilon  # type: ignore[union-attr]
    costs = study.needs[0].costs  # the plan lies on its line
    assert costs.total[costs.epsilon == noisy.epsilon].tolist() == [noisy.total.epsilon]
