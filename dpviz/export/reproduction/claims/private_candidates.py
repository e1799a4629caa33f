"""Claims of Liu & Talwar 2018: what a choice among private candidates costs, and how long it takes.

Symbols: one run of Q has a score of mass p with mass A strictly above, p1 = P(score ≥ τ), and is
ε1-private; γ is the chance to stop. Neighbours move p, A and A + p by factors of at most e^ε1:
`neighbouring_pool_pairs` has the extreme ones.
"""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from dpviz import CandidatePool, KnownThreshold, RandomStopping, privacy_loss
from dpviz.candidates import CandidateRule, SelectionLaw, limit_for_epsilon
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import power_of_ten
from dpviz.export.reproduction.claims.claim import Finding, Vectors, register_claim
from dpviz.export.reproduction.report_jobs import format_epsilon

_CHANCES = (0.5, 0.1, 1e-2, 1e-3, 1e-4)
_STOPS = (0.5, 0.1, 0.01, 1e-3)


def neighbouring_pool_pairs(e: float) -> Iterator[tuple[CandidatePool, CandidatePool]]:
    """Pools of one candidate with three scores, and neighbours of theirs at the corners of e^±ε1,
    every mass within.
    """
    for low, middle, high in product(_CHANCES, repeat=3):
        mass = np.array([low, middle, high]) / (low + middle + high)
        for signs in product((-1, 0, 1), repeat=2):
            for free in range(3):
                moved = mass.copy()
                others = [i for i in range(3) if i != free]
                moved[others] *= np.exp(e * np.array(signs))
                moved[free] = 1 - moved[others].sum()
                if moved[free] > 0 and abs(math.log(moved[free] / mass[free])) <= e:
                    scores = np.array([0.0, 1.0, 2.0])
                    yield CandidatePool([(scores, mass)]), CandidatePool([(scores, moved)])


def worst_loss(rule: CandidateRule, e: float) -> float:
    """The largest loss of the rule over `neighbouring_pool_pairs`, both ways."""
    return max(privacy_loss(rule, one, other).largest for one, other in neighbouring_pool_pairs(e))


@register_claim(
    "candidates.theorem_3_1a",
    where="Theorem 3.1a",
    says=(
        "What the known threshold returns has the law of one run, given that it scores at least τ."
    ),
    printed="the same law",
    low=-1e-9,
    high=1e-9,
)
def _theorem_3_1a(vectors: Vectors) -> Finding:
    pool = CandidatePool([([0.1, 0.6, 0.9], [0.5, 0.3, 0.2]), ([0.2, 0.7], [0.9, 0.1])])
    law = KnownThreshold(threshold=0.6, stop=0.05, epsilon0=0.2).distribution(pool)
    apart = float(np.abs(law.candidate / law.candidate.sum() - np.array([0.5, 0.1]) / 0.6).max())
    return Finding(
        values={"the largest difference": apart}, error=law.error, why="Two candidates, τ = 0.6."
    )


_E = 0.5


@register_claim(
    "candidates.theorem_3_1b",
    where="Theorem 3.1b",
    says="The known threshold costs at most 2ε1 + ε0 (ε1 = 0.5, ε0 = 0.1).",
    printed="≤ 1.1",
    high=2 * _E + 0.1,
    seconds=1.1,
)
def _theorem_3_1b(vectors: Vectors) -> Finding:
    return Finding(
        values={"the largest loss": max(worst_loss(_known(stop), _E) for stop in (0.1, 1e-3))},
        error=1e-9,
        why=(
            f"Over {sum(1 for _ in neighbouring_pool_pairs(_E)):,} extreme pairs and γ = 0.1, 0.001, with the"
            " smallest limit T allowed."
        ),
    )


def single_candidate_law(rule: CandidateRule, p1: float) -> SelectionLaw:
    """The law of a rule on one candidate that scores 1 with p1, else 0."""
    return rule.distribution(CandidatePool([([0.0, 1.0], [1 - p1, p1])]))


def _known(stop: float) -> KnownThreshold:
    return KnownThreshold(threshold=1.0, stop=stop, epsilon0=0.1)


@register_claim(
    "candidates.theorem_3_1d",
    where="Theorem 3.1d",
    says="It makes at most 1/(p1(1−γ)+γ) runs on average.",
    printed="at most 1× that",
    high=1.0 + 1e-9,
    unit="×",
)
def _theorem_3_1d(vectors: Vectors) -> Finding:
    shares = [
        single_candidate_law(_known(g), p).runs.mean * (p * (1 - g) + g)
        for p, g in product(_CHANCES, _STOPS)
    ]
    return Finding(
        values={"the largest share": max(shares)},
        error=1e-12,
        why=f"From {format_epsilon(min(shares))} to 1 of it: the limit T takes off the rest.",
    )


@register_claim(
    "candidates.theorem_3_1e",
    where="Theorem 3.1e",
    says="It returns nothing with probability at most (1−p1)(1+ε0/2)γ/p1.",
    printed="at most 1× that",
    high=1.0,
    unit="×",
)
def _theorem_3_1e(vectors: Vectors) -> Finding:
    shares = [
        single_candidate_law(_known(g), p).bottom / ((1 - p) * 1.05 * g / p)
        for p, g in product(_CHANCES, _STOPS)
    ]
    return Finding(
        values={"the largest share": max(shares)},
        error=1e-9,
        why=f"At ε0 = 0.1: {max(shares):.3f} of it.",
    )


@register_claim(
    "candidates.theorem_1_2c",
    where="Theorem 1.2c",
    says=(
        "If one of K candidates scores at least τ half of the time, at most 2K runs are made on"
        " average."
    ),
    printed="at most 1× 2K",
    high=1.0,
    unit="×",
)
def _theorem_1_2c(vectors: Vectors) -> Finding:
    pools = {
        size: CandidatePool([([0.0, 1.0], [0.5, 0.5])] + [([0.0], [1.0])] * (size - 1))
        for size in (1, 5, 50)
    }
    shares = [
        _known(1e-3).distribution(pool).runs.mean / (2 * size) for size, pool in pools.items()
    ]
    return Finding(
        values={"the largest share": max(shares)},
        error=1e-9,
        why="K = 1, 5, 50, γ = 0.001, the others always below τ.",
    )


@register_claim(
    "candidates.theorem_3_2",
    where="Theorem 3.2",
    says="Random stopping costs at most 3ε1 (ε1 = 0.5).",
    printed="≤ 1.5",
    high=3 * _E,
    seconds=1.1,
)
def _theorem_3_2(vectors: Vectors) -> Finding:
    most = max(worst_loss(RandomStopping(stop=stop), _E) for stop in (0.1, 1e-4))
    return Finding(
        values={"the largest loss": most},
        error=1e-9,
        why=(
            f"Over {sum(1 for _ in neighbouring_pool_pairs(_E)):,} extreme pairs, γ = 0.1, 0.0001: {most / _E:.3f} ε1"
            " is needed there."
        ),
    )


@register_claim(
    "candidates.theorem_3_3",
    where="Theorem 3.3",
    says=(
        "The result of random stopping is below the upper p-quantile with probability at most γ/p."
    ),
    printed="at most 1× that",
    high=1.0,
    unit="×",
)
def _theorem_3_3(vectors: Vectors) -> Finding:
    laws = {
        (p, g): single_candidate_law(RandomStopping(stop=g), p)
        for p, g in product(_CHANCES, _STOPS)
    }
    shares = [float(law.score_law.mass[0]) / (g / p) for (p, g), law in laws.items()]
    return Finding(
        values={"the largest share": max(shares)},
        error=1e-9,
        why=f"At most {max(shares):.4f} of it.",
    )


@register_claim(
    "candidates.theorem_3_5",
    where="Theorem 3.5",
    says="With its hard stop it costs at most 3ε1 + 3ε0 (ε1 = 0.5, ε0 = 0.1, γ = 0.1).",
    printed="≤ 1.8",
    high=3 * _E + 0.3,
    seconds=0.6,
)
def _theorem_3_5(vectors: Vectors) -> Finding:
    limit = limit_for_epsilon(0.1, 0.1)
    return Finding(
        values={"the largest loss": worst_loss(RandomStopping(stop=0.1, limit=limit), _E)},
        error=1e-9,
        why=f"T = {limit}, over the same extreme pairs.",
    )


@register_claim(
    "candidates.example_b_1",
    where="B.1",
    says="The candidates of the example are ε-private: ½ against e^ε/2 (ε = 0.5).",
    printed="≤ 0.5",
    high=0.5,
)
def _example_b_1(vectors: Vectors) -> Finding:
    return Finding(
        values={"the loss of one run": math.log(0.5 / (1 - math.exp(0.5) / 2))},
        error=1e-12,
        why=(
            "The other outcome has ½ against 1 − e^ε/2 (printed (1−e^ε)/2, below 0), which lie"
            " further apart."
        ),
    )


@register_claim(
    "candidates.best_of_k",
    where="B.1",
    says="Publishing the best of K candidates costs Kε, and no less (K = 4, ε = 0.3).",
    printed="1.2",
    low=1.2 - 1e-9,
    high=1.2 + 1e-9,
)
def _best_of_k(vectors: Vectors) -> Finding:
    leak = naive_leak(4, 0.3, 0.1)
    return Finding(
        values={"": float(leak.naive[-1])},
        error=1e-10,
        why=(
            "True with 1/(1+e^ε) against e^ε/(1+e^ε) in place of the printed laws. Random stopping"
            f" loses {leak.stopping[-1]:.3f} on the same pair."
        ),
    )


@register_claim(
    "candidates.falling_thresholds",
    where="B.2",
    says="Trying R falling thresholds costs a factor of R (R = 10, ε = 0.1).",
    printed="≥ R·ε",
    low=1.0,
)
def _falling_thresholds(vectors: Vectors) -> Finding:
    leak = threshold_leak(10, 0.3, 0.5, 0.1)
    return Finding(
        values={"loss over R·ε": float(leak.loss[-1]) / 1.0},
        error=1e-9,
        why=(
            f"Exactly {leak.loss[-1]:.3f} at γ = ½ and a failure chance of 0.3, never below (R+1)·ε"
            " = 1.1."
        ),
    )


def packing_bound(log10_candidates: float, alpha: float, e: float) -> float:
    """ε̂/ε that the proof of Theorem D.2 shows necessary for K = 10 to the `log10_candidates`."""
    log_k = log10_candidates * math.log(10)
    return (1 - alpha) * log_k / math.ceil((0.5 + alpha) * log_k / e) / e


@register_claim(
    "candidates.theorem_d_2",
    where="Theorem D.2",
    says=(
        "A choice that is useful with K^(−α) is not private below (2−6α)·ε, for large enough K (α ="
        " 0.01, ε = 0.1)."
    ),
    printed="≥ 1.94",
    low=1.94,
)
def _theorem_d_2(vectors: Vectors) -> Finding:
    factors = {size: packing_bound(size, 0.01, 0.1) for size in (3, 6, 30, 1000)}
    listed = ", ".join(
        f"{value:.3f} at K = {power_of_ten(size)}" for size, value in factors.items()
    )
    return Finding(
        values={"ε̂/ε at K = 10¹⁰⁰⁰": factors[1000]},
        error=1e-12,
        why=f"{listed}: the factor 2 is needed.",
    )
