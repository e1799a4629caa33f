"""Claims of Liu & Talwar 2018, Theorem 5.2: exponential mechanisms as choices among noisy scores.

Symbols: K items; a run of item i scores q_i plus noise of scale s_i/ε, less a shift; the best run is
published, each being the last with chance γ = β/K; i* is the best item.
"""

import math
from itertools import product

import numpy as np
from scipy.optimize import brentq

from dpviz import CandidatePool, DistanceToInstability, RandomStopping, Scores
from dpviz.candidates import sufficient_limit_for_delta2
from dpviz.charts import number_text
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.export.reproduction.report_text import format_epsilon

_K, _BETA = 10, 0.05


def best_candidate_miss_probability(pass_chance: float, rule: RandomStopping) -> float:
    """P(another item comes out) if a run of i* passes all others with chance `pass_chance`, else
    none.
    """
    pool = CandidatePool(
        [([0.0, 2.0], [1 - pass_chance, pass_chance])] + [([1.0], [1.0])] * (_K - 1)
    )
    return 1 - float(rule.distribution(pool).candidate[0])


@register_claim("candidates.theorem_5_2_generalised")
def _generalised() -> dict[str, float]:
    """Others lie so far below i*, with hardly any noise; what noise lacks at −x is ½e^(−x)."""
    shift, rule = 2 * math.log(_K / _BETA), RandomStopping(stop=_BETA / _K)
    reached = {"the proof’s distance": 0.5, "twice that": 1 - math.exp(-shift) / 2}
    return {
        name: best_candidate_miss_probability(chance, rule) / _BETA
        for name, chance in reached.items()
    }


@register_claim("candidates.theorem_5_2_margin")
def _margin() -> tuple[float, dict[str, str]]:
    """The total is (1, 10⁻⁶), of which Theorem 3.4 leaves little to each run."""
    delta, gamma = 1e-6, _BETA / _K
    limit = sufficient_limit_for_delta2(gamma, delta / 2)
    root = delta / 2 / limit  # √(2δ1)
    margin = 2 * math.log(2 / root**2) / ((1 - 3 * root) / 3)
    instability = DistanceToInstability(epsilon=1.0, delta=delta).distribution
    needed = brentq(lambda gap: instability(Scores([gap, 0.0])).fail - _BETA, 1.0, 1e3)
    missed = best_candidate_miss_probability(1.0, RandomStopping(stop=gamma, limit=limit))
    return missed / _BETA, {
        "margin": number_text(margin),
        "instability": number_text(needed),
        "share": format_epsilon(missed / _BETA),
    }


def truncated_laplace_delta(epsilon: float, delta: float) -> float:
    """δ(ε) of noise of scale s/ε, cut at ± log(1/δ) scales, for a score that moves by s.

    Inside both ranges the ratio is e^ε at most. What only one range holds is
    ∫ e^(−u)/(2(1 − δ)) du from log(1/δ) − ε to log(1/δ).
    """
    return delta * math.expm1(epsilon) / (2 * (1 - delta))


@register_claim("candidates.theorem_5_2_truncated")
def _truncated() -> tuple[float, dict[str, str]]:
    most = max(
        truncated_laplace_delta(e, delta) / delta
        for e, delta in product((0.1, 0.5, 0.9, 0.999), (1e-6, 0.1, 0.2, 0.249))
    )
    return most, {"least": format_epsilon(1 - math.expm1(1.0) / 2)}


def penalised_score_sensitivity(eta: float, epsilon: float) -> float:
    """Change of q_i − 2·s_i·log(K/β)/ε over s_i; one person changes s_i by (e^η − 1)·s_i at most."""
    return 1 + 2 * math.expm1(eta) * math.log(_K / _BETA) / epsilon


@register_claim("candidates.theorem_5_2_smooth")
def _smooth() -> tuple[float, dict[str, str]]:
    epsilons = np.array([0.1, 0.5, 1.0, 2.0])
    used = [penalised_score_sensitivity(e / (4 * math.log(2 * _K / _BETA)), e) for e in epsilons]
    least = min(penalised_score_sensitivity(e / math.log(_K / _BETA), e) for e in epsilons)
    return float(max(used)), {"least": format_epsilon(least)}
