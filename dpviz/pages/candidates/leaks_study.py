"""Candidates: privacy that is lost where runs are compared."""

import math

from dpviz.candidates.leaks import NaiveLeak, ThresholdLeak, naive_leak, threshold_leak
from dpviz.pages.candidates.runs_study import RunsStudy
from dpviz.pages.candidates.settings import DEMONSTRATIONS, MOST_STEPS, DemonstrationSizes


class LeakStudy(RunsStudy):
    """Two exact demonstrations of a loss by comparing runs, on the worst pairs of neighbours."""

    @property
    def demonstration_sizes(self) -> DemonstrationSizes:
        return DEMONSTRATIONS.read_settings(self.scenario.page)[0]

    @property
    def largest_failure_probability(self) -> float:
        """Largest failure chance at which both outcomes of a run stay within e^ε1."""
        return 1 / (1 + math.exp(self.settings.epsilon1))

    @property
    def naive_best_leak(self) -> NaiveLeak:
        """Loss of the naive best of K runs and of random stopping, by K."""
        return naive_leak(MOST_STEPS, self.settings.epsilon1, self.stop_probability)

    @property
    def falling_thresholds_leak(self) -> ThresholdLeak:
        return threshold_leak(
            self.demonstration_sizes.steps,
            min(self.demonstration_sizes.failure, self.largest_failure_probability),
            self.stop_probability,
            self.settings.epsilon1,
        )
