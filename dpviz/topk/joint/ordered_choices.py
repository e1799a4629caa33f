"""Ordered choices under growing limits: y_1, …, y_k all different, y_l among the first b_l ranks.

Symbols: b_1 ≤ … ≤ b_k the reaches with b_l ≥ l, so N = Π_l (b_l − l + 1). A uniform choice is built
place by place, each entry uniform among the b_l − l + 1 ranks still free.
Source: Gillenwater et al. 2022 (the count); Goldman, Joichi & White 1975 (rook placements on
Ferrers boards, for the used ranks); the chains are ours.
"""

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import Floats, Ints
from dpviz.numerics.log_binomials import log_binomial
from dpviz.topk.law import row_chunks

_CELLS = 1 << 22
_FEW = 12  # rows that a plain loop draws faster than arrays do


def log_bounded_sequence_count(reaches: Ints) -> Floats:
    """log Π_l (b_l − l + 1) for each row of reaches."""
    return np.asarray(np.log(reaches - np.arange(reaches.shape[1])).sum(1))


def draw_ordered_choices(reaches: Ints, rng: Generator) -> Ints:
    """One uniform ordered choice per row of reaches, by a shuffle that stops early."""
    size, k = reaches.shape
    out = np.empty((size, k), np.int64)
    if size <= _FEW:
        for row, limit in enumerate(reaches.tolist()):
            ranks = list(range(limit[-1]))
            uniform = np.asarray(rng.random(k)).tolist()
            for i, (b, u) in enumerate(zip(limit, uniform, strict=True)):
                other = i + int(u * (b - i))
                ranks[i], ranks[other] = ranks[other], ranks[i]
            out[row] = ranks[:k]
        return out
    for part in row_chunks(size, int(reaches[:, -1].max()), _CELLS):
        some = reaches[part]
        place = np.tile(np.arange(some[:, -1].max(), dtype=np.int32), (len(some), 1))
        rows = np.arange(len(some))
        for i in range(k):
            j = i + (rng.random(len(some)) * (some[:, i] - i)).astype(np.int64)
            taken = place[rows, j]
            place[rows, j] = place[:, i]
            place[:, i] = taken
        out[part] = place[:, :k]
    return out


def log_unused_rank_probabilities(reaches: Ints) -> Floats:
    """log P(a rank in reach from place l on is unused) = Σ_{i ≥ l} log(1 − 1/(b_i − i + 1))."""
    with np.errstate(divide="ignore"):
        each = np.log1p(-1.0 / (reaches - np.arange(reaches.shape[1])))
    return np.cumsum(each[:, ::-1], axis=1)[:, ::-1]


def log_order_counts_by_gap(top_scores: Floats, set_scores: Floats) -> tuple[Floats, Floats]:
    """(gap, log of the number of orders of one set with no larger gap), gaps ascending."""
    k = len(top_scores)
    # both descend; the number is Π_l (b'_l − l + 1), b'_l = members of the set within g below x_[l]
    least = float((top_scores - set_scores).max())
    gap = top_scores[:, None] - set_scores
    place, rank = np.nonzero((gap > least) & (np.arange(k) > np.arange(k)[:, None]))
    first = float(np.log((gap <= least).sum(1) - np.arange(k)).sum())
    at = gap[place, rank]
    order = np.argsort(at)
    rises = np.cumsum(np.log1p(1.0 / (rank - place)[order]))
    at = at[order]
    last = np.flatnonzero(np.append(at[1:] != at[:-1], True)) if len(at) else np.empty(0, np.int64)
    return np.append(least, at[last]), first + np.append(0.0, rises[last])


def conditional_use_probability(reaches: Ints, ranks: int, unused_limit: int) -> Floats:
    """P(rank r is used | e of ranks 1..r are not), shape (ranks, n, unused_limit + 1); 0 for e > r."""
    size = len(reaches)
    share = np.zeros((ranks, size, unused_limit + 1))
    # rank r can take f = r − #{l: b_l < r} − e places; ranks 1..r fill what is left in h_r(e) =
    # f·h_{r−1}(e) + h_{r−1}(e−1) ways, wherever the worse ranks are
    below = _places(reaches, np.arange(ranks))
    ratio = np.zeros((size, unused_limit + 1))  # h_{r−1}(e−1)/h_{r−1}(e)
    for r in range(1, ranks + 1):
        width = min(r - 1, unused_limit) + 1
        ways = np.maximum(r - below[:, r - 1, None] - np.arange(width), 0.0)
        both = ways + ratio[:, :width]
        share[r - 1, :, :width] = ways / both
        following = np.zeros_like(ratio)
        following[:, 1:width] = ratio[:, 1:width] * both[:, :-1] / both[:, 1:]
        if r <= unused_limit:
            following[:, r] = both[:, r - 1]
        ratio = following
    return share


def within_probability(reaches: Ints, worst: int, use_probability: Floats) -> Floats:
    """P(ranks 1..a are all used and none worse than `worst`) for a = 0..ranks: (n, ranks + 1)."""
    ranks, most = use_probability.shape[0], use_probability.shape[2] - 1
    # `share` is of `conditional_use_probability`; more than `most` unused ranks are left out, so
    # column 0 tells how much of P(none worse) was seen
    missing = used_rank_distribution(reaches, worst, ranks, most)[:, ranks - most :][:, ::-1]
    out = np.empty((len(reaches), ranks + 1))
    for r in range(ranks, 0, -1):
        out[:, r] = missing[:, 0]
        stays = missing * use_probability[r - 1]
        stays[:, :-1] += (missing - stays)[:, 1:]
        missing = stays
    out[:, 0] = missing[:, 0]
    return out


def used_rank_distribution(reaches: Ints, worst: int, ranks: int, unused_limit: int) -> Floats:
    """The law of the number of used top ranks, a chain over the places."""
    size, k = reaches.shape
    chance = np.zeros((size, ranks + 2))  # one column to spare: u + 1 never falls off
    chance[:, 0] = 1.0
    others = k - (ranks - unused_limit)  # more entries beyond the top ranks leave too few places
    number = np.arange(ranks + 2.0)
    free = 1.0 / (reaches - np.arange(k))
    limit = np.minimum(reaches, worst)
    top = np.minimum(limit, ranks).astype(float)
    other = np.maximum(limit - ranks, 0) - np.arange(k, dtype=float)
    for place in range(k):  # a state out of reach has chance 0, so negative ways do no harm
        low, high = max(0, place - others), min(place, ranks) + 1
        here = chance[:, low:high] * free[:, place, None]
        u = number[low:high]
        chance[:, low:high] = here * (other[:, place, None] + u)
        here *= top[:, place, None] - u
        chance[:, low + 1 : high + 1] += here
    return chance[:, : ranks + 1]


def log_none_worse_probability(reaches: Ints, worst: Ints) -> Floats:
    """log P(no rank worse than `worst_j`) = Σ_l log((min(b_l, worst) − l + 1)/(b_l − l + 1))."""
    size, k = reaches.shape
    tail = np.zeros((size, k + 1))
    tail[:, :k] = np.cumsum(np.log(reaches - np.arange(k))[:, ::-1], axis=1)[:, ::-1]
    first = _places(reaches, worst)
    left = k - first  # places that reach beyond
    filled = log_binomial(worst - first, left) + scipy.special.gammaln(left + 1.0)
    return np.asarray(filled - np.take_along_axis(tail, first, 1))


def _places(reaches: Ints, worst: Ints) -> Ints:
    """Number of places of each row that reach no farther than `worst_j`, shape (n, m)."""
    size, k = reaches.shape
    row = np.arange(size)[:, None]
    # puts the rows one after the other
    apart = row * (max(reaches.max(initial=0), worst.max(initial=0)) + 1)
    return np.asarray(
        np.searchsorted((reaches + apart).ravel(), worst + apart, side="right") - row * k
    )
