"""Draws of the first noisy test that passes, test by test (`first_pass` has the law).

Symbols: g_r, w and Laplace(1) test noise as there; a test passes with chance F(g_r + w).
"""

import numpy as np
from numpy.random import Generator

from dpviz.base import NOISES, Floats, Ints
from dpviz.numerics.first_pass import Gaps

_LAPLACE = NOISES["laplace"]
_BLOCK = 512
_LISTED_AT_ONCE = 1 << 16


def draw_first_pass(gaps: Gaps, count: int, listed: int, shared: Floats, rng: Generator) -> Ints:
    """For each value of the shared noise the first test that passes, drawn test by test.

    Thinning: no test of a block has a larger chance than its largest gap gives. So candidates lie a
    geometric number of tests apart, and are accepted with the ratio of the chances.
    """
    index = np.full(len(shared), count, np.int64)
    active = np.arange(len(shared))
    start = 0
    while start < count and len(active):
        stop = min(start + max(_BLOCK, start - listed), count)
        first = _within(gaps, start, stop, shared[active], rng)
        passed = first < stop
        index[active[passed]] = first[passed]
        active = active[~passed]
        start = stop
    return index


def _within(gaps: Gaps, start: int, stop: int, shared: Floats, rng: Generator) -> Ints:
    """The first test to pass among start..stop−1, otherwise `stop` or more."""
    at_once = stop - start <= _LISTED_AT_ONCE
    g = gaps(start, stop if at_once else start + 1)
    ceiling = _chance(float(g.max()) + shared)
    with np.errstate(divide="ignore"):
        step = np.log1p(-ceiling)
    at = np.full(len(shared), start, np.int64)
    looking = np.arange(len(shared))
    while len(looking):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            skip = np.floor(np.log1p(-rng.random(len(looking))) / step[looking])
        at[looking] += np.clip(np.nan_to_num(skip, posinf=np.inf), 0, stop).astype(np.int64)
        looking = looking[at[looking] < stop]
        here = at[looking]
        gap = (
            g[here - start]
            if at_once
            else np.array([float(gaps(i, i + 1)[0]) for i in here.tolist()])
        )
        looking = looking[
            rng.random(len(looking)) * ceiling[looking] >= _chance(gap + shared[looking])
        ]
        at[looking] += 1
    return at


def _chance(u: Floats) -> Floats:
    """P(Laplace(1) < u)."""
    return _LAPLACE.tails(u)[1]
