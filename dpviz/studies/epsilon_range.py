"""Range of ε for a slider, from a few releases of the sampler, and an ε between its ends."""

import math
from collections.abc import Callable

import numpy as np

from dpviz.base import Bools, ParameterError, Scores
from dpviz.topk import TopKMechanism

_LOWEST, _HIGHEST = 1e-9, 1e4
_HALVINGS = 6
_FEW = 8  # releases that are all right where it ends
_DRAWN = 120  # names, in all releases together, by which it is told where it begins
_LITTLE = 0.04  # of the way from chance to the best
_BESIDE = 1.5  # times as far on either side
_NARROWEST = 30.0  # times the low end
_USUAL = (0.01, 100.0)
_MOST_BY_CHANCE, _NEAR_HALF, _LOOKS = 0.75, 0.1, 40
_LARGE = 200_000  # d·k from which on only a swift mechanism is asked


def find_epsilon_range(mechanism: TopKMechanism, scores: Scores) -> tuple[float, float]:
    """(low, high); the mechanism's own ε is ignored.

    >>> from dpviz import Canonical
    >>> low, high = find_epsilon_range(Canonical(epsilon=1.0, k=1), Scores([20.0, 10.0, 0.0]))
    >>> low < 0.05, 0.3 < high < 5.0
    (True, True)
    """
    if scores.d * mechanism.k > _LARGE and not mechanism.swift:
        return _USUAL
    best, d = scores.tie_counts(mechanism.k)[1], scores.d

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


def _crossing(passed: Callable[[float], bool]) -> float:
    low, high = math.log(_LOWEST), math.log(_HIGHEST)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if passed(math.exp(middle)) else (middle, high)
    return math.exp((low + high) / 2)


def find_even_epsilon(mechanism: TopKMechanism, scores: Scores) -> float | None:
    """ε at which the expected share right is halfway from chance to all; None where chance is high.

    >>> from dpviz import Canonical
    >>> find_even_epsilon(Canonical(epsilon=1.0, k=1), Scores([20.0, 10.0, 0.0]))
    0.148
    """
    chance = scores.tie_counts(mechanism.k)[1] / scores.d
    if chance > _MOST_BY_CHANCE:
        return None
    low, high = math.log(_LOWEST), math.log(_HIGHEST)
    for _ in range(_LOOKS):
        epsilon = float(f"{math.exp((low + high) / 2):.4g}")
        law = mechanism.replace(epsilon=epsilon).distribution(scores)
        way = (law.expected_hits / mechanism.k - chance) / (1 - chance)
        if abs(way - 0.5) <= _NEAR_HALF:
            break
        low, high = (low, math.log(epsilon)) if way > 0.5 else (math.log(epsilon), high)
    return epsilon
