"""Chance of the best item if one item's sensitivity were larger: where each mechanism wins.

The last item in rank becomes so many times as sensitive as the most sensitive one. The exponential
mechanism then takes this for all items, the generalised one for that item alone.
"""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.base import Floats, Progress, ReadOnlyArrays, Scores, iterate_with_progress
from dpviz.margin.top_one import TopOneMechanism

FACTORS = np.geomspace(1.0, 1000.0, 31)
_SAME = 5e-4  # a difference in chance that is none


@dataclass(frozen=True, eq=False)
class BestProbabilityCurves(ReadOnlyArrays):
    """P(the best item) of both by factor, and the first factor at which the generalised one wins."""

    factors: Floats
    exponential: Floats
    generalised: Floats

    @property
    def turning_point(self) -> float | None:
        wins = np.flatnonzero(self.generalised > self.exponential + _SAME)
        return float(f"{self.factors[wins[0]]:.2g}") if len(wins) else None


def uneven_curves(
    exponential: TopOneMechanism,
    generalised: TopOneMechanism,
    scores: Scores,
    progress: Progress,
) -> BestProbabilityCurves:
    """Exact chances of the best item as the last one in rank becomes more sensitive.

    >>> from dpviz.base import ignore_progress
    >>> from dpviz.margin import GeneralisedExponential, NoisyMax
    >>> both = NoisyMax(epsilon=1.0), GeneralisedExponential(epsilon=1.0)
    >>> curves = uneven_curves(*both, Scores([30.0, 10.0, 0.0]), ignore_progress)
    >>> [chance[-1].round(3).item() for chance in (curves.exponential, curves.generalised)]
    [0.336, 0.977]
    >>> curves.turning_point
    2.5
    """
    chances = np.empty((2, len(FACTORS)))
    for i, (factor, _) in enumerate(iterate_with_progress(FACTORS.tolist(), progress)):
        own = scores.item_sensitivities.copy()
        own[scores.order[-1]] = factor * scores.sensitivity
        one = replace(scores, sensitivity=own, sensitivities=None)
        for row, mechanism in zip(chances, (exponential, generalised), strict=True):
            # without unlisted items: the size of the universe would hide it
            row[i] = mechanism.distribution(one).best_probability
    return BestProbabilityCurves(FACTORS, chances[0], chances[1])
