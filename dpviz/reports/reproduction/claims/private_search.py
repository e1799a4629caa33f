"""Claims of Liu & Talwar 2018, section 4: the percentile sparse vector, which looks for a good threshold first.

Symbols: Φ(p) = p/(1−p) for the chance p that a run reaches a query's threshold, p* that of the percentile sought; ε1 is
the price of one run, ε3 that of the search.
"""

import math
from functools import partial

from dpviz.candidates.percentile import PercentileSparseVector
from dpviz.reports.reproduction.claims.claim import Finding, Vectors, states

__all__ = ["stop_chances"]

_state = partial(states, paper="candidates")


def stop_chances(steps: int, beta: float, above: bool) -> tuple[float, float]:
    """Percentile sparse vector, ε1 = 0.5, ε3 = 6, p* = ½, on queries at the edge of Theorem 4.1 b or d.

    Not `above`: `steps` queries with Φ(p) = (β/(R+1))^(12ε1/ε3)·Φ(p*); (P(it stops there), P(a stop is at such one)).
    `above`: one query with Φ(p) = (1/β)^(12ε1/ε3)·Φ(p*); (P(it stops), P(it goes on)).
    """
    rule = PercentileSparseVector(percentile=0.5, epsilon=6.0, candidate_epsilon=0.5)
    log_odds = -math.log(beta) if above else math.log(beta / (steps + 1))
    p = 1 / (1 + math.exp(-log_odds))
    law = rule.distribution([p] * (1 if above else steps))
    stopped = float(law.stop.sum())
    return (stopped, law.none) if above else (stopped, 1.0)


@_state(
    "theorem_4_1b",
    where="Theorem 4.1b",
    says="Given that a query was reported, it is far below the percentile with probability at most β = 0.1.",
    printed="≤ 0.1",
    high=0.1,
)
def _theorem_4_1b(vectors: Vectors) -> Finding:
    before, given = stop_chances(20, 0.1, above=False)
    return Finding(
        values={"given a report": given},
        why=f"On 20 queries that all lie that far below, any report is of such a one. It holds beforehand: one is "
        f"reported with {before:.4f}.",
    )


@_state(
    "theorem_4_1d",
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


@_state(
    "constant_c",
    where="Theorem 4.4",
    says="C = 2(e^(ε0+ε1) + 1 + e^(ε0/2)) is below 21 for ε0, ε1 < 1.",
    printed="< 21",
    high=21.0,
)
def _constant_c(vectors: Vectors) -> Finding:
    value = 2 * (math.exp(2) + 1 + math.exp(0.5))
    return Finding(values={"the least upper bound": value}, why=f"It rises in both, to {value:.2f} at 1 and 1.")
