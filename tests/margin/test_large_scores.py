"""One item of a universe: laws on scores up to 1e15 are those on their differences, for any Δ."""

import numpy as np
import pytest

from dpviz import AdaptiveSparseVector, Scores, SparseVector
from dpviz.margin.baselines import DistanceToInstability, NoisyMax
from dpviz.margin.large_margin import LargeMargin

SIZES = [1e7, 1e9, 1e14, 1e15]
UNITS = [1.0, 0.1, 3.0, 7e-3]
OFFSETS = np.array([310.0, 305.0, 20.0, 3.0, 0.0])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("size", SIZES)
def test_one_item(size: float, unit: float) -> None:
    plain, large = (Scores(base + OFFSETS, sensitivity=unit) for base in (0.0, size))
    for law in (
        lambda s: LargeMargin(epsilon=unit, delta=1e-3).distribution(s),
        lambda s: DistanceToInstability(epsilon=unit, delta=1e-3).distribution(s),
        lambda s: NoisyMax(epsilon=unit / 50, noise="laplace").distribution(s),
        lambda s: NoisyMax(epsilon=unit / 50).distribution(s),
    ):
        here, there = law(large), law(plain)
        assert np.abs(here.inclusion - there.inclusion).max() <= here.error + there.error


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("size", SIZES)
def test_margins_to_a_threshold(size: float, unit: float) -> None:
    for kind in (SparseVector, AdaptiveSparseVector):
        here = kind(epsilon=unit / 10, k=2, threshold=size + 200.0).distribution(
            Scores(size + OFFSETS, sensitivity=unit)
        )
        there = kind(epsilon=unit / 10, k=2, threshold=200.0).distribution(
            Scores(OFFSETS, sensitivity=unit)
        )
        assert (
            np.abs(here.answer_probabilities - there.answer_probabilities).max()
            <= here.error + there.error
        )
