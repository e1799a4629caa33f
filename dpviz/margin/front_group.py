"""The front group of scores for large margin, its theorems' promises, and limits for all mechanisms.

Symbols: raw scores f in descending order; drop_r = f_1 − f_(r+1), margin_r = Δ·T_r without noise; ℓ
near maximisers (all K items for pure privacy), n people. On some data with ℓ items near the top any
choice is m·Δ or more below the best with probability over ½, m = min(n/2, log((ℓ−1)/2)/ε).
Invariant: the packing argument moves at most n/2 whole people. So m is rounded down, and the pure
bound has the n/2 that the paper omits; without it, m could exceed the range of the scores.
Source: Chaudhuri, Hsu & Song 2014, Alg 1, Thm 1, Thm 3, Prop 1.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    Progress,
    Scores,
    check_integer,
    check_number,
    check_open_interval,
    ignore_progress,
    iterate_with_progress,
    round_down,
    tally,
)
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.top_one import TopOneLaw, check_zero_count

_ETAS = np.array(
    [0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0.001, 1e-4]
)
_SIZES_A_DECADE = 12


@dataclass(frozen=True, eq=False)
class FrontGroup:
    """drop_r and margin_r for r = 1..; `rank` is the first r whose drop passes its margin."""

    drop: Floats
    margin: Floats
    rank: int | None


def front_group(mechanism: LargeMargin, scores: Scores, *, zeros: int = 0) -> FrontGroup:
    zeros = check_zero_count(scores, zeros)
    ranked = scores.values[scores.order]
    drop: Floats = ranked[0] - np.append(ranked[1:], [0.0] if zeros else [])
    margin: Floats = mechanism.required_margins(len(drop) + 1) * scores.sensitivity
    clear = np.flatnonzero(drop > margin)
    return FrontGroup(drop, margin, int(clear[0]) + 1 if len(clear) else None)


def distance_from_best_cdf(law: TopOneLaw) -> tuple[Floats, Floats]:
    """(distance, P(the item's raw score is within `distance` of the best)), ascending from 0."""
    values, mass = law.scores.values, law.inclusion
    if law.zeros:
        values, mass = np.append(values, 0.0), np.append(mass, law.zero_mass)
    level, group = np.unique(-values, return_inverse=True)
    return level - level[0], np.minimum(np.cumsum(tally(group, mass)), 1.0)


def utility_guarantee_curve(
    mechanism: LargeMargin, scores: Scores, *, zeros: int = 0, progress: Progress = ignore_progress
) -> tuple[Floats, Floats]:
    bounds = [
        mechanism.utility_bound(scores, eta, zeros=zeros)
        for eta, _ in iterate_with_progress(_ETAS.tolist(), progress)
    ]
    return np.array([bound.distance for bound in bounds]), np.array(
        [bound.probability for bound in bounds]
    )


@dataclass(frozen=True, eq=False)
class DistanceLowerBounds:
    """Distances, in units of Δ, by which any mechanism misses half the time on some data."""

    near: Ints
    pure: Ints
    approximate: Ints
    promise: Floats

    @property
    def valid_point_count(self) -> int:
        """Number of entries of `near` for which the (ε, δ)-DP bound holds."""
        return len(self.approximate)


def largest_valid_delta(near_best_count: int, epsilon: float) -> float:
    """(1 − e^(−ε)) / (2(ℓ − 1)): up to this δ the bound for ℓ near maximisers holds."""
    near_best_count = check_integer("near", near_best_count, low=2)
    epsilon = check_open_interval("epsilon", epsilon)
    return -math.expm1(-epsilon) / (2 * (near_best_count - 1))


def least_distance_from_best(
    near_best_count: int, epsilon: float, delta: float, people: int
) -> int:
    """The distance by which every (ε, δ)-DP choice misses on some data, half the time."""
    people = check_integer("people", people, low=2)
    ceiling = largest_valid_delta(near_best_count, epsilon)
    delta = check_number("delta", delta, low=0.0)
    if delta > ceiling:
        raise ParameterError(
            "delta",
            delta,
            f"at most {round_down(ceiling):g}, where the bound for {near_best_count} near maximisers holds",
        )
    return max(0, math.floor(min(people / 2, math.log((near_best_count - 1) / 2) / epsilon)))


def pure_least_distance_from_best(universe: int, epsilon: float, people: int) -> int:
    """The same for ε-DP: it grows with the universe K, however clear the best item is."""
    return least_distance_from_best(universe, epsilon, 0.0, people)


def distance_lower_bounds(
    epsilon: float, delta: float, universe: int, people: int
) -> DistanceLowerBounds:
    check_open_interval("epsilon", epsilon)
    check_open_interval("delta", delta)
    universe = check_integer("universe", universe, low=3)
    points = 2 + int(_SIZES_A_DECADE * np.log10(universe / 3))
    near: Ints = np.unique(np.rint(np.geomspace(3, universe, points)).astype(np.int64))
    within_reach = [n for n in near.tolist() if delta <= largest_valid_delta(n, epsilon)]
    return DistanceLowerBounds(
        near=near,
        pure=np.array([pure_least_distance_from_best(n, epsilon, people) for n in near.tolist()]),
        approximate=np.array(
            [least_distance_from_best(n, epsilon, delta, people) for n in within_reach], np.int64
        ),
        promise=6 / epsilon * np.log(4 * near),
    )
