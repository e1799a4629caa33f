"""`privacy_loss`: how far apart two neighbouring worlds are, for every mechanism of every menu.

The way to it goes by the mechanism's type; a new kind of mechanism is one line in the list below.
"""

from collections.abc import Callable
from functools import singledispatch
from typing import Any

from dpviz.base.errors import ParameterError
from dpviz.base.progress import Progress, silent
from dpviz.base.scores import Scores
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule
from dpviz.gaps.noisy_top_k import NoisyTopKWithGap
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.margin.instability import DistanceToInstability
from dpviz.margin.one_item import TopOneMechanism
from dpviz.privacy.answers import answers_loss
from dpviz.privacy.candidates import candidates_loss
from dpviz.privacy.gaps import gap_loss
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.neighbours import neighbouring
from dpviz.privacy.one_item import instability_loss, one_item_loss
from dpviz.privacy.top_k import canonical_loss, top_k_loss
from dpviz.topk.canonical import Canonical
from dpviz.topk.mechanism import TopKMechanism

__all__ = ["privacy_loss"]


def privacy_loss(mechanism: Any, scores: Any, neighbour: Any, *, progress: Progress = silent) -> PrivacyLoss:
    """The privacy loss of one release of `mechanism` between `scores` and `neighbour`: see `PrivacyLoss`.

    Both are `Scores` that one person can turn into each other; for a rule among private candidates, two
    `CandidatePool`s. `progress` is told the fraction done and may raise `Cancelled`.
    Raises `ParameterError` where they are no neighbours, or the mechanism has no exact law on them.

    >>> from dpviz import Canonical
    >>> s = Scores([5, 3, 1], monotonic=True)
    >>> round(privacy_loss(Canonical(epsilon=1.0, k=1), s, Scores([6, 3, 2], monotonic=True)).largest, 4)
    0.3987
    """
    return _loss(mechanism, scores, neighbour, progress)


@singledispatch
def _loss(mechanism: Any, scores: Any, neighbour: Any, progress: Progress) -> PrivacyLoss:
    raise ParameterError("mechanism", mechanism, "a mechanism or rule of one of the menus")


def _between_scores(way: Callable[[Any, Scores, Scores, Progress], PrivacyLoss]) -> Callable[..., PrivacyLoss]:
    """`way`, once it is sure that one person can turn the one vector into the other."""

    def checked(mechanism: Any, scores: Any, neighbour: Any, progress: Progress) -> PrivacyLoss:
        for name, given in (("scores", scores), ("neighbour", neighbour)):
            if not isinstance(given, Scores):
                raise ParameterError(name, given, "a dpviz.Scores")
        if not neighbouring(scores, neighbour):
            raise ParameterError("neighbour", neighbour, "scores that one person can make of the first ones")
        return way(mechanism, scores, neighbour, progress)

    return checked


def _between_pools(rule: Any, pool: Any, neighbour: Any, progress: Progress) -> PrivacyLoss:
    """For pools of as many candidates, each pair of which is one candidate with and without a person."""
    for name, given in (("scores", pool), ("neighbour", neighbour)):
        if not isinstance(given, CandidatePool):
            raise ParameterError(name, given, "a dpviz CandidatePool")
    if pool.size != neighbour.size:
        raise ParameterError("the number of candidates of neighbour", neighbour.size, f"{pool.size}, as in the first")
    return candidates_loss(rule, pool, neighbour, progress)


_loss.register(TopKMechanism, _between_scores(top_k_loss))
_loss.register(Canonical, _between_scores(canonical_loss))
_loss.register(NoisyTopKWithGap, _between_scores(gap_loss))
_loss.register(ThresholdMechanism, _between_scores(answers_loss))
_loss.register(TopOneMechanism, _between_scores(one_item_loss))
_loss.register(DistanceToInstability, _between_scores(instability_loss))
_loss.register(CandidateRule, _between_pools)
