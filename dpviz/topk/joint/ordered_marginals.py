"""Top ranks in a uniform ordered choice under growing limits.

Symbols: reaches b_1 ≤ … ≤ b_k as in `ordered_choices`; u = number of used ranks among 1..A, e = A −
u. Place by place an entry is one of the free top ranks or another one, so u is a chain. Then rank
by rank from A down: rank r can take f = r − #{l: b_l < r} − e places. With h_r(e) = f·h_{r−1}(e) +
h_{r−1}(e−1) ways to fill what is left with ranks 1..r, P(r is used | e) = f·h_{r−1}(e)/h_r(e),
wherever the worse ranks are. So one pass gives P(ranks 1..a are all used) for every a ≤ A.
Source: rook placements on Ferrers boards (Goldman, Joichi & White 1975); the chain is ours.
"""

import numpy as np
import scipy

from dpviz.base import Floats, Ints
from dpviz.numerics.log_binomials import log_binomial


def conditional_use_probability(reached: Ints, ranks: int, most: int) -> Floats:
    """P(rank r is used | e of ranks 1..r are not), shape (ranks, n, most + 1); 0 for e > r."""
    size = len(reached)
    share = np.zeros((ranks, size, most + 1))
    below = _places(reached, np.arange(ranks))
    ratio = np.zeros((size, most + 1))  # h_{r−1}(e−1)/h_{r−1}(e)
    for r in range(1, ranks + 1):
        width = min(r - 1, most) + 1
        ways = np.maximum(r - below[:, r - 1, None] - np.arange(width), 0.0)
        both = ways + ratio[:, :width]
        share[r - 1, :, :width] = ways / both
        following = np.zeros_like(ratio)
        following[:, 1:width] = ratio[:, 1:width] * both[:, :-1] / both[:, 1:]
        if r <= most:
            following[:, r] = both[:, r - 1]
        ratio = following
    return share


def within_probability(reached: Ints, worst: int, share: Floats) -> Floats:
    """P(ranks 1..a are all used and none worse than `worst`) for a = 0..ranks: (n, ranks + 1).

    `share` is `conditional_use_probability(reached, ranks, most)`. More than `most` unused ranks
    are left out, so column 0 tells how much of P(none worse) was seen.
    """
    ranks, most = share.shape[0], share.shape[2] - 1
    missing = used_rank_distribution(reached, worst, ranks, most)[:, ranks - most :][:, ::-1]
    out = np.empty((len(reached), ranks + 1))
    for r in range(ranks, 0, -1):
        out[:, r] = missing[:, 0]
        stays = missing * share[r - 1]
        stays[:, :-1] += (missing - stays)[:, 1:]
        missing = stays
    out[:, 0] = missing[:, 0]
    return out


def used_rank_distribution(reached: Ints, worst: int, ranks: int, most: int) -> Floats:
    """The law of the number of used top ranks."""
    size, k = reached.shape
    chance = np.zeros((size, ranks + 2))  # one column to spare: u + 1 never falls off
    chance[:, 0] = 1.0
    others = k - (ranks - most)  # more entries beyond the top ranks leave too few places
    number = np.arange(ranks + 2.0)
    free = 1.0 / (reached - np.arange(k))
    limit = np.minimum(reached, worst)
    top = np.minimum(limit, ranks).astype(float)
    other = np.maximum(limit - ranks, 0) - np.arange(k, dtype=float)
    for place in range(
        k
    ):  # a state that no way leads to has chance 0, so a negative number of ways does no harm
        low, high = max(0, place - others), min(place, ranks) + 1
        here = chance[:, low:high] * free[:, place, None]
        u = number[low:high]
        chance[:, low:high] = here * (other[:, place, None] + u)
        here *= top[:, place, None] - u
        chance[:, low + 1 : high + 1] += here
    return chance[:, : ranks + 1]


def log_none_worse_probability(reached: Ints, worst: Ints) -> Floats:
    """log P(no rank worse than `worst_j`) = Σ_l log((min(b_l, worst) − l + 1)/(b_l − l + 1))."""
    size, k = reached.shape
    tail = np.zeros((size, k + 1))
    tail[:, :k] = np.cumsum(np.log(reached - np.arange(k))[:, ::-1], axis=1)[:, ::-1]
    first = _places(reached, worst)
    left = k - first  # places that reach beyond
    filled = log_binomial(worst - first, left) + scipy.special.gammaln(left + 1.0)
    return np.asarray(filled - np.take_along_axis(tail, first, 1))


def _places(reached: Ints, worst: Ints) -> Ints:
    """Number of places of each row that reach no farther than `worst_j`, shape (n, m)."""
    size, k = reached.shape
    row = np.arange(size)[:, None]
    apart = row * (
        max(reached.max(initial=0), worst.max(initial=0)) + 1
    )  # puts the rows one after the other
    return np.asarray(
        np.searchsorted((reached + apart).ravel(), worst + apart, side="right") - row * k
    )
