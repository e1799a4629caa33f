"""Fourier sums over the cut-off, against convolutions item by item and against finer nodes."""

import math

import numpy as np
import pytest

from dpviz import NOISES
from dpviz.numerics.cutoff.angles import fourier_angles
from dpviz.numerics.cutoff.item_sums import inclusion_sums
from dpviz.numerics.cutoff.poisson_binomial import total_probability, within_probabilities
from dpviz.numerics.cutoff.tilted_nodes import tilted_nodes
from dpviz.numerics.cutoff.window import cutoff_window
from dpviz.topk.cutoff_law import CutoffLaw


def convolved(p: np.ndarray) -> np.ndarray:
    law = np.array([1.0])
    for chance in p:
        law = np.append(law * (1 - chance), 0.0) + np.append(0.0, law * chance)
    return law


@pytest.mark.parametrize("n", [1, 7, 60, 400])
def test_angles_tell_the_middle_probability(n: int) -> None:
    p = np.random.default_rng(n).uniform(0.2, 0.8, n)
    p *= (n // 2 + 0.5) / p.sum() if n > 1 else 1.0
    variance = float(np.sum(p * (1 - p)))
    turn = fourier_angles(variance, variance, 0.0)
    product = np.prod((1 - p)[:, None] + p[:, None] * turn.phase_factors, axis=0)
    seen = 2 / turn.n * np.sum((product * turn.phase_factors ** -(n // 2)).real)
    assert seen == pytest.approx(convolved(p)[n // 2], abs=1e-12)
    assert n < 400 or len(turn.theta) < 14


def test_less_important_nodes_need_fewer_angles() -> None:
    assert len(fourier_angles(50.0, 50.0, -20.0).theta) < len(fourier_angles(50.0, 50.0, 0.0).theta)


def test_series_stand_in_for_small_chances() -> None:
    turn = fourier_angles(5.0, 5.0, 0.0)
    p = np.array([[1e-9, 1e-4, 0.014]])
    left, right = turn.series_column_limits(p[:, ::-1], 1 - p[:, ::-1])
    assert (left, right) == (0, 0)
    powers = np.stack([p**j for j in range(1, turn.terms + 1)], 1)
    slopes = np.stack([p**j for j in range(turn.terms)], 1)
    t = 1 - (1 - turn.phase_factors)[:, None] * p
    np.testing.assert_allclose(turn.log_series(powers)[0], -np.log(t), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(turn.power_series(slopes)[0], 1 / t, rtol=1e-12)


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


def test_a_row_of_figures_equals_the_figures_one_by_one() -> None:
    """Repeated, unsorted and edge arguments all at once."""
    level, k = LEVELS["ties"]
    nodes = tilted_nodes(cutoff_window(NOISES["exponential"], level - level[k], k))
    a, b = np.array([k, 0, 7, 7, 23]), np.array([len(level), k, 60, 41])
    table = within_probabilities(nodes, a, b)
    for i, j in np.ndindex(table.shape):
        single = within_probabilities(nodes, a[[i]], b[[j]])[0, 0]
        assert table[i, j] == pytest.approx(single, abs=1e-12)


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
