"""Candidates: what leaks where runs are compared.

Symbols: ε1 = the price of one run.
"""

import math

from dpviz.candidates.leaks import NaiveLeak, ThresholdLeak, naive_leak, threshold_leak
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import DEMONSTRATIONS, MOST_STEPS, DemonstrationSizes


class LeakStudy(RunsStudy):
    """Two exact demonstrations of what leaks when runs are compared, on the worst pairs of
    neighbours.
    """

    @property
    def demonstration_sizes(self) -> DemonstrationSizes:
        """How large they are."""
        return DEMONSTRATIONS.read_settings(self.scenario.page)[0]

    @property
    def largest_failure_probability(self) -> float:
        """The largest chance of a run to fail of which both outcomes stay within e^ε1."""
        return 1 / (1 + math.exp(self.settings.epsilon1))

    @property
    def naive_best_leak(self) -> NaiveLeak:
        """The naive best of K runs and random stopping, by K."""
        return naive_leak(MOST_STEPS, self.settings.epsilon1, self.stop_probability)

    @property
    def falling_thresholds_leak(self) -> ThresholdLeak:
        """Thresholds that come down, by step."""
        failure = min(self.demonstration_sizes.failure, self.largest_failure_probability)
        return threshold_leak(
            self.demonstration_sizes.steps, failure, self.stop_probability, self.settings.epsilon1
        )
