"""Claims of Ding, Wang, Zhang & Kifer 2019 on what gaps are worth, and on adaptive sparse vector.

ε = 0.7 and the threshold at the 95 % quantile, as in the paper. Its vectors were BMS-POS, the whole
of Kosarak and T40I10D100K; at hand are T10I4D100K, of the same generator, and the first 100,000
streams of Kosarak. Counts are taken as any scores, as in its experiments.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.random import SeedSequence, default_rng
from scipy.optimize import brentq

from dpviz import OneShot, SparseVector, privacy_loss
from dpviz.base import Scores
from dpviz.charts import number_text
from dpviz.export.reproduction.claims.claim import Finding, register_claim
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.gaps import AdaptiveSparseVector, ThresholdDistribution, reorder_scores
from dpviz.gaps.gap_estimates import blue_variance_ratio, gap_variance
from dpviz.gaps.gap_experiment import SimulatedEstimate, sparse_vector_experiment, top_k_experiment
from dpviz.gaps.sparse.lower_bounds import ConfidenceBound, difference_sf
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.run_law import mean_answers_by_branch
from dpviz.privacy.neighbours import move_scores

EPSILON, QUANTILE, K = 0.7, 0.95, 25
_SEED = 15
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
def _blue() -> Finding:
    ks = (1, 2, 5, 10, 25)
    apart = [abs(blue_variance_ratio(k, 4.0) - (4 * k + 1) / (5 * k)) for k in ks]
    apart += [
        abs(least_squares_variance_ratio(k, 4.0) - (4 * k + 1) / (5 * k)) for k in ks if k > 1
    ]
    return Finding(
        values={"the largest difference": max(apart)},
        error=1e-10,
        why="Generalised least squares gives the same. It is the noise before the selection.",
    )


def _gain(ratio: SimulatedEstimate) -> tuple[float, float]:
    """(the share taken off, its half width)."""
    return 1 - ratio.value, (ratio.high - ratio.low) / 2


def _simulated(scores: Scores, k: int, e: float) -> tuple[float, float]:
    rng = default_rng(SeedSequence([_SEED, k, round(1e6 * e)]))
    return _gain(top_k_experiment(Scores(scores.values), epsilon=e, k=k, rng=rng).ratio)


def _simulated_sparse(scores: Scores, k: int, e: float) -> tuple[float, float]:
    general, threshold = Scores(scores.values), float(np.quantile(scores.values, QUANTILE))
    rng = default_rng(SeedSequence([_SEED, k, round(1e6 * e), 1]))
    return _gain(
        sparse_vector_experiment(general, epsilon=e, k=k, threshold=threshold, rng=rng).ratio
    )


@register_claim("free_gap.twenty_per_cent")
def _twenty(**vectors: Scores) -> Finding:
    gains = {name: _simulated(scores, K, EPSILON) for name, scores in vectors.items()}
    listed = ", ".join(f"{100 * gain:.1f}\u202f% on {name}" for name, (gain, _) in gains.items())
    limit = 1 - blue_variance_ratio(K, 4.0)
    return Finding(
        values={name: gain for name, (gain, _) in gains.items()},
        error=max(half for _, half in gains.values()),
        method="simulated",
        why=(
            f"The formula gives {100 * limit:.1f}\u202f% at k = 25 and 20\u202f% as k grows;"
            f" simulated on the selected items: {listed}."
        ),
    )


@register_claim("free_gap.stable")
def _stable(kosarak: Scores) -> Finding:
    (gain, half), (usual, _) = (_simulated(kosarak, 10, e) for e in (0.02, EPSILON))
    sign = f"{100 * gain:+.0f}".replace("-", "−")
    return Finding(
        values={"": gain},
        error=half,
        method="simulated",
        why=(
            f"{sign}\u202f% at ε = 0.02 where it is {100 * usual:.1f}\u202f% at ε = 0.7: when noise"
            " decides who is selected, the gaps of the selected are biased upward, and using them"
            " makes the estimates worse."
        ),
    )


def _sparse_ratio(k: float) -> float:
    scale: float = (1 + (4 * k * k) ** (1 / 3)) ** 3
    return scale / (scale + k * k)


@register_claim("free_gap.stable_sparse")
def _stable_sparse(kosarak: Scores) -> Finding:
    (gain, half), (usual, _) = (_simulated_sparse(kosarak, 10, e) for e in (0.02, EPSILON))
    return Finding(
        values={"": gain},
        error=half,
        method="simulated",
        why=(
            f"{100 * gain:.1f}\u202f% at ε = 0.02 and {100 * usual:.1f}\u202f% at ε = 0.7; the"
            f" formula gives {100 * (1 - _sparse_ratio(10)):.1f}\u202f%. The first queries asked"
            " lie far above the threshold, so noise seldom decides which are answered."
        ),
    )


@register_claim("free_gap.sparse_limit")
def _sparse_limit() -> Finding:
    return Finding(
        values={"at k = 10¹²": 1 - _sparse_ratio(1e12)},
        why=(
            f"It gets there slowly: {100 * (1 - _sparse_ratio(25)):.1f}\u202f% at k = 25,"
            f" {100 * (1 - _sparse_ratio(1000)):.1f}\u202f% at k = 1,000. For the noise before the"
            " selection."
        ),
    )


@register_claim("free_gap.gap_variance")
def _gap_variance() -> Finding:
    plans = [SparseVector(epsilon=0.5, k=k, threshold=0.0) for k in (1, 5, 25, 1000)]
    apart = [
        abs(
            gap_variance(plan.epsilon0, plan.epsilon1) / (8 * (1 + (2 * plan.k) ** (2 / 3)) ** 3)
            - 1
        )
        for plan in plans
    ]
    return Finding(
        values={"the largest relative difference": max(apart)},
        error=1e-13,
        why="At ε = 1, k = 1 to 1,000.",
    )


@register_claim("free_gap.lemma_7")
def _lemma_7() -> Finding:
    apart, t = 0.0, np.array([0.0, 0.5, 3.0, 20.0])
    for a, b in ((0.5, 0.25), (0.1, 2.0)):
        printed = 1 - (a * a * np.exp(-b * t) - b * b * np.exp(-a * t)) / (2 * (a * a - b * b))
        apart = max(apart, float(np.abs(1 - difference_sf(t, a, b) - printed).max()))
    return Finding(
        values={"the largest difference": apart},
        error=1e-13,
        why="Against the law of the two noises.",
    )


@register_claim("free_gap.coverage")
def _coverage() -> Finding:
    bound = ConfidenceBound(0.95, 0.5, 0.25)
    after = float(bound.coverage_after_answer(np.array(-5.0)))
    return Finding(
        values={"five below the threshold, ε0 = 0.5, ε1 = 0.25": after},
        error=1e-9,
        why=(
            f"Before the answer is known it is {bound.coverage_before_answer:.2f}; given that a"
            f" query five below the threshold was answered it holds in {100 * after:.1f}\u202f% of"
            " the cases."
        ),
    )


def tie_chance(rate: float, base: float) -> float:
    """P(two discrete Laplace variables on multiples of `base` are equal), at this rate."""
    q = math.exp(-rate * base)
    return (1 - q) * (1 + q * q) / (1 + q) ** 3


@register_claim("free_gap.ties")
def _ties() -> Finding:
    share = max(
        tie_chance(e, g) / 2 / (e * g) for e in (0.01, 1.0, 10.0) for g in (2.0**-52, 1e-6, 0.1)
    )
    return Finding(
        values={"the union of all pairs over the bound": share},
        error=1e-9,
        why=(
            "Equal scores, the worst case for every pair: the union over pairs uses at most"
            f" {format_epsilon(share)} of the bound."
        ),
    )


@register_claim("free_gap.counting_queries")
def _counting_queries() -> Finding:
    scores = Scores([3.0, 2.0, 2.0, 0.0], monotonic=True)
    mechanism = OneShot(epsilon=0.5, k=1, noise="laplace")
    steps = [np.array([number >> i & 1 for i in range(4)], float) for number in range(1, 16)]
    losses = [privacy_loss(mechanism, scores, move_scores(scores, step)).largest for step in steps]
    return Finding(
        values={"the largest loss at ε = 1": max(losses)},
        error=1e-8,
        why=(
            "Scores 3, 2, 2, 0 and each of the 15 ways in which one more person can count; the item"
            " alone, no gap."
        ),
    )


# Adaptive sparse vector


@lru_cache(maxsize=8)  # a walk takes a second
def _law(
    kind: type[ThresholdMechanism], scores: Scores, k: int, quantile: float
) -> ThresholdDistribution:
    threshold = float(np.quantile(scores.values, quantile))
    return kind(epsilon=EPSILON, k=k, threshold=threshold).distribution(Scores(scores.values))


def answers_gained(scores: Scores, k: int = K) -> tuple[float, float]:
    """(mean answers that the adaptive sparse vector gives more, error)."""
    plain, adaptive = (
        _law(kind, scores, k, QUANTILE) for kind in (SparseVector, AdaptiveSparseVector)
    )
    return adaptive.expected_answers - plain.expected_answers, plain.error + adaptive.error


def false_answers_gained(scores: Scores, k: int = K) -> float:
    """Mean false answers that the adaptive sparse vector gives more."""
    below = scores.values < np.quantile(scores.values, QUANTILE)
    plain, adaptive = (
        _law(kind, scores, k, QUANTILE).answer_probabilities[below].sum()
        for kind in (SparseVector, AdaptiveSparseVector)
    )
    return float(adaptive - plain)


def middle_branch_share(scores: Scores, k: int = K, quantile: float = QUANTILE) -> float:
    """The share of the adaptive one's answers that its middle branch gives, in the mean."""
    threshold = float(np.quantile(scores.values, quantile))
    mechanism = AdaptiveSparseVector(epsilon=EPSILON, k=k, threshold=threshold)
    means = mean_answers_by_branch(mechanism.plan, scores.scaled_excess(threshold))
    answers = dict(zip(mechanism.branch_names, means, strict=True))
    return float(answers["middle"] / sum(answers.values()))


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
def _fifteen_more(t10i4d100k: Scores) -> Finding:
    value, error = answers_gained(t10i4d100k)
    return Finding(
        values={"T10I4D100K": value},
        error=error,
        why=(
            f"{value:.2f} more than plain’s 25; on T10I4D100K, from the generator of the paper’s"
            " T40I10D100K."
        ),
    )


@register_claim("free_gap.roughly_half")
def _roughly_half(kosarak: Scores) -> Finding:
    shuffled = reorder_scores(kosarak, "shuffled", 0)
    adaptive = _law(AdaptiveSparseVector, kosarak, K, QUANTILE)
    given, mixed = middle_branch_share(kosarak), middle_branch_share(shuffled)
    at = half_share_quantile(lambda quantile: middle_branch_share(shuffled, quantile=quantile))
    top, middle = (float(adaptive.branch_probabilities(name).sum()) for name in ("top", "middle"))
    most = max(middle_branch_share(kosarak, quantile=q) for q in _HIGHER)
    half = (
        "it is not a half at any higher quantile"
        if at is None
        else f"it is a half with the threshold at the {100 * at:.1f}\u202f% quantile, "
        f"{np.quantile(kosarak.values, at):,.0f}"
    )
    return Finding(
        values={"in the order of the file": given, "in a shuffled order": mixed},
        error=1e-6,
        why=(
            f"{top:.2f} of {top + middle:.2f} answers come from the top branch: the file asks the"
            f" largest counts first, and at most {100 * most:.0f}\u202f% come from the middle with"
            " any higher threshold tried. Asked in a shuffled order it is"
            f" {100 * mixed:.0f}\u202f%; {half}. So the figure depends on the order, and on the"
            " whole of Kosarak, which the paper used."
        ),
    )


@register_claim("free_gap.less_than_one_false")
def _less_than_one_false(**vectors: Scores) -> Finding:
    gains = {name: false_answers_gained(scores) for name, scores in vectors.items()}
    worst = max(gains, key=lambda name: gains[name])
    listed = "; ".join(f"{name}: {number_text(value)} more" for name, value in gains.items())
    return Finding(
        values={worst: gains[worst]}, error=1e-6, why=f"{listed} (k = 25, 95\u202f% quantile)."
    )


def largest_answer_count(k: int) -> int:
    law = (
        AdaptiveSparseVector(epsilon=1.0, k=k, threshold=0.0)
        .distribution(Scores([1e7] * (3 * k)))
        .answer_count_probabilities
    )
    return int(np.flatnonzero(law > 1e-9).max())


@register_claim("free_gap.up_to_2k")
def _up_to_2k() -> Finding:
    most = largest_answer_count(10)
    return Finding(
        values={"": float(most)},
        why=(
            "It stops once an answer of the middle branch, two units, cannot be paid: at most 2k −"
            f" 1 = {most}."
        ),
    )


@register_claim("free_gap.twice_as_many")
def _twice() -> Finding:
    return Finding(
        values={"": largest_answer_count(25) / 25}, why="2 − 1/k, as at most 2k − 1 are answered."
    )
