"""The window of the cut-off and of the decided ranks, against the exact count."""

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.numerics.cutoff.window import cutoff_window

CASES = {
    "ties": (np.repeat([6.0, 3.0, 0.0, -2.0, -9.0], [3, 40, 60, 200, 500]), 70),
    "apart": (np.linspace(20.0, -40.0, 61), 20),
    "flat": (np.zeros(300), 150),
    "two": (np.array([5.0, 0.0]), 1),
    "all but one": (np.zeros(50), 49),
}


def count_above(p: np.ndarray) -> np.ndarray:
    """The law of a sum of independent indicators, one item after the other."""
    law = np.array([1.0])
    for chance in p:
        law = np.append(law * (1 - chance), 0.0) + np.append(0.0, law * chance)
    return law


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("case", CASES)
def test_the_cutoff_lies_inside(noise: str, case: str) -> None:
    level, k = CASES[case]
    level = level - level[k]
    window = cutoff_window(NOISES[noise], level, k)
    low, high = (np.exp(NOISES[noise].log_sf(z - level)) for z in (window.low, window.high))
    assert count_above(low)[: k + 1].sum() <= window.outside  # at most k exceed it: z lies below
    assert count_above(high)[k + 1 :].sum() <= window.outside
    failing = np.exp(NOISES[noise].log_cdf(window.high - level[: window.first])).sum()
    passing = np.exp(NOISES[noise].log_sf(window.low - level[window.last :])).sum()
    assert failing + passing <= window.outside
    assert window.first <= k < window.last
    assert window.count.sum() == window.last - window.first
    assert window.high - window.low < 120
