"""Unordered choices under growing limits: ranks r_1 < … < r_k with r_l among the first b_l.

Symbols: offsets o_l = r_l − l do not fall, 0 ≤ o_1 ≤ … ≤ o_k, each at most its cap, the least of
b_i − i over i ≥ l. E_l(o) = number of ways to go on from place l with o_l ≥ o: suffix sums of
E_{l+1} up to the cap. N = E_1(0), and E_{a+1}(0) counts the choices with ranks 1..a. F_l(o) =
number of ways to o_l = o, so P(rank r is in) = Σ_l F_l(r−l)·E_{l+1}(r−l)/N.
Invariants: rows are scaled; if underflow could lose what matters, they are redone in logs.
Source: lattice paths under a boundary; Joseph et al. 2021 (joint selection).
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import islice
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpviz.base import Bools, Floats, Ints
from dpviz.numerics.log_binomials import log_binomial

_CUTS = 8
_CELLS = 1 << 17  # of a batch of rows: what fits into a cache
_STORED = 1 << 23  # of the rows kept for drawing
_LOST = -690.0  # log of what a scaled row may lose to underflow
_SAFE = -38.0  # … and log of how little of N that has to be


def caps_from_reaches(reaches: Ints) -> Ints:
    caps = reaches - np.arange(1, reaches.shape[1] + 1)
    return np.minimum.accumulate(caps[:, ::-1], axis=1)[:, ::-1]


def counting_costs(reaches: Ints) -> Ints:
    """Cost of counting each row of reaches: the states of all places together."""
    return np.asarray(caps_from_reaches(reaches).sum(1) + reaches.shape[1])


def log_bounded_set_count(reaches: Ints) -> Floats:
    """log N for each row of reaches."""
    return log_counts_with_top_ranks(caps_from_reaches(reaches))[:, 0]


def log_count_upper_bound(reaches: Ints) -> Floats:
    """A cheap upper bound on log N: runs of places, each any subset of its last place's reach."""
    k = reaches.shape[1]
    best = np.full(len(reaches), np.inf)
    for runs in (2**p for p in range(_CUTS) if 2**p < 2 * k):
        last = np.unique(np.linspace(0, k, min(runs, k) + 1).round().astype(np.int64))
        runs_log_size = log_binomial(reaches[:, last[1:] - 1] - last[:-1], np.diff(last))
        best = np.minimum(best, runs_log_size.sum(1))
    return best


def log_counts_with_top_ranks(caps: Ints) -> Floats:
    """log E_{a+1}(0) for a = 0..k: log of the number of choices with ranks 1..a, shape (n, k+1)."""
    out = np.empty((len(caps), caps.shape[1] + 1))
    start, width = 0, caps[:, -1] + 1
    while start < len(caps):
        count = max(1, _CELLS // int(width[start]))
        count = max(1, _CELLS // int(width[start : start + count].max()))
        part = slice(start, start + count)
        free = _free_from(caps[part])
        scale = _scale_rows(caps[part], logs=False, free=free)
        unsafe = ~_certified(caps[part], scale)
        if unsafe.any():
            scale[unsafe] = _scale_rows(caps[part][unsafe], logs=True, free=free)
        out[part] = scale
        start += count
    return out


def _certified(caps: Ints, scale: Floats) -> Bools:
    """True for each row whose loss by underflow is negligible beside N."""
    k = caps.shape[1]
    if log_binomial(caps.max() + k, k) + _LOST < _SAFE:  # not even if all states were lost
        return np.ones(len(caps), bool)
    place = np.arange(1, k + 1)
    lost = log_binomial(caps + place, place) + _LOST + scale[:, :-1]
    return np.asarray(lost.max(1) - scale[:, 0] < _SAFE)


def _free_from(caps: Ints) -> int:
    """The first place from which on no row's cap changes any more."""
    return int((caps != caps[:, -1:]).sum(1).max())


def _scale_rows(
    caps: Ints, *, logs: bool, free: int, every: int = 1, kept: dict[int, Floats] | None = None
) -> Floats:
    """log E_l(0) for l = 1..k+1, from the last place down; `kept` gets every `every`-th row."""
    size, k = caps.shape
    scale = np.empty((size, k + 1))
    left = k - np.arange(free, k + 1)
    # from place `free` on, counts are binomial coefficients
    scale[:, free:] = log_binomial(caps[:, -1:] + left, left)
    row = _start_row(caps, free, logs) if free else np.empty(0)
    if kept is not None:
        kept[free] = row
    for place in range(free - 1, -1, -1):
        row, step = _step(row, caps[:, place], logs)
        scale[:, place] = scale[:, place + 1] + step
        if kept is not None and place % every == 0:
            kept[place] = row
    return scale


def _start_row(caps: Ints, free: int, logs: bool) -> Floats:
    """E at the first free place over its value at 0, for the offsets of the place before."""
    cap, n = caps[:, -1:], caps.shape[1] - free
    width = int(caps[:, free - 1].max()) + 1
    row = log_binomial(cap - np.arange(width) + n, np.full(width, n)) - log_binomial(cap + n, n)
    return row if logs else np.exp(row)


def _step(row: Floats, cap: Ints, logs: bool) -> tuple[Floats, Floats]:
    """From E_{l+1} to E_l, both over their value at offset 0; and log of the ratio of these."""
    held = _up_to_cap(row[:, : int(cap.max()) + 1].copy(), cap, logs)
    summed = _running(held[:, ::-1], logs)[:, ::-1]
    return _over(summed, summed[:, 0].copy(), logs)


def _forward_step(row: Floats, cap: Ints, logs: bool) -> tuple[Floats, Floats]:
    """From F_{l−1} to F_l, both over their largest entry; and log of the ratio of those."""
    summed = np.empty((len(row), int(cap.max()) + 1))
    common = min(row.shape[1], summed.shape[1])
    summed[:, :common] = _running(row[:, :common], logs)
    summed[:, common:] = summed[:, common - 1 : common]
    summed = _up_to_cap(summed, cap, logs)
    return _over(summed, summed.max(1), logs)


def _up_to_cap(row: Floats, cap: Ints, logs: bool) -> Floats:
    np.copyto(row, -np.inf if logs else 0.0, where=np.arange(row.shape[1]) > cap[:, None])
    return row


def _running(row: Floats, logs: bool) -> Floats:
    return np.asarray(np.logaddexp.accumulate(row, axis=1) if logs else np.cumsum(row, axis=1))


def _over(row: Floats, top: Floats, logs: bool) -> tuple[Floats, Floats]:
    """The row over one entry of it, and log of that entry."""
    if logs:
        return row - top[:, None], top
    row /= top[:, None]
    return row, np.log(top)


class UniformSetSampler:
    """Uniform draws from all choices of one row of reaches, counted once."""

    def __init__(self, reaches: Ints) -> None:
        self._caps = caps = caps_from_reaches(reaches[None, :])
        self._free = free = _free_from(caps)
        stored = counting_costs(reaches[None, :])[0] <= _STORED
        # to save memory, the rows of E between are made again
        self._every = 1 if stored else max(1, int(np.sqrt(free)))
        self._kept: dict[int, Floats] = {}
        scale = _scale_rows(caps, logs=False, free=free, every=self._every, kept=self._kept)
        self._logs = not _certified(caps, scale).all()
        if self._logs:
            scale = _scale_rows(caps, logs=True, free=free, every=self._every, kept=self._kept)
        self.log_count = float(scale[0, 0])

    def draw_rank_sets(self, size: int, rng: Generator) -> Ints:
        """`size` choices: ascending 0-based ranks, shape (size, k)."""
        caps, free, logs = self._caps, self._free, self._logs
        k = caps.shape[1]
        ranks = np.empty((size, k), np.int64)
        offset = np.zeros(size, np.int64)
        for place, row in _rows_upward(caps, free, logs, self._every, self._kept):
            # the next offset is ≥ o with probability E(o)/E(last offset)
            left = np.log1p(-rng.random(size)) if logs else 1.0 - rng.random(size)
            level = row[offset] + left if logs else row[offset] * left
            # the row falls along the offsets: the last place at which it is still ≥ level
            offset = len(row) - np.searchsorted(row[::-1], level, side="left") - 1
            ranks[:, place] = offset + place
        n, cap = k - free, int(caps[0, -1])
        for i, o in enumerate(offset.tolist() if n else []):  # n offsets that do not fall from o on
            subset = rng.choice(cap - o + n, n, replace=False, shuffle=False)
            ranks[i, free:] = np.sort(subset) - np.arange(n) + o + np.arange(free, k)
        return ranks


def _rows_upward(
    caps: Ints, free: int, logs: bool, every: int, kept: dict[int, Floats]
) -> Iterator[tuple[int, Floats]]:
    """(place, suffix sums of E there) for places 0..free − 1; rows not kept are made again."""
    for start in range(0, free, every):
        stop = min(start + every, free)
        row, rows = kept[stop], []
        for place in range(stop - 1, start, -1):
            row, _ = _step(row, caps[:, place], logs)
            rows.append(row[0])
        yield from enumerate([kept[start][0], *reversed(rows)], start)


class _Underflow(Exception):
    """Plain numbers may have lost what matters."""


def _redone_in_logs(compute: Callable[..., Floats]) -> Callable[[Ints, int, NDArray[Any]], Floats]:
    """The figure in plain numbers, or in logs where these may lose what matters."""

    @wraps(compute)
    def accurate(caps: Ints, rank: int, other: NDArray[Any]) -> Floats:
        try:
            return compute(caps, rank, other, logs=False)
        except _Underflow:
            return compute(caps, rank, other, logs=True)

    return accurate


def _forward_rows(
    caps: Ints, top: int, completions: Floats, logs: bool
) -> Iterator[tuple[Floats, Floats]]:
    """(F_l over its largest entry, log of that entry) for l = top..k."""
    row, scale = np.full((len(caps), 1), 0.0 if logs else 1.0), np.zeros(len(caps))
    most = _SAFE - _LOST + completions[:, :1] - completions
    yield row, scale
    for place in range(top, caps.shape[1]):
        row, step = _forward_step(row, caps[:, place], logs)
        scale = scale + step
        if not (logs or (scale < most[:, place + 1]).all()):
            raise _Underflow
        yield row, scale


def _backward_rows(caps: Ints, logs: bool) -> tuple[dict[int, Floats], Floats]:
    """(E_{l+1} over the offsets of place l, log E_{l+1}(0)) for l = 0..k."""
    rows: dict[int, Floats] = {}
    scale = _scale_rows(caps, logs=logs, free=caps.shape[1], kept=rows)
    if not (logs or _certified(caps, scale).all()):
        raise _Underflow
    return rows, scale


@_redone_in_logs
@np.errstate(divide="ignore")
def log_counts_up_to_worst(
    caps: Ints, top_rank_count: int, worst_ranks: Ints, *, logs: bool
) -> Floats:
    """log of the number of choices with ranks 1..top and none worse than `worst_j` (at least k)."""
    walk = _forward_rows(caps, top_rank_count, log_counts_with_top_ranks(caps), logs)
    row, scale = deque(walk, maxlen=1).pop()
    summed = _running(row, logs)[:, np.minimum(worst_ranks - caps.shape[1], row.shape[1] - 1)]
    return (summed if logs else np.log(summed)) + scale[:, None]


@_redone_in_logs
@np.errstate(divide="ignore")
def weighted_inclusion(caps: Ints, d: int, weight: Floats, *, logs: bool) -> Floats:
    """Σ over the rows of caps of weight × P(rank r is in), shape (d,)."""
    out = np.zeros(d)
    rows, completions = _backward_rows(caps, logs)
    walk = _forward_rows(caps, 0, completions, logs)
    for place, (row, _) in enumerate(islice(walk, 1, None)):
        after = rows[place + 1][:, : row.shape[1]]
        joint = row + after if logs else np.log(row) + np.log(after)
        share = np.exp(joint - joint.max(1, keepdims=True))
        share *= (weight / share.sum(1))[:, None]
        out[place : place + row.shape[1]] += share.sum(0)
    return out


@_redone_in_logs
@np.errstate(divide="ignore")
def weighted_hit_distribution(
    caps: Ints, hit_rank_count: int, weight: Floats, *, logs: bool
) -> Floats:
    """Σ over the rows of caps of weight × P(exactly j of ranks 1..best are in), j = 0..k."""
    size, k = caps.shape
    log_share = np.full((size, k + 1), -np.inf)
    rows, completions = _backward_rows(caps, logs)
    for j, (row, scale) in enumerate(_forward_rows(caps, 0, completions, logs)):
        offset = (
            hit_rank_count - j
        )  # of the last place that is a hit at most, of the next one at least
        if offset < 0 or (j < k and offset >= rows[j].shape[1]):
            continue
        until = row[:, : offset + 1]
        reached = np.logaddexp.reduce(until, axis=1) if logs else np.log(until.sum(1))
        log_share[:, j] = scale + reached + completions[:, j]
        if j < k:
            log_share[:, j] += rows[j][:, offset] if logs else np.log(rows[j][:, offset])
    return np.asarray(weight @ np.exp(log_share - completions[:, :1]))
