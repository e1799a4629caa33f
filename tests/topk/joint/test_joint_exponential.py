"""Joint selection over sets and over lists: contract, draws against laws, privacy."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz import JointExponential, ParameterError, Scores, TopKMechanism, estimate
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.topk.joint import joint_exponential
from dpviz.topk.joint.level_distribution import ANSWERS
from tests import meters
from tests.contract import MechanismContract, Sets

KINDS = list(ANSWERS)


class JointContract(MechanismContract):
    def definition(self, m: TopKMechanism, s: Scores) -> Sets:
        """P(y) ∝ e^(−ε/2·loss(y)) over all answers y; a set has those of all its orders."""
        return {tuple(sorted(items)): math.exp(log) for items, log in log_law_of_sets(m, s).items()}  # type: ignore[arg-type]


class TestJointOverSets(JointContract):
    examples = [JointExponential(epsilon=e, k=k) for e, k in ((2.0, 2), (0.5, 3), (3.0, 1))]
    vector_name = "joint_sets"


class TestJointOverSequences(JointContract):
    examples = [
        JointExponential(epsilon=e, k=k, over="sequences")
        for e, k in ((2.0, 2), (0.5, 3), (3.0, 1))
    ]
    vector_name = "joint_sequences"
    vector_fixed = {"over": "sequences"}


def log_weights(m: JointExponential, s: Scores) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """Every answer as item indices with log P, from the definition of the loss and nothing else."""
    over = itertools.combinations if m.over == "sets" else itertools.permutations
    top = s.ranked[: m.k]
    answers, logs = [], []
    for ranks in over(range(s.d), m.k):
        loss = max((top - s.ranked[list(ranks)]) / 2)
        answers.append(tuple(s.order[list(ranks)].tolist()))
        logs.append(-m.epsilon / 2 * loss)
    return answers, np.array(logs) - log_sum_exp(np.array(logs))


def log_law_of_sets(m: JointExponential, s: Scores) -> dict[frozenset[int], float]:
    found: dict[frozenset[int], float] = {}
    for items, log in zip(*log_weights(m, s), strict=True):
        found[frozenset(items)] = float(np.logaddexp(found.get(frozenset(items), -np.inf), log))
    return found


@pytest.mark.parametrize("size", [3000, 8])
def test_ordered_draws_follow_the_law_of_lists(size: int) -> None:
    """In large lots and one by one, which are two pieces of code."""
    s = Scores([4.0, 6.0, 5.0, 5.0, 0.0])
    m = JointExponential(epsilon=1.5, k=3, over="sequences")
    rng = np.random.default_rng(12)
    rows = np.concatenate([m.sample_ordered(s, size, rng=rng) for _ in range(3000 // size * 4)])
    answers, logs = log_weights(m, s)
    assert not meters.disagreement(
        meters.rows(rows), dict(zip(answers, np.exp(logs).tolist(), strict=True))
    )


def large() -> Scores:
    rng = np.random.default_rng(31)
    return Scores(np.round(rng.pareto(0.9, 900) * 30), monotonic=True)


@pytest.mark.parametrize("over", KINDS)
def test_estimate_agrees_with_the_exact_law_where_both_are_at_hand(over: str) -> None:
    m, s = JointExponential(epsilon=2.0, k=30, over=over), large()
    exact, drawn = m.distribution(s), estimate(m, s, samples=4000, rng=np.random.default_rng(6))
    assert (exact.method, drawn.method) == ("exact", "estimated")
    for a, b in ((0, 34), (1, 36), (3, 31), (10, 60), (20, 45), (29, 900)):
        p = exact.within(a, b)
        assert abs(drawn.within(a, b) - p) < 5.5 * math.sqrt(p * (1 - p) / 4000) + 1e-9, (a, b)
    p = exact.inclusion
    assert (np.abs(drawn.inclusion - p) < 6 * np.sqrt(p * (1 - p) / 4000) + 1e-3).all()
    assert exact.inclusion.sum() == pytest.approx(30, abs=1e-8)
    assert exact.missing <= 1e-10
    listed = exact.probability[((exact.h >= 5) & (exact.t <= 45)) | (exact.t == 30)].sum()
    assert listed == pytest.approx(exact.within(5, 45), abs=1e-9)


@pytest.mark.parametrize("monotonic", [False, True])
def test_the_order_is_private_too(monotonic: bool) -> None:
    """At every neighbour at a corner the loss of the list, not just of its set, is within ε."""
    m, worst = JointExponential(epsilon=1.0, k=2, over="sequences"), 0.0
    for values in ([3.0, 2.0, 2.0, 0.0], [1.0, 1.0, 0.0, 1.0]):
        s = Scores(values, monotonic=monotonic)
        here = dict(zip(*log_weights(m, s), strict=True))
        for other in meters.corner_neighbours(s):
            there = dict(zip(*log_weights(m, other), strict=True))
            worst = max(worst, *(abs(here[y] - there[y]) for y in here))
    assert 0.4 < worst <= 1.0 + 1e-9


@pytest.mark.parametrize("over", KINDS)
def test_a_law_that_costs_too_much_is_estimated_and_says_so(
    over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_exponential, "_MOST_STATES", dict.fromkeys(KINDS, 50_000))
    m = JointExponential(epsilon=0.01, k=30, over=over)
    dist = m.distribution(large(), samples=200)
    assert (dist.method, dist.draws) == ("estimated", 200)


def test_order_is_offered_only_where_it_is_private() -> None:
    s, rng = Scores([3.0, 2.0, 1.0]), np.random.default_rng(1)
    sets, lists = (JointExponential(epsilon=1.0, k=2, over=over) for over in KINDS)
    assert (sets.releases_order, lists.releases_order) == (False, True)
    for says, call in {
        "over must be sequences for an ordered": lambda: sets.sample_ordered(s, rng=rng),
        "rng must be": lambda: lists.sample_ordered(s, rng="1"),  # type: ignore[arg-type]
        "size must be": lambda: lists.sample_ordered(s, -1, rng=rng),
        "over must be one of sets, sequences": lambda: lists.replace(over="multisets"),
    }.items():
        with pytest.raises(ParameterError, match=says):
            call()
    for size in (0, 1, 40):
        for draw in (lists.sample_ordered, lists.sample, sets.sample):
            assert draw(s, size, rng=rng).shape == (size, 2)


@pytest.mark.parametrize("over", KINDS)
def test_levels_left_out_are_in_the_error(over: str) -> None:
    m, s = JointExponential(epsilon=1.0, k=2, over=over), Scores([5.0, 3.0, 1.0, 0.0])
    law: Any = m.distribution(s).law
    cut = replace(law, levels=replace(law.levels, missing=0.25))
    assert cut.error >= 0.25
    assert cut.classes().missing >= 0.25
    least = m.replace(epsilon=5e-324).distribution(s)
    assert least.top == pytest.approx(1 / 6, abs=1e-12), "the smallest ε chooses evenly"


@pytest.mark.parametrize("over", KINDS)
def test_progress_rises(over: str) -> None:
    seen: list[float] = []
    JointExponential(epsilon=0.3, k=30, over=over).distribution(large(), progress=seen.append)
    assert seen == sorted(seen)
    assert 0.0 <= seen[0] <= seen[-1] <= 1.0
