"""Sparse vectors nearly reach their ε; the meter catches broken ones."""

import numpy as np

from dpviz import Scores, SparseVector
from tests.answer_strings import brute_law, plain_chances
from tests.meters import largest_loss


def both_ways(high: int, low: int) -> tuple[Scores, Scores]:
    """Queries just above the threshold rise and some far below fall: the worst case."""
    values = np.array([5.0] * high + [-40.0] * low)
    return Scores(values), Scores(values + np.array([1.0] * high + [-1.0] * low))


def test_the_bound_is_nearly_reached() -> None:
    m = SparseVector(epsilon=1.0, k=1, threshold=0.0)
    s, other = both_ways(6, 2)
    found = largest_loss(m.answer_strings(s), m.answer_strings(other))
    assert 0.99 < found <= 1 + 1e-9


def test_twin_without_threshold_noise() -> None:
    m = SparseVector(epsilon=1.0, k=1, threshold=0.0)
    pair, chances = ([-1.0] * 8, [0.0] * 8), plain_chances(m)
    laws = [brute_law(m, margins, chances, noisy_threshold=False) for margins in pair]
    assert largest_loss(*laws) > 1.2
    assert largest_loss(*(m.answer_strings(Scores(margins)) for margins in pair)) <= 1 + 1e-9
