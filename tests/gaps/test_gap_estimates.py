"""BLUE and fusing by weighted least squares, the experiment by a plain simulation."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpviz import ParameterError, Scores, SparseVector
from dpviz.gaps.gap_estimates import blue, blue_variance_ratio, fuse, sparse_vector_gap_variance
from dpviz.gaps.gap_experiment import _gap_errors, sparse_vector_experiment, top_k_experiment


def least_squares(
    alpha: np.ndarray, gaps: np.ndarray, ratio: float
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised least squares of q on (α, g), and the covariance in units of Var(ξ)."""
    k = len(alpha)
    differences = np.eye(k)[:-1] - np.eye(k, k=1)[:-1]
    design = np.vstack([np.eye(k), differences])
    covariance = np.zeros((2 * k - 1, 2 * k - 1))
    covariance[:k, :k] = np.eye(k)
    covariance[k:, k:] = ratio * differences @ differences.T
    half = np.linalg.inv(np.linalg.cholesky(covariance))
    solution = np.linalg.lstsq(half @ design, half @ np.concatenate([alpha, gaps]), rcond=None)[0]
    return solution, np.linalg.inv(design.T @ np.linalg.inv(covariance) @ design)


@pytest.mark.parametrize("ratio", [0.3, 1.0, 4.0, 25.0])
@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_blue_is_generalised_least_squares(k: int, ratio: float) -> None:
    rng = np.random.default_rng(k)
    alpha, gaps = rng.normal(100, 10, k), rng.normal(3, 4, k - 1)
    expected, covariance = least_squares(alpha, gaps, ratio)
    np.testing.assert_allclose(blue(alpha, gaps, ratio), expected, rtol=1e-10)
    np.testing.assert_allclose(np.diag(covariance), blue_variance_ratio(k, ratio), rtol=1e-10)


def test_fuse_is_weighted_least_squares() -> None:
    a, b, va, vb = 10.0, 16.0, 2.0, 5.0
    weight = np.array([va, vb]) ** -0.5
    expected = np.linalg.lstsq(weight[:, None], weight * [a, b], rcond=None)[0][0]
    assert float(fuse(a, va, b, vb)) == pytest.approx(expected)
    assert fuse([1.0, 2.0], [1.0, 1e300], [3.0, 4.0], [1e300, 1.0]) == pytest.approx([1.0, 4.0])
    assert sparse_vector_gap_variance(0.5, 0.25) == 8 + 32


APART, FIVE = Scores(np.full(30, 1e7), monotonic=True), {"epsilon": 1.0, "k": 5}
THREE = Scores([1, 2, 3])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: blue([1.0, 2.0], [1.0, 2.0], 4.0), "shape of gaps"),
        (lambda: blue(["a", "b"], [1.0], 4.0), "measurements"),
        (lambda: blue([1.0, math.nan], [1.0], 4.0), "measurements"),
        (lambda: blue(3.0, [], 4.0), "measurements"),
        (lambda: blue([1.0, 2.0], [1.0], 0.0), "variance_ratio"),
        (lambda: fuse([1.0], 1.0, [2.0], 0.0), "estimate_variance"),
        (lambda: fuse([1.0, 2.0], 1.0, [2.0, 3.0, 4.0], 1.0), "shapes"),
        (lambda: top_k_experiment(THREE, epsilon=1.0, k=1, runs=1), "runs"),
        (lambda: top_k_experiment(THREE, epsilon=1.0, k=3), "k must be at most 2"),
        (lambda: sparse_vector_experiment(APART, threshold=1e9, runs=50, **FIVE), "threshold"),
        (lambda: sparse_vector_experiment(THREE, epsilon=1.0, k=4, threshold=0.0), "most 3"),
    ],
)
def test_bad_input(call: Callable[[], object], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        call()


def plain_simulation(s: Scores, epsilon: float, k: int, runs: int, seed: int) -> np.ndarray:
    """(measured, combined) squared errors a run, by the definitions alone."""
    rng, errors = np.random.default_rng(seed), []
    scale = (1 if s.monotonic else 2) * k * s.sensitivity / (epsilon / 2)
    measuring = k * s.sensitivity / (epsilon / 2)
    for _ in range(runs):
        noisy = s.values + rng.laplace(scale=scale, size=s.d)
        items = np.argsort(-noisy)[:k]
        true = s.values[items]
        alpha = true + rng.laplace(scale=measuring, size=k)
        beta, _ = least_squares(alpha, -np.diff(noisy[items]), (scale / measuring) ** 2)
        errors.append([((alpha - true) ** 2).mean(), ((beta - true) ** 2).mean()])
    return np.array(errors)


def check_mean(figure: Any, errors: np.ndarray, runs: float) -> None:
    """A mean over runs agrees with that of a plain simulation."""
    spread = math.hypot((figure.high - figure.low) / 3.92, errors.std() / math.sqrt(runs))
    assert abs(figure.value - errors.mean()) < 5 * spread


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("values", [np.arange(300.0, 0.0, -1.0), np.zeros(300), np.arange(9.0)])
def test_experiment_by_a_plain_simulation(values: np.ndarray, monotonic: bool) -> None:
    s = Scores(values, sensitivity=2.0, monotonic=monotonic)
    found = top_k_experiment(s, epsilon=2.0, k=3, runs=8000, rng=np.random.default_rng(1))
    plain = plain_simulation(s, 2.0, 3, 1500, 2)
    for figure, errors in zip((found.measured, found.combined), plain.T, strict=True):
        check_mean(figure, errors, len(errors))


def test_formula_holds_without_selection_and_fails_with_it() -> None:
    apart = Scores(np.arange(40.0, 0.0, -1.0) * 1e6, monotonic=True)
    found = top_k_experiment(apart, epsilon=1.0, k=5, runs=20_000)
    assert found.ratio.low - 0.005 < found.formula < found.ratio.high + 0.005
    mixed = Scores(np.r_[150.0, 150.0, np.zeros(3000)], monotonic=True)  # three from the crowd
    assert top_k_experiment(mixed, epsilon=1.0, k=5, runs=2000).ratio.low > 1.0


@pytest.mark.parametrize("monotonic", [False, True])
def test_sparse_vector_experiment_by_single_releases(monotonic: bool) -> None:
    values = np.r_[np.arange(60.0, 40.0, -1.0), np.arange(140.0)]
    s = Scores(values, sensitivity=2.0, monotonic=monotonic)
    given = {"epsilon": 3.0, "k": 3, "threshold": 50.0, "runs": 8000}
    found = sparse_vector_experiment(s, **given, rng=np.random.default_rng(1))
    m = SparseVector(epsilon=1.5, k=3, threshold=50.0, monotonic=monotonic)
    noise, variance = 2 * 3 / 3.0 * 2.0, sparse_vector_gap_variance(m.epsilon0, m.epsilon1) * 4.0
    rng, measured, combined = np.random.default_rng(2), [], []
    for _ in range(2500):
        r = m.release(s, rng=rng)
        direct = s.values[r.items] + rng.laplace(scale=noise, size=len(r.items))
        estimate = fuse(direct, 2 * noise**2, 50.0 + r.gaps, variance)
        measured += list((direct - s.values[r.items]) ** 2)
        combined += list((estimate - s.values[r.items]) ** 2)
    for figure, errors in ((found.measured, measured), (found.combined, combined)):
        check_mean(figure, np.array(errors), len(errors) / 3)
    assert found.formula == pytest.approx(variance / (variance + 2 * noise**2))


def test_a_simulated_sparse_vector_stops_at_k_answers_however_many_queries_follow() -> None:
    scores, selection = Scores(np.full(200, 49.0)), SparseVector(epsilon=4.0, k=3, threshold=50.0)
    rng = np.random.default_rng(8)
    run, _ = _gap_errors(selection, selection.margins(scores), 400, rng)
    answers = np.bincount(run, minlength=400)
    assert answers.max() == 3
    law = selection.distribution(scores).answer_count_probabilities
    assert stats.binomtest(int((answers == 3).sum()), 400, float(law[3])).pvalue > 1e-6
