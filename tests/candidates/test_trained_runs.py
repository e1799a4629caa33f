"""Built-in candidates: the minimum, the law of the noise, the sensitivity."""

import numpy as np
import pytest
from scipy import optimize, stats

from dpviz.base.errors import Cancelled, ParameterError
from dpviz.candidates import trained_runs
from dpviz.candidates.trained_runs import (
    GRID,
    logistic_regression_runs,
)

ROWS = trained_runs._people(np.random.default_rng(3), 300, np.array([1.0, -0.5, 0.2]))


def test_repeats_from_its_seed_and_learns():
    first, again = (logistic_regression_runs(people=500, runs=40, seed=4) for _ in range(2))
    assert first.pool.size == len(GRID)
    for a, b in zip(first.pool.candidates, again.pool.candidates, strict=True):
        assert np.array_equal(a.scores, b.scores)
    means = [float(law.scores @ law.mass) for law in first.pool.candidates]
    assert 0.6 < max(means) <= first.accuracy_without_privacy + 0.01
    weak = logistic_regression_runs(people=500, runs=40, seed=4, epsilon=0.01)
    assert np.mean([law.scores @ law.mass for law in weak.pool.candidates]) < np.mean(means) - 0.1


def test_sensitivity_of_the_minimum_and_of_the_gradient():
    """One person moves the minimum by at most 2/(nλ), the mean gradient by at most 2/n."""
    rng, n = np.random.default_rng(5), 30
    for _ in range(40):
        rows, direction = ROWS[:n].copy(), rng.normal(size=3)
        rows[0] = direction / np.linalg.norm(direction)
        other = rows.copy()
        other[0] = -rows[0]
        assert np.linalg.norm(rows, axis=1).max() <= 1 + 1e-12
        for regularisation in (0.01, 1.0):
            w, v = (trained_runs._minimiser(side, regularisation) for side in (rows, other))
            assert np.linalg.norm(w - v) <= 2 / (n * regularisation)
        w = rng.normal(size=3)
        one, two = (-r.T @ trained_runs._missed(r @ w) / n for r in (rows, other))
        assert np.linalg.norm(one - two) <= 2 / n


def test_the_minimum_is_that_of_the_regularised_loss():
    for regularisation in (1e-3, 0.1, 2.0):
        w = trained_runs._minimiser(ROWS, regularisation)

        def loss(at, weight=regularisation):
            return np.mean(np.logaddexp(0.0, -ROWS @ at)) + weight / 2 * at @ at

        slopes = optimize.approx_fprime(w, loss, 1e-7)
        assert slopes == pytest.approx(np.zeros(3), abs=1e-6)


def test_noise_of_density_falling_with_the_norm():
    noise = trained_runs._norm_laplace(np.random.default_rng(6), 4, 20_000, 2.0)
    length = np.linalg.norm(noise, axis=0)
    assert stats.kstest(length, stats.gamma(4, scale=0.5).cdf).pvalue > 1e-6
    assert np.abs(noise.mean(axis=1)).max() < 0.05


def test_refusals_and_cancelling():
    few = {"people": 50, "runs": 2}
    for given in ({"people": 5}, {"epsilon": 0.0}):
        with pytest.raises(ParameterError):
            logistic_regression_runs(**given)

    def progress(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        logistic_regression_runs(**few, progress=progress)
