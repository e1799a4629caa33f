"""Every possible output of a small choice of k items, with its probability in both worlds.

Invariant: log probabilities are right to a relative accuracy, however small, so no output is too unlikely to count.
"""

from itertools import combinations

import numpy as np

from dpviz.base.progress import Progress
from dpviz.privacy.loss import Ceiling, Outcomes, Output, PrivacyLoss, log_ratio
from dpviz.privacy.lower_bounds import LOG_ERROR
from dpviz.topk.distribution import TopKDistribution

__all__ = ["MOST_SETS", "enumerated_loss"]

MOST_SETS = 5_000
_STEP = 64


def enumerated_loss(dist: TopKDistribution, other: TopKDistribution, progress: Progress) -> PrivacyLoss:
    """The whole privacy loss between two exact distributions, from every set of k items."""
    sets = list(combinations(range(dist.scores.d), dist.k))
    log_p, log_q = np.empty(len(sets)), np.empty(len(sets))
    for number, items in enumerate(sets):
        log_p[number], log_q[number] = dist.log_probability(items), other.log_probability(items)
        if number % _STEP == 0:
            progress(number / len(sets))
    progress(1.0)
    loss = log_ratio(log_p, log_q)
    shown = sets[int(np.argmax(np.abs(loss)))]
    names = ", ".join(dist.scores.label(item) for item in shown)
    return PrivacyLoss(
        method="exact",
        ceiling=Ceiling(dist.mechanism.epsilon),
        seen="the set of items",
        output=Output(f"the set of {names}", shown),
        here=Outcomes.of(loss, np.exp(log_p), highest=float(loss.max())),
        there=Outcomes.of(-loss, np.exp(log_q), highest=float(-loss.min())),
        error=LOG_ERROR,
    )
