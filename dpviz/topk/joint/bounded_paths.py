"""Unordered choices under growing limits: ranks r_1 < … < r_k with r_l among the first b_l.

Symbols: offsets o_l = r_l − l do not fall, 0 ≤ o_1 ≤ … ≤ o_k, each at most its cap, the least of
b_i − i over i ≥ l. E_l(o) = number of ways to go on from place l with o_l ≥ o: suffix sums of
E_{l+1} up to the cap. N = E_1(0), and E_{a+1}(0) counts the choices with ranks 1..a. F_l(o) =
number of ways to o_l = o, so P(rank r is in) = Σ_l F_l(r−l)·E_{l+1}(r−l)/N.
Invariants: rows are scaled; if underflow could lose what matters, they are redone in logs.
Source: lattice paths under a boundary; Joseph et al. 2021 (joint selection).
"""

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Ints
from dpviz.numerics.log_binomials import log_binomial

_CUTS = 8
_CELLS = 1 << 17  # of a batch of rows: what fits into a cache
_STORED = 1 << 23  # of the rows kept for drawing
LOST = -690.0  # log of what a scaled row may lose to underflow
SAFE = -38.0  # … and log of how little of N that has to be


def offset_caps(reached: Ints, worst: int | None = None) -> Ints:
    """Caps on the offsets for each row of reaches; with `worst`, no rank below it."""
    k = reached.shape[1]
    caps = reached - np.arange(1, k + 1)
    if worst is not None:
        caps = np.minimum(caps, worst - k)
    return np.minimum.accumulate(caps[:, ::-1], axis=1)[:, ::-1]


def state_counts(reached: Ints) -> Ints:
    """Cost of counting each row of reaches: the states of all places together."""
    return np.asarray(offset_caps(reached).sum(1) + reached.shape[1])


def log_bounded_set_count(reached: Ints) -> Floats:
    """log N for each row of reaches."""
    return log_completions(offset_caps(reached))[:, 0]


def log_count_bound(reached: Ints) -> Floats:
    """A cheap upper bound on log N: runs of places, each any subset of its last place's reach."""
    k = reached.shape[1]
    best = np.full(len(reached), np.inf)
    for runs in (2**p for p in range(_CUTS) if 2**p < 2 * k):
        last = np.unique(np.linspace(0, k, min(runs, k) + 1).round().astype(np.int64))
        runs_log_size = log_binomial(reached[:, last[1:] - 1] - last[:-1], np.diff(last))
        best = np.minimum(best, runs_log_size.sum(1))
    return best


def log_completions(caps: Ints) -> Floats:
    """log E_{a+1}(0) for a = 0..k: log of the number of choices with ranks 1..a, shape (n, k+1)."""
    out = np.empty((len(caps), caps.shape[1] + 1))
    start, width = 0, caps[:, -1] + 1
    while start < len(caps):
        count = max(1, _CELLS // int(width[start]))
        count = max(1, _CELLS // int(width[start : start + count].max()))
        part = slice(start, start + count)
        scale = _scale_rows(caps[part], logs=False)
        unsafe = ~_certified(caps[part], scale)
        if unsafe.any():
            scale[unsafe] = _scale_rows(caps[part][unsafe], logs=True)
        out[part] = scale
        start += count
    return out


def _certified(caps: Ints, scale: Floats) -> Bools:
    """True for each row whose loss by underflow is negligible beside N."""
    k = caps.shape[1]
    if log_binomial(caps.max() + k, k) + LOST < SAFE:  # not even if all states were lost
        return np.ones(len(caps), bool)
    place = np.arange(1, k + 1)
    lost = log_binomial(caps + place, place) + LOST + scale[:, :-1]
    return np.asarray(lost.max(1) - scale[:, 0] < SAFE)


def _free_from(caps: Ints) -> int:
    """The first place from which on no row's cap changes any more."""
    return int((caps != caps[:, -1:]).sum(1).max())


def _scale_rows(
    caps: Ints, *, logs: bool, every: int = 0, kept: dict[int, Floats] | None = None
) -> Floats:
    """log E_l(0) for l = 1..k+1, from the last place down; `kept` gets every `every`-th row."""
    size, k = caps.shape
    free = _free_from(caps)
    scale = np.empty((size, k + 1))
    left = k - np.arange(free, k + 1)
    scale[:, free:] = log_binomial(caps[:, -1:] + left, left)
    if free == 0:
        return scale
    row = _start_row(caps, free, logs)
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
    width = int(cap.max()) + 1
    inside = np.arange(width) <= cap[:, None]
    if logs:
        summed = np.logaddexp.accumulate(
            np.where(inside, row[:, :width], -np.inf)[:, ::-1], axis=1
        )[:, ::-1]
        return summed - summed[:, :1], summed[:, 0]
    summed = np.cumsum((row[:, :width] * inside)[:, ::-1], axis=1)[:, ::-1]
    return summed / summed[:, :1], np.log(summed[:, 0])


def backward_rows(caps: Ints, *, logs: bool) -> tuple[list[Floats], Floats, bool]:
    """(E_{l+1} over the offsets of place l, for l = 0..k; log E_{l+1}(0); True if accurate)."""
    k = caps.shape[1]
    scale = np.zeros((len(caps), k + 1))
    width = int(caps[:, -1].max()) + 1
    rows = [np.zeros((len(caps), width)) if logs else np.ones((len(caps), width))]
    for place in range(k - 1, -1, -1):
        row, step = _step(rows[-1], caps[:, place], logs)
        rows.append(row)
        scale[:, place] = scale[:, place + 1] + step
    return rows[::-1], scale, logs or bool(_certified(caps, scale).all())


class UniformSetSampler:
    """Uniform draws from all choices of one row of reaches, counted once.

    The next offset is ≥ o with probability E(o)/E(last offset). To save memory, some rows of E are
    made again.
    """

    def __init__(self, reached: Ints) -> None:
        self._caps = caps = offset_caps(reached[None, :])
        self._free = free = _free_from(caps)
        stored = state_counts(reached[None, :])[0] <= _STORED
        self._every = 1 if stored else max(1, int(np.sqrt(free)))
        self._kept: dict[int, Floats] = {}
        scale = _scale_rows(caps, logs=False, every=self._every, kept=self._kept)
        self._logs = not _certified(caps, scale).all()
        if self._logs:
            scale = _scale_rows(caps, logs=True, every=self._every, kept=self._kept)
        self.log_count = float(scale[0, 0])

    def draw(self, size: int, rng: Generator) -> Ints:
        """`size` choices: ascending 0-based ranks, shape (size, k)."""
        caps, free, logs = self._caps, self._free, self._logs
        k = caps.shape[1]
        ranks = np.empty((size, k), np.int64)
        offset = np.zeros(size, np.int64)
        for place, row in _rows_upward(caps, free, logs, self._every, self._kept):
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
        stretch = [kept[start][0]]
        if every > 1:
            stop = min(start + every, free)
            row = kept[stop] if stop < free else _start_row(caps, free, logs)
            rows = []
            for place in range(stop - 1, start, -1):
                row, _ = _step(row, caps[:, place], logs)
                rows.append(row[0])
            stretch += reversed(rows)
        yield from enumerate(stretch, start)


def log_counts_by_worst(caps: Ints, top: int, worst: Ints) -> Floats:
    """log of the number of choices with ranks 1..top and none worse than `worst_j` (at least k)."""
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
    """Σ over the rows of caps of weight × P(exactly j of ranks 1..best are in), j = 0..k."""
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
