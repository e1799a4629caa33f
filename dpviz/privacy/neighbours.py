"""Neighbours: scores of two data sets that differ in one person.

Every score moves by at most Δ; monotonic scores all move the same way.
"""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats
from dpviz.base.scores import Scores

__all__ = ["moved_scores", "neighbouring", "random_neighbour"]


def neighbouring(scores: Scores, other: Scores) -> bool:
    """Whether one person can turn one score vector into the other.

    >>> neighbouring(Scores([3, 1], monotonic=True), Scores([4, 2], monotonic=True))
    True
    >>> neighbouring(Scores([3, 1], monotonic=True), Scores([4, 0], monotonic=True))
    False
    """
    if (scores.d, scores.sensitivity, scores.monotonic) != (other.d, other.sensitivity, other.monotonic):
        return False
    moved = other.values - scores.values
    reach = scores.sensitivity * (1 + 1e-12)
    same_way = bool((moved >= 0).all() or (moved <= 0).all())
    return bool((np.abs(moved) <= reach).all()) and (same_way or not scores.monotonic)


def moved_scores(scores: Scores, step: Floats) -> Scores:
    """The scores after item i moved by step_i·Δ, step_i in −1..1.

    >>> moved_scores(Scores([3.0, 1.0], sensitivity=2.0), np.array([1.0, -0.5])).values.tolist()
    [5.0, 0.0]
    """
    return replace(scores, values=scores.values + step * scores.sensitivity)


def random_neighbour(scores: Scores, rng: Generator, *, corner: bool = True) -> Scores:
    """A neighbour drawn at random: at a corner of what one person can do, or anywhere inside.

    At a corner each score stays or moves by the full Δ (monotonic), or moves up or down by Δ.
    """
    size = scores.d
    if scores.monotonic:
        step = rng.integers(0, 2, size).astype(float) if corner else rng.random(size)
        step *= rng.choice([-1.0, 1.0])
    else:
        step = rng.choice([-1.0, 1.0], size) if corner else rng.uniform(-1.0, 1.0, size)
    return moved_scores(scores, step)
