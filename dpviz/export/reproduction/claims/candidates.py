"""Claims of Liu & Talwar 2018: what a choice among private candidates costs, and how long it takes.

Symbols: one run has a score of mass p with mass A strictly above, p1 = P(score ≥ τ), and is
(ε1, δ1)-private; γ is the chance to stop, T the limit. Section 4 looks for a good threshold first:
Φ(p) = p/(1−p) for the chance p that a run reaches a query's threshold, p* that of the percentile
sought; ε3 is the price of the search.
"""

import math
from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np

from dpviz import CandidatePool, KnownThreshold, RandomStopping, privacy_loss
from dpviz.base import Floats
from dpviz.candidates import (
    CandidateRule,
    PercentileSparseVector,
    SelectionLaw,
    limit_for_delta,
    limit_for_epsilon,
)
from dpviz.candidates.leaks import naive_leak, threshold_leak
from dpviz.charts import number_text, power_of_ten
from dpviz.export.reproduction.claims.claim import Finding, register_claim
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.numerics.log_binomials import log_binomial_probability

_CHANCES = (0.5, 0.1, 1e-2, 1e-3, 1e-4)
_STOPS = (0.5, 0.1, 0.01, 1e-3)
_E1, _E0, _D1, _D2 = 0.5, 0.1, 1e-4, 1e-3


def neighbouring_pool_pairs(e: float) -> Iterator[tuple[CandidatePool, CandidatePool]]:
    """Pools of one candidate with three scores, and neighbours at the corners of e^±ε1."""
    scores = np.array([0.0, 1.0, 2.0])
    for chances in product(_CHANCES, repeat=3):
        mass = np.array(chances) / sum(chances)
        for signs, free in product(product((-1, 0, 1), repeat=2), range(3)):
            moved = mass * np.exp(e * np.insert(np.array(signs, float), free, 0.0))
            moved[free] += 1 - moved.sum()
            if moved[free] > 0 and abs(math.log(moved[free] / mass[free])) <= e:
                yield CandidatePool([(scores, mass)]), CandidatePool([(scores, moved)])


def _worst_loss(rule: CandidateRule) -> float:
    pairs = neighbouring_pool_pairs(_E1)
    return max(privacy_loss(rule, one, other).largest for one, other in pairs)


def _pairs() -> str:
    return f"{sum(1 for _ in neighbouring_pool_pairs(_E1)):,} extreme pairs"


def _known(stop: float) -> KnownThreshold:
    return KnownThreshold(threshold=1.0, stop=stop, epsilon0=_E0)


@register_claim("candidates.theorem_3_1a")
def _theorem_3_1a() -> Finding:
    pool = CandidatePool([([0.1, 0.6, 0.9], [0.5, 0.3, 0.2]), ([0.2, 0.7], [0.9, 0.1])])
    law = KnownThreshold(threshold=0.6, stop=0.05, epsilon0=0.2).distribution(pool)
    apart = float(np.abs(law.candidate / law.candidate.sum() - np.array([0.5, 0.1]) / 0.6).max())
    return Finding(
        values={"the largest difference": apart}, error=law.error, why="Two candidates, τ = 0.6."
    )


@register_claim("candidates.theorem_3_1b")
def _theorem_3_1b() -> Finding:
    return Finding(
        values={"the largest loss": max(_worst_loss(_known(stop)) for stop in (0.1, 1e-3))},
        error=1e-9,
        why=f"Over {_pairs()} and γ = 0.1, 0.001, with the smallest limit T allowed.",
    )


@register_claim("candidates.theorem_3_2")
def _theorem_3_2() -> Finding:
    most = max(_worst_loss(RandomStopping(stop=stop)) for stop in (0.1, 1e-4))
    return Finding(
        values={"the largest loss": most},
        error=1e-9,
        why=f"Over {_pairs()}, γ = 0.1, 0.0001: {most / _E1:.3f} ε1 is needed there.",
    )


@register_claim("candidates.theorem_3_5")
def _theorem_3_5() -> Finding:
    limit = limit_for_epsilon(0.1, _E0)
    return Finding(
        values={"the largest loss": _worst_loss(RandomStopping(stop=0.1, limit=limit))},
        error=1e-9,
        why=f"T = {limit}, over the same extreme pairs.",
    )


def single_candidate_law(rule: CandidateRule, p1: float) -> SelectionLaw:
    """The law of a rule on one candidate that scores 1 with p1, else 0."""
    return rule.distribution(CandidatePool([([0.0, 1.0], [1 - p1, p1])]))


def _shares(share: Callable[[float, float], float]) -> list[float]:
    """The share of a bound that is used, by p1 and γ."""
    return [share(p, g) for p, g in product(_CHANCES, _STOPS)]


def _largest_share(shares: list[float], why: str, error: float = 1e-9) -> Finding:
    return Finding(values={"the largest share": max(shares)}, error=error, why=why)


@register_claim("candidates.theorem_3_1d")
def _theorem_3_1d() -> Finding:
    def share(p: float, g: float) -> float:
        return single_candidate_law(_known(g), p).runs.mean * (p * (1 - g) + g)

    shares = _shares(share)
    why = f"From {format_epsilon(min(shares))} to 1 of it: the limit T takes off the rest."
    return _largest_share(shares, why, error=1e-12)


@register_claim("candidates.theorem_3_1e")
def _theorem_3_1e() -> Finding:
    def share(p: float, g: float) -> float:
        return single_candidate_law(_known(g), p).bottom / ((1 - p) * (1 + _E0 / 2) * g / p)

    shares = _shares(share)
    return _largest_share(shares, f"At ε0 = 0.1: {max(shares):.3f} of it.")


@register_claim("candidates.theorem_1_2c")
def _theorem_1_2c() -> Finding:
    pools = {
        size: CandidatePool([([0.0, 1.0], [0.5, 0.5])] + [([0.0], [1.0])] * (size - 1))
        for size in (1, 5, 50)
    }
    return _largest_share(
        [_known(1e-3).distribution(pool).runs.mean / (2 * size) for size, pool in pools.items()],
        "K = 1, 5, 50, γ = 0.001, the others always below τ.",
    )


@register_claim("candidates.theorem_3_3")
def _theorem_3_3() -> Finding:
    def share(p: float, g: float) -> float:
        law = single_candidate_law(RandomStopping(stop=g), p)
        return float(law.score_law.mass[0]) / (g / p)

    shares = _shares(share)
    return _largest_share(shares, f"At most {max(shares):.4f} of it.")


# Candidates that are (ε1, δ1)-private

_EVERY = 16  # of the extreme pairs: it is δ1 that tells
_ONLY = ((3.0, -1.0), (-1.0, 3.0), (3.0, 4.0))  # the score that only the one has, only the other


def approximate_pairs() -> Iterator[tuple[CandidatePool, CandidatePool]]:
    """Pools of one candidate and neighbours of theirs, (ε1, δ1)-close both ways.

    Of the extreme masses δ1 is moved to a score that the neighbour never has.
    """

    def mixed(mass: Floats, only: float) -> CandidatePool:
        return CandidatePool([(np.array([0.0, 1.0, 2.0, only]), np.append((1 - _D1) * mass, _D1))])

    for pair in islice(neighbouring_pool_pairs(_E1), 0, None, _EVERY):
        p, q = (pool.candidates[0].mass for pool in pair)
        for here, there in _ONLY:
            yield mixed(p, here), mixed(q, there)


def _largest_delta(rule: CandidateRule, epsilon: float) -> float:
    """The largest δ(ε) of the rule over `approximate_pairs`, both ways."""
    return max(
        privacy_loss(rule, *ordered).delta(epsilon)
        for one, other in approximate_pairs()
        for ordered in ((one, other), (other, one))
    )


def _largest_delta_share(shares: list[float], why: str) -> Finding:
    return Finding(
        values={"the largest δ over the bound": max(shares)},
        error=1e-9,
        why=(f"Over {sum(1 for _ in approximate_pairs()):,} extreme pairs and γ = 0.1, 0.001{why}"),
    )


@register_claim("candidates.theorem_3_1c")
def _theorem_3_1c() -> Finding:
    total = 2 * _E1 + _E0
    factor = 3 * math.exp(total)
    return _largest_delta_share(
        [_largest_delta(_known(stop), total) / (factor * _D1 / stop) for stop in (0.1, 1e-3)],
        ". What tells is a score that only one side has: it comes out with at most δ1/γ, and the"
        f" factor 3e^{total:.1f} = {factor:.1f} is not needed for it.",
    )


@register_claim("candidates.theorem_3_4")
def _theorem_3_4() -> Finding:
    root, shares, limits = math.sqrt(2 * _D1), [], []
    for stop in (0.1, 1e-3):
        limit = limit_for_delta(stop, _D2)
        delta = _largest_delta(RandomStopping(stop=stop, limit=limit), 3 * _E1 + 3 * root)
        shares.append(delta / (root * limit + _D2))
        limits.append(f"{limit:,}")
    return _largest_delta_share(
        shares,
        f" (T = {', '.join(limits)}). What tells is a score that only one side has: it comes out"
        " with at most δ1/γ, where the proof counts the root of δ1 once a run.",
    )


# Appendices B and D


@register_claim("candidates.example_b_1")
def _example_b_1() -> Finding:
    return Finding(
        values={"the loss of one run": math.log(0.5 / (1 - math.exp(0.5) / 2))},
        error=1e-12,
        why=(
            "The other outcome has ½ against 1 − e^ε/2 (printed (1−e^ε)/2, below 0), which lie"
            " further apart."
        ),
    )


@register_claim("candidates.best_of_k")
def _best_of_k() -> Finding:
    leak = naive_leak(4, 0.3, 0.1)
    return Finding(
        values={"": float(leak.naive[-1])},
        error=1e-10,
        why=(
            "True with 1/(1+e^ε) against e^ε/(1+e^ε) in place of the printed laws. Random stopping"
            f" loses {leak.stopping[-1]:.3f} on the same pair."
        ),
    )


@register_claim("candidates.falling_thresholds")
def _falling_thresholds() -> Finding:
    loss = float(threshold_leak(10, 0.3, 0.5, 0.1).loss[-1])
    return Finding(
        values={"loss over R·ε": loss / (10 * 0.1)},
        error=1e-9,
        why=(
            f"Exactly {loss:.3f} at γ = ½ and a failure chance of 0.3, never below (R+1)·ε = 1.1."
        ),
    )


def packing_bound(log10_candidates: float, alpha: float, e: float) -> float:
    """ε̂/ε that the proof of Theorem D.2 shows necessary for K = 10 to the `log10_candidates`."""
    log_k = log10_candidates * math.log(10)
    return (1 - alpha) * log_k / math.ceil((0.5 + alpha) * log_k / e) / e


@register_claim("candidates.theorem_d_2")
def _theorem_d_2() -> Finding:
    factors = {size: packing_bound(size, 0.01, 0.1) for size in (3, 6, 30, 1000)}
    listed = ", ".join(
        f"{value:.3f} at K = {power_of_ten(size)}" for size, value in factors.items()
    )
    return Finding(
        values={"ε̂/ε at K = 10¹⁰⁰⁰": factors[1000]},
        error=1e-12,
        why=f"{listed}: the factor 2 is needed.",
    )


# Section 4

_RULE = PercentileSparseVector(percentile=0.5, epsilon=6.0, candidate_epsilon=0.5)  # p* = ½, ε3, ε1


def stop_chances(steps: int, beta: float, above: bool) -> tuple[float, float]:
    """Chances on queries at the edge of Theorem 4.1 b or d, where 12ε1/ε3 = 1.

    Not `above`: `steps` queries with Φ(p) = β/(R+1); (P(it stops there), P(a stop is at such one)).
    `above`: one query with Φ(p) = 1/β; (P(it stops), P(it goes on)).
    """
    odds = 1 / beta if above else beta / (steps + 1)
    law = _RULE.distribution([odds / (1 + odds)] * (1 if above else steps))
    return float(law.stop.sum()), law.none if above else 1.0


def largest_search_loss(most: int) -> float:
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


@register_claim("candidates.theorem_4_1a")
def _theorem_4_1a() -> Finding:
    return Finding(
        values={"the largest loss": largest_search_loss(12)},
        error=1e-6,
        why=(
            "Over sequences of 1 to 12 queries, each as far from its neighbour as ε1 allows, the"
            " last the other way."
        ),
    )


@register_claim("candidates.theorem_4_1b")
def _theorem_4_1b() -> Finding:
    before, given = stop_chances(20, 0.1, above=False)
    return Finding(
        values={"given a report": given},
        why=(
            "On 20 queries that all lie that far below, any report is of such a one. It holds"
            f" beforehand: one is reported with {before:.4f}."
        ),
    )


def second_stop_probability(beta: float) -> float:
    """P(it stops at the second of two queries at the edge of Theorem 4.1 c, Φ(p) = 3/β)."""
    return float(_RULE.distribution([1 / (1 + beta / 3)] * 2).stop[1])


@register_claim("candidates.theorem_4_1c")
def _theorem_4_1c() -> Finding:
    return Finding(
        values={"given a report": 1.0},
        why=(
            "On two queries that both lie that far above, any report of the second comes after such"
            f" a one. It holds beforehand: the second is reported with"
            f" {second_stop_probability(0.1):.4f}."
        ),
    )


@register_claim("candidates.theorem_4_1d")
def _theorem_4_1d() -> Finding:
    stops, goes_on = stop_chances(1, 0.1, above=True)
    return Finding(
        values={"": stops},
        error=1e-9,
        why=f"A misprint, as the text beside it says: meant is ⊥, which comes with {goes_on:.4f}.",
    )


@register_claim("candidates.constant_c")
def _constant_c() -> Finding:
    value = 2 * (math.exp(2) + 1 + math.exp(0.5))
    return Finding(
        values={"the least upper bound": value}, why=f"It rises in both, to {value:.2f} at 1 and 1."
    )


def least_additive_term(runs: int, p: float, e1: float, e0: float, delta: float) -> float:
    """The least c > 0 with P(X ≥ e^(ε1+ε0)·Y + c) ≤ δ, to 0.001 from above.

    Y counts the `runs` that succeed with chance p, X those with e^ε1·p.
    """
    counts = np.arange(runs + 1)
    of_x, of_y = (
        np.exp(log_binomial_probability(runs, counts, chance)) for chance in (p * math.exp(e1), p)
    )
    at_least = np.append(np.cumsum(of_x[::-1])[::-1], 0.0)  # P(X ≥ 0), P(X ≥ 1), …
    low, high = 0.0, float(runs)
    while high - low > 1e-3:
        c = (low + high) / 2
        needed = np.ceil(math.exp(e1 + e0) * counts + c).astype(int)
        passed = float(of_y @ at_least[np.minimum(needed, runs + 1)])
        low, high = (c, high) if passed > delta else (low, c)
    return high


@register_claim("candidates.lemma_4_3")
def _lemma_4_3() -> Finding:
    c = 2 * (math.exp(_E0 + _E1) + 1 + math.exp(_E0 / 2))
    printed = c / _E0 * math.log(2 / 1e-3)
    needed = {
        p: least_additive_term(10_000, p, _E1, _E0, 1e-3) for p in (0.001, 0.003, 0.01, 0.03, 0.1)
    }
    most = max(needed, key=lambda p: needed[p])
    share = needed[most] / printed
    return Finding(
        values={"the term needed over the printed one": share},
        error=1e-5,
        why=(
            f"Most at a chance of {most} for Y: {needed[most]:.1f} runs, where {printed:.1f} are"
            f" added. There C = {number_text(share * c)} would do in place of {number_text(c)}; Δ,"
            " by which estimates are softened, is in proportion."
        ),
    )
