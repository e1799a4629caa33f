"""The privacy loss of a choice of k items, by its law, its size and its neighbours.

It is exact for one exponential mechanism in one order, for few sets and for few levels of chances.
Otherwise classes, events and some single sets give a lower bound.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from dpviz.base import Ints, PrivacyCeiling, Progress, RevealingOutput, Scores, portion
from dpviz.privacy.common_order import (
    class_loss_lower_bound,
    common_order,
    exact_gumbel_loss,
    extreme_loss_outputs,
    level_pair_loss,
)
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.outcomes import (
    SetLaw,
    candidate_revealing_sets,
    event_loss_lower_bound,
    loss_from_log_probabilities,
    raise_loss_by_sets,
)

MOST_SETS = 5_000


def item_set_loss(
    dist: Any, other: Any, ceiling: PrivacyCeiling, progress: Progress
) -> PrivacyLoss:
    if dist.law.shorter:
        return _loss_of_lists(dist, other, ceiling, progress)
    order, score = common_order(dist.scores, other.scores), dist.class_score
    if order is not None and score is not None and dist.mechanism.exponential_rounds == 1:
        return exact_gumbel_loss(dist, other, order, score, ceiling)
    if math.comb(dist.scores.d, dist.k) <= MOST_SETS:
        return enumerated_loss(dist, other, ceiling, progress, dist.scores)
    if order is not None and score is not None:
        loss = level_pair_loss(dist, other, order, score, ceiling, progress)
        if loss is not None:
            return loss
    if order is not None and dist.law.alike_in_classes:
        loss = class_loss_lower_bound(dist, other, order, ceiling)
    else:
        loss = event_loss_lower_bound(dist, other, order, ceiling, portion(progress, 0.0, 0.8))
    sets = candidate_revealing_sets(dist, other) + (
        [] if order is None else extreme_loss_outputs(dist, other, order)
    )
    return raise_loss_by_sets(loss, dist, other, sets, portion(progress, 0.8, 1.0))


def _loss_of_lists(
    dist: Any, other: Any, ceiling: PrivacyCeiling, progress: Progress
) -> PrivacyLoss:
    """The loss of lists that may be shorter, without ranks: ties at the limit go by name."""
    if sum(math.comb(dist.scores.d, size) for size in range(dist.k + 1)) <= MOST_SETS:
        return enumerated_loss(dist, other, ceiling, progress, dist.scores)
    loss = event_loss_lower_bound(dist, other, None, ceiling, portion(progress, 0.0, 0.8))
    sets = [RevealingOutput("the empty list")]
    for which, world in (("the first scores", dist), ("the neighbour", other)):
        items = np.sort(world.scores.order[: world.reach]).tolist()
        sets.append(RevealingOutput(f"the top items of {which}", tuple(items)))
    return raise_loss_by_sets(loss, dist, other, sets, portion(progress, 0.8, 1.0))


def enumerated_loss(
    dist: SetLaw,
    other: SetLaw,
    ceiling: PrivacyCeiling,
    progress: Progress,
    scores: Scores,
    own_items: Sequence[Ints | None] = (None, None),
) -> PrivacyLoss:
    """The whole loss from every possible list; a law is of its `own_items` items where given."""
    sizes = range(0 if dist.law.shorter else dist.k, min(dist.k, scores.d) + 1)
    sets = [items for size in sizes for items in combinations(range(scores.d), size)]
    log_p, log_q = np.empty(len(sets)), np.empty(len(sets))
    for number, items in enumerate(sets):
        log_p[number] = _log_probability(dist, items, own_items[0])
        log_q[number] = _log_probability(other, items, own_items[1])
        if number % 64 == 0:
            progress(number / len(sets))
    progress(1.0)

    def output(at: int) -> RevealingOutput:
        names = ", ".join(scores.label(item) for item in sets[at])
        return RevealingOutput(f"the set of {names}" if names else "the empty list", sets[at])

    loss = loss_from_log_probabilities(log_p, log_q, output, ceiling, dist.seen)
    return loss if dist.whole else replace(loss, method="at least", error=0.0)


def _log_probability(law: SetLaw, items: tuple[int, ...], own: Ints | None) -> float:
    if own is None:
        return law.log_probability(items)
    if not np.isin(items, own).all():
        return -math.inf
    return law.log_probability(np.searchsorted(own, items).tolist())
