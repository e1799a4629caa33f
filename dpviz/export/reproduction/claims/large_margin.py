"""Claims of Chaudhuri, Hsu & Song 2014: how the universe's size hurts, and what the large margin
mechanism promises.

Symbols: scores are numbers of people, so Δ = 1 and the paper's f is a score over n; α there is ε
here; K items in all.
"""

import math
from bisect import bisect_left
from functools import partial
from itertools import combinations, product

import numpy as np

from dpviz import DistanceToInstability, LargeMargin, privacy_loss
from dpviz.base import Scores
from dpviz.charts import number_text, power_of_ten
from dpviz.data.examples import EXAMPLES
from dpviz.export.reproduction.claims.claim import Finding, Vectors, register_claim
from dpviz.margin import NoisyMax, TopOneLaw, TopOneMechanism
from dpviz.margin.lower_bounds import distance_lower_bound, pure_distance_lower_bound
from dpviz.margin.universe_curve import half_chance_log10_zeros, huge_universe_curve
from dpviz.privacy.neighbours import move_scores

_DELTA, _ETA = 1e-6, 0.05
# of the other items, in the law from which larger universes are bounded: what passes there stays
_LISTED = 1_000


@register_claim(
    "large_margin.exponential_mechanism",
    where="Section 2.2",
    says=(
        "On D = (1, …, 1) the exponential mechanism gives 1 with e^(nα/2)/(K−1+e^(nα/2)) (n = 10, α"
        " = 1, K = 10³)."
    ),
    printed=f"{math.exp(5) / (999 + math.exp(5)):.6f}",
    low=math.exp(5) / (999 + math.exp(5)) - 5e-7,
    high=math.exp(5) / (999 + math.exp(5)) + 5e-7,
)
def _exponential_mechanism(vectors: Vectors) -> Finding:
    law = NoisyMax(epsilon=1.0).distribution(Scores([10.0, 0.0]), zeros=998)
    return Finding(
        values={"": law.best_probability},
        error=law.error,
        why="The law itself, 998 of the 999 others left unlisted.",
    )


def changes_to_lose_best(people: int, universe: int) -> int:
    """How many entries of D = (1, …, 1) must change before item 1 is not the only best of ``|{j:
    D_j ≥ i}|``.
    """
    for moved in range(people + 1):
        for who in combinations(range(people), moved):
            for values in product(range(1, universe + 1), repeat=moved):
                data = np.ones(people, dtype=int)
                data[list(who)] = values
                scores = [(data >= i).sum() for i in range(1, universe + 1)]
                if max(scores[1:]) >= scores[0]:
                    return moved
    return people + 1


@register_claim(
    "large_margin.half_must_move",
    where="Section 2.2",
    says=(
        "On D = (1, …, 1) the clear best item only changes when at least n/2 people change their"
        " entries."
    ),
    printed="≥ n/2",
    low=0.5,
)
def _half_must_move(vectors: Vectors) -> Finding:
    least = changes_to_lose_best(4, 3)
    return Finding(
        values={"share of the people who must move": least / 4},
        why=(
            f"All {least} of 4 (K = 3, all data enumerated): item 1 is at least as good as any"
            " other on all data."
        ),
    )


@register_claim(
    "large_margin.instability_fails",
    where="Section 2.2",
    says="On D = (2, …, 2) the algorithm that asks for one clear best item fails.",
    printed="fails (read as ≥ 99 %)",
    low=0.99,
    unit="%",
)
def _instability_fails(vectors: Vectors) -> Finding:
    law = DistanceToInstability(epsilon=1.0, delta=_DELTA).distribution(Scores([100.0, 100.0, 0.0]))
    return Finding(
        values={"chance of Fail": law.fail},
        error=law.error,
        why=f"n = 100, ε = 1, δ = 10⁻⁶: all but {number_text(1 - law.fail)}.",
    )


def least_people(log10_universe: float, chance: float = 0.95) -> tuple[int, int]:
    """The least n for which (large margin, exponential mechanism) return item 1 of D = (1, …, 1)
    with `chance`.
    """

    def good(mechanism: TopOneMechanism, n: int) -> bool:
        law = mechanism.distribution(Scores([float(n)] + [0.0] * _LISTED))
        return bool(
            huge_universe_curve(mechanism, law, 0.0, np.array([log10_universe])).low[0] >= chance
        )

    counts = range(2**14)
    margin, other = (
        bisect_left(counts, True, key=partial(good, mechanism))
        for mechanism in (LargeMargin(epsilon=1.0, delta=_DELTA), NoisyMax(epsilon=1.0))
    )
    return margin, other


@register_claim(
    "large_margin.range_independent",
    where="Section 3",
    says=(
        "Large margin does not get worse as the universe grows (D = (1, …, 1), from K = 10¹²⁰ to"
        " 10²⁴⁰)."
    ),
    printed="no dependence on K",
    low=-1,
    high=1,
    seconds=0.4,
)
def _range_independent(vectors: Vectors) -> Finding:
    needed = {size: least_people(size) for size in (6, 30, 60, 120, 240)}
    listed = ", ".join(
        f"{margin:,} ({other:,}) at {power_of_ten(size)}"
        for size, (margin, other) in needed.items()
    )
    return Finding(
        values={"more people needed": float(needed[240][0] - needed[120][0])},
        why=(
            "People needed for item 1 with 95\u202f%, in brackets by the exponential mechanism (ε"
            f" = 1, δ = 10⁻⁶): {listed}. Up to a limit it does depend on K, and only beyond it is"
            " it ahead."
        ),
    )


def worst_delta(mechanism: LargeMargin, scores: Scores, at: float) -> tuple[float, float]:
    """The largest (δ(`at`), loss) over the neighbours at the corners of what one replaced person
    can do.

    The loss is that of outcomes likelier than the laws' errors.
    """
    steps = product((-1.0, 0.0, 1.0), repeat=scores.d)
    losses = [
        privacy_loss(mechanism, scores, move_scores(scores, np.array(step)))
        for step in steps
        if any(step)
    ]
    delta = max(max(loss.delta(at), loss.reversed.delta(at)) for loss in losses)
    return delta, max(loss.largest for loss in losses)


@register_claim(
    "large_margin.theorem_2",
    where="Theorem 2",
    says="The large margin mechanism is (α, δ)-differentially private.",
    printed="δ(α) at most 1× δ",
    high=1.0,
    seconds=0.1,
)
def _theorem_2(vectors: Vectors) -> Finding:
    mechanism = LargeMargin(epsilon=1.0, delta=1e-3)
    delta, largest = worst_delta(mechanism, Scores([230.0, 228.0, 20.0, 0.0]), mechanism.epsilon)
    return Finding(
        values={"the largest δ(α) over δ": delta / mechanism.delta},
        error=1e-6,
        why=(
            "Scores 230, 228, 20, 0, α = 1, δ = 10⁻³, all 80 neighbours at the corners, both ways:"
            f" the largest loss of an outcome likelier than 10⁻⁹ is {largest:.3f}, so only what is"
            " rarer can go past α."
        ),
    )


def _example(name: str) -> tuple[Scores, int, int]:
    """(scores, unlisted items of score zero, people)."""
    example = EXAMPLES[name]
    scores = example.scores()
    return (
        scores,
        0 if example.universe is None else example.universe - scores.d,
        example.people or 0,
    )


@register_claim(
    "large_margin.theorem_3",
    where="Theorem 3",
    says=(
        "With probability 1 − η the item is within 6 log(2ℓ*/η)/α of the best (η = 0.05, example of"
        " product pairs)."
    ),
    printed="≥ 0.95",
    low=0.95,
)
def _theorem_3(vectors: Vectors) -> Finding:
    scores, zeros, _ = _example("bought_together")
    mechanism = LargeMargin(epsilon=1.0, delta=_DELTA)
    bound = mechanism.utility_bound(scores, _ETA, zeros=zeros)
    law = mechanism.distribution(scores, zeros=zeros)
    return Finding(
        values={"": law.near_best_probability(bound.distance)},
        error=law.error,
        why=(
            f"ℓ* = {bound.rank}, {bound.distance:.1f} people: far from tight. The margin asked for,"
            f" printed with log(3/n), has log(3/η), here {bound.margin_needed:.0f} people."
        ),
    )


def mean_score_loss(law: TopOneLaw, zeros: int) -> float:
    """How far the item's score is below the best, on average."""
    best = float(law.scores.values.max())
    return float(law.inclusion @ (best - law.scores.values)) + (
        law.zero_mass * best if zeros else 0.0
    )


def _beside(name: str) -> tuple[float, float, float]:
    """(what large margin loses on average, what the exponential mechanism does, the sum of their
    errors).
    """
    scores, zeros, _ = _example(name)
    margin = LargeMargin(epsilon=1.0, delta=_DELTA).distribution(scores, zeros=zeros)
    other = NoisyMax(epsilon=1.0).distribution(scores, zeros=zeros)
    return (
        mean_score_loss(margin, zeros),
        mean_score_loss(other, zeros),
        (margin.error + other.error) * scores.d * float(scores.values.max()),
    )


def _small(people: float) -> str:
    return f"{people:.3g}" if people >= 1e-6 else "less than a millionth"


@register_claim(
    "large_margin.itemsets_promise",
    where="Section 4.1, Corollary 1",
    says=(
        "For frequent itemsets the exponential mechanism’s promise is significantly worse where few"
        " itemsets occur."
    ),
    printed="more than 1×",
    low=1.0,
)
def _itemsets_promise(vectors: Vectors) -> Finding:
    scores, zeros, people = _example("bought_together")
    bound = LargeMargin(epsilon=1.0, delta=_DELTA).utility_bound(scores, _ETA, zeros=zeros)
    other = 2 * math.log((scores.d + zeros) / _ETA)
    return Finding(
        values={"the exponential mechanism’s distance over large margin’s": other / bound.distance},
        why=(
            f"{people:,} people, {scores.d:,} of {scores.d + zeros:,} pairs occur, ε = 1, η = 0.05:"
            f" within {other:.1f} people of the best against {bound.distance:.1f}."
        ),
    )


@register_claim(
    "large_margin.itemsets",
    where="Section 4.1",
    says=(
        "The promise suggests that large margin also chooses nearer to the best (our example of"
        " frequent itemsets)."
    ),
    printed="suggested: nearer",
    low=0.0,
)
def _itemsets(vectors: Vectors) -> Finding:
    margin, other, error = _beside("bought_together")
    universe = half_chance_log10_zeros(_example("bought_together")[0], 1.0, 0.0)
    remark = (
        f" That one would be wrong half of the time among some {power_of_ten(round(universe))} pairs."
        if universe
        else ""
    )
    return Finding(
        values={"people lost on average, exponential mechanism less large margin": other - margin},
        error=error,
        why=(
            f"In the same example {_small(margin)} people are lost with large margin and"
            f" {_small(other)} with the exponential mechanism, which spends all of ε on the choice,"
            f" large margin a third of it.{remark}"
        ),
    )


@register_claim(
    "large_margin.learning",
    where="Section 4.2, Corollary 2",
    says="For private PAC learning the same, where few hypotheses are near the best (our example).",
    printed="suggested: nearer",
    low=0.0,
)
def _learning(vectors: Vectors) -> Finding:
    margin, other, error = _beside("simple_rules")
    scores, _, people = _example("simple_rules")
    bound = LargeMargin(epsilon=1.0, delta=_DELTA).utility_bound(scores, _ETA)
    return Finding(
        values={
            "examples lost on average, exponential mechanism less large margin": other - margin
        },
        error=error,
        why=(
            f"{scores.d:,} simple rules, {people:,} examples, ε = 1: {_small(margin)} more examples"
            f" wrong than with the best rule, against {_small(other)}. Promised are"
            f" {bound.distance:.1f} (ℓ* = {bound.rank}) against"
            f" {2 * math.log(scores.d / _ETA):.1f}."
        ),
    )


@register_claim(
    "large_margin.proposition_1",
    where="Proposition 1",
    says=(
        "Any α-private choice falls short by log((K−1)/2)/(αn) half the time, for n ≥ 2 (n = 10, K"
        " = 10⁷, α = ½)."
    ),
    printed="at most the whole range",
    high=1.0,
)
def _proposition_1(vectors: Vectors) -> Finding:
    people, universe, e = 10, 10**7, 0.5
    printed = math.log((universe - 1) / 2) / e
    return Finding(
        values={"printed shortfall over n": printed / people},
        why=(
            f"{printed:.1f} people, when scores run from 0 to {people}: the proof moves at most n/2"
            f" of them, so a cap is missing; with it, {pure_distance_lower_bound(universe, e, people)}"
            " people."
        ),
    )


@register_claim(
    "large_margin.theorem_1",
    where="Theorem 1",
    says=(
        "No (α, δ)-private choice beats log((ℓ−1)/2)/(nα) on all data: large margin’s promise is"
        " above it."
    ),
    printed="above 1×",
    low=1.0,
)
def _theorem_1(vectors: Vectors) -> Finding:
    promises = {near: 6 * math.log(2 * near / 0.5) / 0.5 for near in (100, 10_000, 1_000_000)}
    ratios = {
        near: promise / distance_lower_bound(near, 0.5, 0.0, 10_000)
        for near, promise in promises.items()
    }
    listed = ", ".join(f"{ratio:.1f} at ℓ = {near:,}" for near, ratio in ratios.items())
    return Finding(
        values={"promise (η = ½) over the lower bound": min(ratios.values())},
        why=f"α = ½, n = 10,000: {listed}.",
    )
