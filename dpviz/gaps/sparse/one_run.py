"""One run of a sparse vector, with its gaps.

Symbols: m_i = (f_i − T)/Δ; η = threshold noise; noise_ij = the noise of query i in branch j.
Invariants: a gap comes from the very noise that chose its answer; every query has draws of its own in every
branch; the run stops by whole units; a query that was not asked has told nothing and cost nothing.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.random import Generator

from dpviz.base.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from dpviz.gaps.sparse.mechanism import ThresholdMechanism

__all__ = ["ThresholdNoise", "ThresholdRelease", "draw_noise", "release"]


@dataclass(frozen=True, eq=False)
class ThresholdRelease:
    """What a run publishes, in the order of the queries.

    `asked` queries were looked at before the budget ran out. `answers` (n,) is True where a query was
    said to exceed the threshold. For these, in order: `items` their indices, `gaps` how far the noisy
    score lay above the noisy threshold and `lower_bounds` T + gap − Δ·t (both in units of the scores),
    `branches` the names of the tests that they passed. `spent` (n,): the ε each query cost.
    `total` is the ε of the run, the threshold's ε0 included; `units` the units used.

    Each lower bound lies below the true value with probability at least `confidence` before it is known
    whether there is an answer, not given that there is one: see `ThresholdMechanism.coverage`.
    """

    asked: int
    answers: Bools
    items: Ints
    gaps: Floats
    branches: tuple[str, ...]
    lower_bounds: Floats
    spent: Floats
    units: int
    total: float

    def table(self) -> pd.DataFrame:
        """One row for each query asked; gap, branch and bound are missing where there was no answer."""
        frame = pd.DataFrame({"query": np.arange(self.asked), "answer": self.answers[: self.asked]})
        answered = pd.DataFrame(
            {"branch": list(self.branches), "gap": self.gaps, "lower_bound": self.lower_bounds}, index=self.items
        )
        return frame.join(answered, on="query").assign(spent=self.spent[: self.asked])


@dataclass(frozen=True, eq=False)
class ThresholdNoise:
    """All the noise of a run, in units of the sensitivity: the threshold's, and the `queries`' (branches, n)."""

    threshold: float
    queries: Floats


def draw_noise(mechanism: "ThresholdMechanism", n: int, rng: Generator) -> ThresholdNoise:
    """The noise of one run on n queries."""
    threshold = rng.laplace(scale=1 / mechanism.epsilon0)
    return ThresholdNoise(threshold, np.stack([rng.laplace(scale=1 / b.rate, size=n) for b in mechanism.branches()]))


def release(
    mechanism: "ThresholdMechanism", margins: Floats, sensitivity: float, bounds: Floats, noise: ThresholdNoise
) -> ThresholdRelease:
    """Run `mechanism` once on this noise; `bounds` has the t of each branch, in units of the sensitivity."""
    tests = mechanism.branches()
    costs = np.array([test.cost for test in tests])
    gaps = margins + noise.queries - noise.threshold
    passed = gaps >= np.array([test.offset for test in tests])[:, None]
    answers = np.any(passed, axis=0)
    branch = passed.argmax(0)  # the first that it passes
    used = np.cumsum(np.where(answers, costs[branch], 0))
    over = np.flatnonzero(used > mechanism.units - costs.max())
    asked = int(over[0]) + 1 if len(over) else len(margins)
    answers[asked:] = False
    items = np.flatnonzero(answers)
    by = branch[items]
    gap = gaps[by, items] * sensitivity
    spent = np.zeros(len(margins))
    spent[items] = costs[by] * mechanism.unit
    units = int(used[asked - 1])
    return ThresholdRelease(
        asked=asked,
        answers=answers,
        items=items,
        gaps=gap,
        branches=tuple(mechanism.branch_names[j] for j in by),
        lower_bounds=mechanism.threshold + gap - bounds[by] * sensitivity,
        spent=spent,
        units=units,
        total=mechanism.spent(units),
    )
