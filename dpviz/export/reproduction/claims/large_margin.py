"""Claims of Chaudhuri, Hsu & Song 2014 on the universe's size and the large margin mechanism.

Symbols: scores are numbers of people, so Δ = 1 and the paper's f is a score over n; α there is ε
here; K items in all.
"""

import math
from bisect import bisect_left
from itertools import product

import numpy as np

from dpviz import DistanceToInstability, LargeMargin, privacy_loss
from dpviz.base import Scores
from dpviz.charts import number_text, power_of_ten
from dpviz.data.examples import EXAMPLES
from dpviz.export.reproduction.claims.claim import Finding, register_claim
from dpviz.margin import NoisyMax, TopOneLaw, TopOneMechanism
from dpviz.margin.lower_bounds import distance_lower_bound, pure_distance_lower_bound
from dpviz.margin.universe_curve import half_chance_log10_zeros, huge_universe_curve
from dpviz.privacy.neighbours import move_scores

_DELTA, _ETA = 1e-6, 0.05
_MARGIN, _EXPONENTIAL = LargeMargin(epsilon=1.0, delta=_DELTA), NoisyMax(epsilon=1.0)
# of the other items, in the law from which larger universes are bounded: what passes there stays
_LISTED = 1_000


@register_claim("large_margin.exponential_mechanism")
def _exponential_mechanism() -> Finding:
    law = NoisyMax(epsilon=1.0).distribution(Scores([10.0, 0.0]), zeros=998)
    return Finding(
        values={"": law.best_probability},
        error=law.error,
        why="The law itself, 998 of the 999 others left unlisted.",
    )


def changes_to_lose_best(people: int, universe: int) -> int:
    """Entries of D = (1, …, 1) to change before item 1 is not the only best of ``|{j: D_j ≥ i}|``."""

    def changes(data: tuple[int, ...]) -> int:
        return sum(entry != 1 for entry in data)

    for data in sorted(product(range(1, universe + 1), repeat=people), key=changes):
        scores = [sum(entry >= i for entry in data) for i in range(1, universe + 1)]
        if max(scores[1:]) >= scores[0]:
            return changes(data)
    return people + 1


@register_claim("large_margin.half_must_move")
def _half_must_move() -> Finding:
    least = changes_to_lose_best(4, 3)
    return Finding(
        values={"share of the people who must move": least / 4},
        why=(
            f"All {least} of 4 (K = 3, all data enumerated): item 1 is at least as good as any"
            " other on all data."
        ),
    )


@register_claim("large_margin.instability_fails")
def _instability_fails() -> Finding:
    law = DistanceToInstability(epsilon=1.0, delta=_DELTA).distribution(Scores([100.0, 100.0, 0.0]))
    return Finding(
        values={"chance of Fail": law.fail},
        error=law.error,
        why=f"n = 100, ε = 1, δ = 10⁻⁶: all but {number_text(1 - law.fail)}.",
    )


def least_people(log10_universe: float, chance: float = 0.95) -> tuple[int, int]:
    """Least n for which (large margin, exponential) return item 1 of D = (1, …, 1) with `chance`."""

    def least(mechanism: TopOneMechanism) -> int:
        def good(n: int) -> bool:
            law = mechanism.distribution(Scores([float(n)] + [0.0] * _LISTED))
            curve = huge_universe_curve(mechanism, law, 0.0, np.array([log10_universe]))
            return bool(curve.low[0] >= chance)

        return bisect_left(range(2**14), True, key=good)

    return least(_MARGIN), least(_EXPONENTIAL)


@register_claim("large_margin.range_independent")
def _range_independent() -> Finding:
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
    """Largest (δ(`at`), loss) over the neighbours at the corners of what one replaced person does.

    The loss is that of outcomes likelier than the laws' errors.
    """
    losses = [
        privacy_loss(mechanism, scores, move_scores(scores, np.array(step)))
        for step in product((-1.0, 0.0, 1.0), repeat=scores.d)
        if any(step)
    ]
    delta = max(max(loss.delta(at), loss.reversed.delta(at)) for loss in losses)
    return delta, max(loss.largest for loss in losses)


@register_claim("large_margin.theorem_2")
def _theorem_2() -> Finding:
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
    return scores, (example.universe or scores.d) - scores.d, example.people or 0


@register_claim("large_margin.theorem_3")
def _theorem_3() -> Finding:
    scores, zeros, _ = _example("bought_together")
    bound = _MARGIN.utility_bound(scores, _ETA, zeros=zeros)
    law = _MARGIN.distribution(scores, zeros=zeros)
    return Finding(
        values={"": law.near_best_probability(bound.distance)},
        error=law.error,
        why=(
            f"ℓ* = {bound.rank}, {bound.distance:.1f} people: far from tight. The margin asked for,"
            f" printed with log(3/n), has log(3/η), here {bound.margin_needed:.0f} people."
        ),
    )


@register_claim("large_margin.itemsets_promise")
def _itemsets_promise() -> Finding:
    scores, zeros, people = _example("bought_together")
    bound = _MARGIN.utility_bound(scores, _ETA, zeros=zeros)
    other = 2 * math.log((scores.d + zeros) / _ETA)
    return Finding(
        values={"the exponential mechanism’s distance over large margin’s": other / bound.distance},
        why=(
            f"{people:,} people, {scores.d:,} of {scores.d + zeros:,} pairs occur, ε = 1, η = 0.05:"
            f" within {other:.1f} people of the best against {bound.distance:.1f}."
        ),
    )


def mean_score_loss(law: TopOneLaw, zeros: int) -> float:
    """Mean distance of the item's score below the best."""
    best = float(law.scores.values.max())
    return float(law.inclusion @ (best - law.scores.values)) + (
        law.zero_mass * best if zeros else 0.0
    )


def _nearer(name: str, lost: str, why: str) -> Finding:
    """Compare mean losses in an example; `why` has a place for each."""
    scores, zeros, _ = _example(name)
    laws = [m.distribution(scores, zeros=zeros) for m in (_MARGIN, _EXPONENTIAL)]
    margin, other = (mean_score_loss(law, zeros) for law in laws)
    told = (f"{loss:.3g}" if loss >= 1e-6 else "less than a millionth" for loss in (margin, other))
    return Finding(
        values={f"{lost} lost on average, exponential mechanism less large margin": other - margin},
        error=sum(law.error for law in laws) * scores.d * float(scores.values.max()),
        why=why.format(*told),
    )


@register_claim("large_margin.itemsets")
def _itemsets() -> Finding:
    universe = half_chance_log10_zeros(_example("bought_together")[0], 1.0, 0.0)
    size = power_of_ten(round(universe)) if universe else ""
    return _nearer(
        "bought_together",
        "people",
        "In the same example {} people are lost with large margin and {} with the exponential"
        " mechanism, which spends all of ε on the choice, large margin a third of it."
        + (f" That one would be wrong half of the time among some {size} pairs." if size else ""),
    )


@register_claim("large_margin.learning")
def _learning() -> Finding:
    scores, _, people = _example("simple_rules")
    bound = _MARGIN.utility_bound(scores, _ETA)
    return _nearer(
        "simple_rules",
        "examples",
        f"{scores.d:,} simple rules, {people:,} examples, ε = 1: {{}} more examples wrong than with"
        f" the best rule, against {{}}. Promised are {bound.distance:.1f} (ℓ* = {bound.rank})"
        f" against {2 * math.log(scores.d / _ETA):.1f}.",
    )


@register_claim("large_margin.proposition_1")
def _proposition_1() -> Finding:
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


@register_claim("large_margin.theorem_1")
def _theorem_1() -> Finding:
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
