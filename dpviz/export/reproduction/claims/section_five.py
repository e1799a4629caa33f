"""Claims of Section 5 of Shekelyan & Loukides 2022: bounds on noise and on lost utility.

Symbols: x = ranked normalised scores, gap = x_[k] − x_[k+1]; X, X′ the "logistic leaps" of
canonical and of peeling, at ε = 2 and Δ = 1; T the worst item chosen; shortfall = x_[k] − x_[T].
"""

import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.special import expit

from dpviz import Canonical, Peeling, Scores
from dpviz.base import Floats
from dpviz.data.generators import Zipf
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.numerics.log_binomials import log_binomial
from dpviz.topk.shortfall_guarantees import shortfall_guarantee, shortfall_quantile


@register_claim(
    "canonical.lemma_5_1",
    scores=Scores([3.0, 2.0, 1.0, 0.0]),
    k=2,
    one=0.5,
    two=1.0,
    budget=1.0,
)
def least_probability_difference_ratio(
    scores: Scores, k: int, one: float, two: float, budget: float
) -> float:
    """Least ``|P₁(y) − P₁(y′)| / |P₂(y) − P₂(y′)|`` over pairs of subsets.

    P₁ has γ = `one` and `two`/`one` times the budget, P₂ has γ = `two`.
    """
    dists = [
        Canonical(epsilon=budget * two / gamma, k=k, gamma=gamma).distribution(scores)
        for gamma in (one, two)
    ]
    sets = list(combinations(range(scores.d), k))
    p, q = (np.exp([dist.log_probability(items) for items in sets]) for dist in dists)
    above, below = (np.abs(v[:, None] - v[None, :]) for v in (p, q))
    apart = below > 1e-9
    return float((above[apart] / below[apart]).min())


def failure_bound_cases() -> Iterator[tuple[Scores, int]]:
    for d, k, gap in product((5, 8, 12), (1, 2, 3), (0.0, 0.5, 2.0, 6.0, 15.0, 40.0)):
        yield Scores([gap] * k + [0.0] * (d - k)), k
        falling = [gap + float(i) for i in range(k, 0, -1)] + [-float(i) for i in range(d - k)]
        yield Scores(falling), k


def _leap(d: int, k: int, gap: float, *, peeling: bool) -> float:
    """P(X > gap): the logistic leap in units where ε = 2."""
    middle = k * math.log((d - 1 - k) * k) if peeling else log_binomial(np.array(d), np.array(k))
    return float(expit((middle - gap) / (k if peeling else 1)))


@cache
def failure_bound_excesses(peeling: bool) -> Floats:
    """P(not TOP) less P(X < gap), and less P(X > gap), of each of `failure_bound_cases`."""
    excesses = []
    for scores, k in failure_bound_cases():
        mechanism = Peeling(epsilon=2.0, k=k) if peeling else Canonical(epsilon=2.0, k=k, gamma=1.0)
        gap = float(scores.ranked[k - 1] - scores.ranked[k])
        chance = _leap(scores.d, k, gap, peeling=peeling)
        missed = 1 - mechanism.distribution(scores).top
        excesses.append((missed - (1 - chance), missed - chance))
    return np.array(excesses)


@register_claim("canonical.lemma_5_3", peeling=False)
@register_claim("canonical.lemma_5_4", peeling=True)
def _leaps(peeling: bool) -> tuple[float, dict[str, Any]]:
    excesses, cases = failure_bound_excesses(peeling), list(failure_bound_cases())
    printed, turned = excesses.max(axis=0).tolist()
    scores, k = cases[int(np.argmax(excesses[:, 1]))]
    where = f"d = {scores.d}, k = {k}, a gap of {scores.ranked[k - 1] - scores.ranked[k]:g}"
    holds = "holds" if turned <= 1e-9 else f"fails too, by {format_epsilon(turned)} at {where}"
    return printed, {"cases": len(cases), "holds": holds}


def any_top_item_probability(scores: Scores, k: int) -> float:
    """P(canonical γ=1 chooses some of the true top k) at ε = 2, over all subsets."""
    dist = Canonical(epsilon=2.0, k=k, gamma=1.0).distribution(scores)
    others = combinations(scores.order[k:].tolist(), k)
    return 1 - sum(math.exp(dist.log_probability(items)) for items in others)


@register_claim("canonical.lemma_5_3_first")
def _lemma_5_3_first() -> tuple[float, dict[str, float]]:
    bound = _leap(8, 1, 0.5, peeling=False)
    chance = any_top_item_probability(Scores([0.5] + 7 * [0.0]), 1)
    return bound - chance, {"chance": chance, "bound": bound}


def mean_failure_gap_ratio(k: int, items_per_k: int, gamma: float) -> float:
    """E[X′]/E[X] at d = `items_per_k`·k."""
    d = items_per_k * k
    return gamma * k * math.log((d - 1 - k) * k) / float(log_binomial(np.array(d), np.array(k)))


@register_claim("canonical.theorem_5_5")
def _theorem_5_5() -> tuple[float, dict[str, str]]:
    ks = [10**i for i in range(1, 8)]
    leaps = {
        ratio: [mean_failure_gap_ratio(k, ratio, 0.5) / math.log(k) for k in ks]
        for ratio in (2, 10)
    }
    listed = "; ".join(f"d = {ratio}k: {min(v):.2f} to {max(v):.2f}" for ratio, v in leaps.items())
    return min(min(v) for v in leaps.values()), {"listed": listed}


def shortfall_to_bound_ratios(
    alpha: float = 0.1,
    size: int = 1000,
    epsilons: tuple[float, ...] = (1e-4, 1e-3, 1e-2),
    ks: tuple[int, ...] = (1, 10, 100),
) -> dict[str, float]:
    """Largest exact shortfall at 1 − α over what was proved, by mechanism, over ε and k."""
    scores = Zipf(size=size, exponent=0.5).scores()

    def ratio(mechanism: Canonical | Peeling) -> float:
        proved = shortfall_guarantee(mechanism, size)
        exact = shortfall_quantile(mechanism.distribution(scores), 1 - alpha)
        return 0.0 if proved is None else exact / proved.shortfall_bound(1 - alpha)

    return {
        name: max(ratio(kind(epsilon=e, k=k)) for e in epsilons for k in ks)
        for name, kind in (("canonical", Canonical), ("peeling", Peeling))
    }


@register_claim("canonical.theorem_5_6")
def _theorem_5_6() -> tuple[float, dict[str, str]]:
    ratios = shortfall_to_bound_ratios()
    return ratios["canonical"], {"peeling": format_epsilon(ratios["peeling"])}


def peeling_bound_failure_ratio(d: int, alpha: float, k: int = 1) -> float:
    """P(shortfall ≥ peeling's printed bound)/α at ε = 2, for k items that far above equal ones."""
    away = k * math.log(d * k) + k * math.log(1 / alpha) - 0.06 * k
    scores = Scores([away * (1 + 1e-12)] * k + [0.0] * (d - k))
    return (1 - Peeling(epsilon=2.0, k=k).distribution(scores).top) / alpha


@register_claim("canonical.theorem_5_6_peeling")
def _theorem_5_6_peeling() -> tuple[float, dict[str, float]]:
    return peeling_bound_failure_ratio(1000, 0.01, 1), {
        "two": peeling_bound_failure_ratio(1000, 0.01, 2)
    }


@register_claim("canonical.sidak")
def _sidak() -> float:
    return -math.log1p(-0.1) / 0.1


@register_claim("canonical.log_c")
def _log_c() -> float:
    k = np.concatenate([np.arange(1, 200), 10 ** np.arange(3, 7)]).astype(float)
    d = np.rint(k[None, :] * np.array([[2], [10], [1e3], [1e6]]))
    log_c = log_binomial(d, np.broadcast_to(k, d.shape)) - k * np.log(d / k)
    return float((log_c / k).max())
