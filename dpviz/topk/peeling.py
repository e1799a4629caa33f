"""Peeling: k rounds of a top-1 mechanism with ε/k each, the winner taken out after every round.

Symbols: x = ranked normalised scores, q = ε/(2k)·x, one fresh noise an item and round.
Invariants: with gumbel noise the set (and its order) has exactly the one-shot's law; with the other
families it has not, and is enumerated while the chain is short, else estimated from draws.
Source: Shekelyan & Loukides 2022, Sec 2; McKenna & Sheldon 2020 (permute-and-flip as the top-1 mechanism).
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.base.arrays import Floats
from dpviz.base.noise import NOISES
from dpviz.base.parameters import parameter
from dpviz.base.progress import Progress
from dpviz.base.scores import Scores
from dpviz.numerics.cutoff.race import relative_levels
from dpviz.topk.cutoff_law import cutoff_law, cutoff_sampler
from dpviz.topk.law import Draw, RankLaw
from dpviz.topk.mechanism import TOP_K, TopKMechanism
from dpviz.topk.peeled_law import peeled_law
from dpviz.topk.peeling_draws import draw_by_rounds

_MOST_TRANSITIONS = 20_000


def transitions(d: int, k: int) -> int:
    """How many (items taken so far, next item) pairs the chain has: Σ_{j<k} binom(d, j)·(d − j).

    >>> transitions(4, 2)
    16
    """
    return sum(math.comb(d, j) * (d - j) for j in range(k))


@TOP_K.register(
    "peeling",
    label="Peeling",
    says="Chooses one item k times, each time for ε/k. Take it where software has only a choice of one item; "
    "with Gumbel noise it does what one-shot does.",
)
@dataclass(frozen=True, kw_only=True)
class Peeling(TopKMechanism):
    """k rounds of "the largest of ε/(2k)·x_i + noise", without replacement.

    Exact with gumbel noise, and with the others while the chain has at most 20,000 transitions.

    Parameters
    ----------
    epsilon
        ε above 0, the total for one release of all k items; each round takes ε/k.
    k
        How many items come out, from 1 to d − 1.
    noise
        A name in `NOISES`: one of gumbel, exponential, laplace, logistic, half_logistic.

    Examples
    --------
    >>> from dpviz import Scores
    >>> round(Peeling(epsilon=1.0, k=1, noise="exponential").distribution(Scores([2.0, 0.0])).top, 4)
    0.8161
    """

    releases_order: ClassVar[bool] = True

    noise: str = parameter("gumbel", choices=NOISES, label="Noise")

    @property
    def exponential_rounds(self) -> int | None:
        """k, one an item, with gumbel noise."""
        return self.k if NOISES[self.noise].max_stable else None

    def _levels(self, scores: Scores) -> Floats:
        return relative_levels(scores, self.k, self.epsilon / (2 * self.k))

    def _law(self, scores: Scores, progress: Progress) -> RankLaw | None:
        noise = NOISES[self.noise]
        if noise.max_stable or self.k == 1:  # the largest of what is left has the same law, whatever came before
            return cutoff_law(self._levels(scores), self.k, noise, progress)
        if transitions(scores.d, self.k) > _MOST_TRANSITIONS:
            return None
        return peeled_law(self._levels(scores), self.k, noise, progress)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        levels, noise, k = self._levels(scores), NOISES[self.noise], self.k
        if noise.max_stable or k == 1:
            return cutoff_sampler(levels, k, noise)
        return draw_by_rounds(noise, levels, k)
