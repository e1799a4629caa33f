"""log P of a few sets at once equals log P of each alone, at any distance."""

import math
from itertools import combinations

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.base import Bools
from dpviz.numerics import set_probabilities
from dpviz.numerics.set_probabilities import (
    SetProbabilities,
    log_set_probabilities,
    log_set_probability,
)


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
