"""The expected worst rank from one integral, against P(none after b) rank by rank."""

import numpy as np
import pytest

from dpviz import NOISES, LimitedDomain, OneShot, Scores, ThresholdCounts, TopKMechanism
from dpviz.numerics.cutoff.worst_rank import FEW_RANKS, expected_worst_rank_excess
from dpviz.topk.law import RankLaw
from tests.numerics.cutoff.test_floored_race import power_law

COUNTS = power_law(20_000, 1000)


def one_by_one(m: TopKMechanism, scores: Scores) -> tuple[float, float]:
    """(as the law has it, rank by rank)."""
    law = m.distribution(scores).law
    return law.mean_worst_rank_excess(), RankLaw.mean_worst_rank_excess(law)


@pytest.mark.parametrize("noise", [name for name, noise in NOISES.items() if not noise.kinks])
def test_few_items_agree_with_their_law_rank_by_rank(noise: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(12):
        d = int(rng.integers(3, 60))
        counts = Scores(np.round(10 ** rng.uniform(0, 3) * rng.random(d) ** 2), monotonic=True)
        m = OneShot(
            epsilon=float(10 ** rng.uniform(-1.5, 1.5)),
            k=int(rng.integers(2, min(d, 12))),
            noise=noise,
        )
        beyond = expected_worst_rank_excess(NOISES[noise], m._levels(counts), m.k)
        assert beyond == pytest.approx(one_by_one(m, counts)[1], abs=1e-10 * d), m


@pytest.mark.parametrize("epsilon", [1.0, 60.0, 1000.0])
def test_many_items_agree_with_their_law_rank_by_rank(epsilon: float) -> None:
    of = [OneShot(epsilon=epsilon, k=100), LimitedDomain(epsilon=epsilon, k=100, delta=1e-6)]
    for m in [*of, ThresholdCounts(epsilon=epsilon, k=100, delta=1e-6)]:
        fast, slow = one_by_one(m, COUNTS)
        assert fast == pytest.approx(slow, abs=1e-8), m
    assert COUNTS.d - 100 > FEW_RANKS


@pytest.mark.parametrize("noise", ["gumbel", "logistic"])
@pytest.mark.parametrize(
    ("d", "k"), [(10_000, 100), (1000, 1), (3000, 900), (3000, 2300), (2400, 1200)]
)
def test_equal_items_take_turns(noise: str, d: int, k: int) -> None:
    """k of d equal ones: on average k(d + 1)/(k + 1); where k is d/2 products leave a float."""
    told = expected_worst_rank_excess(NOISES[noise], np.zeros(d), k)
    assert told == pytest.approx(k * (d + 1) / (k + 1) - k, rel=1e-10)
