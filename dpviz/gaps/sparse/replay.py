"""A run of a sparse vector shown from within: the noise that a release never tells.

Symbols: as in `dpviz.gaps.sparse.mechanism`; noisy value of a query in a branch = f_i + Δ·noise_ij, to be
compared with the noisy threshold T + Δ·(η + offset_j).
Invariants: the same generator gives the very run of `release`; for looking at generated or past data only,
for what is told here beside the release is not private.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Floats, Ints
from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.gaps.sparse.mechanism import ThresholdMechanism
from dpviz.gaps.sparse.one_run import ThresholdRelease, draw_noise, release

__all__ = ["ThresholdReplay", "replay"]


@dataclass(frozen=True, eq=False)
class ThresholdReplay:
    """A release with what was compared in it, in units of the scores, for the `release.asked` queries.

    `thresholds` (branches,): what the noisy values had to reach. `noisy` (branches, asked): the noisy
    value in each branch, NaN where the query did not come to that branch. `branch` (asked,): the index of
    the branch that answered, −1 for none. `units` (asked,): the units used once the query was done.
    """

    mechanism: ThresholdMechanism
    release: ThresholdRelease
    thresholds: Floats
    noisy: Floats
    branch: Ints
    units: Ints


def replay(
    mechanism: ThresholdMechanism, scores: Scores, *, rng: Generator, confidence: float = 0.95
) -> ThresholdReplay:
    """Run `mechanism` once as `mechanism.release` does, and tell what was compared: see `ThresholdReplay`.

    >>> from dpviz.gaps.sparse.sparse_vector import SparseVector
    >>> v = SparseVector(epsilon=50.0, k=1, threshold=4.0)
    >>> run = replay(v, Scores([1.0, 9.0, 9.0]), rng=np.random.default_rng(1))
    >>> run.release.asked, run.branch.tolist(), run.units.tolist()
    (2, [-1, 0], [0, 1])
    """
    if not isinstance(rng, Generator):
        raise ParameterError("rng", rng, "a numpy.random.Generator")
    margins = mechanism.margins(scores)
    bounds = np.array([mechanism.confidence_bound(confidence, name).t for name in mechanism.branch_names])
    noise = draw_noise(mechanism, len(margins), rng)
    out = release(mechanism, margins, scores.sensitivity, bounds, noise)
    tests = mechanism.branches()
    branch = np.full(out.asked, -1)
    branch[out.items] = [mechanism.branch_names.index(name) for name in out.branches]
    noisy = scores.values[: out.asked] + scores.sensitivity * noise.queries[:, : out.asked]
    for j in range(1, len(tests)):
        noisy[j, (branch >= 0) & (branch < j)] = np.nan
    costs = np.array([test.cost for test in tests])
    offsets = np.array([test.offset for test in tests])
    return ThresholdReplay(
        mechanism=mechanism,
        release=out,
        thresholds=mechanism.threshold + scores.sensitivity * (noise.threshold + offsets),
        noisy=noisy,
        branch=branch,
        units=np.cumsum(np.where(branch >= 0, costs[branch], 0)),
    )
