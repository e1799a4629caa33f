"""The largest of many: closed forms, another kernel, and brute force."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import stats

from dpviz import NOISES
from dpviz.numerics.group_race import group_win_probabilities
from dpviz.numerics.item_race import item_win_probabilities
from tests.gaps.sparse.oracle import one_shot_sets
from tests.meters import FALSE_ALARM


def permute_and_flip(q: np.ndarray) -> np.ndarray:
    """P(r) = p_r ∫_0^1 Π_{i≠r} (1 − t·p_i) dt, the polynomial integrated term by term."""
    p = np.exp(q - q.max())
    found = []
    for r in range(len(p)):
        product = Polynomial([1.0])
        for i in range(len(p)):
            if i != r:
                product *= Polynomial([1.0, -p[i]])
        found.append(p[r] * product.integ()(1.0))
    return np.array(found)


@pytest.mark.parametrize("spread", [0.0, 0.5, 5.0])
def test_exponential_noise_is_permute_and_flip(spread: float) -> None:
    q = np.sort(np.random.default_rng(2).normal(0, 1, 12) * spread)[::-1]
    probability, error = item_win_probabilities(NOISES["exponential"], q)
    np.testing.assert_allclose(probability, permute_and_flip(q), atol=1e-13)
    assert error < 1e-11


def test_gumbel_noise_is_the_exponential_mechanism() -> None:
    q = np.array([3.0, 1.0, 1.0, -800.0])
    np.testing.assert_allclose(
        item_win_probabilities(NOISES["gumbel"], q)[0], np.exp(q) / np.exp(q).sum(), atol=1e-15
    )


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    "q", [[0.0, 0.0], [2.0, 1.9, 0.0, -7.0], [5.0, -5.0, -40.0], [0.0, -1e306]]
)
def test_the_law_equals_brute_force(noise: str, q: list[float]) -> None:
    probability, error = item_win_probabilities(NOISES[noise], np.array(q))
    sets = one_shot_sets(np.maximum(q, -600.0), 1, noise)
    np.testing.assert_allclose(probability, [sets[(i,)] for i in range(len(q))], atol=1e-12 + error)
    assert error < 1e-11


@pytest.mark.parametrize("noise", NOISES)
def test_power_sums_agree_with_items_one_by_one(noise: str) -> None:
    q = np.sort(np.round(np.random.default_rng(6).normal(0, 2, 400), 2))[::-1]
    one_by_one = group_win_probabilities(NOISES[noise], q, np.zeros(400)).probability
    np.testing.assert_allclose(item_win_probabilities(NOISES[noise], q)[0], one_by_one, atol=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_a_million_items_add_up_to_one(noise: str) -> None:
    rng = np.random.default_rng(9)
    q = np.sort(rng.normal(0, 2, 1_000_000))[::-1]
    probability, error = item_win_probabilities(NOISES[noise], q)
    assert probability.sum() == pytest.approx(1.0, abs=1e-11)
    assert error < 1e-11
    assert (np.diff(probability) <= 1e-18).all()
    winners = [int(np.argmax(q + NOISES[noise].sample(rng, len(q)))) for _ in range(12)]
    early = np.searchsorted(np.cumsum(probability), [0.001, 0.999])
    assert (
        stats.binom.sf(sum(not early[0] <= w <= early[1] for w in winners) - 1, 12, 0.002)
        > FALSE_ALARM
    )


@pytest.mark.parametrize("noise", NOISES)
def test_the_error_covers_what_the_chances_lack_to_one(noise: str) -> None:
    for n in (2, 30, 3000):
        probability, error = item_win_probabilities(
            NOISES[noise], np.sort(np.random.default_rng(n).normal(0, 4, n))[::-1]
        )
        assert max(abs(probability.sum() - 1), 1e-12) <= error < 1e-10, (
            "with the rounding of every chance"
        )
