"""One-shot top-k: noise on every score once, then the k largest.

Symbols: x = ranked normalised scores, q = ε/(2k)·x, N i.i.d. from a noise family.
Invariants: ε-DP for the set, and for the order too with all five families; with k = 1 it is the top-1
mechanism that the family names.
Source: Shekelyan & Loukides 2022, Alg 2 (which divides by the sensitivity twice).
"""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.base.arrays import Floats
from dpviz.base.noise import NOISES
from dpviz.base.parameters import parameter
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.topk.cutoff.cutoff_law import relative_levels, threshold_law, threshold_sampler
from dpviz.topk.law import Law
from dpviz.topk.mechanism import TOP_K, Draw, TopKMechanism

__all__ = ["OneShot"]


@TOP_K.register("one_shot", label="One-shot")
@dataclass(frozen=True, kw_only=True)
class OneShot(TopKMechanism):
    """The k largest of ε/(2k)·x_i + N_i.

    >>> from dpviz import Scores
    >>> round(OneShot(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0])).top, 4)
    0.7311
    """

    releases_order: ClassVar[bool] = True

    noise: str = parameter("gumbel", choices=NOISES, label="Noise")

    def _levels(self, scores: Scores) -> Floats:
        return relative_levels(scores, self.k, self.epsilon / (2 * self.k))

    def _law(self, scores: Scores, progress: Progress) -> Law:
        return threshold_law(self._levels(scores), self.k, NOISES[self.noise], progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        return threshold_sampler(self._levels(scores), self.k, NOISES[self.noise])
