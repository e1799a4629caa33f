"""Claims of Ding, Wang, Zhang & Kifer 2019 on what gaps are worth, and on adaptive sparse vector.

As in the paper ε = 0.7, the threshold is the 95 % quantile, and counts are taken as any scores. At
hand are T10I4D100K and the first 100,000 streams of Kosarak.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import brentq

from dpviz import OneShot, Scores, SparseVector, privacy_loss
from dpviz.charts import number_text
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.export.reproduction.gaps import EPSILON, QUANTILE, RUNS, Selection, run_measurement
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.gaps import AdaptiveSparseVector, ThresholdDistribution, reorder_scores
from dpviz.gaps.gap_estimates import blue_variance_ratio, sparse_vector_gap_variance
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, laplace_difference_sf
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.privacy.neighbours import move_scores

K = 25
_HIGHER = (0.97, 0.99, 0.995, 0.998, 0.999, 0.9995)


def least_squares_variance_ratio(k: int, ratio: float) -> float:
    """Var(β_1)/Var(α_1) of the best linear unbiased estimate from k measurements and their gaps.

    `ratio` is the variance of a selection's noise over that of a measurement's.
    """
    differences = np.eye(k)[:-1] - np.eye(k)[1:]
    design = np.concatenate([np.eye(k), differences])
    noise = np.eye(2 * k - 1)
    noise[k:, k:] = ratio * differences @ differences.T
    covariance = np.linalg.inv(design.T @ np.linalg.inv(noise) @ design)
    return float(covariance[0, 0])


@register_claim("free_gap.blue")
def _blue() -> float:
    return max(
        abs(ratio(k, 4.0) - (4 * k + 1) / (5 * k))
        for ratio in (blue_variance_ratio, least_squares_variance_ratio)
        for k in (1, 2, 5, 10, 25)
    )


def error_reduction_and_half_interval(
    scores: Scores, k: int, epsilon: float, selection: Selection = "noisy top-k"
) -> tuple[float, float]:
    """The share of the mean squared error that gaps take off, and half of its interval."""
    ratio = run_measurement(Scores(scores.values), selection, k, epsilon, RUNS).ratio
    return 1 - ratio.value, (ratio.high - ratio.low) / 2


@register_claim("free_gap.twenty_per_cent")
def _twenty(**vectors: Scores) -> tuple[dict[str, float], dict[str, Any]]:
    gains = {
        name: error_reduction_and_half_interval(scores, K, EPSILON)
        for name, scores in vectors.items()
    }
    listed = [f"{100 * gain:.1f}\u202f% on {name}" for name, (gain, _) in gains.items()]
    return {name: gain for name, (gain, _) in gains.items()}, {
        "error": max(half for _, half in gains.values()),
        "limit": 100 * (1 - blue_variance_ratio(K, 4.0)),
        "listed": ", ".join(listed),
    }


@register_claim("free_gap.stable")
def _stable(kosarak: Scores) -> tuple[float, dict[str, Any]]:
    (gain, half), (usual, _) = (
        error_reduction_and_half_interval(kosarak, 10, e) for e in (0.02, EPSILON)
    )
    sign = f"{100 * gain:+.0f}".replace("-", "−")
    return gain, {"error": half, "sign": sign, "usual": 100 * usual}


def _sparse_ratio(k: float) -> float:
    scale: float = (1 + (4 * k * k) ** (1 / 3)) ** 3
    return scale / (scale + k * k)


@register_claim("free_gap.stable_sparse")
def _stable_sparse(kosarak: Scores) -> tuple[float, dict[str, float]]:
    (gain, half), (usual, _) = (
        error_reduction_and_half_interval(kosarak, 10, e, "sparse vector") for e in (0.02, EPSILON)
    )
    formula = 100 * (1 - _sparse_ratio(10))
    return gain, {"error": half, "small": 100 * gain, "usual": 100 * usual, "formula": formula}


@register_claim("free_gap.sparse_limit")
def _sparse_limit() -> tuple[float, dict[str, float]]:
    some, more = (100 * (1 - _sparse_ratio(k)) for k in (25, 1000))
    return 1 - _sparse_ratio(1e12), {"some": some, "more": more}


@register_claim("free_gap.gap_variance")
def _gap_variance() -> float:
    plans = [SparseVector(epsilon=0.5, k=k, threshold=0.0) for k in (1, 5, 25, 1000)]
    exact = np.array([sparse_vector_gap_variance(plan.epsilon0, plan.epsilon1) for plan in plans])
    printed = np.array([8 * (1 + (2 * plan.k) ** (2 / 3)) ** 3 for plan in plans])
    return float(np.abs(exact / printed - 1).max())


@register_claim("free_gap.lemma_7")
def _lemma_7() -> float:
    apart, t = 0.0, np.array([0.0, 0.5, 3.0, 20.0])
    for a, b in ((0.5, 0.25), (0.1, 2.0)):
        printed = 1 - (a * a * np.exp(-b * t) - b * b * np.exp(-a * t)) / (2 * (a * a - b * b))
        apart = max(apart, float(np.abs(1 - laplace_difference_sf(t, a, b) - printed).max()))
    return apart


@register_claim("free_gap.coverage")
def _coverage() -> tuple[float, dict[str, float]]:
    bound = ConfidenceBound(0.95, 0.5, 0.25)
    after = float(bound.coverage_after_answer(np.array(-5.0)))
    return after, {"before": bound.coverage_before_answer, "after": 100 * after}


def tie_chance(rate: float, base: float) -> float:
    """P(two discrete Laplace variables on multiples of `base` are equal), at this rate."""
    q = math.exp(-rate * base)
    return (1 - q) * (1 + q * q) / (1 + q) ** 3


@register_claim("free_gap.theorem_2", rate=0.7, base=0.25)
def discrete_laplace_loss_over_epsilon(rate: float, base: float) -> tuple[float, dict[str, float]]:
    """Largest loss of two values over ε that move by 1 in all, each a multiple of `base`."""
    q, values = math.exp(-rate * base), np.arange(-400, 401)
    log_mass = math.log((1 - q) / (1 + q)) - rate * base * np.abs(values)
    largest = [
        float(np.abs(log_mass[: len(values) - steps] - log_mass[steps:]).max())
        for steps in range(round(1 / base) + 1)
    ]
    split = max(map(sum, zip(largest, largest[::-1], strict=True)))
    return split / rate, {"total": float(np.exp(log_mass).sum())}


@register_claim("free_gap.ties")
def _ties() -> tuple[float, dict[str, str]]:
    rates, bases = (0.01, 1.0, 10.0), (2.0**-52, 1e-6, 0.1)
    share = max(tie_chance(e, g) / 2 / (e * g) for e in rates for g in bases)
    return share, {"share": format_epsilon(share)}


@register_claim("free_gap.counting_queries")
def _counting_queries() -> float:
    scores = Scores([3.0, 2.0, 2.0, 0.0], monotonic=True)
    mechanism = OneShot(epsilon=0.5, k=1, noise="laplace")
    steps = [np.array([number >> i & 1 for i in range(4)], float) for number in range(1, 16)]
    return max(privacy_loss(mechanism, scores, move_scores(scores, step)).largest for step in steps)


# Adaptive sparse vector


@lru_cache(maxsize=8)  # a walk takes a second
def _law(
    kind: type[ThresholdMechanism], scores: Scores, k: int, quantile: float
) -> ThresholdDistribution:
    threshold = float(np.quantile(scores.values, quantile))
    return kind(epsilon=EPSILON, k=k, threshold=threshold).distribution(Scores(scores.values))


def adaptive_answer_gain_and_error(scores: Scores, k: int = K) -> tuple[float, float]:
    """(mean answers that the adaptive sparse vector gives more, error)."""
    plain, adaptive = (
        _law(kind, scores, k, QUANTILE) for kind in (SparseVector, AdaptiveSparseVector)
    )
    return adaptive.expected_answers - plain.expected_answers, plain.error + adaptive.error


def adaptive_false_answer_gain(scores: Scores, k: int = K) -> float:
    """Mean false answers that the adaptive sparse vector gives more."""
    below = scores.values < np.quantile(scores.values, QUANTILE)
    plain, adaptive = (
        _law(kind, scores, k, QUANTILE).answer_probabilities[below].sum()
        for kind in (SparseVector, AdaptiveSparseVector)
    )
    return float(adaptive - plain)


def middle_branch_share(scores: Scores, k: int = K, quantile: float = QUANTILE) -> float:
    """The share of the adaptive one's answers that its middle branch gives, in the mean."""
    law = _law(AdaptiveSparseVector, scores, k, quantile)
    return float(law.branch_probabilities("middle").sum() / law.expected_answers)


def half_share_quantile(
    share: Callable[[float], float], low: float = QUANTILE, high: float = 0.999
) -> float | None:
    """The quantile at which `share` falls to a half, to 0.0005; None where it does not."""
    ends = {low: share(low), high: share(high)}
    if ends[low] <= 0.5 or ends[high] >= 0.5:
        return None
    return float(
        brentq(lambda at: (ends[at] if at in ends else share(at)) - 0.5, low, high, xtol=5e-4)
    )


@register_claim("free_gap.fifteen_more")
def _fifteen_more(t10i4d100k: Scores) -> tuple[float, dict[str, float]]:
    value, error = adaptive_answer_gain_and_error(t10i4d100k)
    return value, {"error": error}


@register_claim("free_gap.roughly_half")
def _roughly_half(kosarak: Scores) -> tuple[dict[str, float], dict[str, Any]]:
    shuffled = reorder_scores(kosarak, "shuffled", 0)
    adaptive = _law(AdaptiveSparseVector, kosarak, K, QUANTILE)
    given, mixed = middle_branch_share(kosarak), middle_branch_share(shuffled)
    at = half_share_quantile(lambda quantile: middle_branch_share(shuffled, quantile=quantile))
    top, middle = (float(adaptive.branch_probabilities(name).sum()) for name in ("top", "middle"))
    half = "it is not a half at any higher quantile"
    if at is not None:
        half = (
            f"it is a half with the threshold at the {100 * at:.1f}\u202f% quantile,"
            f" {np.quantile(kosarak.values, at):,.0f}"
        )
    return {"in the order of the file": given, "in a shuffled order": mixed}, {
        "top": top,
        "answers": top + middle,
        "most": 100 * max(middle_branch_share(kosarak, quantile=q) for q in _HIGHER),
        "mixed": 100 * mixed,
        "half": half,
    }


@register_claim("free_gap.less_than_one_false")
def _less_than_one_false(**vectors: Scores) -> tuple[dict[str, float], dict[str, str]]:
    gains = {name: adaptive_false_answer_gain(scores) for name, scores in vectors.items()}
    worst = max(gains, key=lambda name: gains[name])
    listed = "; ".join(f"{name}: {number_text(value)} more" for name, value in gains.items())
    return {worst: gains[worst]}, {"listed": listed}


@register_claim("free_gap.up_to_2k", k=10)
def largest_answer_count(k: int) -> int:
    """The most queries that adaptive sparse vector answers, all far above the threshold."""
    mechanism = AdaptiveSparseVector(epsilon=1.0, k=k, threshold=0.0)
    law = mechanism.distribution(Scores([1e7] * (3 * k))).answer_count_probabilities
    return int(np.flatnonzero(law > 1e-9).max())


@register_claim("free_gap.twice_as_many")
def _twice() -> float:
    return largest_answer_count(25) / 25
