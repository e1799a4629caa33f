"""`privacy_loss`: how far apart two neighbouring worlds are, for every mechanism of every menu.

The way to it goes by the mechanism's type; a new kind of mechanism is one line in the list below.
"""

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

__all__ = ["check_pair", "privacy_loss"]


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
    check_pair(mechanism, scores, neighbour)
    return _loss(mechanism, scores, neighbour, progress)


@singledispatch
def _loss(mechanism: Any, scores: Any, neighbour: Any, progress: Progress) -> PrivacyLoss:
    raise ParameterError("mechanism", mechanism, "a mechanism or rule of one of the menus")


def check_pair(mechanism: Any, scores: Any, neighbour: Any) -> None:
    """Raise `ParameterError` unless one person can turn the one into the other, as far as can be told."""
    kind, told = (CandidatePool, "CandidatePool") if isinstance(mechanism, CandidateRule) else (Scores, "Scores")
    for name, given in (("scores", scores), ("neighbour", neighbour)):
        if not isinstance(given, kind):
            raise ParameterError(name, given, f"a dpviz.{told}")
    if kind is Scores and not neighbouring(scores, neighbour):
        raise ParameterError("neighbour", neighbour, "scores that one person can make of the first ones")
    if kind is CandidatePool and scores.size != neighbour.size:
        raise ParameterError("the number of candidates of neighbour", neighbour.size, f"{scores.size}, as in the first")


_loss.register(TopKMechanism, top_k_loss)
_loss.register(Canonical, canonical_loss)
_loss.register(NoisyTopKWithGap, gap_loss)
_loss.register(ThresholdMechanism, answers_loss)
_loss.register(TopOneMechanism, one_item_loss)
_loss.register(DistanceToInstability, instability_loss)
_loss.register(CandidateRule, candidates_loss)
