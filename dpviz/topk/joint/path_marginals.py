"""Worst rank and rank probabilities of a uniform unordered choice under growing limits.

Symbols, states and caps as in `bounded_paths`; F_l(o) = number of ways o_1 ≤ … ≤ o_l with o_l = o,
so P(o_l = o) = F_l(o)·E_{l+1}(o)/N and P(rank r is in) = Σ_l P(o_l = r − l).
Invariants: rows are scaled to their largest entry; if underflow could matter, they are in logs.
"""

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.topk.joint.bounded_paths import LOST, SAFE, backward_rows, log_completions


def log_counts_by_worst(caps: Ints, top: int, worst: Ints) -> Floats:
    """log of the number of choices with ranks 1..top and none worse than `worst_j` (at least k).

    >>> np.exp(log_counts_by_worst(np.array([[1, 1, 2]]), 0, np.array([3, 4, 5]))).round(9).tolist()
    [[1.0, 4.0, 7.0]]
    """
    completions = log_completions(caps)
    out, certified = _worst(caps, top, worst, completions, logs=False)
    if not certified:
        out, _ = _worst(caps, top, worst, completions, logs=True)
    return out


def _worst(
    caps: Ints, top: int, worst: Ints, completions: Floats, *, logs: bool
) -> tuple[Floats, bool]:
    size, k = caps.shape
    if top == k:
        return np.zeros((size, len(worst))), True
    row, scale = np.zeros((size, 1)) if logs else np.ones((size, 1)), np.zeros(size)
    lost = np.full(size, -np.inf)
    for place in range(top, k):
        row, step = forward_step(row, caps[:, place], logs)
        scale = scale + step
        lost = np.maximum(lost, scale + LOST + completions[:, place + 1])
    limit = np.minimum(worst - k, row.shape[1] - 1)
    summed = np.logaddexp.accumulate(row, axis=1) if logs else np.cumsum(row, axis=1)
    with np.errstate(divide="ignore"):
        log_ways = summed[:, limit] if logs else np.log(summed[:, limit])
    return log_ways + scale[:, None], bool((lost - completions[:, 0] < SAFE).all())


def forward_step(row: Floats, cap: Ints, logs: bool) -> tuple[Floats, Floats]:
    """From F_{l−1} to F_l, both over their largest entry; and log of the ratio of those."""
    size, before = row.shape
    width = int(cap.max()) + 1
    inside = np.arange(width) <= cap[:, None]
    summed = np.empty((size, width))
    common = min(before, width)
    if logs:
        summed[:, :common] = np.logaddexp.accumulate(row[:, :common], axis=1)
        summed[:, common:] = summed[:, common - 1 : common]
        summed[~inside] = -np.inf
        top = summed.max(1)
        return summed - top[:, None], top
    np.cumsum(row[:, :common], axis=1, out=summed[:, :common])
    summed[:, common:] = summed[:, common - 1 : common]
    summed *= inside
    top = summed.max(1)
    return summed / top[:, None], np.log(top)


def weighted_inclusion(caps: Ints, d: int, weight: Floats) -> Floats:
    """Σ over the rows of caps of weight × P(rank r is in), shape (d,)."""
    out, certified = _included(caps, d, weight, logs=False)
    return out if certified else _included(caps, d, weight, logs=True)[0]


def _included(caps: Ints, d: int, weight: Floats, *, logs: bool) -> tuple[Floats, bool]:
    out = np.zeros(d)
    size, k = caps.shape
    rows, completions, certified = backward_rows(caps, logs=logs)
    row, scale = np.zeros((size, 1)) if logs else np.ones((size, 1)), np.zeros(size)
    with np.errstate(divide="ignore"):
        for place in range(k):
            row, step = forward_step(row, caps[:, place], logs)
            scale = scale + step
            certified &= logs or bool(
                (scale + LOST + completions[:, place + 1] - completions[:, 0] < SAFE).all()
            )
            after = rows[place + 1][:, : row.shape[1]]
            joint = row + after if logs else np.log(row) + np.log(after)
            share = np.exp(joint - joint.max(1, keepdims=True))
            share *= (weight / share.sum(1))[:, None]
            out[place : place + row.shape[1]] += share.sum(0)
    return out, certified


def weighted_hit_distribution(caps: Ints, best: int, weight: Floats) -> Floats:
    """Σ over the rows of caps of weight × P(exactly j of the ranks 1..best are in), shape (k + 1,).

    Exactly j are in if o_j ≤ best − j < o_(j+1) + 1: Σ_{o ≤ best−j} F_j(o)·E_(j+1)(best − j) ways.
    """
    out, certified = _hit_counts(caps, best, weight, logs=False)
    return out if certified else _hit_counts(caps, best, weight, logs=True)[0]


def _hit_counts(caps: Ints, best: int, weight: Floats, *, logs: bool) -> tuple[Floats, bool]:
    size, k = caps.shape
    log_share = np.full((size, k + 1), -np.inf)
    rows, completions, certified = backward_rows(caps, logs=logs)
    row, scale = np.zeros((size, 1)) if logs else np.ones((size, 1)), np.zeros(size)
    with np.errstate(divide="ignore"):
        for j in range(k + 1):
            if j:
                row, step = forward_step(row, caps[:, j - 1], logs)
                scale = scale + step
                certified &= logs or bool(
                    (scale + LOST + completions[:, j] - completions[:, 0] < SAFE).all()
                )
            offset = best - j  # of the last place that is a hit at most, of the next one at least
            if offset < 0 or (j < k and offset >= rows[j].shape[1]):
                continue
            until = row[:, : offset + 1] if j else row
            reached = np.logaddexp.reduce(until, axis=1) if logs else np.log(until.sum(1))
            after = (
                (rows[j][:, offset] if logs else np.log(rows[j][:, offset]))
                if j < k
                else np.zeros(size)
            )
            log_share[:, j] = scale + reached + after + completions[:, j]
    return weight @ np.exp(log_share - completions[:, :1]), certified
