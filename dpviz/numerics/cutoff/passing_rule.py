"""The rule that publishes an item if its count with noise passes a public threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Noise


@dataclass(frozen=True)
class PassingRule:
    """Noise of a scale, and the threshold; without noise (scale 0) counts from it on pass.

    >>> from dpviz.base import GAUSSIAN
    >>> rule = PassingRule(GAUSSIAN, 18.257, 90.0)
    >>> rule.chance([100, 120]).round(3).tolist(), round(rule.count_with_chance(0.708), 1)
    ([0.708, 0.95], 100.0)
    """

    noise: Noise
    scale: float
    threshold: float

    def chance(self, counts: Floats | Sequence[float] | float) -> Floats:
        """The chance that items of these true counts are published, before a list is cut at k."""
        above = np.asarray(counts, float) - self.threshold
        if not self.scale:
            return np.where(above >= 0, 1.0, 0.0)
        return np.exp(self.noise.log_sf(-above / self.scale))

    def count_with_chance(self, chance: float) -> float:
        """The true count that is published with this chance."""
        passed = self.noise.quantile(np.array(np.log1p(-chance)), np.array(np.log(chance)))
        return self.threshold - self.scale * float(passed)
