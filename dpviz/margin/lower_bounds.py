"""Lower bounds on the error of any private choice of one item.

Symbols: ℓ near maximisers (ℓ = K, the universe, for pure privacy), n people, distances in units of
Δ. On some data with ℓ items near the top, the item is a distance m or more below the best with
probability over ½, m = min(n/2, log((ℓ−1)/2)/ε) rounded down to whole people.
Invariant: the packing argument moves at most n/2 whole people. So m is rounded down, and the pure
bound has the n/2 that the paper omits; without it, m could exceed the range of the scores.
Source: Chaudhuri, Hsu & Song 2014, Prop 1, Thm 1 and its proof.
"""

import math

from dpviz.base import ParameterError, check_integer, check_number, check_open_interval


def largest_valid_delta(near: int, epsilon: float) -> float:
    """(1 − e^(−ε)) / (2(ℓ − 1)): up to this δ the bound for ℓ near maximisers holds."""
    near = check_integer("near", near, low=2)
    epsilon = check_open_interval("epsilon", epsilon)
    return -math.expm1(-epsilon) / (2 * (near - 1))


def distance_lower_bound(near: int, epsilon: float, delta: float, people: int) -> int:
    """The distance by which every (ε, δ)-DP choice misses on some data, half the time."""
    people = check_integer("people", people, low=2)
    ceiling = largest_valid_delta(near, epsilon)
    delta = check_number("delta", delta, low=0.0)
    if delta > ceiling:
        raise ParameterError(
            "delta",
            delta,
            f"at most {ceiling:.3g}, where the bound for {near} near maximisers holds",
        )
    return max(0, math.floor(min(people / 2, math.log((near - 1) / 2) / epsilon)))


def pure_distance_lower_bound(universe: int, epsilon: float, people: int) -> int:
    """The same for ε-DP: it grows with the universe K, however clear the best item is."""
    return distance_lower_bound(universe, epsilon, 0.0, people)
