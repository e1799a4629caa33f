"""Neighbours that one order ranks both, whose losses follow from class tables.

Symbols: x, x' = normalised scores of the two worlds along the common order; q_C = −ε/2·loss(C) and
q'_C; gain(C) = q'_C − q_C = −ε/2·loss(x' − x, C), as the loss is linear in the scores; log Z, log
Z' the normalisers. With gumbel noise L = log Z'/Z − gain(C) for every member of C.
Invariants: the classes C(h,t) are the same sets in both worlds. Every class, 0 ≤ h < k < t ≤ d, has
members, so the extreme gains are those of the extreme moves among ranks 1..k and k+1..d.
Source: ours, held against enumeration; classes as in Shekelyan & Loukides 2022, Def 3.4.
"""

from collections.abc import Callable
from typing import cast

import numpy as np

from dpviz.base import (
    Floats,
    Ints,
    OutcomeComparison,
    PrivacyCeiling,
    Progress,
    RevealingOutput,
    Scores,
)
from dpviz.numerics.log_binomials import log_sum_exp
from dpviz.privacy.item_alignment import align_items
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_laws import LossLaw
from dpviz.privacy.outcomes import SetLaw, comparison_loss, loss_from_log_probabilities
from dpviz.topk import ClassLaw, ClassScore, TopKDistribution, log_class_size

Gain = Callable[[Ints, Ints], Floats]

_MOST_CLASSES = 20_000  # that are all looked at
_MOST_WORK = 10_000  # pairs of levels × classes that compete: some seconds


def common_order(scores: Scores, neighbour: Scores) -> Ints | None:
    """An order of the items that ranks both vectors; None where some pair of items swaps."""
    scores, neighbour = align_items(scores, neighbour)
    order = np.lexsort((-neighbour.values, -scores.values))
    return order if bool((np.diff(neighbour.values[order]) <= 0).all()) else None


def exact_gumbel_loss(
    dist: TopKDistribution,
    other: TopKDistribution,
    order: Ints,
    score: ClassScore,
    ceiling: PrivacyCeiling,
) -> PrivacyLoss:
    """The whole loss of one exponential mechanism over sets, from one class table a world."""
    law, there_law = cast(ClassLaw, dist.law), cast(ClassLaw, other.law)
    scores, k = dist.scores, dist.k
    moved = (other.scores.values - scores.values)[order] / scores.effective_sensitivity
    moved = moved / dist.mechanism.epsilon_cost_factor(scores.contributions)

    def gain(h: Ints, t: Ints) -> Floats:
        return score(moved, h, t)  # linear in the scores; whatever a subclass makes of it

    likely = [int(np.argmax(law.probability))]
    c = int(law.h[likely[0]]), int(law.t[likely[0]])
    gained = float(gain(law.h[likely], law.t[likely])[0])
    shift = law.log_class(*c) - there_law.log_class(*c) + gained  # log Z'/Z
    h, t = _extremes(moved, k)
    extreme = gain(h, t)
    lowest, highest = int(np.argmin(extreme)), int(np.argmax(extreme))
    # the largest L either way
    up, down = shift - float(extreme[lowest]), float(extreme[highest]) - shift
    shown = lowest if up >= down else highest
    (here, log_p, missing), (there, log_q, other_missing) = (
        _listed_gains(world, gain) for world in (dist, other)
    )
    return PrivacyLoss(
        method="exact",
        ceiling=ceiling,
        seen=dist.seen,
        output=class_member_output(scores, order, k, int(h[shown]), int(t[shown])),
        here=LossLaw.from_log_masses(shift - here, log_p, missing, up),
        there=LossLaw.from_log_masses(there - shift, log_q, other_missing, down),
        error=missing + other_missing + 1e-12 * (1 + dist.mechanism.epsilon),
    )


def _every_class(k: int, d: int) -> tuple[Ints, Ints] | None:
    """(h, t) of every class, the exact top-k last; None where they are too many."""
    if 1 + k * (d - k) > _MOST_CLASSES:
        return None
    h, t = (v.ravel() for v in np.meshgrid(np.arange(k), np.arange(k + 1, d + 1), indexing="ij"))
    return np.append(h, k - 1), np.append(t, k)


def _relative_scores(dist: TopKDistribution) -> Floats:
    price = dist.mechanism.epsilon_cost_factor(dist.scores.contributions)
    return dist.scores.differences_from_rank(dist.k) / price


def _listed_gains(dist: TopKDistribution, gain: Gain) -> tuple[Floats, Floats, float]:
    """(gains, log chances, bound on the rest) of every class, or of those that the law lists."""
    law, score, every = dist.law.classes(), dist.class_score, _every_class(dist.k, dist.scores.d)
    if every is None or score is None:
        with np.errstate(divide="ignore"):
            return gain(law.h, law.t), np.log(law.probability), law.missing
    weight = score(_relative_scores(dist), *every) + log_class_size(*every, dist.k)
    return gain(*every), weight - log_sum_exp(weight), 0.0


def level_pair_loss(
    dist: TopKDistribution,
    other: TopKDistribution,
    order: Ints,
    score: ClassScore,
    ceiling: PrivacyCeiling,
    progress: Progress,
) -> PrivacyLoss | None:
    """The whole loss with any noise, from one class for each pair of levels (q_C, q'_C), if few."""
    d, k = dist.scores.d, dist.k
    every = _every_class(k, d)
    if every is None:
        return None
    h, t = every
    levels = np.stack([score(_relative_scores(world), h, t) for world in (dist, other)], axis=1)
    _, first, which = np.unique(levels, axis=0, return_index=True, return_inverse=True)
    if len(first) * max(len(dist.h), len(other.h)) > _MOST_WORK:
        return None
    size = log_class_size(h, t, k)
    log_p, log_q = np.empty(len(first)), np.empty(len(first))
    here, there = cast(ClassLaw, dist.law), cast(ClassLaw, other.law)
    for number, at in enumerate(first.tolist()):
        c = int(h[at]), int(t[at])
        log_p[number], log_q[number] = here.log_class(*c), there.log_class(*c)
        progress((number + 1) / len(first))
    log_p, log_q = (side[which.ravel()] - size[first][which.ravel()] for side in (log_p, log_q))

    def output(at: int) -> RevealingOutput:
        return class_member_output(dist.scores, order, k, int(h[at]), int(t[at]))

    return loss_from_log_probabilities(log_p, log_q, output, ceiling, dist.seen, size)


def class_loss_lower_bound(
    dist: TopKDistribution, other: TopKDistribution, order: Ints, ceiling: PrivacyCeiling
) -> PrivacyLoss:
    """A lower bound from the classes listed on either side, for a law constant within classes."""
    d, k = dist.scores.d, dist.k
    codes = [world.h * (d + 1) + world.t for world in (dist, other)]
    code = np.union1d(*codes)
    p, q = np.zeros(len(code)), np.zeros(len(code))
    for chance, own, world in zip((p, q), codes, (dist, other), strict=True):
        chance[np.searchsorted(code, own)] = world.probability

    def output(at: int) -> RevealingOutput:
        return class_member_output(dist.scores, order, k, *divmod(int(code[at]), d + 1))

    # a class not listed has at most `missing`, which `error` counts
    both = OutcomeComparison(p, q, dist.error, other.error, output, dist.seen, whole=False)
    return comparison_loss(both, ceiling)


def extreme_loss_outputs(dist: SetLaw, other: SetLaw, order: Ints) -> list[RevealingOutput]:
    """Sets of the classes that gain most and least, where the largest loss may be."""
    moved, k = (other.scores.values - dist.scores.values)[order], dist.k
    return [
        class_member_output(dist.scores, order, k, int(h), int(t))
        for h, t in zip(*_extremes(moved, k), strict=True)
    ]


def _extremes(moved: Floats, k: int) -> tuple[Ints, Ints]:
    """(h, t) of the exact top-k and of the likeliest classes with the least and the most gain."""
    top, rest = moved[k - 1 :: -1], moved[k:]  # of equal moves the one closest to rank k
    h = np.array([k - 1, k - 1 - np.argmin(top), k - 1 - np.argmax(top)])
    t = np.array([k, k + 1 + np.argmax(rest), k + 1 + np.argmin(rest)])
    return h.astype(np.int64), t.astype(np.int64)


def class_member_output(scores: Scores, order: Ints, k: int, h: int, t: int) -> RevealingOutput:
    if t == k:
        return RevealingOutput(f"the top {k} exactly", tuple(np.sort(order[:k]).tolist()))
    ranks = np.concatenate([np.arange(h), np.arange(h + 1, k), [t - 1]])
    missed, worst = (f"{scores.label(int(order[rank]))} (rank {rank + 1})" for rank in (h, t - 1))
    text = f"a list with {worst} as its lowest item and without {missed}"
    return RevealingOutput(text, tuple(np.sort(order[ranks]).tolist()))
