"""Fourier sums over the cut-off, against convolutions item by item and against finer nodes."""

import math

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.numerics.cutoff.item_sums import inclusion_sums
from dpviz.numerics.cutoff.poisson_binomial import total_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import tilted_nodes
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.topk.cutoff_law import CutoffLaw

LEVELS = {
    "ties": (np.repeat([4.0, 1.0, 0.0, -1.5, -6.0], [3, 20, 30, 50, 97]), 40),
    "spread": (np.sort(np.random.default_rng(4).normal(0, 4, 150))[::-1], 50),
    "near": (np.linspace(0.3, -0.3, 80), 79),
}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("case", LEVELS)
def test_finer_nodes_change_nothing(noise: str, case: str) -> None:
    level, k = LEVELS[case]
    window = cutoff_window(NOISES[noise], level - level[k], k)
    nodes, finer = tilted_nodes(window), tilted_nodes(window, 1.7)
    assert total_probability(nodes) == pytest.approx(1.0, abs=1e-10)
    a, b = np.array([0, k // 3, k - 2, k]), np.array([k, k + 1, min(k + 9, len(level)), len(level)])
    np.testing.assert_allclose(
        within_probabilities(nodes, a, b), within_probabilities(finer, a, b), atol=1e-10
    )
    out, inside = inclusion_sums(nodes)
    assert out.sum() == pytest.approx(inside.sum(), abs=1e-10)
    rough = CutoffLaw(level - level[k], k, NOISES[noise]).rough_within_table(a, b)
    np.testing.assert_allclose(rough, within_probabilities(finer, a, b), atol=1e-3)


def test_only_the_window_matters() -> None:
    level = np.concatenate([np.full(500, 900.0), np.array([1.0, 0.0, 0.0]), np.full(5000, -900.0)])
    k = 501
    window = cutoff_window(NOISES["laplace"], level - level[k], k)
    assert (window.first, window.last) == (500, 503)
    nodes = tilted_nodes(window)
    alone = tilted_nodes(cutoff_window(NOISES["laplace"], np.array([1.0, 0.0, 0.0]), 1))
    many = within_probabilities(nodes, np.array([0, 501]), np.array([501, 503, 5000]))
    few = within_probabilities(alone, np.array([0, 1]), np.array([1, 3, 3]))
    np.testing.assert_allclose(many, few, atol=1e-12)
    assert math.isclose(many[0, 2], 1.0, abs_tol=1e-11)
