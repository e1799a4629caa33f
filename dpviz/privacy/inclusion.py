"""Every item's chance to come out with and without a person, side by side."""

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, portion, silent
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.margin.one_item import TopOneMechanism
from dpviz.privacy.meter import check_pair
from dpviz.topk.mechanism import TopKMechanism
from dpviz.topk.one_shot import OneShot

__all__ = ["Chances", "inclusion_with_and_without"]


@dataclass(frozen=True, eq=False)
class Chances:
    """P(item comes out) in one world, within [low, high]; shape (d,), in item order; from so many draws, 0 if exact."""

    value: Floats
    low: Floats
    high: Floats
    draws: int = 0

    @classmethod
    def within(cls, value: Floats, error: float) -> "Chances":
        """From values that are right to `error`."""
        return cls(value, np.maximum(value - error, 0.0), np.minimum(value + error, 1.0))


def inclusion_with_and_without(
    mechanism: Any, scores: Any, neighbour: Any, *, progress: Progress = silent
) -> tuple[Chances, Chances]:
    """The chances of every item on `scores` and on `neighbour`, with their bounds (95 % where estimated).

    Items are the k chosen, queries that are answered, or candidates. Raises `ParameterError` as `privacy_loss`.

    >>> from dpviz import Canonical, Scores
    >>> s, t = (Scores([top, 0.0], monotonic=True) for top in (1.0, 2.0))
    >>> with_, without = inclusion_with_and_without(Canonical(epsilon=1.0, k=1), s, t)
    >>> with_.value.round(4).tolist(), without.value.round(4).tolist()
    ([0.6225, 0.3775], [0.7311, 0.2689])
    """
    check_pair(mechanism, scores, neighbour)
    return (
        _chances(mechanism, scores, portion(progress, 0.0, 0.5)),
        _chances(mechanism, neighbour, portion(progress, 0.5, 1.0)),
    )


@singledispatch
def _chances(mechanism: Any, scores: Any, progress: Progress) -> Chances:
    raise ParameterError("mechanism", mechanism, "a mechanism or rule of one of the menus")


@_chances.register
def _(mechanism: TopKMechanism, scores: Any, progress: Progress) -> Chances:
    dist = mechanism.distribution(scores, progress=progress)
    value = dist.inclusion
    return Chances(value, *dist.bounds(value), dist.draws)


@_chances.register
def _(mechanism: NoisyTopKWithGap, scores: Any, progress: Progress) -> Chances:
    same = OneShot(epsilon=mechanism.epsilon, k=mechanism.k, noise="laplace")
    return _chances(same, replace(scores, contributions=None), progress)  # its noise is the same whatever they are


@_chances.register
def _(mechanism: ThresholdMechanism, scores: Any, progress: Progress) -> Chances:
    law = mechanism.distribution(scores, progress=progress)
    return Chances.within(law.answered, law.error)


@_chances.register
def _(mechanism: TopOneMechanism, scores: Any, progress: Progress) -> Chances:
    law = mechanism.distribution(scores, progress=progress)
    return Chances.within(law.inclusion, law.error)


@_chances.register
def _(rule: CandidateRule, pool: CandidatePool, progress: Progress) -> Chances:
    law = rule.distribution(pool, progress=progress)
    return Chances.within(law.candidate, law.error)
