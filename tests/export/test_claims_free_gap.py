"""Numbers of Ding, Wang, Zhang & Kifer another way: answer strings added up."""

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq

from dpviz import Scores, SparseVector
from dpviz.export.reproduction.claims import free_gap
from dpviz.export.reproduction.claims.claim import CLAIMS
from dpviz.gaps.sparse.lower_bounds import laplace_difference_sf
from dpviz.gaps.sparse.sparse_vector import AdaptiveSparseVector
from tests.export.claim_checks import value

QUERIES = Scores([6.0, 1.0, 9.0, 2.0, 8.0, 30.0], monotonic=True)  # counts, taken as any scores


def by_strings(
    mechanism: SparseVector | AdaptiveSparseVector, scores: Scores
) -> tuple[float, float, float]:
    """Mean answers, those by the middle branch and false ones, from the law of answer strings."""
    answers = middle = false = 0.0
    for text, p in mechanism.answer_strings(scores).items():
        answered = [i for i, letter in enumerate(text) if letter != "_"]
        answers += p * len(answered)
        middle += p * text.count("M")
        false += p * (scores.values[answered] < mechanism.threshold).sum()
    return answers, middle, false


@pytest.mark.checks(
    "free_gap.fifteen_more", "free_gap.less_than_one_false", "free_gap.roughly_half"
)
def test_answers_branches_and_false_ones_by_strings():
    told = {"epsilon": 0.7, "k": 2, "threshold": float(np.quantile(QUERIES.values, 0.95))}
    plain, adaptive = (
        by_strings(kind(**told), Scores(QUERIES.values))
        for kind in (SparseVector, AdaptiveSparseVector)
    )
    gained, error = free_gap.adaptive_answer_gain_and_error(QUERIES, 2)
    assert gained == pytest.approx(adaptive[0] - plain[0], abs=1e-8)
    assert error < 1e-8
    assert free_gap.adaptive_false_answer_gain(QUERIES, 2) == pytest.approx(
        adaptive[2] - plain[2], abs=1e-8
    )
    assert free_gap.middle_branch_share(QUERIES, 2) == pytest.approx(
        adaptive[1] / adaptive[0], abs=1e-8
    )


@pytest.mark.checks("free_gap.roughly_half")
def test_where_a_share_falls_to_a_half():
    assert free_gap.half_share_quantile(lambda q: 0.5 + 20 * (0.97 - q)) == pytest.approx(
        0.97, abs=5e-4
    )
    assert free_gap.half_share_quantile(lambda q: 0.4) is None
    assert free_gap.half_share_quantile(lambda q: 0.6) is None


@pytest.mark.checks("free_gap.blue")
def test_least_squares_by_hand():
    # k = 2: β_1 mixes α_1 with α_2 + gap, whose variances are 1 and 1 + 2λ
    assert free_gap.least_squares_variance_ratio(2, 4.0) == pytest.approx(1 / (1 + 1 / 9))


@pytest.mark.checks("free_gap.stable_sparse")
def test_simulated_gain_of_sparse_vector_is_the_formulas_where_what_is_answered_is_certain():
    gain, half = free_gap.error_reduction_and_half_interval(
        Scores([6e4, 5e4, 4e4] + [0.0] * 97), 3, 0.7, "sparse vector"
    )
    assert abs(gain - (1 - free_gap._sparse_ratio(3))) < 2 * half


def plain_run(x: np.ndarray, k: int, e: float, rng: np.random.Generator) -> tuple[float, float]:
    """Squared errors of a run's measurements, and of their best combination with the gaps."""
    noisy = x + rng.laplace(scale=4 * k / e, size=len(x))
    items = np.argsort(-noisy)[:k]
    alpha = x[items] + rng.laplace(scale=2 * k / e, size=k)
    differences = np.eye(k)[:-1] - np.eye(k)[1:]
    design, noise = np.vstack([np.eye(k), differences]), np.eye(2 * k - 1)
    noise[k:, k:] = 4 * differences @ differences.T
    weighted = design.T @ np.linalg.inv(noise)
    beta = np.linalg.solve(
        weighted @ design, weighted @ np.append(alpha, differences @ noisy[items])
    )
    return ((alpha - x[items]) ** 2).sum(), ((beta - x[items]) ** 2).sum()


@pytest.mark.checks("free_gap.stable", "free_gap.twenty_per_cent")
def test_simulated_gain_by_plain_runs_where_noise_decides_who_is_selected():
    x, rng = np.array([100.0, 60.0, 40.0] + [0.0] * 400), np.random.default_rng(4)
    gain, half = free_gap.error_reduction_and_half_interval(Scores(x, monotonic=True), 3, 0.7)
    alone, combined = np.array([plain_run(x, 3, 0.7, rng) for _ in range(2000)]).T
    bits = combined.mean() / alone.mean() * alone - combined
    error = 4 * bits.std() / math.sqrt(2000) / alone.mean()
    assert abs(gain - (1 - combined.mean() / alone.mean())) < 2 * half + error
    assert gain < -0.1


@pytest.mark.checks(
    "free_gap.twenty_per_cent", "free_gap.stable", "free_gap.stable_sparse", "free_gap.fifteen_more"
)
def test_claims_on_data_are_about_their_k_and_epsilon(monkeypatch):
    def of_adaptive(kind: type, scores: Scores, k: int, quantile: float) -> SimpleNamespace:
        return SimpleNamespace(expected_answers=k if kind is AdaptiveSparseVector else 0, error=0.0)

    monkeypatch.setattr(
        free_gap, "error_reduction_and_half_interval", lambda scores, k, e, *_: (k + e, 0.0)
    )
    monkeypatch.setattr(free_gap, "_law", of_adaptive)
    told = {"twenty_per_cent": 25.7, "stable": 10.02, "stable_sparse": 10.02, "fifteen_more": 25}
    for name, number in told.items():
        data = {"kosarak": QUERIES, "t10i4d100k": QUERIES}
        found = CLAIMS[f"free_gap.{name}"].recompute_values(data)
        assert set(found.values.values()) == {number}


@pytest.mark.checks("free_gap.gap_variance", "free_gap.sparse_limit", "free_gap.stable_sparse")
def test_the_noise_of_a_gap():
    for k in (1, 5, 25, 1000):
        plan, share = SparseVector(epsilon=0.5, k=k, threshold=0.0), (2 * k) ** (2 / 3)
        assert plan.epsilon1 * 2 * k / plan.epsilon0 == pytest.approx(share)
        assert plan.epsilon0 + 2 * k * plan.epsilon1 == pytest.approx(0.5)
        gap = sum(stats.laplace(scale=1 / e).var() for e in (plan.epsilon0, plan.epsilon1))
        assert gap == pytest.approx(8 * (1 + share) ** 3)
        measured = stats.laplace(scale=2 * k).var()
        assert free_gap._sparse_ratio(k) == pytest.approx(1 / (1 / gap + 1 / measured) / measured)
    assert value("free_gap.gap_variance") < 1e-12
    assert value("free_gap.sparse_limit") == pytest.approx(1 - 4 / 5, abs=1e-6)


@pytest.mark.checks("free_gap.lemma_7", "free_gap.coverage")
def test_lemma_7_and_what_it_is_worth_after_an_answer():
    def tail(w: float) -> float:  # P(η_i − η ≥ w), scales 4 and 2
        def inside(v: float) -> float:
            sf = 1 - 0.5 * math.exp((w + v) / 4) if w + v < 0 else 0.5 * math.exp(-(w + v) / 4)
            return sf * math.exp(-abs(v) / 2) / 4

        return quad(inside, -80, 80, points=[0.0, -w], limit=200, epsabs=1e-12)[0]

    printed = 1 - (0.25 * math.exp(-0.25 * 3) - 0.0625 * math.exp(-0.5 * 3)) / (2 * (0.25 - 0.0625))
    assert tail(-3.0) == pytest.approx(printed, abs=1e-9)
    assert tail(-3.0) == pytest.approx(1 - laplace_difference_sf(3.0, 0.5, 0.25), abs=1e-9)
    assert value("free_gap.lemma_7") < 1e-12
    t = brentq(lambda v: 1 - tail(v) - 0.95, 1, 60)
    assert value("free_gap.coverage") == pytest.approx(1 - tail(t) / tail(5.0), abs=1e-6)


@pytest.mark.checks("free_gap.up_to_2k", "free_gap.twice_as_many")
def test_the_most_answers():
    def paid(k: int) -> int:
        """The cheapest answers cost one unit of 2k each, and one is given while two are left."""
        left, answers = 2 * k, 0
        while left >= 2:
            left, answers = left - 1, answers + 1
        return answers

    plan = AdaptiveSparseVector(epsilon=1.0, k=1, threshold=0.0)
    strings = plan.answer_strings(Scores([1e3] * 3))
    assert max(sum(c != "_" for c in text) for text, p in strings.items() if p > 1e-9) == paid(1)
    assert free_gap.largest_answer_count(1) == paid(1)
    assert value("free_gap.up_to_2k") == paid(10)
    assert value("free_gap.twice_as_many") == paid(25) / 25


@pytest.mark.checks("free_gap.theorem_2")
def test_discrete_laplace_noise_by_scipy():
    """Two values that move by 1 in all, in steps of a quarter: every output of both."""
    noise, k = stats.dlaplace(0.7 / 4), np.arange(-60, 61)
    worst = 0.0
    for one in range(5):
        losses = [noise.logpmf(k) - noise.logpmf(k - move) for move in (one, 4 - one)]
        worst = max(worst, np.abs(np.add.outer(*losses)).max())
    assert value("free_gap.theorem_2") == pytest.approx(worst / 0.7)
    assert free_gap.discrete_laplace_loss_over_epsilon(0.7, 0.5)[1]["total"] == pytest.approx(1)


@pytest.mark.checks("free_gap.ties")
def test_ties_by_the_series():
    def tie(e: float, base: float) -> float:
        q = math.exp(-e * base)
        mass = [(1 - q) / (1 + q) * q ** abs(i) for i in range(-400, 401)]
        return sum(p * p for p in mass)

    assert free_gap.tie_chance(3.0, 0.1) == pytest.approx(tie(3.0, 0.1))
    assert value("free_gap.ties") == pytest.approx(
        tie(10.0, 0.1) / 2 / (10.0 * 0.1)
    )  # n²/2 pairs; fewer below


@pytest.mark.checks("free_gap.counting_queries")
def test_noisy_max_loses_half_for_counts():
    def chances(x: np.ndarray) -> np.ndarray:  # of each item to win, Laplace noise of scale 2
        z = np.linspace(-60, 70, 26_001)
        cdf = [stats.laplace.cdf(z, one, 2) for one in x]
        inside = [
            stats.laplace.pdf(z, one, 2) * np.prod(cdf[:i] + cdf[i + 1 :], axis=0)
            for i, one in enumerate(x)
        ]
        return np.trapezoid(inside, z, axis=1)

    base = np.array([3.0, 2.0, 2.0, 0.0])
    p = chances(base)
    loss = max(np.abs(np.log(p / chances(base + step))).max() for step in product((0, 1), repeat=4))
    assert value("free_gap.counting_queries") == pytest.approx(loss, abs=1e-5)
