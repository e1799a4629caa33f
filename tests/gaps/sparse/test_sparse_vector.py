"""Sparse vector, plain and adaptive: their contract, the splits and the budget in units."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz import AdaptiveSparseVector, ParameterError, Scores, SparseVector
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.run_plan import Branch
from tests import meters
from tests.answer_strings import Chances, adaptive_chances, plain_chances
from tests.gaps.sparse.contract import ThresholdContract


class TestSparseVector(ThresholdContract):
    examples = [
        SparseVector(epsilon=1.0, k=2, threshold=50.0),
        SparseVector(epsilon=1.0, k=1, threshold=50.0, split="even"),
        SparseVector(epsilon=1.0, k=4, threshold=50.0, monotonic=True),
        SparseVector(epsilon=2.0, k=3, threshold=50.0, split=(0.2, 0.3)),
    ]

    def chances(self, m: ThresholdMechanism) -> Chances:
        return plain_chances(m)


class TestAdaptive(ThresholdContract):
    examples = [
        AdaptiveSparseVector(epsilon=1.0, k=2, threshold=50.0),
        AdaptiveSparseVector(epsilon=1.0, k=1, threshold=50.0, split="even"),
        AdaptiveSparseVector(epsilon=3.0, k=3, threshold=50.0, monotonic=True),
        AdaptiveSparseVector(epsilon=2.0, k=3, threshold=50.0, split=(0.8, 0.1)),
        AdaptiveSparseVector(
            epsilon=1.0, k=1, threshold=50.0, branch_count=3, deviations=1.0, split=(0.2, 0.1)
        ),
    ]

    def chances(self, m: ThresholdMechanism) -> Chances:
        return adaptive_chances(m)

    def test_at_most_twice_k_less_one(self) -> None:
        m = AdaptiveSparseVector(epsilon=1.0, k=5, threshold=0.0)
        s = Scores(np.full(30, 1e6))
        dist = m.distribution(s)
        assert len(dist.answer_count_probabilities) == 10
        assert m.release(s, rng=np.random.default_rng(0)).units == 9
        assert dist.expected_epsilon_spent == pytest.approx(m.epsilon0 + 9 * 2 * m.epsilon1)


class FreeBranch(AdaptiveSparseVector):
    """A twin that breaks the promise: its cheapest branch has the noise of the dearest."""

    def branches(self) -> tuple[Branch, ...]:
        first, *others = super().branches()
        return replace(first, rate=others[-1].rate, offset=0.0), *others


def test_each_of_three_branches_pays_its_own() -> None:
    given = {"epsilon": 1.2, "k": 2, "threshold": 0.0, "branch_count": 3}
    m, twin, worst = AdaptiveSparseVector(**given), FreeBranch(**given), [0.0, 0.0]
    assert (m.units, m.epsilon2 / m.epsilon1) == (8, 4.0)
    for values in ([0, 0, 0, 0, 0], [40, -40, -40, -40, -40]):
        s = Scores(values)
        others = [meters.moved(s, step) for step in ([1, -1, -1, -1, -1], [1, 0, -1, 1, -1])]
        for (at, kind), other in itertools.product(enumerate((m, twin)), others):
            loss = meters.largest_loss(kind.answer_strings(s), kind.answer_strings(other))
            worst[at] = max(worst[at], loss)
    assert worst[0] <= 1.2 * (1 + 1e-9) < worst[1]


def test_further_branches_are_in_the_key_and_the_usual_two_are_not() -> None:
    m = AdaptiveSparseVector(epsilon=1.0, k=2, threshold=0.0)
    assert not any(name in m.key for name in ("branch", "deviations"))
    assert "branch_count=3" in m.replace(branch_count=3).key
    far = m.replace(branch_count=4, k=3).distribution(Scores(np.full(40, 1e6)))
    assert far.answer_count_probabilities[-1] == pytest.approx(1.0)
    assert len(far.answer_count_probabilities) - 1 == 8 * 3 - 7


@pytest.mark.parametrize(("monotonic", "cost"), [(False, 2), (True, 1)])
@pytest.mark.parametrize("k", [1, 3, 25])
def test_splits(k: int, monotonic: bool, cost: int) -> None:
    given = {"epsilon": 1.5, "k": k, "threshold": 0.0, "monotonic": monotonic}
    v, a = SparseVector(**given), AdaptiveSparseVector(**given)
    assert (v.epsilon - v.epsilon0) / v.epsilon0 == pytest.approx((cost * k) ** (2 / 3))
    for m, rate in ((v, v.epsilon1), (a, a.epsilon2)):
        assert m.epsilon0 == pytest.approx(v.epsilon0)
        assert m.epsilon0 + cost * k * rate == pytest.approx(1.5)
    assert a.epsilon1 == a.epsilon2 / 2
    assert a.sigma == pytest.approx(2 * math.sqrt(2) / a.epsilon1)


def test_even_is_the_papers_algorithm_4() -> None:
    a = AdaptiveSparseVector(epsilon=1.0, k=4, threshold=0.0, split="even")
    assert (a.epsilon0, a.epsilon1, a.epsilon2) == (0.5, 1 / 32, 1 / 16)


def test_pair_that_does_not_fit_says_the_rule() -> None:
    with pytest.raises(ParameterError, match=r"epsilon0 \+ 6·epsilon1 = epsilon = 1"):
        SparseVector(epsilon=1.0, k=3, threshold=0.0, split=(0.5, 0.5))
    with pytest.raises(ParameterError, match=r"epsilon0 \+ 12·epsilon1"):
        AdaptiveSparseVector(epsilon=1.0, k=3, threshold=0.0, split=(0.5, 0.5))
    assert SparseVector(epsilon=1.0, k=3, threshold=0.0, split=[0.4, 0.1]).split == (0.4, 0.1)


def test_a_threshold_that_no_double_holds_in_units_of_the_sensitivity_is_refused() -> None:
    m = SparseVector(epsilon=1.0, k=1, threshold=1e200)
    says = "threshold must be at most 1e300 in size once divided"
    with pytest.raises(ParameterError, match=says):
        m.distribution(Scores([0.0, 1e-150], sensitivity=1e-150))


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("cls", [SparseVector, AdaptiveSparseVector])
def test_a_share_of_the_budget_for_the_threshold(
    cls: type[ThresholdMechanism], monotonic: bool
) -> None:
    usual = cls(epsilon=2.0, k=3, threshold=5.0, monotonic=monotonic)
    m = usual.with_threshold_share(0.3)
    assert m.epsilon0 == pytest.approx(0.6)
    assert m.epsilon1 * m.units * (1 if monotonic else 2) == pytest.approx(1.4)
    assert m.with_threshold_share(0.5).epsilon0 == usual.replace(split="even").epsilon0
    for share in (0.0, 1.0, math.nan):
        with pytest.raises(ParameterError, match="share must be"):
            m.with_threshold_share(share)
