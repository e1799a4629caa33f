"""Distance to instability: release the best item only if it stays the best by a clear, noisy gap.

Symbols: gap = f_1 − f_2 (raw), D = how much one person changes the gap (2Δ, or Δ for monotonic
scores); released when gap + Lap(D/ε) > D + (D/ε)·log(1/(2δ)), else Fail.
Invariants: (ε, δ)-DP for δ < ½, and tight: at gap = D the release has probability δ exactly.
Source: Smith & Thakurta 2013, as in Chaudhuri, Hsu & Song 2014, Sec 2.2.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpviz.base.arrays import Ints
from dpviz.base.noise import NOISES
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.margin.one_item import TOP_ONE, TopOneLaw, TopOneMechanism


@TOP_ONE.register(
    "instability",
    label="Instability test",
    says="Gives the best item if it lies far above the second, else nothing. Take it where one item leads clearly.",
)
@dataclass(frozen=True, kw_only=True)
class DistanceToInstability(TopOneMechanism):
    """The best item or nothing, under (ε, δ)-DP with δ below ½.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release.
    delta
        δ above 0 and below ½.

    Examples
    --------
    >>> law = DistanceToInstability(epsilon=1.0, delta=1e-6).distribution(Scores([40.0, 2.0, 0.0]))
    >>> round(law.fail, 4), law.inclusion.round(4).tolist()
    (0.0038, [0.9962, 0.0, 0.0])
    """

    @property
    def _delta_below(self) -> float:
        return 0.5

    def gap_sensitivity(self, scores: Scores) -> float:
        """D: Δ for monotonic scores (both scores move the same way), else 2Δ."""
        return scores.sensitivity if scores.monotonic else 2 * scores.sensitivity

    def _clearance(self, scores: Scores, zeros: int) -> float:
        """(gap − threshold)/(D/ε): the release has the chance P(Laplace(1) > −clearance)."""
        best = float(scores.values[scores.order[0]])
        second = float(scores.values[scores.order[1]])  # with unlisted zeros no listed score is below them
        sensitivity = self.gap_sensitivity(scores)
        return self.epsilon * ((best - second) / sensitivity - 1) + math.log(2 * self.delta)

    def _law(self, scores: Scores, zeros: int, progress: Progress) -> TopOneLaw:
        clearance = np.array(self._clearance(scores, zeros))
        inclusion = np.zeros(scores.d)
        inclusion[scores.order[0]] = np.exp(NOISES["laplace"].log_cdf(clearance))
        fail = float(np.exp(NOISES["laplace"].log_sf(clearance)))
        progress(1.0)
        return TopOneLaw(scores=scores, inclusion=inclusion, fail=fail, zeros=zeros, error=4e-16, rounded=False)

    def _sample(self, scores: Scores, zeros: int, size: int, rng: Generator) -> Ints:
        released = self._clearance(scores, zeros) + rng.laplace(size=size) > 0
        return np.where(released, scores.order[0], -1)
