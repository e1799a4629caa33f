"""Claims of Liu & Talwar 2018, section 4: the percentile sparse vector, which looks for a good
threshold first.

Symbols: Φ(p) = p/(1−p) for the chance p that a run reaches a query's threshold, p* that of the
percentile sought; ε1 is the price of one run, ε3 that of the search.
"""

import math

import numpy as np

from dpviz.candidates import PercentileSparseVector
from dpviz.charts import number_text
from dpviz.export.reproduction.claims.claim import Finding, Vectors, register_claim
from dpviz.numerics.log_binomials import log_binomial_probability

_RULE = PercentileSparseVector(percentile=0.5, epsilon=6.0, candidate_epsilon=0.5)  # p* = ½, ε3, ε1


def stop_chances(steps: int, beta: float, above: bool) -> tuple[float, float]:
    """Percentile sparse vector, ε1 = 0.5, ε3 = 6, p* = ½, on queries at the edge of Theorem 4.1 b
    or d.

    Not `above`: `steps` queries with Φ(p) = (β/(R+1))^(12ε1/ε3)·Φ(p*); (P(it stops there), P(a stop
    is at such one)). `above`: one query with Φ(p) = (1/β)^(12ε1/ε3)·Φ(p*); (P(it stops), P(it goes
    on)).
    """
    log_odds = -math.log(beta) if above else math.log(beta / (steps + 1))
    p = 1 / (1 + math.exp(-log_odds))
    law = _RULE.distribution([p] * (1 if above else steps))
    stopped = float(law.stop.sum())
    return (stopped, law.none) if above else (stopped, 1.0)


def largest_search_loss(most: int) -> float:
    """The largest loss over sequences of 1 to `most` queries that all move by 2ε1 in log Φ, the
    last the other way.

    p = 1/(1+e^ε1) and 1−p are e^ε1 apart on both sides, the most that ε1-private queries can be.
    """
    low, high = 1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(-0.5))
    worst = 0.0
    for steps in range(1, most + 1):
        one, other = (_RULE.distribution([p] * (steps - 1) + [1 - p]) for p in (low, high))
        p, q = (np.append(law.stop, law.none) for law in (one, other))
        worst = max(worst, float(np.abs(np.log(p / q)).max()))
    return worst


@register_claim(
    "candidates.theorem_4_1a",
    where="Theorem 4.1a",
    says="The percentile sparse vector is ε3-private (ε3 = 6, ε1 = 0.5).",
    printed="≤ 6",
    high=6.0,
)
def _theorem_4_1a(vectors: Vectors) -> Finding:
    return Finding(
        values={"the largest loss": largest_search_loss(12)},
        error=1e-6,
        why=(
            "Over sequences of 1 to 12 queries, each as far from its neighbour as ε1 allows, the"
            " last the other way."
        ),
    )


@register_claim(
    "candidates.theorem_4_1b",
    where="Theorem 4.1b",
    says=(
        "Given that a query was reported, it is far below the percentile with probability at most β"
        " = 0.1."
    ),
    printed="≤ 0.1",
    high=0.1,
)
def _theorem_4_1b(vectors: Vectors) -> Finding:
    before, given = stop_chances(20, 0.1, above=False)
    return Finding(
        values={"given a report": given},
        why=(
            "On 20 queries that all lie that far below, any report is of such a one. It holds"
            f" beforehand: one is reported with {before:.4f}."
        ),
    )


def second_stop_probability(beta: float) -> float:
    """P(it stops at the second of two queries with Φ(p) = (3/β)^(12ε1/ε3)·Φ(p*)), at the edge of
    Theorem 4.1 c.
    """
    return float(_RULE.distribution([1 / (1 + beta / 3)] * 2).stop[1])


@register_claim(
    "candidates.theorem_4_1c",
    where="Theorem 4.1c",
    says=(
        "Given that the R-th query was reported, one before it was far above the percentile with at"
        " most β = 0.1."
    ),
    printed="≤ 0.1",
    high=0.1,
)
def _theorem_4_1c(vectors: Vectors) -> Finding:
    return Finding(
        values={"given a report": 1.0},
        why=(
            "On two queries that both lie that far above, any report of the second comes after"
            f" such a one. It holds beforehand: the second is reported with {second_stop_probability(0.1):.4f}."
        ),
    )


@register_claim(
    "candidates.theorem_4_1d",
    where="Theorem 4.1d",
    says="On a query far above the percentile it answers ⊤ with probability at most β = 0.1.",
    printed="≤ 0.1",
    high=0.1,
)
def _theorem_4_1d(vectors: Vectors) -> Finding:
    stops, goes_on = stop_chances(1, 0.1, above=True)
    return Finding(
        values={"": stops},
        error=1e-9,
        why=f"A misprint, as the text beside it says: meant is ⊥, which comes with {goes_on:.4f}.",
    )


@register_claim(
    "candidates.constant_c",
    where="Theorem 4.4",
    says="C = 2(e^(ε0+ε1) + 1 + e^(ε0/2)) is below 21 for ε0, ε1 < 1.",
    printed="< 21",
    high=21.0,
)
def _constant_c(vectors: Vectors) -> Finding:
    value = 2 * (math.exp(2) + 1 + math.exp(0.5))
    return Finding(
        values={"the least upper bound": value}, why=f"It rises in both, to {value:.2f} at 1 and 1."
    )


def least_additive_term(runs: int, p: float, e1: float, e0: float, delta: float) -> float:
    """The least c above 0, to 0.001 from above, with P(X ≥ e^(ε1+ε0)·Y + c) ≤ δ for X, Y of `runs`
    runs each.

    Y counts runs that succeed with chance p, X with e^ε1·p.
    """
    counts = np.arange(runs + 1)
    of_x, of_y = (
        np.exp(log_binomial_probability(runs, counts, chance)) for chance in (p * math.exp(e1), p)
    )
    at_least = np.append(np.cumsum(of_x[::-1])[::-1], 0.0)  # P(X ≥ 0), P(X ≥ 1), …
    low, high = 0.0, float(runs)
    while high - low > 1e-3:
        c = (low + high) / 2
        asked = np.ceil(math.exp(e1 + e0) * counts + c).astype(int)
        passed = float(of_y @ at_least[np.minimum(asked, runs + 1)])
        low, high = (c, high) if passed > delta else (low, c)
    return high


@register_claim(
    "candidates.lemma_4_3",
    where="Lemma 4.3",
    says=(
        "Where E[X] ≤ e^ε1·E[Y], X reaches e^(ε1+ε0)·Y + (C/ε0)·log(2/δ0) with probability at most"
        " δ0 (ε1 = 0.5, ε0 = 0.1, δ0 = 10⁻³, 10,000 runs)."
    ),
    printed="at most 1× that term needed",
    high=1.0,
    unit="×",
)
def _lemma_4_3(vectors: Vectors) -> Finding:
    e1, e0, delta = 0.5, 0.1, 1e-3
    c = 2 * (math.exp(e0 + e1) + 1 + math.exp(e0 / 2))
    printed = c / e0 * math.log(2 / delta)
    needed = {
        p: least_additive_term(10_000, p, e1, e0, delta) for p in (0.001, 0.003, 0.01, 0.03, 0.1)
    }
    most = max(needed, key=lambda p: needed[p])
    share = needed[most] / printed
    return Finding(
        values={"the term needed over the printed one": share},
        error=1e-5,
        why=(
            f"Most at a chance of {most} for Y: {needed[most]:.1f} runs, where {printed:.1f} are"
            f" added. There C = {number_text(share * c)} would do in place of {number_text(c)}; Δ, by which"
            " estimates are softened, is in proportion."
        ),
    )
