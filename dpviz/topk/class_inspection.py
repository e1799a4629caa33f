"""Details of one utility class C(h,t): its size, its probability and some of its members."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    ParameterError,
    ReadOnlyArrays,
    Scores,
    check_generator,
    check_integer,
)
from dpviz.topk.classes import (
    draw_class_members,
    draw_short_class_members,
    log_class_size,
    log_short_class_size,
    people_to_change,
)
from dpviz.topk.distribution import TopKDistribution
from dpviz.topk.law import SelectionMechanism
from dpviz.topk.law_grid import Grid


@dataclass(frozen=True, eq=False)
class ClassDetails(ReadOnlyArrays):
    h: int
    t: int
    log_size: float
    probability: float
    loss: float | None
    people: int | None  # that have to be different for it to be the true top k
    members: Ints
    log_member: Floats


def inspect_class(
    dist: TopKDistribution, h: int, t: int, *, members: int = 3, rng: Generator | int
) -> ClassDetails:
    """Details of one class of a distribution, with a few members drawn uniformly."""
    k, d = dist.k, dist.scores.d
    rng = check_generator(rng)
    shorter = dist.law.shorter
    h = check_integer("h", h, low=0, high=k if shorter else k - 1)
    t = check_integer("t", t, low=k, high=max(k, d))
    if t == k and h != k - 1 and not shorter:
        raise ParameterError(
            "t", t, f"at least {k + 1} unless h is {k - 1}: only the exact top {k} ends at rank {k}"
        )
    if t > k and h == k:
        raise ParameterError("h", h, f"at most {k - 1} where t is above {k}")
    at = np.array(h), np.array(t)
    size = float(log_short_class_size(*at, k, d) if shorter else log_class_size(*at, k))
    size_drawn = 1 if size < math.log(1.5) else members
    if shorter:
        drawn = draw_short_class_members(h, t, k, d, size_drawn, rng)
    else:
        drawn = draw_class_members(np.full(size_drawn, h), np.full(size_drawn, t), k, rng)
    ranks = np.unique(drawn, axis=0)
    items = np.where(ranks < 0, -1, dist.scores.order[ranks])
    one_class = dist.scores.ranked, np.array([h]), np.array([t])
    loss = dist.mechanism.class_loss(*one_class)
    # γ·x would weigh the two items differently, so it is no number of people unless γ is ½
    counts_people = loss is not None and getattr(dist.mechanism, "gamma", None) == 0.5
    return ClassDetails(
        h=h,
        t=t,
        log_size=size,
        probability=_class_probability(dist, h, t),
        loss=None if loss is None else float(loss[0]),
        people=int(people_to_change(*one_class)[0]) if counts_people else None,
        members=items,
        log_member=np.array(
            [dist.log_probability([item for item in row if item >= 0]) for row in items.tolist()]
        ),
    )


def _class_probability(dist: TopKDistribution, h: int, t: int) -> float:
    k, law = dist.k, dist.law
    if t == k and (h == k or not law.shorter):
        return law.within(k, k)
    table = law.within_table(np.array([h, h + 1]), np.array([max(t - 1, k), t]))
    before = table[:, 0] if t > k else np.zeros(2)
    return float(np.clip((table[0, 1] - before[0]) - (table[1, 1] - before[1]), 0.0, 1.0))


def grid_loss(mechanism: SelectionMechanism, scores: Scores, grid: Grid) -> Floats | None:
    """The loss of the middle class of each grid cell, NaN in empty cells; None without a loss."""
    h, t = np.meshgrid(
        np.minimum((grid.h_edges[:-1] + grid.h_edges[1:] - 1) // 2, grid.k - 1),
        (grid.t_edges[:-1] + grid.t_edges[1:] - 1) // 2,
        indexing="ij",
    )
    loss = mechanism.class_loss(scores.ranked, h.ravel(), t.ravel())
    return (
        None
        if loss is None
        else np.where(np.isfinite(grid.log_sets), loss.reshape(h.shape), np.nan)
    )
