"""Neighbours: scores of two data sets that differ in one person.

Every score moves by at most Δ; monotonic scores all move the same way.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress, silent
from dpviz.base.scores import Scores
from dpviz.topk.mechanism import TopKMechanism

__all__ = ["RealisedLoss", "moved_scores", "neighbouring", "random_neighbour", "realised_loss"]


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


def realised_loss(
    mechanism: TopKMechanism, scores: Scores, neighbour: Scores, *, progress: Progress = silent
) -> RealisedLoss:
    """`privacy_loss(...).largest` under its old name.

    >>> from dpviz import Canonical
    >>> m = Canonical(epsilon=1.0, k=1, gamma=1.0)
    >>> round(realised_loss(m, Scores([1.0, 0.0]), Scores([0.0, 1.0])).loss, 6)
    0.5
    """
    from dpviz.privacy.meter import privacy_loss  # noqa: PLC0415 - this name gives way to it

    loss = privacy_loss(mechanism, scores, neighbour, progress=progress)
    return RealisedLoss(loss.largest, loss.output.items, mechanism.epsilon)
