"""Privacy in figures: neighbouring scores, the realised loss between them, and odds.

Symbols: x, x' = scores of two data sets that differ in one person; realised loss = max over outputs y of
|log P(y|x) − log P(y|x')|, which a pure ε-DP mechanism keeps at or below ε for every pair.
Neighbours: every score moves by at most Δ; monotonic scores all move the same way. Where one person counts in at
most c items, at most c scores move if they are monotonic, else 2c: one person's items and another's.
"""

import math
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.random import Generator

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_number
from dpviz.base.progress import Progress, silent
from dpviz.base.scores import Scores
from dpviz.topk.mechanism import TopKMechanism

__all__ = [
    "RealisedLoss",
    "guess_bound",
    "most_moved",
    "neighbouring",
    "posterior_bound",
    "random_neighbour",
    "realised_loss",
]

_MOST_OUTPUTS = 20_000
_TOLD = ("d", "sensitivity", "monotonic", "contributions")


@dataclass(frozen=True)
class RealisedLoss:
    """The largest |log P(y|x) − log P(y|x')| and the output y (item indices) that shows it."""

    loss: float
    items: tuple[int, ...]
    epsilon: float


def neighbouring(scores: Scores, other: Scores) -> bool:
    """Whether one person can turn one score vector into the other.

    >>> neighbouring(Scores([3, 1], monotonic=True), Scores([4, 2], monotonic=True))
    True
    >>> neighbouring(Scores([3, 1], monotonic=True), Scores([4, 0], monotonic=True))
    False
    """
    if any(getattr(scores, told) != getattr(other, told) for told in _TOLD):
        return False
    moved = other.values - scores.values
    reach = scores.sensitivity * (1 + 1e-12)
    same_way = bool((moved >= 0).all() or (moved <= 0).all())
    few = int(np.count_nonzero(moved)) <= most_moved(scores)
    return few and bool((np.abs(moved) <= reach).all()) and (same_way or not scores.monotonic)


def most_moved(scores: Scores) -> int:
    """How many scores can differ between neighbours.

    >>> most_moved(Scores([5, 4, 3, 2, 1], contributions=2)), most_moved(Scores([3, 2, 1], monotonic=True))
    (4, 3)
    """
    if scores.contributions is None:
        return scores.d
    return min(scores.d, scores.contributions if scores.monotonic else 2 * scores.contributions)


def random_neighbour(scores: Scores, rng: Generator, *, corner: bool = True) -> Scores:
    """A neighbour drawn at random: at a corner of what one person can do, or anywhere inside.

    At a corner each score stays or moves by the full Δ (monotonic), or moves up or down by Δ. Where one person
    counts for few items, the others stay.
    """
    size = scores.d
    if scores.monotonic:
        step = rng.integers(0, 2, size).astype(float) if corner else rng.random(size)
        step *= rng.choice([-1.0, 1.0])
    else:
        step = rng.choice([-1.0, 1.0], size) if corner else rng.uniform(-1.0, 1.0, size)
    if (few := most_moved(scores)) < size:
        step[rng.permutation(size)[few:]] = 0.0
    return replace(scores, values=scores.values + step * scores.sensitivity)


def realised_loss(
    mechanism: TopKMechanism, scores: Scores, neighbour: Scores, *, progress: Progress = silent
) -> RealisedLoss:
    """The realised loss between two score vectors, by going through every possible output.

    Needs an exact law and at most 20,000 outputs; raises `ParameterError` otherwise, and where the two
    are not neighbours.

    >>> from dpviz import Canonical
    >>> m = Canonical(epsilon=1.0, k=1, gamma=1.0)
    >>> round(realised_loss(m, Scores([1.0, 0.0]), Scores([0.0, 1.0])).loss, 6)
    0.5
    """
    if not neighbouring(scores, neighbour):
        raise ParameterError("neighbour", neighbour, "scores that one person can make of the first ones")
    outputs = math.comb(scores.d, mechanism.k)
    if outputs > _MOST_OUTPUTS:
        raise ParameterError("the number of possible outputs", outputs, f"at most {_MOST_OUTPUTS:,}")
    here, there = mechanism.distribution(scores), mechanism.distribution(neighbour)
    if here.draws or there.draws:
        raise ParameterError("mechanism", mechanism, "one with an exact law on these scores")
    worst, shown = -math.inf, tuple(range(mechanism.k))
    for number, items in enumerate(combinations(range(scores.d), mechanism.k)):
        p, q = here.log_probability(items), there.log_probability(items)
        loss = 0.0 if p == q else abs(p - q)  # equal also where both are impossible
        if loss > worst:
            worst, shown = loss, items
        if number % 64 == 0:
            progress(number / outputs)
    progress(1.0)
    return RealisedLoss(worst, shown, mechanism.epsilon)


def posterior_bound(prior: float, epsilon: float) -> float:
    """What a belief of `prior` that a person is in the data can become at most, under pure ε-DP.

    Formula: p·e^ε / (p·e^ε + 1 − p).

    >>> round(posterior_bound(0.5, math.log(3)), 6)
    0.75
    """
    prior = check_number("prior", prior, low=0.0, high=1.0)
    epsilon = check_number("epsilon", epsilon, low=0.0)
    return prior / (prior + (1 - prior) * math.exp(-epsilon)) if prior else 0.0


def guess_bound(epsilon: float, delta: float = 0.0) -> float:
    """How often a guesser at 50/50 can be right at most about one person: (e^ε + δ)/(1 + e^ε).

    >>> round(guess_bound(math.log(3)), 6)
    0.75
    """
    epsilon = check_number("epsilon", epsilon, low=0.0)
    delta = check_number("delta", delta, low=0.0, high=1.0)
    return (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))
