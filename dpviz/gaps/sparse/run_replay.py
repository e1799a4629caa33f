"""One run of a sparse vector with its gaps, and the noise that a release never tells.

Symbols: m_i = (f_i − T)/Δ; η = threshold noise; noise_ij = the noise of query i in branch j; the
noisy value f_i + Δ·noise_ij is compared with the noisy threshold T + Δ·(η + offset_j).
Invariants: a gap comes from the noise that chose its answer; a query not asked costs nothing. A
replay is not private: it is for generated or past data only.
Source: Ding, Wang, Zhang & Kifer 2019, Algorithms 1 and 4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base import Bools, Floats, Frame, Ints, Scores, pd
from dpviz.gaps.sparse.run_plan import RunPlan


@dataclass(frozen=True, eq=False)
class ThresholdRelease:
    """The published figures of a run; bounds have their confidence before an answer is seen."""

    asked: int
    answers: Bools
    items: Ints
    gaps: Floats
    branches: tuple[str, ...]
    lower_bounds: Floats
    spent: Floats
    units: int
    total: float

    def table(self) -> Frame:
        """One row for each query asked; gap, branch and bound are missing without an answer."""
        frame = pd.DataFrame({"query": np.arange(self.asked), "answer": self.answers[: self.asked]})
        answered = pd.DataFrame(
            {"branch": list(self.branches), "gap": self.gaps, "lower_bound": self.lower_bounds},
            index=self.items,
        )
        return frame.join(answered, on="query").assign(spent=self.spent[: self.asked])


@dataclass(frozen=True, eq=False)
class ThresholdReplay:
    """A release with its comparisons, in the unit of the scores, for the queries asked."""

    plan: RunPlan
    release: ThresholdRelease
    thresholds: Floats
    noisy: Floats
    branch: Ints
    units: Ints


def simulate_run(
    plan: RunPlan, scores: Scores, margins: Floats, gap_deductions: Floats, rng: Generator
) -> ThresholdReplay:
    threshold = rng.laplace(scale=1 / plan.epsilon0)
    noise = np.stack(
        [rng.laplace(scale=1 / branch.rate, size=len(margins)) for branch in plan.branches]
    )
    gaps = margins + noise - threshold
    branch, used = plan.answering_branches_and_units(gaps)
    asked = len(branch)
    items = np.flatnonzero(branch >= 0)
    by = branch[items]
    gap = gaps[by, items] * scores.sensitivity
    answers, spent = np.zeros(len(margins), bool), np.zeros(len(margins))
    answers[items], spent[items] = True, plan.costs[by] * plan.unit
    noisy = scores.values[:asked] + scores.sensitivity * noise[:, :asked]
    noisy[(branch >= 0) & (branch < np.arange(len(noisy))[:, None])] = np.nan
    release = ThresholdRelease(
        asked=asked,
        answers=answers,
        items=items,
        gaps=gap,
        branches=tuple(plan.branches[j].name for j in by),
        lower_bounds=plan.threshold + gap - gap_deductions[by] * scores.sensitivity,
        spent=spent,
        units=int(used[-1]),
        total=plan.epsilon_spent(int(used[-1])),
    )
    thresholds = plan.threshold + scores.sensitivity * (threshold + plan.branch_offsets)
    return ThresholdReplay(plan, release, thresholds, noisy, branch, used)
