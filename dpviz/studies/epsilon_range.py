"""Range of ε for a slider, from a few releases of the sampler, and an ε between its ends."""

import math
from collections.abc import Callable

import numpy as np

from dpviz.base import Bools, ParameterError, Scores
from dpviz.numerics.interval_search import bisect
from dpviz.topk import TopKMechanism

_LOWEST, _HIGHEST = 1e-9, 1e4
_HALVINGS = 6
_FEW = 8  # releases that are all right where it ends
_DRAWN = 120  # names, in all releases together, by which it is told where it begins
_LITTLE = 0.04  # of the way from chance to the best
_BESIDE = 1.5  # times as far on either side
_NARROWEST = 30.0  # times the low end
_USUAL = (0.01, 100.0)
_MOST_BY_CHANCE, _FINE_HALVINGS = 0.75, 20
_LARGE = 200_000  # d·k from which on only a swift mechanism is asked


def find_epsilon_range(mechanism: TopKMechanism, scores: Scores) -> tuple[float, float]:
    """(low, high) of ε for a slider; the mechanism's own ε is ignored."""
    if scores.d * mechanism.k > _LARGE and not mechanism.swift:
        return _USUAL
    best, d = scores.tie_counts(mechanism.k).at_or_above, scores.d

    def right(epsilon: float, size: int) -> Bools:
        rng = np.random.default_rng(0)  # the same luck at every ε
        items = mechanism.replace(epsilon=epsilon).sample(scores, size, rng=rng)
        return (items >= 0) & (scores.rank[items] < best)

    size, chance = max(1, math.ceil(_DRAWN / mechanism.k)), best / d
    try:
        most = right(_HIGHEST, _FEW).mean() if mechanism.shorter else 1.0
        least = 0.0 if mechanism.shorter else chance
        low = _crossing(
            lambda epsilon: bool(right(epsilon, size).mean() > least + _LITTLE * (most - least))
        )
        high = _crossing(lambda epsilon: bool(right(epsilon, _FEW).mean() >= most))
    except ParameterError:  # its own parameters do not hold at so wide a range of ε
        return _USUAL
    high = max(high, low) * _BESIDE
    return max(min(low / _BESIDE, high / _NARROWEST), _LOWEST), min(high, _HIGHEST)


def _crossing(passed: Callable[[float], bool], halvings: int = _HALVINGS) -> float:
    ends = math.log(_LOWEST), math.log(_HIGHEST)
    return math.exp(sum(bisect(lambda at: passed(math.exp(at)), *ends, rounds=halvings)) / 2)


def find_epsilon_halfway_from_chance(mechanism: TopKMechanism, scores: Scores) -> float:
    """ε at which the expected share right is halfway from chance to all."""
    chance = scores.tie_counts(mechanism.k).at_or_above / scores.d
    if chance > _MOST_BY_CHANCE:
        raise ParameterError(
            "k", mechanism.k, "smaller, as chance alone gets most of this list right"
        )
    half = mechanism.k * (1 + chance) / 2
    epsilon = _crossing(
        lambda epsilon: (
            mechanism.replace(epsilon=epsilon).distribution(scores).expected_hits > half
        ),
        _FINE_HALVINGS,
    )
    return float(f"{epsilon:.4g}")
