"""Utility classes C(h,t) of k-subsets, and the events made of them.

Symbols: ranks are 1-based; h = number of top ranks that are all present, t = the worst rank
present. The exact top-k is written (k−1, k); any other set has 0 ≤ h ≤ k−1 < k+1 ≤ t ≤ d. A member
of C(h,t): ranks 1..h, not h+1, some k−h−1 of the body h+2..t−1, and rank t.
Invariants: ``|C(h,t)|`` = binom(t−h−2, k−1−h), and all sizes add up to binom(d,k).
Lists that may have fewer than k items: h goes up to k, and t is k if no rank is worse. So the
exact top k is (k, k); sizes add up to Σ_{j≤k} binom(d, j).
Source: Shekelyan & Loukides 2022, Def 3.4, A.2.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    GLOSSARY,
    Bools,
    Floats,
    Ints,
    Progress,
    Registry,
    ignore_progress,
    tie_counts,
)
from dpviz.numerics.log_binomials import log_binomial, log_subtract, log_sum_exp

_SIDE = 4  # a block is split by this much a side
_LOOKED_INTO = 256  # blocks a round whose middle class tells how much weight there is at least
_ROUNDING = 1e-15
_ROUNDED_OFF = 1e-6  # people
_LOG_MARGIN = math.log(5e-11)  # what pruning may drop, as a share of the whole weight

ClassScore = Callable[[Floats, Ints, Ints], Floats]
"""score(x, h, t): the weight of the classes C(h,t) on scores x by rank, as a log."""


def log_class_size(h: Ints, t: Ints, k: int) -> Floats:
    """log ``|C(h,t)|``: 0 for the exact top-k (k−1, k), else log binom(t−h−2, k−1−h)."""
    return np.where(t == k, 0.0, log_binomial(np.maximum(t - h - 2, 0), k - 1 - h))


def log_set_count_within(a: Ints, b: Ints, k: int) -> Floats:
    """log of the number of k-subsets with ranks 1..a and none worse than b: log binom(b−a, k−a)."""
    return log_binomial(b - a, k - a)


def people_changes_to_top_k(x: Floats, h: Ints, t: Ints) -> Floats:
    """The fewest people that have to be different for a set of C(h,t) to be a top k."""
    # one person brings the best missing and the worst chosen item closer by at most 2 in x;
    # where people count in few items more may be needed, never fewer
    # a millionth of a person is rounding of the scores; a fixed shift keeps the loss's sensitivity
    return np.asarray(np.ceil((x[h] - x[t - 1]) / 2 - _ROUNDED_OFF) + 0.0)


def classes_of_rank_sets(ranks: Ints, k: int) -> tuple[Ints, Ints]:
    """(h, t) of sets of 0-based ranks, shape (n, k), ascending along each row."""
    t = ranks[:, -1].astype(np.int64) + 1
    in_place = ranks == np.arange(k)
    return np.where(in_place.all(1), k - 1, np.argmin(in_place, axis=1)).astype(np.int64), t


@dataclass(frozen=True)
class Event:
    """An event of the form within(a,b): ranks 1..a are all in, none worse than b is."""

    label: str
    meaning: str
    bounds: Callable[[Floats, int], tuple[int, int]]


EVENTS: Registry[Event] = Registry("event")
EVENTS.add(
    "top",
    Event("TOP", "exactly the true top k", lambda x, k: (k, k)),
    label="TOP: exactly the true top k",
    says=GLOSSARY["top"].says,
)
EVENTS.add(
    "optimal",
    Event(
        "OPTIMAL",
        "scores equal to those of the true top k, whichever way ties fall",
        tie_counts,
    ),
    label="OPTIMAL: as good as the true top k",
    says=GLOSSARY["optimal"].says,
)
EVENTS.add(
    "great",
    Event(
        "GREAT",
        "the first tenth of the top k complete, none more than a tenth of k too far down",
        lambda x, k: (math.ceil(k / 10), k + k // 10),
    ),
    label="GREAT: almost as good as the true top k",
    says=GLOSSARY["great"].says,
)
EVENTS.add(
    "good",
    Event(
        "GOOD",
        "the first hundredth of the top k complete, none more than half of k too far down",
        lambda x, k: (math.ceil(k / 100), k + k // 2),
    ),
    label="GOOD: near the true top k",
    says=GLOSSARY["good"].says,
)


def event_bounds(name: str, x: Floats, k: int) -> tuple[int, int]:
    """(a, b) of the named event for ranked scores `x`, b clipped to d."""
    a, b = EVENTS[name].bounds(x, k)
    return a, min(b, len(x))


def draw_class_members(h: Ints, t: Ints, k: int, rng: Generator) -> Ints:
    ranks = np.empty((len(h), k), np.int32)  # half the size sorts twice as fast
    ranks[:] = np.arange(k)
    for row in np.flatnonzero(t > k):
        fixed, worst = int(h[row]), int(t[row])
        if fixed < k - 1:
            ranks[row, fixed : k - 1] = (fixed + 1) + rng.choice(
                worst - fixed - 2, k - 1 - fixed, replace=False, shuffle=False
            )
        ranks[row, k - 1] = worst - 1
    return np.sort(ranks, axis=1).astype(np.int64)


@dataclass(frozen=True)
class HeaviestClasses:
    """Classes that carry the weight ``|C|``·e^score, and a bound on all the others together."""

    h: Ints
    t: Ints
    log_size: Floats
    score: Floats
    log_dropped: float  # log of a bound on the summed weight of the classes left out

    @property
    def log_unnormalised_mass(self) -> Floats:
        """log of ``|C|``·e^score for each class kept."""
        return self.log_size + self.score


def heaviest_classes(
    x: Floats,
    k: int,
    score: ClassScore,
    progress: Progress = ignore_progress,
    *,
    log_margin: float = _LOG_MARGIN,
    log_drop_limit: float | None = None,
) -> HeaviestClasses:
    """The classes that can matter and the exact top k; `score` must rise with h and fall with t."""
    d = len(x)
    exact_h, exact_t = np.array([k - 1]), np.array([k])
    total = float(score(x, exact_h, exact_t)[0])  # log of a lower bound on the whole weight
    height, width = _first_side(k), _first_side(d - k)
    h, t = (
        v.ravel()
        for v in np.meshgrid(np.arange(0, k, height), np.arange(k + 1, d + 1, width), indexing="ij")
    )
    # a block [h0,h1]×[t0,t1] of n classes weighs at most n·binom(t1−h0−2, k−1−h0)·e^score(h1,t0)
    steps = max(1, round(math.log(max(height, width), _SIDE))) + 1
    dropped = -math.inf  # log of the summed bounds of what is gone
    for step in range(steps):
        single = height == 1 and width == 1
        h1, t1 = (
            (h, t) if single else (np.minimum(h + height - 1, k - 1), np.minimum(t + width - 1, d))
        )
        size, value = log_class_size(h, t1, k), score(x, h1, t)
        bound = size + value
        if single:
            members = bound
        else:
            bound = bound + np.log((h1 - h + 1) * (t1 - t + 1))
            some = (
                np.argpartition(bound, -_LOOKED_INTO)[-_LOOKED_INTO:]
                if len(bound) > _LOOKED_INTO
                else slice(None)
            )
            middle_h, middle_t = (h[some] + h1[some]) // 2, (t[some] + t1[some]) // 2
            members = log_class_size(middle_h, middle_t, k) + score(x, middle_h, middle_t)
        total = max(total, log_sum_exp(members))
        most = total + log_margin if log_drop_limit is None else log_drop_limit
        left = most + math.log1p(-math.exp(min(dropped - most, -_ROUNDING)))
        keep, lost = _all_but_the_lightest(bound, left if single else left - math.log(_SIDE))
        dropped = float(np.logaddexp(dropped, lost))
        progress((step + 1) / steps)
        if single:
            h, t, size, value = h[keep], t[keep], size[keep], value[keep]
            break
        h, t, height, width = _split(h[keep], t[keep], height, width, k, d)
    return HeaviestClasses(
        np.append(h, exact_h),
        np.append(t, exact_t),
        np.append(size, 0.0),
        np.append(value, score(x, exact_h, exact_t)),
        dropped,
    )


def _all_but_the_lightest(log_bound: Floats, log_budget: float) -> tuple[Bools, float]:
    """Entries to keep so that the others sum to at most e^log_budget, and the log of that sum."""
    light = np.sort(log_bound[log_bound < log_budget])
    gone = int(np.searchsorted(np.cumsum(np.exp(light - log_budget)), 1.0, side="right"))
    # equal entries stay together, so none of these goes
    keep: Bools = log_bound >= (light[gone] if gone < len(light) else log_budget)
    return keep, log_sum_exp(log_bound[~keep])


def _first_side(length: int) -> int:
    """The largest power of 4 up to a length of at least 1."""
    return int(4 ** ((length.bit_length() - 1) // 2))


def _split(
    h0: Ints, t0: Ints, height: int, width: int, k: int, d: int
) -> tuple[Ints, Ints, int, int]:
    """Each block as up to 4×4 smaller ones, without those that lie outside."""
    lower, narrower = max(height // _SIDE, 1), max(width // _SIDE, 1)
    h = h0[:, None, None] + np.arange(0, height, lower)[None, :, None]
    t = t0[:, None, None] + np.arange(0, width, narrower)[None, None, :]
    h, t = (v.ravel() for v in np.broadcast_arrays(h, t))
    inside = (h < k) & (t <= d)
    return h[inside], t[inside], lower, narrower


_NEGLIGIBLE = 1e-17


def classes_of_rank_lists(ranks: Ints, k: int) -> tuple[Ints, Ints]:
    """(h, t) of lists of 0-based ranks, shape (n, k), ascending along each row, padded with −1.

    >>> h, t = classes_of_rank_lists(np.array([[0, 1], [0, -1], [-1, -1], [3, -1]]), 2)
    >>> h.tolist(), t.tolist()
    ([2, 1, 0, 0], [2, 2, 2, 4])
    """
    in_place = (ranks == np.arange(k)).cumprod(axis=1).sum(1)
    return in_place.astype(np.int64), np.maximum(ranks.max(1) + 1, k).astype(np.int64)


def log_class_size_up_to_k(h: Ints, t: Ints, k: int, d: int) -> Floats:
    """log of the number of lists of at most k of d ranks in a class; −inf for no such class.

    >>> h, t = np.array([2, 1, 0, 0, 0]), np.array([2, 2, 2, 3, 4])
    >>> np.exp(log_class_size_up_to_k(h, t, 2, 9)).round(6).tolist()
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
