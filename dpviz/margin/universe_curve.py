"""The chance of a good item as the universe grows: K items, most of them unlisted zeros.

Symbols: good = within `distance` of the best raw score; d listed items; q = ε/2·f/Δ_eff.
Invariant: up to ten million unlisted items every figure is exact. Beyond, large margin lies between
two bounds: decisions among the listed ranks stay, and further tests rarely pass.
Source: the range-dependence of Chaudhuri, Hsu & Song 2014, Sec 2.2, 3.3; the bounds are ours.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from dpviz.base import (
    Floats,
    Ints,
    Progress,
    ReadOnlyArrays,
    Scores,
    check_number,
    ignore_progress,
    iterate_with_progress,
    scaled_differences,
)
from dpviz.margin.baselines import NoisyMax
from dpviz.margin.generalised_exponential import GeneralisedExponential
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.top_one import (
    TopOneLaw,
    TopOneMechanism,
    check_zero_count,
    scores_and_zero_below_best,
)

MOST_UNLISTED = 10_000_000
_SIZES_A_DECADE = 4


@dataclass(frozen=True, eq=False)
class GoodItemCurve(ReadOnlyArrays):
    """P(a good item), between `low` and `high`, for a universe of 10 to the power of `log10_size`."""

    log10_size: Floats
    low: Floats
    high: Floats


def default_distance(scores: Scores) -> float:
    """A tenth of the spread of the scores, unlisted zeros included, to two figures.

    >>> default_distance(Scores([1234.0, 800.0]))
    120.0
    """
    spread = float(scores.values.max()) - min(float(scores.values.min()), 0.0)
    return float(f"{0.1 * spread:.2g}")


def universe_sizes(listed_count: int) -> Ints:
    """Sizes from d to d + 10,000,000, even in proportion."""
    points = 2 + int(_SIZES_A_DECADE * math.log10((listed_count + MOST_UNLISTED) / listed_count))
    return np.unique(
        np.rint(np.geomspace(listed_count, listed_count + MOST_UNLISTED, points)).astype(np.int64)
    )


def universe_curve(
    mechanism: TopOneMechanism,
    scores: Scores,
    distance: float,
    sizes: Ints,
    progress: Progress = ignore_progress,
) -> tuple[GoodItemCurve, TopOneLaw]:
    """The exact chance of a good item as the universe grows."""
    check_zero_count(scores, int(sizes[-1]) - scores.d)
    chance = np.empty(len(sizes))
    for i, (size, part) in enumerate(iterate_with_progress(sizes.tolist(), progress)):
        law = mechanism.distribution(scores, zeros=size - scores.d, progress=part)
        chance[i] = law.near_best_probability(distance)
    return GoodItemCurve(np.log10(sizes), chance, chance), law


def half_chance_log10_zeros(scores: Scores, epsilon: float, distance: float) -> float | None:
    """log10 of the unlisted items at which the exponential mechanism is good half of the time."""
    best = float(scores.values.max())
    if best <= distance:
        return None
    q = epsilon / 2 * scaled_differences(scores.values, best, scores.effective_sensitivity)
    good = scores.values >= best - distance
    chosen = float(scipy.special.logsumexp(q[good]))
    others = float(scipy.special.logsumexp(q[~good])) if not good.all() else -math.inf
    zero = epsilon / 2 * (-best / scores.effective_sensitivity)
    return (
        None
        if others >= chosen
        else (chosen - zero + math.log1p(-math.exp(others - chosen))) / math.log(10)
    )


def huge_universe_curve(
    mechanism: TopOneMechanism, law: TopOneLaw, distance: float, log10_zeros: Floats
) -> GoodItemCurve:
    """The chance of a good item in universes of any size; exact for noisy max, by log K."""
    distance = check_number("distance", distance, low=0.0)
    chance = np.full(len(log10_zeros), law.near_best_probability(distance))
    least_good = law.scores.values.max() - distance
    if least_good > 0 and isinstance(mechanism, LargeMargin):
        return _large_margin_bounds(mechanism, law, distance, log10_zeros)
    if least_good > 0 and isinstance(mechanism, NoisyMax | GeneralisedExponential):
        for i, log_zeros in enumerate((log10_zeros * math.log(10)).tolist()):
            chance[i] = mechanism.near_best_probability(law.scores, distance, log_zeros)
    return GoodItemCurve(log10_zeros, chance, chance)


def _large_margin_bounds(
    mechanism: LargeMargin, law: TopOneLaw, distance: float, log10_zeros: Floats
) -> GoodItemCurve:
    """Bounds for large margin with at least the zeros of `law`."""
    s, zero = scores_and_zero_below_best(law.scores)
    best, d, epsilon = -zero, law.scores.d, mechanism.epsilon
    weight = epsilon / 6 * s
    ranked = law.scores.values[law.scores.order]
    log_good = float(scipy.special.logsumexp(weight[ranked >= ranked[0] - distance]))
    log_listed = float(scipy.special.logsumexp(weight))

    def among(log_zeros: Floats) -> Floats:
        return np.exp(log_good - np.logaddexp(log_listed, log_zeros - epsilon / 6 * best))

    # g(z) = `among` falls with z. Of the chance q that no test within `law` passes, at most u_K can
    # go to tests from K on, the rest to g(z); q is unknown, but beyond − u_d ≤ q ≤ beyond
    from_listed, from_here = (mechanism.pass_probability_bound(k, best) for k in (d, d + law.zeros))
    now = law.near_best_probability(distance)
    beyond = law.beyond if law.zeros or law.rank_law is None else float(law.rank_law[-1])
    fall = among(np.log([max(law.zeros, 1e-300)])) - among(log10_zeros * math.log(10))
    low = np.clip(now - beyond * fall, 0.0, 1.0)
    high = now - max(0.0, beyond - from_listed) * fall + from_here
    return GoodItemCurve(log10_zeros, low, np.clip(high, low, now))
