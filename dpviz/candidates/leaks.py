"""Exact losses of choices among runs on two neighbouring pools, to show what leaks.

Source: Liu & Talwar 2018, App B, with the symbols of `naive_choice`.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints
from dpviz.candidates.naive_choice import decreasing_thresholds_loss, naive_best, naive_worst_pair
from dpviz.candidates.rules import SelectionLaw
from dpviz.candidates.stopping import RandomStopping


def _largest_loss(one: SelectionLaw, other: SelectionLaw) -> float:
    """max ``|log P/P′|`` over scores and ⊥, where candidates share scores alike in both pools."""
    p, q = (np.append(law.score_law.mass, law.bottom) for law in (one, other))
    seen = (p > 0) & (q > 0)
    return float(np.abs(np.log(p[seen] / q[seen])).max())


@dataclass(frozen=True, eq=False)
class NaiveLeak:
    """Losses on the worst pair of pools by number of candidates; arrays of shape (n,)."""

    candidates: Ints
    naive: Floats
    stopping: Floats
    steady: Floats
    steady_other: Floats


def naive_leak(largest_count: int, candidate_epsilon: float, stop: float) -> NaiveLeak:
    sizes = np.arange(1, largest_count + 1)
    rows = []
    for k in sizes.tolist():
        pair = naive_worst_pair(k, candidate_epsilon)
        best, other = (naive_best(pool) for pool in pair)
        stopped = (RandomStopping(stop=stop).distribution(pool) for pool in pair)
        losses = _largest_loss(best, other), _largest_loss(*stopped)
        rows.append((*losses, best.candidate[0], other.candidate[0]))
    return NaiveLeak(sizes, *np.array(rows).T)


@dataclass(frozen=True, eq=False)
class ThresholdLeak:
    """The exact loss by number of thresholds R, and its floor (R + 1)·ε1; arrays of shape (n,)."""

    thresholds: Ints
    loss: Floats
    floor: Floats


def threshold_leak(
    largest_count: int, failure: float, stop: float, candidate_epsilon: float
) -> ThresholdLeak:
    steps = np.arange(largest_count + 1)
    loss = [decreasing_thresholds_loss(failure, stop, int(r), candidate_epsilon) for r in steps]
    return ThresholdLeak(steps, np.array(loss), np.asarray((steps + 1) * candidate_epsilon, float))
