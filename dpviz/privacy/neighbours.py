"""Neighbours: scores of two data sets that differ in one person.

Symbols: x, x' = scores of two data sets that differ in one person.
Neighbours: every score moves by at most Δ; monotonic scores all move the same way. Where one person counts in at
most c items, at most c scores move if they are monotonic, else 2c: one person's items and another's.
"""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores

_TOLD = ("d", "sensitivity", "monotonic", "contributions")


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


def moved_scores(scores: Scores, step: Floats) -> Scores:
    """The scores after item i moved by step_i·Δ, step_i in −1..1.

    >>> moved_scores(Scores([3.0, 1.0], sensitivity=2.0), np.array([1.0, -0.5])).values.tolist()
    [5.0, 0.0]
    """
    return replace(scores, values=scores.values + step * scores.sensitivity)


def possible(scores: Scores, step: Floats) -> Floats:
    """The step without what no person can do: counts (monotonic scores that are not negative) never fall below 0.

    >>> possible(Scores([1.0, 0.0], monotonic=True), np.array([-1.0, -1.0])).tolist()
    [-1.0, 0.0]
    """
    counts = scores.monotonic and bool((scores.values >= 0).all())
    return np.where(counts & (scores.values + step * scores.sensitivity < 0), 0.0, step)


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
    return moved_scores(scores, step)
