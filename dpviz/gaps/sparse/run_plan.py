"""The plan of a sparse vector's run: its branches in turn, and the costs of their answers.

Symbols: m_i = (f_i − T)/Δ; η = the noise of the threshold.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Ints, ReadOnlyArrays, ValueEquality, cached_property


@dataclass(frozen=True)
class Branch:
    """One test: m + Lap(1/rate) − η ≥ offset."""

    name: str
    letter: str
    rate: float
    offset: float
    cost: int


@dataclass(frozen=True, eq=False)
class RunPlan(ReadOnlyArrays, ValueEquality):
    """The figures that a run goes by: epsilon = epsilon0 + units·unit."""

    branches: tuple[Branch, ...]
    units: int
    unit: float
    epsilon0: float
    epsilon: float
    k: int
    threshold: float

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(branch.name for branch in self.branches)

    @cached_property
    def branch_offsets(self) -> Floats:
        """The noisy margin to reach, by branch."""
        return np.array([branch.offset for branch in self.branches])

    @cached_property
    def costs(self) -> Ints:
        return np.array([branch.cost for branch in self.branches])

    @property
    def largest_continuing_units(self) -> int:
        """The most units used with which a run goes on: the dearest answer can still be paid."""
        return self.units - int(self.costs.max())

    @property
    def largest_rate(self) -> float:
        return max(branch.rate for branch in self.branches)

    def kinks(self, margins: Floats) -> Floats:
        """The places in η where some chance is not smooth."""
        return np.unique(margins - self.branch_offsets[:, None])

    def answering_branches_and_units(self, gaps: Floats) -> tuple[Ints, Ints]:
        """The branch that answers each query asked (−1: none), and the units used after it."""
        # `gaps` (branches, n) are the noisy margins above the noisy threshold
        passed = gaps >= self.branch_offsets[:, None]
        branch = np.where(passed.any(axis=0), passed.argmax(0), -1)  # the first that it passes
        used = np.cumsum(np.where(branch >= 0, self.costs[branch], 0))
        asked = 1 + np.count_nonzero(
            used[:-1] <= self.largest_continuing_units
        )  # `used` never falls
        return branch[:asked], used[:asked]

    def epsilon_spent(self, units: int) -> float:
        return self.epsilon if units == self.units else self.epsilon0 + units * self.unit
