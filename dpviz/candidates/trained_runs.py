"""Built-in private candidates: differentially private logistic regressions, really run.

Symbols: n training people with ‖x‖ ≤ 1 and y = ±1 (a neighbour replaces one); a candidate is a
training setting, its score the accuracy on held-out public people: scoring costs nothing, so a run
with its score is ε1-DP ((ε1, δ1) with Gaussian noise). Output perturbation: argmin mean
log(1+e^(−y w·x)) + λ/2‖w‖² moves by at most 2/(nλ), plus noise ∝ e^(−(nλε1/2)‖b‖). Noisy gradient
descent: T steps, the mean gradient moves by at most 2/n; pure: each step has noise
∝ e^(−(nε1/(2T))‖b‖), basic composition; Gaussian: ρ = T(2/n)²/(2σ²), ε1 = ρ + 2√(ρ log(1/δ1)).
Sources: Chaudhuri, Monteleoni & Sarwate 2011, Alg 1, Thm 6; Bun & Steinke 2016, Prop 1.3.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Progress,
    check_integer,
    check_number,
    ignore_progress,
)
from dpviz.candidates.pool import CandidatePool


@dataclass(frozen=True)
class OutputPerturbationSetting:
    """Output perturbation with regularisation λ."""

    regularisation: float

    @property
    def label(self) -> str:
        return f"output noise, λ={self.regularisation:g}"


@dataclass(frozen=True)
class NoisyGradientSetting:
    """`steps` noisy gradient steps of length `rate`."""

    steps: int
    rate: float

    @property
    def label(self) -> str:
        return f"gradient noise, {self.steps} steps of {self.rate:g}"


Setting = OutputPerturbationSetting | NoisyGradientSetting

GRID: tuple[Setting, ...] = (
    *(OutputPerturbationSetting(regularisation) for regularisation in (0.001, 0.01, 0.1, 1.0)),
    *(NoisyGradientSetting(steps, rate) for steps in (3, 10, 30) for rate in (0.5, 4.0)),
)


@dataclass(frozen=True, eq=False)
class PrivateRuns:
    """The pool of runs, and the accuracy without privacy on the same people."""

    pool: CandidatePool
    accuracy_without_privacy: float


def logistic_regression_runs(
    *,
    people: int = 2000,
    dimensions: int = 5,
    epsilon: float = 1.0,
    delta: float = 0.0,
    runs: int = 200,
    seed: int = 0,
    progress: Progress = ignore_progress,
) -> PrivateRuns:
    """The runs of every setting of `GRID`; δ1 > 0 gives gradient steps Gaussian noise."""
    people = check_integer("people", people, low=20, high=1_000_000)
    dimensions = check_integer("dimensions", dimensions, low=1, high=100)
    epsilon = check_number("epsilon", epsilon, low=0.0, above=True)
    delta = check_number("delta", delta, low=0.0, high=0.5)
    runs = check_integer("runs", runs, low=1, high=10_000)
    seed = check_integer("seed", seed, low=0)
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=dimensions)
    train, public = _people(rng, people, truth), _people(rng, people, truth)
    scores = []
    for done, setting in enumerate(GRID):
        if isinstance(setting, OutputPerturbationSetting):
            weight = setting.regularisation
            noise = _norm_laplace(rng, dimensions, runs, people * weight * epsilon / 2)
            weights = _minimiser(train, weight)[:, None] + noise
        else:
            weights = _noisy_gradient_descent(train, setting, epsilon, delta, runs, rng)
        scores.append(_accuracy(weights, public))
        progress((done + 1) / len(GRID))
    plain = _accuracy(_minimiser(train, 1e-4)[:, None], public)
    pool = CandidatePool(scores, labels=[setting.label for setting in GRID])
    return PrivateRuns(pool, float(plain[0]))


def _people(rng: Generator, n: int, truth: Floats) -> Floats:
    """Rows y·x with ‖x‖ ≤ 1, all that regression without an intercept needs."""
    x = rng.normal(size=(n, len(truth)))
    x /= np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1.0)
    chance = 1 / (1 + np.exp(-6 * (x @ truth) / np.linalg.norm(truth)))
    return np.where(rng.random(n) < chance, 1.0, -1.0)[:, None] * x


def _accuracy(weights: Floats, rows: Floats) -> Floats:
    return np.asarray(np.mean(rows @ weights > 0, axis=0), float)


def _noisy_gradient_descent(
    rows: Floats,
    setting: NoisyGradientSetting,
    epsilon: float,
    delta: float,
    runs: int,
    rng: Generator,
) -> Floats:
    n, dimensions = rows.shape
    weights = np.zeros((dimensions, runs))
    for _ in range(setting.steps):
        gradient = -rows.T @ _missed(rows @ weights) / n
        if delta:
            noise = rng.normal(
                0.0, _gaussian_scale(n, setting.steps, epsilon, delta), weights.shape
            )
        else:
            noise = _norm_laplace(rng, dimensions, runs, n * epsilon / (2 * setting.steps))
        weights = weights - setting.rate * (gradient + noise)
    return weights


def _gaussian_scale(n: int, steps: int, epsilon: float, delta: float) -> float:
    log = math.log(1 / delta)
    root = math.sqrt(log + epsilon) - math.sqrt(log)  # √ρ
    return 2 / n * math.sqrt(steps / 2) / root


def _norm_laplace(rng: Generator, dimensions: int, runs: int, rate: float) -> Floats:
    """Columns with density ∝ e^(−rate·‖b‖): a uniform direction times a Gamma length."""
    direction = rng.normal(size=(dimensions, runs))
    direction /= np.linalg.norm(direction, axis=0)
    return direction * rng.gamma(dimensions, 1 / rate, runs)


def _missed(margin: Floats) -> Floats:
    """1/(1 + e^margin), the weight of a row in the gradient."""
    small = np.exp(-np.abs(margin))
    return np.asarray(np.where(margin > 0, small / (1 + small), 1 / (1 + small)), float)


def _minimiser(rows: Floats, regularisation: float) -> Floats:
    """The regularised minimum to the last digits, as the privacy needs it."""
    n, dimensions = rows.shape

    def gradient(w: Floats) -> Floats:
        return np.asarray(regularisation * w - rows.T @ _missed(rows @ w) / n)

    def curvature(w: Floats) -> Floats:
        missed = _missed(rows @ w)
        weighted = rows * (missed * (1 - missed))[:, None]
        return np.asarray(weighted.T @ rows / n + regularisation * np.eye(dimensions))

    found = scipy.optimize.root(gradient, np.zeros(dimensions), jac=curvature, tol=1e-15)
    return np.asarray(found.x, float)
