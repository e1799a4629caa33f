"""Classes (h,t) of lists that may have fewer than k items.

Symbols: h = number of top ranks that are all present, 0 to k; t = the worst rank present, or k if
none is worse. So the exact top k is (k, k); all class sizes add up to Σ_{j≤k} binom(d, j).
"""

import math

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints
from dpviz.numerics.log_binomials import log_binomial, log_subtract

_NEGLIGIBLE = 1e-17


def rank_list_classes(ranks: Ints, k: int) -> tuple[Ints, Ints]:
    """(h, t) of lists of 0-based ranks, shape (n, k), ascending along each row, padded with −1.

    >>> h, t = rank_list_classes(np.array([[0, 1], [0, -1], [-1, -1], [3, -1]]), 2)
    >>> h.tolist(), t.tolist()
    ([2, 1, 0, 0], [2, 2, 2, 4])
    """
    in_place = (ranks == np.arange(k)).cumprod(axis=1).sum(1)
    return in_place.astype(np.int64), np.maximum(ranks.max(1) + 1, k).astype(np.int64)


def log_short_class_size(h: Ints, t: Ints, k: int, d: int) -> Floats:
    """log of the number of lists of at most k of d ranks in a class; −inf for no such class.

    >>> h, t = np.array([2, 1, 0, 0, 0]), np.array([2, 2, 2, 3, 4])
    >>> np.exp(log_short_class_size(h, t, 2, 9)).round(6).tolist()
    [1.0, 1.0, 2.0, 2.0, 3.0]
    """
    h, t = np.broadcast_arrays(h, t)
    beyond, most = t > k, min(k, d)
    free = np.where(beyond, t - h - 2, most - h - 1)
    size = _log_choices(free, np.where(beyond, k - h - 1, free))
    return np.where((h == most) & ~beyond, 0.0, np.where(h < most, size, -np.inf))


def log_short_list_count(a: Ints, b: Ints, k: int) -> Floats:
    """log of the number of lists of at most k with ranks 1..a and none worse than b."""
    a, b = np.broadcast_arrays(a, b)
    return _log_choices(b - a, k - a)


def _log_choices(n: Ints, most: Ints) -> Floats:
    """log Σ_{j ≤ most} binom(n, j), from the smaller side of the row; −inf if `most` < 0."""
    upper = 2 * most >= n
    side = np.where(upper, n - most - 1, most)
    some = (side >= 0) & (n >= 0)
    tail = np.full(n.shape, -np.inf)
    tail[some] = log_binomial(n[some], side[some]) + np.log(_relative_sum(n[some], side[some]))
    return np.where(upper & (n >= 0), log_subtract(np.asarray(n * math.log(2)), tail), tail)


def _relative_sum(n: Ints, m: Ints) -> Floats:
    """Σ_{j ≤ m} binom(n, j) over its last term, for m below n/2: terms fall from there."""
    total, term = np.ones(len(n)), np.ones(len(n))
    step, left = 0, np.arange(len(n))
    while len(left):
        term = term * (m[left] - step) / (n[left] - m[left] + 1 + step)
        total[left] += term
        step, going = step + 1, term > _NEGLIGIBLE * total[left]
        left, term = left[going], term[going]
    return total


def draw_short_class_members(h: int, t: int, k: int, d: int, size: int, rng: Generator) -> Ints:
    ranks = np.full((size, k), -1, np.int64)
    beyond, whole = t > k, min(k, d)
    free = t - h - 2 if beyond else max(whole - h - 1, 0)
    most = min(free, k - h - 1 if beyond else free)
    weight = log_binomial(free, np.arange(most + 1))
    chance = np.exp(weight - weight.max())
    for row in range(size if beyond or h < whole else 0):
        number = int(rng.choice(most + 1, p=chance / chance.sum()))
        inner = np.sort(rng.choice(free, number, replace=False)) + h + 1
        members = [*range(h), *inner.tolist(), *([t - 1] if beyond else [])]
        ranks[row, : len(members)] = members
    if h == whole:
        ranks[:, :whole] = np.arange(whole)
    return ranks
