"""Many independent draws of the largest of noisy values, with Laplace noise.

Symbols: v_i + b·Lap; L = a level that some twenty more values than wanted exceed on average; s_i =
P(v_i + noise > L).
Invariants: the law is exact. Only values above L are drawn, their size by the conditional quantile.
A run with too few also draws below L.
"""

import math

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints, log1mexp, repeat_values, tally
from dpviz.numerics.interval_search import bisect

_LAPLACE = NOISES["laplace"]


def draw_noisy_top_with_values(
    values: Floats, scale: float, count: int, runs: int, rng: Generator
) -> tuple[Ints, Floats]:
    wanted = count + 6 * math.sqrt(count) + 6
    if wanted * 4 >= len(values):  # at least one in four exceeds L: draw everything
        return _dense(values + scale * _LAPLACE.sample(rng, (runs, len(values))), count)
    level = _level(values, scale, wanted)
    log_s = _LAPLACE.log_sf((level - values) / scale)
    run, item = _exceeding(np.exp(log_s), runs, rng)
    log_q = log_s[item] + np.log(1.0 - rng.random(len(item)))
    noisy = values[item] + scale * _LAPLACE.quantile(log1mexp(-log_q), log_q)
    order = np.argsort(run.astype(np.min_scalar_type(runs)), kind="stable")
    run, item, noisy = run[order], item[order], noisy[order]
    number = tally(run, size=runs).astype(np.int64)
    start = np.cumsum(number) - number
    at = run, np.arange(len(run)) - start[run]
    shape = runs, max(count, int(number.max(initial=0)))
    item_at, noisy_at = np.zeros(shape, np.int64), np.full(shape, -np.inf)
    item_at[at], noisy_at[at] = item, noisy
    best, top = _dense(noisy_at, count)
    items = np.take_along_axis(item_at, best, axis=1)
    for row in np.flatnonzero(number < count):
        mine = slice(start[row], start[row] + number[row])
        # all values given that they do not exceed the level, and then those that do
        log_p = _LAPLACE.log_cdf((level - values) / scale) + np.log(1.0 - rng.random(len(values)))
        whole = values + scale * _LAPLACE.quantile(log_p, log1mexp(-log_p))
        whole[item[mine]] = noisy[mine]
        items[row : row + 1], top[row : row + 1] = _dense(whole[None], count)
    return items, top


def _dense(noisy: Floats, count: int) -> tuple[Ints, Floats]:
    best = np.argpartition(-noisy, count - 1, axis=1)[:, :count]
    value = np.take_along_axis(noisy, best, axis=1)
    order = np.argsort(-value, axis=1, kind="stable")
    return np.take_along_axis(best, order, axis=1), np.take_along_axis(value, order, axis=1)


def _level(values: Floats, scale: float, wanted: float) -> float:
    """L with Σ P(v_i + noise > L) = wanted, nearly."""
    low, high = float(values.min()) - 50 * scale, float(values.max()) + 50 * scale

    def too_high(level: float) -> bool:
        return float(np.exp(_LAPLACE.log_sf((level - values) / scale)).sum()) <= wanted

    return bisect(too_high, low, high, rounds=60)[0]


def _exceeding(chance: Floats, runs: int, rng: Generator) -> tuple[Ints, Ints]:
    """(run, item) of independent events of these chances."""
    often, rare = np.flatnonzero(chance > 0.5), np.flatnonzero(chance <= 0.5)
    run, which = np.nonzero(rng.random((runs, len(often))) < chance[often])
    # a rare event is at least one of Poisson(−log(1 − chance)) hits, which are few
    hits = rng.poisson(-runs * np.log1p(-chance[rare]))
    hit = np.sort(repeat_values(rare, hits) * runs + rng.integers(runs, size=hits.sum()))
    hit = hit[np.diff(hit, prepend=-1) > 0]  # faster than np.unique
    return np.append(run, hit % runs), np.append(often[which], hit // runs)
