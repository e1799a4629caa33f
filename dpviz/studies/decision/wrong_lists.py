"""Likeliest wrong lists, and the items that are most often missing or in by mistake.

Items of equal scores make a level; a list is wrong if its scores are not those of the true top k.
Lists with equal counts by level are equally likely, and a worse item never makes a list likelier
(checked by enumeration in the tests). So a best-first walk meets wrong ones in order of chance.
"""

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, Progress, ignore_progress, repeat_values
from dpviz.numerics.log_binomials import log_binomial
from dpviz.studies import bounded_probability
from dpviz.topk import TopKDistribution
from dpviz.topk.sampled_law import SampledLaw


@dataclass(frozen=True)
class WrongList:
    """A wrong list: items missing, items in their place, its chance, and lists `alike`.

    `length` counts its items.
    """

    missing: tuple[int, ...]
    instead: tuple[int, ...]
    probability: float
    low: float
    high: float
    alike: float
    length: int


@dataclass(frozen=True)
class MisplacedItem:
    item: int
    probability: float
    low: float
    high: float


@dataclass(frozen=True)
class WrongLists:
    lists: tuple[WrongList, ...]
    missing: tuple[MisplacedItem, ...]
    instead: tuple[MisplacedItem, ...]
    method: str

    @property
    def item_indices(self) -> set[int]:
        return {item for miss in self.lists for item in (*miss.missing, *miss.instead)} | {
            often.item for often in (*self.missing, *self.instead)
        }


def likely_wrong_lists(
    dist: TopKDistribution,
    *,
    list_count: int = 3,
    misplaced_count: int = 5,
    lowest_probability: float = 0.0,
    progress: Progress = ignore_progress,
) -> WrongLists:
    """The likeliest wrong lists and misplaced items; ties at rank k count as neither."""
    levels = _ScoreLevels(_rivals(dist), dist.k)
    law = dist.law
    walk = (
        _drawn(law, levels)
        if isinstance(law, SampledLaw)
        else _walk(dist, levels, lowest_probability)
    )
    lists_found = []
    for ranks, log_p in walk:
        if not np.array_equal(levels.of[np.sort(ranks)], levels.of[levels.top]):
            lists_found.append(_miss(dist, levels, ranks, math.exp(log_p)))
            progress(0.9 * len(lists_found) / list_count)
        if len(lists_found) == list_count:
            break
    top, others = dist.scores.order, dist.scores.order[:0]  # k may pass the number of items
    if dist.k < dist.scores.d:
        a, b = dist.scores.tie_counts(dist.k)
        top, others = top[: dist.k if b == dist.k else a], top[b:]
    if dist.law.shorter:
        top = top[: dist.mechanism.largest_list_size(dist.scores)]
    missing, instead = (
        _often(dist, top, 1 - dist.inclusion[top], misplaced_count),
        _often(dist, others, dist.inclusion[others], misplaced_count),
    )
    progress(1.0)
    return WrongLists(tuple(lists_found), missing, instead, dist.method)


def _rivals(dist: TopKDistribution) -> Floats:
    """Ranked scores of the items that can come out."""
    ranked: Floats = dist.scores.values[dist.scores.order]
    if not dist.law.shorter:
        return ranked
    can = np.flatnonzero(dist.inclusion[dist.scores.order] > 0)
    return ranked[: int(max(can, default=0)) + 1]


class _ScoreLevels:
    """Ranks (0-based) by levels of equal scores; a list takes the first ranks of each level."""

    def __init__(self, ranked: np.ndarray, k: int) -> None:
        self.k = k
        self.start = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        self.stop = np.append(self.start[1:], len(ranked))
        self.of = repeat_values(np.arange(len(self.start)), self.stop - self.start)
        self.top = np.arange(min(k, len(ranked)))

    def count_by_level(self, ranks: Ints) -> Ints:
        return np.bincount(self.of[ranks], minlength=len(self.start))

    def count_alike(self, ranks: Ints) -> float:
        taken, size = self.count_by_level(ranks), self.stop - self.start
        log_many = float(log_binomial(size, taken).sum())
        return (
            float(round(math.exp(log_many)))
            if log_many < 36
            else math.exp(log_many)
            if log_many < 709
            else math.inf
        )

    def next_worse_lists(self, ranks: Ints) -> Iterator[Ints]:
        """Lists with one item exchanged for one of the next level."""
        taken = self.count_by_level(ranks)
        room = self.stop - self.start - taken
        for level in np.flatnonzero((taken[:-1] > 0) & (room[1:] > 0)):
            out = self.start[level] + taken[level] - 1
            yield np.sort(np.where(ranks == out, self.start[level + 1] + taken[level + 1], ranks))


def _walk(
    dist: TopKDistribution, levels: _ScoreLevels, least: float
) -> Iterator[tuple[Ints, float]]:
    """Lists from the right one on, the likeliest first, each with its log probability."""
    rarest = -math.log(least) if least else math.inf
    seen: set[bytes] = set()
    heap: list[tuple[float, int, Ints | None]] = []

    def meet(ranks: Ints) -> None:
        log_p = dist.law.log_probability(ranks)
        if ranks.tobytes() not in seen and log_p > -math.inf:
            seen.add(ranks.tobytes())
            heapq.heappush(heap, (-log_p, len(seen), ranks))

    if not dist.law.shorter:
        meet(levels.top)
    # of each length the right list is the likeliest, and comes in when nothing likelier is left
    else:
        for length, chance in enumerate(dist.law.best_list_probabilities()[: len(levels.top) + 1]):
            heapq.heappush(heap, (-math.log(chance + dist.error), -1 - length, None))
    while heap:
        negative, at, ranks = heapq.heappop(heap)
        if negative > rarest:  # and so is all that is left
            return
        if ranks is None:
            meet(levels.top[: -1 - at])
            continue
        yield ranks, -negative
        for worse in levels.next_worse_lists(ranks):
            meet(worse)


def _drawn(law: SampledLaw, levels: _ScoreLevels) -> Iterator[tuple[Ints, float]]:
    ranks, times = np.unique(np.sort(law.ranks, axis=1), axis=0, return_counts=True)
    for i in np.argsort(-times, kind="stable"):
        yield ranks[i], math.log(times[i] / law.draws)


def _miss(
    dist: TopKDistribution, levels: _ScoreLevels, ranks: Ints, probability: float
) -> WrongList:
    """Compare the list with the true top k that shares most items with it."""
    taken, right = levels.count_by_level(ranks), levels.count_by_level(levels.top)
    missing, instead = [], []
    for level in np.flatnonzero(taken != right):
        inside = ranks[levels.of[ranks] == level]
        every = np.arange(levels.start[level], levels.stop[level])
        if taken[level] < right[level]:
            missing += np.setdiff1d(every, inside)[-(right[level] - taken[level]) :].tolist()
        else:
            instead += inside[-(taken[level] - right[level]) :].tolist()
    order = dist.scores.order
    return WrongList(
        tuple(int(i) for i in order[missing]),
        tuple(int(i) for i in order[instead]),
        *bounded_probability(dist, probability),
        levels.count_alike(ranks),
        len(ranks),
    )


def _often(
    dist: TopKDistribution, items: Ints, chance: np.ndarray, most: int
) -> tuple[MisplacedItem, ...]:
    low, high = dist.bounds(chance)
    best = np.argsort(-chance, kind="stable")[:most]
    return tuple(
        MisplacedItem(int(items[i]), float(chance[i]), float(low[i]), float(high[i]))
        for i in best
        if chance[i] > dist.error or dist.draws
    )
