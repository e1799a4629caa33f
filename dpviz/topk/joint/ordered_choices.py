"""Ordered choices under growing limits: y_1, …, y_k all different, y_l among the first b_l ranks.

Symbols: b_1 ≤ … ≤ b_k the reaches with b_l ≥ l, so N = Π_l (b_l − l + 1). A uniform choice is built
place by place, each entry uniform among the b_l − l + 1 ranks still free.
Source: Gillenwater et al. 2022 (the count); rook placements on Ferrers boards (used ranks).
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints
from dpviz.topk.law import row_chunks

_CELLS = 1 << 22
_FEW = 12  # rows that a plain loop draws faster than arrays do


def log_bounded_sequence_count(reached: Ints) -> Floats:
    """log Π_l (b_l − l + 1) for each row of reaches.

    >>> np.exp(log_bounded_sequence_count(np.array([[2, 3]]))).round(12).tolist()
    [4.0]
    """
    return np.asarray(np.log(reached - np.arange(reached.shape[1])).sum(1))


def draw_ordered_choices(reached: Ints, rng: Generator) -> Ints:
    """One uniform ordered choice per row of reaches, by a shuffle that stops early."""
    size, k = reached.shape
    out = np.empty((size, k), np.int64)
    if size <= _FEW:
        for row in range(size):
            out[row] = _drawn_row(reached[row].tolist(), np.asarray(rng.random(k)).tolist())
        return out
    for part in row_chunks(size, int(reached[:, -1].max()), _CELLS):
        out[part] = _drawn_rows(reached[part], rng)
    return out


def _drawn_row(limit: list[int], uniform: list[float]) -> list[int]:
    place = list(range(limit[-1]))
    for i, (b, u) in enumerate(zip(limit, uniform, strict=True)):
        j = i + int(u * (b - i))
        place[i], place[j] = place[j], place[i]
    return place[: len(limit)]


def _drawn_rows(reached: Ints, rng: Generator) -> Ints:
    size, k = reached.shape
    place = np.tile(np.arange(reached[:, -1].max(), dtype=np.int32), (size, 1))
    rows = np.arange(size)
    for i in range(k):
        j = i + (rng.random(size) * (reached[:, i] - i)).astype(np.int64)
        taken = place[rows, j]
        place[rows, j] = place[:, i]
        place[:, i] = taken
    return place[:, :k].astype(np.int64)


def log_exclusion_probability(reached: Ints) -> Floats:
    """log P(a rank within reach from place l on is unused) = Σ_{i ≥ l} log(1 − 1/(b_i − i + 1)),
    (n, k).
    """
    with np.errstate(divide="ignore"):
        each = np.log1p(-1.0 / (reached - np.arange(reached.shape[1])))
    return np.cumsum(each[:, ::-1], axis=1)[:, ::-1]


def log_order_counts(top: Floats, chosen: Floats) -> tuple[Floats, Floats]:
    """(gap, log of the number of orders of one set with no larger gap), gaps ascending.

    `top` are the k best scores, `chosen` those of the set, both descending. The number is Π_l (b'_l
    − l + 1), b'_l = members of the set within g below x_[l].
    """
    k = len(top)
    least = float((top - chosen).max())
    gap = top[:, None] - chosen
    place, rank = np.nonzero((gap > least) & (np.arange(k) > np.arange(k)[:, None]))
    first = float(np.log((gap <= least).sum(1) - np.arange(k)).sum())
    at = gap[place, rank]
    order = np.argsort(at)
    rises = np.cumsum(np.log1p(1.0 / (rank - place)[order]))
    at = at[order]
    last = np.flatnonzero(np.append(at[1:] != at[:-1], True)) if len(at) else np.empty(0, np.int64)
    return np.append(least, at[last]), first + np.append(0.0, rises[last])
