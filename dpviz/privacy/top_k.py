"""The privacy loss of a choice of k items: the best way that its mechanism, its size and its neighbours allow.

1. Canonical with gumbel noise where one order ranks both vectors: exact at any size.
2. Few sets: exact by enumeration; canonical of one order whose classes have few levels: exact from these.
3. Otherwise what classes listed in both worlds, or events, and some single sets show: at least.
"""

import math

from dpviz.base.errors import ParameterError
from dpviz.base.noise import NOISES
from dpviz.base.progress import Progress, portion
from dpviz.base.scores import Scores
from dpviz.privacy.common_order import class_loss, common_order, extreme_outputs, gumbel_loss, level_loss
from dpviz.privacy.enumeration import MOST_SETS, enumerated_loss
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.lower_bounds import event_loss, raised_by_sets, telling_sets
from dpviz.topk.canonical import Canonical
from dpviz.topk.law import ClassLaw
from dpviz.topk.mechanism import TopKMechanism

__all__ = ["canonical_loss", "top_k_loss"]


def top_k_loss(mechanism: TopKMechanism, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    """Of any mechanism with an exact law on these scores; raises `ParameterError` without one."""
    dist = mechanism.distribution(scores, samples=1, progress=portion(progress, 0.0, 0.2))
    other = mechanism.distribution(neighbour, samples=1, progress=portion(progress, 0.2, 0.4))
    if dist.draws or other.draws:
        raise ParameterError("mechanism", mechanism, "one with an exact law on these scores")
    rest = portion(progress, 0.4, 1.0)
    if math.comb(scores.d, mechanism.k) <= MOST_SETS:
        return enumerated_loss(dist, other, rest)
    order = common_order(scores, neighbour)
    if order is not None and isinstance(mechanism, Canonical):
        whole = level_loss(mechanism, dist, other, order, rest)
        if whole is not None:
            return whole
    if order is not None and isinstance(dist.law, ClassLaw):
        loss = class_loss(dist, other, order)
    else:
        loss = event_loss(dist, other, order, portion(rest, 0.0, 0.8))
    sets = telling_sets(dist, other) + ([] if order is None else extreme_outputs(dist, other, order))
    return raised_by_sets(loss, dist, other, sets, portion(rest, 0.8, 1.0))


def canonical_loss(mechanism: Canonical, scores: Scores, neighbour: Scores, progress: Progress) -> PrivacyLoss:
    """Exact from class tables where one order ranks both vectors and noise is gumbel; else as any mechanism."""
    order = common_order(scores, neighbour) if NOISES[mechanism.noise].max_stable else None
    if order is None:
        return top_k_loss(mechanism, scores, neighbour, progress)
    return gumbel_loss(mechanism, scores, neighbour, order, progress)
