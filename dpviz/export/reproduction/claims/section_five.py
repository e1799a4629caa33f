"""Claims of Section 5 of Shekelyan & Loukides 2022: bounds on noise and on lost utility.

Symbols: x = ranked normalised scores, gap = x_[k] − x_[k+1]; X, X′ the "logistic leaps" of
canonical and of peeling, at ε = 2 and Δ = 1; T the worst item chosen; shortfall = x_[k] − x_[T].
"""

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from scipy.special import expit

from dpviz import Canonical, Peeling
from dpviz.base import Scores
from dpviz.data.generators import Zipf
from dpviz.export.reproduction.claims.claim import Finding, register_claim
from dpviz.export.reproduction.report_text import format_epsilon
from dpviz.numerics.log_binomials import log_binomial
from dpviz.topk.shortfall_guarantees import exact_shortfall, shortfall_guarantee


def least_probability_ratio(scores: Scores, k: int, one: float, two: float, budget: float) -> float:
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


@register_claim("canonical.lemma_5_1")
def _lemma_5_1() -> Finding:
    ratio = least_probability_ratio(Scores([3.0, 2.0, 1.0, 0.0]), 2, 0.5, 1.0, 1.0)
    return Finding(
        values={"the least ratio over all pairs": ratio},
        error=1e-9,
        why=(
            "Scores 3, 2, 1, 0, k = 2, γ = ½ at ε = 2 against γ = 1 at ε = 1, all six subsets"
            " enumerated. (The lemma also prints ε₁ < ε₂, which its own factor contradicts.)"
        ),
    )


def leap_cases() -> Iterator[tuple[Scores, int]]:
    """Small score vectors and k, from ties to wide gaps."""
    for d, k, gap in product((5, 8, 12), (1, 2, 3), (0.0, 0.5, 2.0, 6.0, 15.0, 40.0)):
        yield Scores([gap] * k + [0.0] * (d - k)), k
        falling = [gap + float(i) for i in range(k, 0, -1)] + [-float(i) for i in range(d - k)]
        yield Scores(falling), k


def _leap(d: int, k: int, gap: float, *, peeling: bool) -> float:
    """P(X > gap): the logistic leap in units where ε = 2."""
    middle = k * math.log((d - 1 - k) * k) if peeling else log_binomial(np.array(d), np.array(k))
    return float(expit((middle - gap) / (k if peeling else 1)))


def largest_excess(peeling: bool, turned: bool) -> tuple[float, Scores, int]:
    """The most by which P(not TOP) exceeds P(X < gap), and where it does.

    `turned`: by which it exceeds P(X > gap).
    """
    cases = []
    for scores, k in leap_cases():
        mechanism = Peeling(epsilon=2.0, k=k) if peeling else Canonical(epsilon=2.0, k=k, gamma=1.0)
        gap = float(scores.ranked[k - 1] - scores.ranked[k])
        chance = _leap(scores.d, k, gap, peeling=peeling)
        missed = 1 - mechanism.distribution(scores).top
        cases.append((missed - (chance if turned else 1 - chance), scores, k))
    return max(cases, key=lambda case: case[0])


@register_claim("canonical.lemma_5_3", peeling=False)
@register_claim("canonical.lemma_5_4", peeling=True)
def _leaps(peeling: bool) -> Finding:
    printed, *_ = largest_excess(peeling, turned=False)
    turned, scores, k = largest_excess(peeling, turned=True)
    where = f"d = {scores.d}, k = {k}, a gap of {scores.ranked[k - 1] - scores.ranked[k]:g}"
    holds = "holds" if turned <= 1e-9 else f"fails too, by {format_epsilon(turned)} at {where}"
    return Finding(
        values={"the most by which P(not the top k) passes the bound": printed},
        error=1e-8,
        why=(
            f"Over {sum(1 for _ in leap_cases())} small vectors. With the sign turned, P(X > gap),"
            f" the bound {holds}."
        ),
    )


def some_top_probability(scores: Scores, k: int) -> float:
    """P(canonical γ=1 chooses some of the true top k) at ε = 2, over all subsets."""
    dist = Canonical(epsilon=2.0, k=k, gamma=1.0).distribution(scores)
    others = combinations(scores.order[k:].tolist(), k)
    return 1 - sum(math.exp(dist.log_probability(items)) for items in others)


@register_claim("canonical.lemma_5_3_first")
def _lemma_5_3_first() -> Finding:
    scores = Scores([0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    bound, exact = _leap(scores.d, 1, 0.5, peeling=False), some_top_probability(scores, 1)
    return Finding(
        values={"by how much it falls short": bound - exact},
        error=1e-9,
        why=(
            f"Scores ½, 0, …, 0 (d = 8), k = 1, γ = 1, ε = 2: {exact:.3f} where {bound:.3f} is"
            " promised. What the leap bounds from below is the chance to miss one of the top k."
        ),
    )


def mean_leap_ratio(k: int, ratio: int, gamma: float) -> float:
    """E[X′]/E[X] at d = `ratio`·k."""
    d = ratio * k
    return gamma * k * math.log((d - 1 - k) * k) / float(log_binomial(np.array(d), np.array(k)))


@register_claim("canonical.theorem_5_5")
def _theorem_5_5() -> Finding:
    ks = [10**i for i in range(1, 8)]
    leaps = {ratio: [mean_leap_ratio(k, ratio, 0.5) / math.log(k) for k in ks] for ratio in (2, 10)}
    listed = "; ".join(f"d = {ratio}k: {min(v):.2f} to {max(v):.2f}" for ratio, v in leaps.items())
    return Finding(
        values={"the least E[X′]/E[X] over log k": min(min(v) for v in leaps.values())},
        error=1e-9,
        why=(
            f"E[X′]/E[X] divided by log k at γ = ½, k = 10 to 10⁷, {listed}: it does not fall to 0."
        ),
    )


def shortfall_ratios(
    alpha: float = 0.1,
    size: int = 1000,
    epsilons: tuple[float, ...] = (1e-4, 1e-3, 1e-2),
    ks: tuple[int, ...] = (1, 10, 100),
) -> dict[str, float]:
    """Largest exact shortfall at 1 − α over what was proved, by mechanism, over ε and k."""
    scores = Zipf(size=size, exponent=0.5).scores()

    def ratio(mechanism: Canonical | Peeling) -> float:
        proved = shortfall_guarantee(mechanism, size)
        exact = exact_shortfall(mechanism.distribution(scores), 1 - alpha)
        return 0.0 if proved is None else exact / proved.shortfall_bound(1 - alpha)

    return {
        name: max(ratio(kind(epsilon=e, k=k)) for e in epsilons for k in ks)
        for name, kind in (("canonical", Canonical), ("peeling", Peeling))
    }


@register_claim("canonical.theorem_5_6")
def _theorem_5_6() -> Finding:
    ratios = shortfall_ratios()
    return Finding(
        values={"the largest exact shortfall over the bound": ratios["canonical"]},
        error=1e-9,
        why=(
            "Zipf scores of 1,000 items, α = 0.1, three ε and three k; peeling’s own bound there:"
            f" at most {format_epsilon(ratios['peeling'])} of it is used. Printed as x_[T] < x_[k]"
            " + …, which always holds; meant is x_[T] > x_[k] − …."
        ),
    )


def peeling_failure(d: int, alpha: float, k: int = 1) -> float:
    """P(shortfall ≥ peeling's printed bound)/α at ε = 2, for k items that far above equal ones."""
    away = k * math.log(d * k) + k * math.log(1 / alpha) - 0.06 * k
    scores = Scores([away * (1 + 1e-12)] * k + [0.0] * (d - k))
    return (1 - Peeling(epsilon=2.0, k=k).distribution(scores).top) / alpha


@register_claim("canonical.theorem_5_6_peeling")
def _theorem_5_6_peeling() -> Finding:
    one, two = (peeling_failure(1000, 0.01, k) for k in (1, 2))
    return Finding(
        values={"chance of failing over α, k = 1": one},
        error=1e-6,
        why=(
            f"At k = 1, d = 1,000, α = 0.01 it fails {one:.3f}·α: with one selection r is 1, log r"
            f" is 0, and nothing may be taken off. At k = 2 the same comes to {two:.3f}·α, and the"
            " bound holds."
        ),
    )


@register_claim("canonical.sidak")
def _sidak() -> Finding:
    value = -math.log1p(-0.1) / 0.1
    return Finding(
        values={"the least upper bound over k": value},
        why=(
            f"It rises with k and α towards log(1/(1−α))/α = {value:.4f}; at α = ½ towards log 4 ="
            f" {math.log(4):.4f}."
        ),
    )


@register_claim("canonical.log_c")
def _log_c() -> Finding:
    k = np.concatenate([np.arange(1, 200), 10 ** np.arange(3, 7)]).astype(float)
    d = np.rint(k[None, :] * np.array([[2], [10], [1e3], [1e6]]))
    share = (log_binomial(d, np.broadcast_to(k, d.shape)) - k * np.log(d / k)) / k
    return Finding(
        values={"the largest log c / k": float(share.max())},
        error=1e-6,
        why="Over d = 2k to 10⁶k, k = 1 to 10⁶.",
    )
