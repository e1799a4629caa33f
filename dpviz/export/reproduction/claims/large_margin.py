"""Claims of Chaudhuri, Hsu & Song 2014 on the universe's size and the large margin mechanism.

Symbols: scores are numbers of people, so Δ = 1 and the paper's f is a score over n; α there is ε
here; K items in all.
"""

import math
from bisect import bisect_left
from itertools import product
from typing import Any

import numpy as np

from dpviz import DistanceToInstability, LargeMargin, Scores, privacy_loss
from dpviz.charts import number_text, power_of_ten_text
from dpviz.data.examples import EXAMPLES
from dpviz.export.reproduction.claims.claim import register_claim
from dpviz.margin import NoisyMax, TopOneLaw, TopOneMechanism
from dpviz.margin.front_group import least_distance_from_best, pure_least_distance_from_best
from dpviz.margin.large_margin_parts import front_size_law
from dpviz.margin.universe_curve import half_chance_log10_zeros, huge_universe_curve
from dpviz.privacy.neighbours import move_scores

_DELTA, _ETA = 1e-6, 0.05
_MARGIN, _EXPONENTIAL = LargeMargin(epsilon=1.0, delta=_DELTA), NoisyMax(epsilon=1.0)
# of the other items, in the law from which larger universes are bounded: what passes there stays
_LISTED = 1_000


@register_claim("large_margin.exponential_mechanism")
def _exponential_mechanism() -> tuple[float, dict[str, float]]:
    law = NoisyMax(epsilon=1.0).distribution(Scores([10.0, 0.0]), zeros=998)
    return law.best_probability, {"error": law.error}


def changes_to_lose_best(people: int, universe: int) -> int:
    """Entries of (1, …, 1) to change before item 1 is not the only best of ``|{j: D_j ≥ i}|``."""

    def changes(data: tuple[int, ...]) -> int:
        return sum(entry != 1 for entry in data)

    for data in sorted(product(range(1, universe + 1), repeat=people), key=changes):
        scores = [sum(entry >= i for entry in data) for i in range(1, universe + 1)]
        if max(scores[1:]) >= scores[0]:
            return changes(data)
    return people + 1


@register_claim("large_margin.half_must_move")
def _half_must_move() -> tuple[float, dict[str, int]]:
    least = changes_to_lose_best(4, 3)
    return least / 4, {"least": least}


@register_claim("large_margin.instability_fails")
def _instability_fails() -> tuple[float, dict[str, Any]]:
    law = DistanceToInstability(epsilon=1.0, delta=_DELTA).distribution(Scores([100.0, 100.0, 0.0]))
    return law.fail, {"error": law.error, "rest": number_text(1 - law.fail)}


def margin_and_exponential_least_people(
    log10_universe: float, chance: float = 0.95
) -> tuple[int, int]:
    """Least n with which (large margin, exponential) return item 1 of (1, …, 1) with `chance`."""

    def least(mechanism: TopOneMechanism) -> int:
        def good(n: int) -> bool:
            law = mechanism.distribution(Scores([float(n)] + [0.0] * _LISTED))
            curve = huge_universe_curve(mechanism, law, 0.0, np.array([log10_universe]))
            return bool(curve.low[0] >= chance)

        return bisect_left(range(2**14), True, key=good)

    return least(_MARGIN), least(_EXPONENTIAL)


@register_claim("large_margin.range_independent")
def _range_independent() -> tuple[float, dict[str, str]]:
    needed = {size: margin_and_exponential_least_people(size) for size in (6, 30, 60, 120, 240)}
    listed = ", ".join(
        f"{margin:,} ({other:,}) at {power_of_ten_text(size)}"
        for size, (margin, other) in needed.items()
    )
    return float(needed[240][0] - needed[120][0]), {"listed": listed}


def worst_delta_and_loss(
    mechanism: LargeMargin, scores: Scores, epsilon_prime: float
) -> tuple[float, float]:
    """Largest (δ at ε', loss) over neighbours at the corners: each score moved by −1, 0 or 1."""
    losses = [
        privacy_loss(mechanism, scores, move_scores(scores, np.array(step)))
        for step in product((-1.0, 0.0, 1.0), repeat=scores.d)
        if any(step)
    ]
    delta = max(
        max(loss.delta(epsilon_prime), loss.reversed.delta(epsilon_prime)) for loss in losses
    )
    return delta, max(loss.largest for loss in losses)


@register_claim("large_margin.theorem_2")
def _theorem_2() -> tuple[float, dict[str, float]]:
    mechanism = LargeMargin(epsilon=1.0, delta=1e-3)
    delta, largest = worst_delta_and_loss(
        mechanism, Scores([230.0, 228.0, 20.0, 0.0]), mechanism.epsilon
    )
    return delta / mechanism.delta, {"largest": largest}


def _example(name: str) -> tuple[Scores, int, int]:
    """(scores, unlisted items of score zero, people)."""
    example = EXAMPLES[name]
    scores = example.scores()
    return scores, (example.universe or scores.d) - scores.d, example.people or 0


@register_claim("large_margin.theorem_3")
def _theorem_3() -> tuple[float, dict[str, Any]]:
    scores, zeros, _ = _example("bought_together")
    bound = _MARGIN.utility_bound(scores, _ETA, zeros=zeros)
    law = _MARGIN.distribution(scores, zeros=zeros)
    return law.near_best_probability(bound.distance), {"error": law.error, "bound": bound}


@register_claim("large_margin.itemsets_promise")
def _itemsets_promise() -> tuple[float, dict[str, float]]:
    scores, zeros, people = _example("bought_together")
    distance = _MARGIN.utility_bound(scores, _ETA, zeros=zeros).distance
    pairs = scores.d + zeros
    other = 2 * math.log(pairs / _ETA)
    facts = {"people": people, "occur": scores.d, "pairs": pairs}
    return other / distance, facts | {"other": other, "distance": distance}


def mean_score_loss(law: TopOneLaw, zeros: int) -> float:
    """Mean distance of the item's score below the best."""
    best = float(law.scores.values.max())
    return float(law.inclusion @ (best - law.scores.values)) + (
        law.zero_mass * best if zeros else 0.0
    )


def _compare_losses(name: str) -> tuple[float, dict[str, Any]]:
    """The mean loss of the exponential mechanism less that of large margin, and both in words."""
    scores, zeros, _ = _example(name)
    laws = [m.distribution(scores, zeros=zeros) for m in (_MARGIN, _EXPONENTIAL)]
    losses = [mean_score_loss(law, zeros) for law in laws]
    margin, other = (f"{x:.3g}" if x >= 1e-6 else "less than a millionth" for x in losses)
    error = sum(law.error for law in laws) * scores.d * float(scores.values.max())
    return losses[1] - losses[0], {"margin": margin, "other": other, "error": error}


@register_claim("large_margin.itemsets")
def _itemsets() -> tuple[float, dict[str, Any]]:
    loss, facts = _compare_losses("bought_together")
    universe = half_chance_log10_zeros(_example("bought_together")[0], 1.0, 0.0)
    size = power_of_ten_text(round(universe)) if universe else ""
    remark = f" That one would be wrong half of the time among some {size} pairs." if size else ""
    return loss, facts | {"remark": remark}


@register_claim("large_margin.learning")
def _learning() -> tuple[float, dict[str, Any]]:
    loss, facts = _compare_losses("simple_rules")
    scores, _, people = _example("simple_rules")
    facts |= {"rules": scores.d, "people": people, "bound": _MARGIN.utility_bound(scores, _ETA)}
    return loss, facts | {"promised": 2 * math.log(scores.d / _ETA)}


@register_claim("large_margin.proposition_1")
def _proposition_1() -> tuple[float, dict[str, float]]:
    printed = math.log((10**7 - 1) / 2) / 0.5
    return printed / 10, {
        "printed": printed,
        "capped": pure_least_distance_from_best(10**7, 0.5, 10),
    }


@register_claim("large_margin.theorem_1")
def _theorem_1() -> tuple[float, dict[str, str]]:
    ratios = {
        near: 6 * math.log(2 * near / 0.5) / 0.5 / least_distance_from_best(near, 0.5, 0.0, 10_000)
        for near in (100, 10_000, 1_000_000)
    }
    listed = ", ".join(f"{ratio:.1f} at ℓ = {near:,}" for near, ratio in ratios.items())
    return min(ratios.values()), {"listed": listed}


@register_claim("large_margin.lemma_3")
def _lemma_3() -> float:
    """The loss of part S where one person moves every score by 1, at every m that is near."""
    ranked, worst = np.array([60.0, 20.0, 110.0, 20.0, 110.0]), 0.0  # a test that mostly passes
    for m, step in product((20.0, 60.0, 90.0), product((-1, 1), repeat=4)):
        p, q = (
            front_size_law(1.0, m, scores, np.full(4, 10.0))
            for scores in (ranked, ranked + np.array([0, *step]))
        )
        worst = max(worst, float(np.abs(np.log(p / q)).max()))
    return worst


@register_claim("large_margin.bounded_growth")
def _bounded_growth() -> tuple[float, dict[str, int]]:
    """(1) with D = (1, …, 1): the most items that one added entry raises, beside ℓ*."""
    items, people = 1000, 1000
    growth = max(sum(entry >= i for i in range(1, items + 1)) for entry in range(1, items + 1))
    near = _MARGIN.utility_bound(Scores([people] + [0.0] * (items - 1)), _ETA).rank
    return near / growth, {"near": near, "growth": growth, "people": people}
