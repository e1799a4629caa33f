"""The cost of choosing a run with a threshold that is searched first, beside the other ways.

Source: Liu & Talwar 2018, Thm 4.7.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.base import (
    EpsilonDelta,
    Floats,
    check_parameters,
    delta_parameter,
    open_interval_parameter,
    parameter,
)
from dpviz.candidates.threshold_search import ThresholdSearch


@dataclass(frozen=True, kw_only=True)
class SelectionBySearch:
    """Search a threshold, then publish the first run that reaches it (Thm 4.7).

    ε0 is halved: one half is ε3 and slack of the search, the other the limit of the known
    threshold. So 6S/ε3 of the search, S = ε1 + ε0/2, is the theorem's exponent 6 + 12ε1/ε0; its
    "ε3 = ε0" stands for that half.
    """

    candidates: int = parameter(low=1, integer=True, label="Candidates K")
    candidate_epsilon: float = parameter(low=0.0, above=True, high=700.0, label="ε1 of a run")
    epsilon0: float = parameter(low=0.0, above=True, high=1.0, label="ε0")
    delta: float = delta_parameter()
    beta: float = open_interval_parameter(0.1, "Chance β to fail")
    steps: int = parameter(10, low=2, high=10_000, integer=True, label="At most R thresholds")

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def search(self) -> ThresholdSearch:
        half = self.epsilon0 / 2
        return ThresholdSearch(
            percentile=1 / (2 * self.candidates),
            epsilon=half,
            candidate_epsilon=self.candidate_epsilon,
            epsilon0=half,
            delta=self.delta,
            beta=self.beta,
            steps=self.steps,
        )

    @property
    def log10_run_pass_probability(self) -> float:
        """log10 of p_1 = (1/12K)(β²/(R+1))^(6+12ε1/ε0), of a run to reach the threshold found."""
        exponent = 6 + 12 * self.candidate_epsilon / self.epsilon0
        return exponent * math.log10(self.beta**2 / (self.steps + 1)) - math.log10(
            12 * self.candidates
        )

    @property
    def log10_runs(self) -> float:
        """log10 of the runs on average at most: N for the search, and 1/p_1 for the choice."""
        parts = np.array([self.search.log10_samples, -self.log10_run_pass_probability]) * math.log(
            10
        )
        return float(np.logaddexp(*parts)) / math.log(10)

    @property
    def total_epsilon(self) -> EpsilonDelta:
        return EpsilonDelta(2 * self.candidate_epsilon + self.epsilon0, self.delta)


def runs_needed(
    candidates: int, candidate_epsilon: float, beta: float = 0.1, steps: int = 10
) -> dict[str, tuple[Floats, Floats]]:
    """Total ε and log10 of mean runs of each way to the best of K medians, with chance 1 − β."""
    some = np.geomspace(0.1, 1.0, 19)
    chosen = [
        SelectionBySearch(
            candidates=candidates,
            candidate_epsilon=candidate_epsilon,
            epsilon0=float(e0),
            beta=beta,
            steps=steps,
        )
        for e0 in some
    ]
    # a run reaches the goal with 1/(2K), so γ = β/(2K); the best of r runs misses it with 2^(−r)
    reached, repeats = math.log10(2 * candidates), math.ceil(-math.log2(beta))
    naive, total = candidates * repeats, 2 * candidate_epsilon + some
    return {
        "search": (total, np.array([way.log10_runs for way in chosen])),
        "known": (total, np.full(len(some), reached)),
        "stopping": (np.array([3 * candidate_epsilon]), np.array([reached - math.log10(beta)])),
        "naive": (np.array([naive * candidate_epsilon]), np.array([math.log10(naive)])),
    }
