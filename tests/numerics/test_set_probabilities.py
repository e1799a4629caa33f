"""log P of one set, far below the smallest double, and of a few at once: closed forms, and alone."""

import math
from itertools import combinations

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.base import Bools, Floats
from dpviz.base.noise import Laplace
from dpviz.numerics import set_probabilities
from dpviz.numerics.set_probabilities import (
    SetProbabilities,
    log_set_probabilities,
    log_set_probability,
)


@pytest.mark.parametrize("gap", [0.0, 1.0, 50.0, 700.0, 5000.0, 1e9, 1e14])
def test_two_items_in_closed_form(gap: float) -> None:
    """P(the item `gap` below shows more): e^(−g)/(1+e^(−g)), ½e^(−g), (½ + g/4)·e^(−g)."""
    worse, better = np.array([-gap]), np.array([0.0])
    closed = {
        "gumbel": -gap - math.log1p(math.exp(-gap)),
        "exponential": -gap - math.log(2),
        "laplace": math.log(0.5 + gap / 4) - gap,
    }
    for noise, value in closed.items():
        told = log_set_probability(NOISES[noise], worse, better)
        assert told == pytest.approx(value, rel=1e-9, abs=1e-9), noise


class SlowBelow(Laplace):
    """F falls a thousand times as slowly as the family's, and half of it lies below 0."""

    def log_pdf(self, u: Floats) -> Floats:
        return np.where(u < 0, u / 1000 - math.log(2000), super().log_pdf(u))

    def log_cdf(self, u: Floats) -> Floats:
        return np.where(u < 0, u / 1000 - math.log(2), super().log_cdf(u))

    def log_sf(self, u: Floats) -> Floats:
        return np.where(u < 0, np.log1p(-0.5 * np.exp(np.minimum(u, 0.0) / 1000)), -u - math.log(2))


@pytest.mark.parametrize("n", [1, 2, 40])
def test_levels_far_below_count_where_a_noise_falls_slowly(n: int) -> None:
    value = log_set_probability(SlowBelow(), np.zeros(1), np.zeros(n))
    assert value == pytest.approx(-math.log(n + 1), rel=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_many_levels_are_condensed(noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all of them one by one: close, far apart and both, chosen well and badly."""
    rng = np.random.default_rng(3)
    for scale, k in [(0.3, 40), (5.0, 200), (300.0, 20)]:
        level = np.sort(rng.exponential(scale, 500))[::-1]
        for chosen in (np.arange(k), np.sort(rng.choice(500, k, replace=False))):
            inside = np.isin(np.arange(500), chosen)
            few = log_set_probability(NOISES[noise], level[inside], level[~inside])
            with monkeypatch.context() as patch:
                patch.setattr(set_probabilities, "_MANY", math.inf)
                patch.setattr(set_probabilities, "_UNFELT", math.inf)
                every = log_set_probability(NOISES[noise], level[inside], level[~inside])
            assert few == pytest.approx(every, rel=1e-12, abs=1e-12)


def every_set(d: int, k: int) -> Bools:
    return np.array([np.isin(np.arange(d), ranks) for ranks in combinations(range(d), k)])


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    "levels",
    [[2.0, 1.0, 1.0, -0.5, -3.0], [40.0, 25.0, 0.0, 0.0, -9.5], [1e3, 0.5, 0.0, -4.0, -2e5]],
    ids=["close", "apart", "far"],
)
def test_each_set_has_the_probability_computed_alone(noise: str, levels: list[float]) -> None:
    level, chances = np.array(levels), SetProbabilities(NOISES[noise], np.array(levels))
    for each in every_set(5, 2):
        alone = log_set_probability(NOISES[noise], level[each], level[~each])
        told = chances.log_probability(np.flatnonzero(each))
        assert told == pytest.approx(alone, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_only_sets_far_away_are_left_out(noise: str) -> None:
    level = np.array([80.0, 3.0, 0.0, -10.0])
    assert np.isfinite(log_set_probabilities(NOISES[noise], level, every_set(4, 2))).all()
    best, level = np.arange(16) < 8, np.append(np.linspace(99.0, 98.0, 8), np.linspace(1.0, 0.0, 8))
    told = log_set_probabilities(NOISES[noise], level, np.array([best, ~best]))
    assert np.isfinite(told).tolist() == [True, False]  # the eight worst: less than e^-700


@pytest.mark.parametrize("few", [0, 250])
def test_all_add_up_to_one(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_probabilities, "_FEW", few)
    chances = SetProbabilities(NOISES["laplace"], np.array([3.0, 0.5, 0.0, -0.5]))
    sets = [np.array(ranks) for ranks in combinations(range(4), 2)]
    total = math.fsum(math.exp(chances.log_probability(ranks)) for ranks in sets)
    assert total == pytest.approx(1.0, abs=1e-13)
    assert chances.log_probability(sets[3][::-1]) == chances.log_probability(sets[3])
