"""Claims of Liu & Talwar 2018: what a choice among private candidates costs, and how long it takes.

Symbols: one run scores at least τ with p1 and is (ε1, δ1)-private; γ is the chance to stop, T the
limit; Φ(p) = p/(1−p) for the chance p that a run reaches a query's threshold; ε3 is the price of
the search of Section 4.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import groupby, product
from operator import itemgetter
from typing import Any

import numpy as np

from dpviz import CandidatePool, KnownThreshold, RandomStopping, privacy_loss
from dpviz.candidates import (
    CandidateRule,
    PercentileSparseVector,
    SelectionLaw,
    sufficient_limit_for_delta2,
    sufficient_limit_for_epsilon0,
)
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import number_text, power_of_ten_text
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.numerics.interval_search import bisect
from dpviz.numerics.log_binomials import log_binomial_probability
from dpviz.privacy.loss_computation import NeighbourLossMeter

_CHANCES = (0.5, 0.1, 1e-2, 1e-3, 1e-4)
_STOPS = (0.5, 0.1, 0.01, 1e-3)
_E1, _E0, _D1, _D2 = 0.5, 0.1, 1e-4, 1e-3


@cache
def neighbouring_pool_pairs(epsilon1: float) -> Sequence[tuple[CandidatePool, CandidatePool]]:
    """Pools of one candidate with three scores, and neighbours at the corners of e^±ε1."""
    scores, pairs = np.array([0.0, 1.0, 2.0]), []
    for chances in product(_CHANCES, repeat=3):
        mass = np.array(chances) / sum(chances)
        pool = CandidatePool([(scores, mass)])
        for signs, free in product(product((-1, 0, 1), repeat=2), range(3)):
            moved = mass * np.exp(epsilon1 * np.insert(np.array(signs, float), free, 0.0))
            moved[free] += 1 - moved.sum()
            if moved[free] > 0 and abs(math.log(moved[free] / mass[free])) <= epsilon1:
                pairs.append((pool, CandidatePool([(scores, moved)])))
    return pairs


def _worst_loss(rule: CandidateRule) -> float:
    worst = 0.0
    for pool, pairs in groupby(neighbouring_pool_pairs(_E1), key=itemgetter(0)):
        meter = NeighbourLossMeter(rule, pool)
        worst = max(worst, *(meter(other).largest for _, other in pairs))
    return worst


def _known(stop: float) -> KnownThreshold:
    return KnownThreshold(threshold=1.0, stop=stop, epsilon0=_E0)


@register_claim("candidates.theorem_3_1a")
def _theorem_3_1a() -> tuple[float, dict[str, float]]:
    pool = CandidatePool([([0.1, 0.6, 0.9], [0.5, 0.3, 0.2]), ([0.2, 0.7], [0.9, 0.1])])
    law = KnownThreshold(threshold=0.6, stop=0.05, epsilon0=0.2).distribution(pool)
    apart = np.abs(law.candidate / law.candidate.sum() - np.array([0.5, 0.1]) / 0.6)
    return float(apart.max()), {"error": law.error}


@register_claim("candidates.theorem_3_1b")
def _theorem_3_1b() -> tuple[float, dict[str, int]]:
    return max(_worst_loss(_known(stop)) for stop in (0.1, 1e-3)), {
        "pairs": len(neighbouring_pool_pairs(_E1))
    }


@register_claim("candidates.theorem_3_2")
def _theorem_3_2() -> tuple[float, dict[str, float]]:
    most = max(_worst_loss(RandomStopping(stop=stop)) for stop in (0.1, 1e-4))
    return most, {"pairs": len(neighbouring_pool_pairs(_E1)), "multiple": most / _E1}


@register_claim("candidates.theorem_3_5")
def _theorem_3_5() -> tuple[float, dict[str, int]]:
    limit = sufficient_limit_for_epsilon0(0.1, _E0)
    return _worst_loss(RandomStopping(stop=0.1, limit=limit)), {"limit": limit}


def single_candidate_law(rule: CandidateRule, p1: float) -> SelectionLaw:
    """The law of a rule on one candidate that scores 1 with p1, else 0."""
    return rule.distribution(CandidatePool([([0.0, 1.0], [1 - p1, p1])]))


@register_claim("candidates.theorem_3_1d")
def _theorem_3_1d() -> tuple[float, dict[str, str]]:
    shares = [
        single_candidate_law(_known(g), p).runs.mean * (p * (1 - g) + g)
        for p, g in product(_CHANCES, _STOPS)
    ]
    return max(shares), {"least": format_epsilon(min(shares))}


@register_claim("candidates.theorem_3_1e")
def _theorem_3_1e() -> float:
    return max(
        single_candidate_law(_known(g), p).bottom / ((1 - p) * (1 + _E0 / 2) * g / p)
        for p, g in product(_CHANCES, _STOPS)
    )


@register_claim("candidates.theorem_1_2c")
def _theorem_1_2c() -> float:
    pools = {
        size: CandidatePool([([0.0, 1.0], [0.5, 0.5])] + [([0.0], [1.0])] * (size - 1))
        for size in (1, 5, 50)
    }
    return max(
        _known(1e-3).distribution(pool).runs.mean / (2 * size) for size, pool in pools.items()
    )


@register_claim("candidates.theorem_3_3")
def _theorem_3_3() -> float:
    return max(
        float(single_candidate_law(RandomStopping(stop=g), p).score_law.mass[0]) / (g / p)
        for p, g in product(_CHANCES, _STOPS)
    )


# Candidates that are (ε1, δ1)-private

_EVERY = 16  # of the extreme pairs: it is δ1 that tells
_ONLY = ((3.0, -1.0), (-1.0, 3.0), (3.0, 4.0))  # the score that only the one has, only the other


@cache
def approximate_dp_pool_pairs() -> Sequence[tuple[CandidatePool, CandidatePool]]:
    """Neighbouring pools, (ε1, δ1)-close: δ1 of the mass lies where the neighbour has none."""

    def mixed(pool: CandidatePool, only: float) -> CandidatePool:
        mass = np.append((1 - _D1) * pool.candidates[0].mass, _D1)
        return CandidatePool([(np.array([0.0, 1.0, 2.0, only]), mass)])

    pairs = neighbouring_pool_pairs(_E1)[::_EVERY]
    return [(mixed(p, a), mixed(q, b)) for p, q in pairs for a, b in _ONLY]


def _largest_delta(rule: CandidateRule, epsilon: float) -> float:
    """The largest δ(ε) of the rule over `approximate_dp_pool_pairs`, both ways."""
    losses = (privacy_loss(rule, *pair) for pair in approximate_dp_pool_pairs())
    return max(max(loss.delta(epsilon), loss.reversed.delta(epsilon)) for loss in losses)


@register_claim("candidates.theorem_3_1c")
def _theorem_3_1c() -> tuple[float, dict[str, float]]:
    total = 2 * _E1 + _E0
    factor = 3 * math.exp(total)
    shares = [_largest_delta(_known(stop), total) / (factor * _D1 / stop) for stop in (0.1, 1e-3)]
    return max(shares), {"pairs": len(approximate_dp_pool_pairs()), "factor": factor}


@register_claim("candidates.theorem_3_4")
def _theorem_3_4() -> tuple[float, dict[str, Any]]:
    root, limits = (
        math.sqrt(2 * _D1),
        {stop: sufficient_limit_for_delta2(stop, _D2) for stop in (0.1, 1e-3)},
    )
    shares = [
        _largest_delta(RandomStopping(stop=stop, limit=limit), 3 * _E1 + 3 * root)
        / (root * limit + _D2)
        for stop, limit in limits.items()
    ]
    told = ", ".join(f"{limit:,}" for limit in limits.values())
    return max(shares), {"pairs": len(approximate_dp_pool_pairs()), "limits": told}


# Appendices B and D


@register_claim("candidates.example_b_1")
def _example_b_1() -> float:
    return math.log(0.5 / (1 - math.exp(0.5) / 2))


@register_claim("candidates.best_of_k")
def _best_of_k() -> tuple[float, dict[str, float]]:
    leak = naive_leak(4, 0.3, 0.1)
    return float(leak.naive[-1]), {"stopping": leak.stopping[-1]}


@register_claim("candidates.falling_thresholds")
def _falling_thresholds() -> float:
    return float(threshold_leak(10, 0.3, 0.5, 0.1).loss[-1]) / 1.0  # R·ε = 10·0.1


def packing_epsilon_ratio(log10_candidates: float, alpha: float, epsilon: float) -> float:
    """ε̂/ε that the proof of Theorem D.2 shows necessary for K = 10 to the `log10_candidates`."""
    log_k = log10_candidates * math.log(10)
    return (1 - alpha) * log_k / math.ceil((0.5 + alpha) * log_k / epsilon) / epsilon


@register_claim("candidates.theorem_d_2")
def _theorem_d_2() -> tuple[float, dict[str, str]]:
    factors = {size: packing_epsilon_ratio(size, 0.01, 0.1) for size in (3, 6, 30, 1000)}
    listed = [f"{value:.3f} at K = {power_of_ten_text(size)}" for size, value in factors.items()]
    return factors[1000], {"listed": ", ".join(listed)}


# Section 4

_RULE = PercentileSparseVector(percentile=0.5, epsilon=6.0, candidate_epsilon=0.5)  # p* = ½, ε3, ε1


def sparse_vector_stop_probabilities(
    steps: int, beta: float, above_target: bool
) -> tuple[float, float]:
    """Chances on queries at the edge of Theorem 4.1 b or d, where 12ε1/ε3 = 1.

    Not `above_target`: `steps` queries with Φ(p) = β/(R+1); (P(it stops there), P(a stop is at such
    one)). `above_target`: one query with Φ(p) = 1/β; (P(it stops), P(it goes on)).
    """
    odds = 1 / beta if above_target else beta / (steps + 1)
    law = _RULE.distribution([odds / (1 + odds)] * (1 if above_target else steps))
    return float(law.stop.sum()), law.none if above_target else 1.0


@register_claim("candidates.theorem_4_1a", most=12)
def largest_sparse_vector_loss(most: int) -> float:
    """Largest loss over 1 to `most` queries that all move by 2ε1 in log Φ, the last the other way.

    p = 1/(1+e^ε1) and 1−p are e^ε1 apart on both sides, the most that ε1-private queries can be.
    """
    low, high = 1 / (1 + math.exp(_E1)), 1 / (1 + math.exp(-_E1))
    worst = 0.0
    for steps in range(1, most + 1):
        laws = (_RULE.distribution([p] * (steps - 1) + [1 - p]) for p in (low, high))
        p, q = (np.append(law.stop, law.none) for law in laws)
        worst = max(worst, float(np.abs(np.log(p / q)).max()))
    return worst


@register_claim("candidates.theorem_4_1b")
def _theorem_4_1b() -> tuple[float, dict[str, float]]:
    before, given = sparse_vector_stop_probabilities(20, 0.1, above_target=False)
    return given, {"before": before}


def second_query_stop_probability(beta: float) -> float:
    """P(it stops at the second of two queries at the edge of Theorem 4.1 c, Φ(p) = 3/β)."""
    return float(_RULE.distribution([1 / (1 + beta / 3)] * 2).stop[1])


@register_claim("candidates.theorem_4_1c")
def _theorem_4_1c() -> tuple[float, dict[str, float]]:
    return 1.0, {"before": second_query_stop_probability(0.1)}


@register_claim("candidates.theorem_4_1d")
def _theorem_4_1d() -> tuple[float, dict[str, float]]:
    stops, goes_on = sparse_vector_stop_probabilities(1, 0.1, above_target=True)
    return stops, {"goes_on": goes_on}


@register_claim("candidates.constant_c")
def _constant_c(e0: float = 1.0, e1: float = 1.0) -> float:
    return 2 * (math.exp(e0 + e1) + 1 + math.exp(e0 / 2))


def least_success_count_slack(
    runs: int, success_chance: float, epsilon1: float, epsilon0: float, delta: float
) -> float:
    """The least c > 0 with P(X ≥ e^(ε1+ε0)·Y + c) ≤ δ, to 0.001 from above.

    Y counts the `runs` that succeed with chance p, X those with e^ε1·p.
    """
    counts = np.arange(runs + 1)
    of_x, of_y = (
        np.exp(log_binomial_probability(runs, counts, chance))
        for chance in (success_chance * math.exp(epsilon1), success_chance)
    )
    at_least = np.append(np.cumsum(of_x[::-1])[::-1], 0.0)  # P(X ≥ 0), P(X ≥ 1), …

    def is_enough(c: float) -> bool:
        needed = np.ceil(math.exp(epsilon1 + epsilon0) * counts + c).astype(int)
        return float(of_y @ at_least[np.minimum(needed, runs + 1)]) <= delta

    return bisect(is_enough, 0.0, float(runs), rounds=60, tolerance=1e-3)[1]


@register_claim("candidates.lemma_4_3")
def _lemma_4_3() -> tuple[float, dict[str, Any]]:
    c = _constant_c(_E0, _E1)
    printed = c / _E0 * math.log(2 / 1e-3)
    chances = (0.001, 0.003, 0.01, 0.03, 0.1)
    needed = {p: least_success_count_slack(10_000, p, _E1, _E0, 1e-3) for p in chances}
    most = max(needed, key=lambda p: needed[p])
    share = needed[most] / printed
    terms = {"most": most, "needed": needed[most], "printed": printed}
    return share, terms | {"enough": number_text(share * c), "c": number_text(c)}
